# The tier of each test, as a label that tests/run.sh chooses by: `unit` (all tiers), `default`, or the part of
# `sh tests/run.sh all` that runs it. tests/faults, sweeps and fuzz label their own. A test that is named nowhere here is
# of the default tier.
set(unit_tests model io codec formats formats.stf formats.uscope pipeline views cli recording)
# Every law on every file and every random model takes minutes of both processors; laws.sample tries them on some.
set(part_of_laws laws laws.pairs)
# Each of these builds other programs from scratch with what is installed: minutes for what changes seldom.
set(part_of_packages flux_emitter_api.install install.packages install.subproject recording_api.install stf_api.install
    uscope_api.install)
# What runs threads, for ThreadSanitizer, which has a build of its own. They have another label, of a tier, too.
set(part_of_threads cli cli.same_bytes cli.validate uscope_api.live uscope_api.follow uscope_api.checkpoints uscope_api.dpi)

get_property(tests DIRECTORY PROPERTY TESTS)
foreach(test IN LISTS tests)
  set(labels)
  if(test IN_LIST unit_tests)
    list(APPEND labels unit)
  elseif(test IN_LIST part_of_laws)
    list(APPEND labels laws)
  elseif(test IN_LIST part_of_packages)
    list(APPEND labels packages)
  elseif(NOT test MATCHES "^threads[.]")
    list(APPEND labels default)
  endif()
  if(test IN_LIST part_of_threads OR test MATCHES "^threads[.]")
    list(APPEND labels threads)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}")
endforeach()

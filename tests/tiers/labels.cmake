# Labels each test with its tier, by which tests/run.sh selects it: `unit` (all tiers), `default`, or the part of `sh
# tests/run.sh all` that runs it. tests/faults, sweeps and fuzz label their tests themselves. A test that is not named
# here belongs to the default tier.
set(unit_tests model io symbols domain codec formats formats.stf formats.uscope select convert compare operate views query serve hwtrace cli recording record_qemu)
# All laws on all files and random models take minutes on two processors. laws.sample runs a sample of them.
set(part_of_laws laws laws.pairs cli.partial)
# Each of these tests builds other programs with the installed library. That takes minutes, and the result rarely
# changes.
set(part_of_packages cli.cluster cli.live flux_emitter_api.install install.packages install.plugins install.subproject record_qemu.functions record_qemu.programs record_qemu.symbols
    recording_api.install stf_api.install uscope_api.install)
# Tests that use threads, for the build with ThreadSanitizer. They also have the label of a tier.
set(part_of_threads cli cli.same_bytes cli.jobs cli.validate uscope_api.live uscope_api.follow uscope_api.checkpoints uscope_api.dpi)

get_property(tests DIRECTORY PROPERTY TESTS)
foreach(test IN LISTS tests)
  set(labels)
  if(test IN_LIST unit_tests)
    list(APPEND labels unit)
  elseif(test IN_LIST part_of_laws)
    list(APPEND labels laws)
  elseif(test IN_LIST part_of_packages)
    list(APPEND labels packages)
  elseif(test MATCHES "^sweeps[.]")
    list(APPEND labels sweeps)
  elseif(NOT test MATCHES "^threads[.]")
    list(APPEND labels default)
  endif()
  if(test IN_LIST part_of_threads OR test MATCHES "^threads[.]")
    list(APPEND labels threads)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}")
endforeach()

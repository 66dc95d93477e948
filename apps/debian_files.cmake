# cpack runs this before packing. Debian requires compressed man pages, a copyright and a changelog per package, zsh
# completions in Debian's folder, and stripped archives.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

# debian_compress(FILES...): compresses files without storing their names and times.
function(debian_compress)
  execute_process(COMMAND gzip -9n -f ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(group commands library shared python)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${group}/usr)
  if(NOT IS_DIRECTORY ${root})
    continue()
  endif()
  string(TOUPPER ${group} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(doc ${root}/share/doc/${package})
  file(MAKE_DIRECTORY ${doc})
  file(REMOVE ${root}/share/doc/hwtrace/LICENSE)
  file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hwtrace

Files: *
Copyright: 2026 the hwtrace authors
License: Apache-2.0
 On Debian systems, the license is in /usr/share/common-licenses/Apache-2.0.
")
  file(WRITE ${doc}/changelog "hwtrace (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Made by cpack. The changes are in CHANGELOG.md of the package hwtrace.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB texts ${doc}/CHANGELOG.md ${root}/share/man/man1/*.1)
  debian_compress(${doc}/changelog ${texts})
  if(IS_DIRECTORY ${root}/share/zsh/site-functions)
    file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
  endif()
  if(IS_DIRECTORY ${root}/share/doc/hwtrace/examples AND NOT package STREQUAL "hwtrace")
    file(RENAME ${root}/share/doc/hwtrace/examples ${doc}/examples)
    file(RENAME ${doc}/examples/README.md ${doc}/README.md)
    file(REMOVE_RECURSE ${root}/share/doc/hwtrace)
  endif()
  file(GLOB archives ${root}/lib/*.a ${root}/lib/*/*.a)
  if(archives)
    execute_process(COMMAND strip --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${archives}
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

# Packages made by cpack. -G DEB: hwtrace (the commands), libhwtrace-dev, python3-hwtrace if the Python module is built
# and, with HWTRACE_SHARED, libhwtrace0. -G TGZ: one archive with everything.
include(GNUInstallDirs)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hwtrace COMPONENT tools)
# The pages and pictures that README.md and --explain link to, installed with the same relative paths.
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     apps/*.md apps/*.png apps/pictures/*.txt apps/cluster/* apps/container/*
     formats/*.md formats/*.schema.json libs/*.md tests/*.md testdata/*.md libs/*.schema.json)
foreach(page ${pages})
  cmake_path(GET page PARENT_PATH folder)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hwtrace/${folder} COMPONENT tools)
endforeach()
install(DIRECTORY apps/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hwtrace COMPONENT development)

set(HWTRACE_MAINTAINER "hwtrace maintainers <hwtrace@users.noreply.github.com>" CACHE STRING "Maintainer of the packages")
mark_as_advanced(HWTRACE_MAINTAINER)
set(CPACK_PACKAGE_NAME hwtrace)
set(CPACK_PACKAGE_VENDOR hwtrace)
set(CPACK_PACKAGE_CONTACT "${HWTRACE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_FILE_NAME hwtrace-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL tools development recording uscope stf flux-emitter)
if(HWTRACE_SHARED)
  list(APPEND CPACK_COMPONENTS_ALL runtime)
endif()
if(HWTRACE_PYTHON_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL python-module)
  set(CPACK_COMPONENT_PYTHON-MODULE_GROUP python)
endif()
foreach(component development recording uscope stf flux-emitter)
  string(TOUPPER ${component} component)
  set(CPACK_COMPONENT_${component}_GROUP library)
endforeach()
set(CPACK_COMPONENT_TOOLS_GROUP commands)
set(CPACK_COMPONENT_RUNTIME_GROUP shared)

if(HWTRACE_STATIC)  # -G TXZ: the commands alone, in one folder
  string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
  set(CPACK_PACKAGE_FILE_NAME hwtrace-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
  set(CPACK_GENERATOR TXZ)
  set(CPACK_COMPONENTS_ALL tools)
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_NAME hwtrace)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/hwtrace)
# The disassembler library, which is loaded if it is installed.
set(CPACK_DEBIAN_COMMANDS_PACKAGE_RECOMMENDS "libcurl4, libllvm14 | libllvm15 | libllvm16 | libllvm19")
set(CPACK_DEBIAN_COMMANDS_DESCRIPTION
    "Commands for traces of processors, accelerators and simulations: convert,
print, compare, merge, split, recover and validate STF, µScope, pccx, flux,
FTR, Kanata, O3PipeView, transaction logs and JSON Lines. Conversions list
what is lost.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhwtrace-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "liblz4-dev, libzstd-dev, liblzma-dev, zlib1g-dev")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
    "Headers and libraries for programs that read, write, convert or record
hardware traces, or add a format. Records transactions and STF from C++,
µScope from C and SystemVerilog, flux from C. For CMake and pkg-config.")
if(HWTRACE_PYTHON_FOUND)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-hwtrace)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")  # the extension is for one version of Python
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian_python/postinst ${CMAKE_CURRENT_LIST_DIR}/debian_python/prerm)
  set(CPACK_DEBIAN_PYTHON_DESCRIPTION
      "Python module for traces of processors, accelerators and simulations: reads
them as arrays of numpy and tables of pandas, converts and validates them,
writes arrays, and records transactions of test benches.")
endif()
if(HWTRACE_SQLITE)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libsqlite3-dev")
endif()
if(HWTRACE_DW)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libdw-dev")
endif()
if(HWTRACE_SHARED)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libhwtrace${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_SHARED_PACKAGE_NAME libhwtrace${PROJECT_VERSION_MAJOR})
  set(CPACK_DEBIAN_SHARED_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_SHARED_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_trigger.cmake)
  set(CPACK_DEBIAN_SHARED_DESCRIPTION
      "The shared library of programs that read, write, convert or record hardware
traces.")
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
include(CPack)

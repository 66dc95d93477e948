# Installs the library: headers, archives, and the files for find_package(hwtrace) and pkg-config hwtrace. The files
# included here define components that install parts of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# hwtrace_install_libraries(COMPONENT LIBRARIES...): installs those archives, or libhwtrace.so instead. Programs then
# need the component `runtime` to run.
function(hwtrace_install_libraries component)
  if(HWTRACE_SHARED)
    install(TARGETS hwtrace_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT ${component})
  else()
    list(TRANSFORM ARGN PREPEND hwtrace_)
    install(TARGETS ${ARGN} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component})
  endif()
endfunction()
# hwtrace_install_package(TEMPLATE COMPONENT LIBRARIES...): installs a file for pkg-config, for programs that are linked
# with LIBRARIES. Its paths are relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH HWTRACE_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
function(hwtrace_install_package template component)
  set(HWTRACE_LINKED -lhwtrace)
  set(HWTRACE_REQUIRED)
  if(NOT HWTRACE_SHARED)
    list(TRANSFORM ARGN PREPEND -lhwtrace_ OUTPUT_VARIABLE HWTRACE_LINKED)
    list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE dl)  # "dl" on Linux: a name, not a flag
    list(APPEND HWTRACE_LINKED -lstdc++ -lpthread ${dl})
    list(JOIN HWTRACE_LINKED " " HWTRACE_LINKED)
    set(HWTRACE_REQUIRED "liblz4 libzstd zlib liblzma")
    if(HWTRACE_SQLITE AND "sqlite" IN_LIST ARGN)
      string(APPEND HWTRACE_REQUIRED " sqlite3")
    endif()
    if(HWTRACE_DW AND "symbols" IN_LIST ARGN)
      string(APPEND HWTRACE_REQUIRED " libdw libelf")
    endif()
  endif()
  get_filename_component(name ${template} NAME_WLE)
  configure_file(${template} ${PROJECT_BINARY_DIR}/${name} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()
include(formats/uscope/install.cmake)
include(formats/stf/install.cmake)
include(formats/flux/emitter/install.cmake)
include(libs/recording/install.cmake)

# All libraries, from top to bottom, in the order that linkers need.
set(hwtrace_libraries hwtrace recording operate compare convert select formats stf_cpp uscope_c transaction_formats stf uscope pccx flux ftr kanata commitlog champsim o3pipeview txlog jsonl perfetto report waveform tables ${sqlite_target} codec domain symbols io model
    flux_emitter)
set(hwtrace_targets uscope_dpi flux_emitter_hosted flux_emitter)
if(HWTRACE_SHARED)
  hwtrace_install_libraries(development)
  # The parts keep their target names, so that programs link either kind of library in the same way.
  foreach(library ${hwtrace_shared_parts})
    add_library(hwtrace_installed_${library} INTERFACE)
    target_link_libraries(hwtrace_installed_${library} INTERFACE hwtrace_shared)
    get_target_property(features hwtrace_${library} INTERFACE_COMPILE_FEATURES)
    target_compile_features(hwtrace_installed_${library} INTERFACE ${features})
    set_target_properties(hwtrace_installed_${library} PROPERTIES EXPORT_NAME ${library})
    list(APPEND hwtrace_exported hwtrace_installed_${library})
  endforeach()
  list(APPEND hwtrace_exported hwtrace_shared)
else()
  set(hwtrace_targets ${hwtrace_libraries} uscope_dpi flux_emitter_hosted)
endif()
foreach(library ${hwtrace_targets})
  set_target_properties(hwtrace_${library} PROPERTIES EXPORT_NAME ${library})
  list(APPEND hwtrace_exported hwtrace_${library})
endforeach()
install(TARGETS ${hwtrace_exported} EXPORT hwtrace COMPONENT development INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)

# Inside the project a header is "codec/format.hpp". When installed, this name could conflict with a program's own
# headers.
install(CODE "
  set(sources \"${PROJECT_SOURCE_DIR}\")
  set(made \"${PROJECT_BINARY_DIR}/public_headers\")
  set(prefix \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/hwtrace\")
  set(headers \"${HWTRACE_PUBLIC_HEADERS}\")
" COMPONENT development)
install(SCRIPT libs/install_headers.cmake COMPONENT development)

# find_package(hwtrace)
set(HWTRACE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hwtrace)
install(EXPORT hwtrace NAMESPACE hwtrace:: FILE hwtrace-targets.cmake DESTINATION ${HWTRACE_CMAKE_DIR} COMPONENT development)
configure_package_config_file(libs/hwtrace-config.cmake.in ${PROJECT_BINARY_DIR}/hwtrace-config.cmake INSTALL_DESTINATION ${HWTRACE_CMAKE_DIR}
                              NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hwtrace-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hwtrace-config.cmake ${PROJECT_BINARY_DIR}/hwtrace-config-version.cmake DESTINATION ${HWTRACE_CMAKE_DIR}
        COMPONENT development)

hwtrace_install_package(libs/hwtrace.pc.in development ${hwtrace_libraries})

# Installs the library and what finds it: headers, archives, find_package(hwtrace), pkg-config hwtrace. Parts of it are
# installed alone by the components of the files that are included here.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(formats/uscope/install.cmake)
include(formats/stf/install.cmake)
include(formats/flux/emitter/install.cmake)
include(libs/recording/install.cmake)

# From the top floor down, as linkers want them.
set(hwtrace_libraries recording pipeline formats stf_cpp uscope_c transaction_formats stf uscope pccx flux ftr kanata txlog jsonl codec io model
    flux_emitter)
set(hwtrace_other_libraries uscope_dpi flux_emitter_hosted)
set(hwtrace_targets ${hwtrace_libraries} ${hwtrace_other_libraries})
foreach(library ${hwtrace_targets})
  set_target_properties(hwtrace_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
list(TRANSFORM hwtrace_targets PREPEND hwtrace_)
install(TARGETS ${hwtrace_targets} EXPORT hwtrace ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Inside the project a header is "codec/format.hpp"; installed, it must not take such a name from a program.
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

# pkg-config hwtrace. The file says where it is relative to itself, so that an installed tree can be moved.
file(RELATIVE_PATH HWTRACE_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM hwtrace_libraries PREPEND -lhwtrace_ OUTPUT_VARIABLE HWTRACE_LINKED)
if(hwtrace_llvm_libraries)
  list(APPEND HWTRACE_LINKED -Wl,--push-state,--as-needed ${hwtrace_llvm_libraries} -Wl,--pop-state)
endif()
list(JOIN HWTRACE_LINKED " " HWTRACE_LINKED)
configure_file(libs/hwtrace.pc.in ${PROJECT_BINARY_DIR}/hwtrace.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hwtrace.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

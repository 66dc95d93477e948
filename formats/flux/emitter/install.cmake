# Installs the emitter of flux traces: cmake --install BUILD --component flux-emitter
include(GNUInstallDirs)
install(TARGETS hwtrace_flux_emitter_hosted hwtrace_flux_emitter ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT flux-emitter)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT flux-emitter)
# The core's sources, for builds of targets.
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hwtrace/flux_emitter COMPONENT flux-emitter
        FILES_MATCHING PATTERN "*.c" PATTERN "entry.h" PATTERN "hosted" EXCLUDE PATTERN "include" EXCLUDE)

# The files say where they are relative to themselves, so that an installed tree can be moved.
file(RELATIVE_PATH FLUX_EMITTER_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(FLUX_EMITTER_PACKAGE hwtrace-flux-emitter hwtrace-flux-emitter-hosted)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${FLUX_EMITTER_PACKAGE}.pc.in ${PROJECT_BINARY_DIR}/${FLUX_EMITTER_PACKAGE}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${FLUX_EMITTER_PACKAGE}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT flux-emitter)
endforeach()

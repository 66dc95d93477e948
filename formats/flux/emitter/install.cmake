# Installs the flux emitter: cmake --install BUILD --component flux-emitter
set(HWTRACE_EMITTER_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hwtrace-flux-emitter)
install(TARGETS hwtrace_flux_emitter_hosted hwtrace_flux_emitter EXPORT hwtrace-flux-emitter COMPONENT flux-emitter
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT flux-emitter)
install(EXPORT hwtrace-flux-emitter NAMESPACE hwtrace:: FILE hwtrace-flux-emitter-targets.cmake DESTINATION ${HWTRACE_EMITTER_CMAKE_DIR}
        COMPONENT flux-emitter)
hwtrace_install_package(formats/flux/emitter/hwtrace-flux-emitter.pc.in flux-emitter)
hwtrace_install_package(formats/flux/emitter/hwtrace-flux-emitter-hosted.pc.in flux-emitter)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/hwtrace-flux-emitter-config.cmake DESTINATION ${HWTRACE_EMITTER_CMAKE_DIR} COMPONENT flux-emitter)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT flux-emitter)
# Installs the sources of the core, so that targets can compile them.
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/hwtrace/flux_emitter COMPONENT flux-emitter
        FILES_MATCHING PATTERN "*.c" PATTERN "entry.h" PATTERN "hosted" EXCLUDE PATTERN "include" EXCLUDE)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hwtrace-flux-emitter
        COMPONENT flux-emitter)

# Installs the recording of transactions: cmake --install BUILD --component recording
include(GNUInstallDirs)
install(TARGETS hwtrace_recording hwtrace_transaction_formats hwtrace_pipeline hwtrace_uscope hwtrace_pccx hwtrace_flux
                hwtrace_flux_emitter hwtrace_ftr hwtrace_txlog hwtrace_jsonl hwtrace_codec hwtrace_io hwtrace_model
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT recording)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT recording)

# The file says where it is relative to itself, so that an installed tree can be moved.
file(RELATIVE_PATH RECORDING_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/hwtrace-recording.pc.in ${PROJECT_BINARY_DIR}/hwtrace-recording.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hwtrace-recording.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT recording)

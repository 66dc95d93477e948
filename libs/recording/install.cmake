# Installs the recording of transactions: cmake --install BUILD --component recording
set(recording_libraries recording transaction_formats convert select uscope pccx flux flux_emitter ftr txlog jsonl codec domain symbols io model)
hwtrace_install_libraries(recording ${recording_libraries})
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT recording)
hwtrace_install_package(libs/recording/hwtrace-recording.pc.in recording ${recording_libraries})

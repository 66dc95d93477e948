# Installs the C++ interface of STF: cmake --install BUILD --component stf
hwtrace_install_libraries(stf stf_cpp stf codec domain symbols io model)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/api/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT stf)
hwtrace_install_package(formats/stf/hwtrace-stf.pc.in stf stf_cpp stf codec domain symbols io model)

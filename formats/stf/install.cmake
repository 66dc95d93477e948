# Installs the C++ interface of STF: cmake --install BUILD --component stf
include(GNUInstallDirs)
install(TARGETS hwtrace_stf_cpp hwtrace_stf hwtrace_codec hwtrace_io hwtrace_model
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT stf)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/api/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT stf)

# The file says where it is relative to itself, so that an installed tree can be moved.
file(RELATIVE_PATH STF_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/hwtrace-stf.pc.in ${PROJECT_BINARY_DIR}/hwtrace-stf.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hwtrace-stf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT stf)

# Installs the C and SystemVerilog interfaces: cmake --install BUILD --component uscope
include(GNUInstallDirs)
install(TARGETS hwtrace_uscope_dpi hwtrace_uscope_c hwtrace_uscope hwtrace_codec hwtrace_io hwtrace_model
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT uscope)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/api/include/ ${CMAKE_CURRENT_LIST_DIR}/dpi/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT uscope)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/dpi/uscope_pkg.sv DESTINATION ${CMAKE_INSTALL_DATADIR}/hwtrace COMPONENT uscope)

# The files say where they are relative to themselves, so that an installed tree can be moved.
file(RELATIVE_PATH USCOPE_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(USCOPE_PACKAGE hwtrace-uscope hwtrace-uscope-dpi)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${USCOPE_PACKAGE}.pc.in ${PROJECT_BINARY_DIR}/${USCOPE_PACKAGE}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${USCOPE_PACKAGE}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT uscope)
endforeach()

# Installs the C and SystemVerilog interfaces: cmake --install BUILD --component uscope
hwtrace_install_libraries(uscope uscope_c uscope codec domain symbols io model)
install(TARGETS hwtrace_uscope_dpi ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT uscope)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/api/include/ ${CMAKE_CURRENT_LIST_DIR}/dpi/include/
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT uscope)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/dpi/uscope_pkg.sv DESTINATION ${CMAKE_INSTALL_DATADIR}/hwtrace COMPONENT uscope)
hwtrace_install_package(formats/uscope/hwtrace-uscope.pc.in uscope uscope_c uscope codec domain symbols io model)
hwtrace_install_package(formats/uscope/hwtrace-uscope-dpi.pc.in uscope)

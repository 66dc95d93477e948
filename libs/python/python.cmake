# The Python module hwtrace: build/python/hwtrace, for PYTHONPATH=build/python, and the component `python-module`.
option(HWTRACE_PYTHON "Build the Python module, if Python's headers and pybind11 are found" ${PROJECT_IS_TOP_LEVEL})
set(HWTRACE_PYTHON_FOUND OFF)
if(NOT HWTRACE_PYTHON OR HWTRACE_FUZZ)
  return()
endif()
if(HWTRACE_SANITIZE_THREADS OR (HWTRACE_SANITIZE AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
  # GCC's AddressSanitizer is a shared library that the tests preload.
  message(STATUS "Python module: not built with this sanitizer")
  return()
endif()
# The packages of the system, such as numpy, belong to its own Python, whatever is found first in PATH.
if(NOT DEFINED Python3_EXECUTABLE AND NOT DEFINED Python3_ROOT_DIR AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.9 QUIET COMPONENTS Interpreter Development.Module)
if(Python3_FOUND)
  find_package(pybind11 2.10 CONFIG QUIET)
endif()
if(NOT Python3_FOUND OR NOT pybind11_FOUND)
  message(STATUS "Python module: not built; it needs python3-dev and pybind11-dev")
  return()
endif()
message(STATUS "Python module: built for Python ${Python3_VERSION}")
set(HWTRACE_PYTHON_FOUND ON)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(hwtrace_python MODULE ${sources})
target_include_directories(hwtrace_python PRIVATE ${PROJECT_SOURCE_DIR}/libs)
target_compile_definitions(hwtrace_python PRIVATE HWTRACE_VERSION="${PROJECT_VERSION}")
target_link_libraries(hwtrace_python PRIVATE hwtrace_build pybind11::headers Python3::Module hwtrace::hwtrace hwtrace::recording)
# pybind11 needs hidden symbols, so that modules built with other versions of it do not meet.
set_target_properties(hwtrace_python PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON HWTRACE_COLD ON
                      PREFIX "" OUTPUT_NAME _hwtrace SUFFIX .${Python3_SOABI}.so LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/hwtrace)
target_link_options(hwtrace_python PRIVATE -Wl,--gc-sections -Wl,--exclude-libs,ALL)

# The part in Python is copied, so that the folder in the build can be imported.
file(GLOB modules CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/hwtrace/*.py ${CMAKE_CURRENT_LIST_DIR}/hwtrace/*.pyi ${CMAKE_CURRENT_LIST_DIR}/hwtrace/py.typed)
set(copies)
foreach(module ${modules})
  get_filename_component(name ${module} NAME)
  set(copy ${PROJECT_BINARY_DIR}/python/hwtrace/${name})
  add_custom_command(OUTPUT ${copy} COMMAND ${CMAKE_COMMAND} -E copy ${module} ${copy} DEPENDS ${module} VERBATIM)
  list(APPEND copies ${copy})
endforeach()
add_custom_target(hwtrace_python_package ALL DEPENDS ${copies})
add_dependencies(hwtrace_python hwtrace_python_package)

# Debian's folder for modules of packages; programs elsewhere choose it with -DHWTRACE_PYTHON_DIR=...
set(HWTRACE_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Folder for the Python module, relative to the prefix")
if(HWTRACE_INSTALL)
  install(TARGETS hwtrace_python LIBRARY DESTINATION ${HWTRACE_PYTHON_DIR}/hwtrace COMPONENT python-module)
  install(FILES ${modules} DESTINATION ${HWTRACE_PYTHON_DIR}/hwtrace COMPONENT python-module)
endif()

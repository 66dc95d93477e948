#!/bin/sh
# tests/install/subproject.sh SOURCES FOLDER CMAKE CC CXX - uses hwtrace by add_subdirectory(), which must bring only
# targets. Links and runs a program that uses io and model, and the smallest example. Only compiles the other examples,
# so that the library is not built again.
set -eu

sources=$1 folder=$2 cmake=$3 CC=$4 CXX=$5

rm -rf "$folder"
mkdir -p "$folder"
cat >"$folder/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.21)
project(user VERSION 7.8.9 LANGUAGES C CXX)
set(BUILD_TYPE "\${CMAKE_BUILD_TYPE}")
add_subdirectory("$sources" hwtrace)
add_subdirectory("$sources/apps/examples" examples)
add_executable(bytes bytes.cpp)
target_link_libraries(bytes PRIVATE hwtrace::codec)
EOF
cat >"$folder/bytes.cpp" <<'EOF'
#include <hwtrace/io.hpp>
#include <hwtrace/model.hpp>

#include <iostream>

int main(int, char** arguments) {
    hwtrace::Input input = hwtrace::Input::open(arguments[1]);
    hwtrace::Unpacked bytes(input, hwtrace::Limits{});
    hwtrace::Schema schema;
    schema.declare(hwtrace::Scope{"soc", hwtrace::none, {}, hwtrace::none});
    std::cout << hwtrace::name_of(bytes.packing()) << ' ' << schema.scopes().size() << '\n';
}
EOF
cat >>"$folder/CMakeLists.txt" <<'EOF'
get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)
get_property(definitions DIRECTORY PROPERTY COMPILE_DEFINITIONS)
get_property(folders DIRECTORY PROPERTY INCLUDE_DIRECTORIES)
set(leaked "${options}${definitions}${folders}${CMAKE_CXX_FLAGS}${CMAKE_C_FLAGS}${CMAKE_CXX_STANDARD}${CMAKE_POSITION_INDEPENDENT_CODE}")
if(leaked OR NOT CMAKE_BUILD_TYPE STREQUAL BUILD_TYPE OR NOT PROJECT_VERSION STREQUAL 7.8.9)
  message(FATAL_ERROR "it changes the project around it: ${leaked}")
endif()
get_property(tests DIRECTORY "${hwtrace_SOURCE_DIR}" PROPERTY TESTS)
get_property(folders DIRECTORY "${hwtrace_SOURCE_DIR}" PROPERTY SUBDIRECTORIES)
if(tests OR folders)
  message(FATAL_ERROR "it brings tests or commands: ${tests} ${folders}")
endif()
get_property(targets DIRECTORY "${hwtrace_SOURCE_DIR}" PROPERTY BUILDSYSTEM_TARGETS)
list(FILTER targets EXCLUDE REGEX ^hwtrace_)
if(targets)
  message(FATAL_ERROR "it brings targets of other names: ${targets}")
endif()
foreach(library model io domain codec select convert compare operate formats hwtrace recording uscope_c uscope_dpi stf_cpp flux_emitter flux_emitter_hosted)
  get_property(options TARGET hwtrace::${library} PROPERTY INTERFACE_COMPILE_OPTIONS)
  if(options)
    message(FATAL_ERROR "hwtrace::${library} sets flags for those who use it: ${options}")
  endif()
endforeach()
EOF
"$cmake" -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
set -- bytes emit_flux
for name in read_trace write_trace add_format record_ftr; do set -- "$@" "examples/CMakeFiles/$name.dir/$name.cpp.o"; done
ninja -C "$folder/build" "$@" examples/CMakeFiles/record_uscope.dir/record_uscope.c.o >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
[ "$("$folder/build/bytes" "$sources/testdata/stf/valid/sum_small.stf.gz")" = 'gzip 1' ]
"$folder/build/examples/emit_flux" "$folder/power.flux"
[ -s "$folder/power.flux" ]
"$cmake" --install "$folder/build" --prefix "$folder/prefix" >"$folder/log" 2>&1 || true
[ ! -e "$folder/prefix" ]
rm -rf "$folder"

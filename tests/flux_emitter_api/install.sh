#!/bin/sh
# tests/flux_emitter_api/install.sh SOURCES BUILD FOLDER CMAKE FLAGS READ - installs the emitter, moves it, builds the
# examples of its README with the flags of pkg-config, and reads their output with READ. FLAGS are additional flags for
# linking the libraries.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 flags=$5 read=$6

rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --install "$build" --prefix "$folder/first" --component flux-emitter >"$folder/log"
mv "$folder/first" "$folder/prefix"
pc=$(find "$folder/prefix" -name hwtrace-flux-emitter.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH

# Builds the examples of the README: tank and ring in C, bus in C++.
cd "$folder"
awk -v folder="$folder" '
    /^```c$/ { out = ++count == 1 ? "tank.c" : "ring.c"; next }
    /^```cpp$/ { out = "bus.cpp"; next }
    /^```/ { out = ""; next }
    out != "" { print >(folder "/" out) }' "$sources/formats/flux/emitter/README.md"
for name in tank ring; do
    # shellcheck disable=SC2046,SC2086 # flags are words
    "${CC:-cc}" -std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror $(pkg-config --cflags hwtrace-flux-emitter) -o "$name" "$name.c" \
        $(pkg-config --libs hwtrace-flux-emitter) $flags
    "./$name" >"$name.recTr"
    "$read" "$name.recTr" >"$name.txt"
done
# shellcheck disable=SC2046,SC2086
"${CXX:-c++}" -std=c++20 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror $(pkg-config --cflags hwtrace-flux-emitter-hosted) -o bus bus.cpp \
    $(pkg-config --libs hwtrace-flux-emitter-hosted) $flags
./bus
"$read" bus.recTr >bus.txt

[ "$(grep -c ' item 1 ' tank.txt)" = 500 ]
[ "$(grep -c ' item 2 ' tank.txt)" = 10 ]
grep -qx '1500 trace 0 item 2 tag 0 nibble 2: 02' tank.txt
[ "$(wc -c <ring.recTr)" = 1024 ]
[ "$(grep -c ' item 1 ' ring.txt)" -gt 70 ]
grep -qx '300000 trace 0 item 1 tag 0 nibble 1: 7c 1a 06 80 00' ring.txt
[ "$(grep -c ' item ' bus.txt)" = 30000 ]
grep -qx '79994 trace 0 item 4 tag 0 nibble 1: 00 07 01 01 01 03 01 40' bus.txt
grep -q '^[1-9][0-9]* blocks' bus.txt

# The installed sources suffice for a target.
emitter=$(pkg-config --variable=sources hwtrace-flux-emitter)
# shellcheck disable=SC2046
"${CC:-cc}" -std=c99 -ffreestanding -Wall -Wextra -Werror $(pkg-config --cflags hwtrace-flux-emitter) -o tank_of_sources tank.c "$emitter"/*.c
./tank_of_sources | cmp - tank.recTr

# CMake finds the core, and with it the hosted library.
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(programs C CXX)
find_package(hwtrace-flux-emitter REQUIRED COMPONENTS hosted)
add_executable(tank_by_cmake tank.c)
target_link_libraries(tank_by_cmake PRIVATE hwtrace::flux_emitter)
add_executable(bus_by_cmake bus.cpp)
target_compile_features(bus_by_cmake PRIVATE cxx_std_20)
target_link_libraries(bus_by_cmake PRIVATE hwtrace::flux_emitter_hosted)
END
"$cmake" -S . -B by_cmake -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_EXE_LINKER_FLAGS="$flags" >>log
"$cmake" --build by_cmake >>log
by_cmake/tank_by_cmake | cmp - tank.recTr
for name in README.md LICENSE; do
    [ -s "$folder/prefix/share/doc/hwtrace-flux-emitter/$name" ]
done

# The headers are valid C++, too.
printf '#include <hwtrace/flux_control.h>\n#include <hwtrace/flux_emitter_hosted.h>\nint main() { return flux_flush(nullptr) == FLUX_OK; }\n' >header.cpp
# shellcheck disable=SC2046
"${CXX:-c++}" -std=c++11 -pedantic -Wall -Wextra -Wshadow -Wconversion -Werror -fsyntax-only $(pkg-config --cflags hwtrace-flux-emitter-hosted) header.cpp

# Every installed function is called by a test.
cat "$folder"/prefix/include/hwtrace/flux_*.h | grep -oE '\bflux_[a-z0-9_]+\(' | tr -d '(' | grep -v flux_private | sort -u >names
[ "$(wc -l <names)" -gt 60 ]
while read -r name; do
    cat "$sources"/tests/flux_emitter/*.cpp | grep -qF "$name" || {
        echo "$name is not tested"
        exit 1
    }
done <names
cd /
rm -rf "$folder"

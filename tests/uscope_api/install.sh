#!/bin/sh
# tests/uscope_api/install.sh SOURCES BUILD FOLDER CMAKE FLAGS VALIDATE - installs the C interface, moves it, and builds and runs
# the README's example with what pkg-config says of it. FLAGS are what linking the libraries takes.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 flags=$5 validate=$6

rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --install "$build" --prefix "$folder/first" --component uscope >"$folder/log"
mv "$folder/first" "$folder/prefix"

# The example is the only C of the README.
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$sources/formats/uscope/api/README.md" >"$folder/queue.c"
pc=$(find "$folder/prefix" -name hwtrace-uscope.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086 # flags are words
"${CC:-cc}" -std=c99 -pedantic -Wall -Wextra -Werror $(pkg-config --cflags hwtrace-uscope) -o "$folder/queue" "$folder/queue.c" \
    $(pkg-config --libs hwtrace-uscope) $flags
(cd "$folder" && ./queue >answer)
grep -qx 'slot 4: 500 from the front end' "$folder/answer"
grep -qx '19500 ps: full, 39' "$folder/answer"
"$validate" -q "$folder/queue.uscope"

# The headers are C++ too, and the package for SystemVerilog is there.
printf '#include <hwtrace/uscope.h>\n#include <hwtrace/uscope_dpi.h>\nint main() { return uscope_last_status(); }\n' >"$folder/header.cpp"
# shellcheck disable=SC2046
"${CXX:-c++}" -std=c++11 -pedantic -Wall -Wextra -Wshadow -Werror -fsyntax-only $(pkg-config --cflags hwtrace-uscope-dpi) "$folder/header.cpp"
test "$(find "$folder/prefix" -name uscope_pkg.sv | wc -l)" -eq 1
rm -rf "$folder"

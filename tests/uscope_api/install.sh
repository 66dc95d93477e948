#!/bin/sh
# tests/uscope_api/install.sh SOURCES BUILD FOLDER CMAKE FLAGS VALIDATE - installs the C interface, moves it, and builds and runs
# the README's example with pkg-config. FLAGS are additional flags for linking the libraries.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 flags=$5 validate=$6

rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --install "$build" --prefix "$folder/first" --component uscope >"$folder/log"
mv "$folder/first" "$folder/prefix"

# The example is the only C code in the README.
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

# Every function of the specification exists.
# shellcheck disable=SC2046,SC2086
"${CC:-cc}" -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror $(pkg-config --cflags hwtrace-uscope) -o "$folder/text" \
    "$sources/tests/uscope_api/text.c" $(pkg-config --libs --static hwtrace-uscope) $flags
"$folder/text" "$folder/text.uscope"
for name in open close begin_cycle end_cycle slot_set slot_clear slot_add event_raw; do
    grep -q "= function [a-z]* uscope_$name(" "$(pkg-config --variable=package hwtrace-uscope-dpi)"
done

# A program for the reference's uscope_dpi.h compiles unchanged, in C and C++. It uses every name of the header.
reference="$sources/tests/uscope_api/reference.c"
# shellcheck disable=SC2046,SC2086
"${CC:-cc}" -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror $(pkg-config --cflags hwtrace-uscope) -o "$folder/reference" \
    "$reference" "$sources/tests/uscope_api/check.c" $(pkg-config --libs --static hwtrace-uscope) $flags
"$folder/reference" "$folder/reference.uscope"
"$validate" -q --rule USC049=off "$folder/reference.uscope"
# shellcheck disable=SC2046
"${CXX:-c++}" -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags hwtrace-uscope) "$reference"
grep -oE '^#define uscope_[a-z_]+' "$folder/prefix/include/hwtrace/reference/uscope_dpi.h" | while read -r _ name; do
    sed -n '/^static void misuse/,$p' "$reference" | grep -qF "$name(" || {
        echo "$name is not in reference.c"
        exit 1
    }
done

# Every installed function is tested with a wrong call.
for header in uscope uscope_dpi; do
    test=misuse.c
    [ $header = uscope ] || test=dpi.c
    grep -oE '\buscope_[a-z_]+\(' "$folder/prefix/include/hwtrace/$header.h" | sort -u >"$folder/names"
    [ "$(wc -l <"$folder/names")" -gt 20 ]
    while read -r name; do
        sed -n '/misuse(const char/,$p;/misuse.c/,$p' "$sources/tests/uscope_api/$test" | grep -qF "$name" || {
            echo "$name is not in $test"
            exit 1
        }
    done <"$folder/names"
done

# The headers are valid C++, too, and the package for SystemVerilog is installed.
printf '#include <hwtrace/uscope.h>\n#include <hwtrace/uscope_dpi.h>\nint main() { return uscope_last_status(); }\n' >"$folder/header.cpp"
# shellcheck disable=SC2046
"${CXX:-c++}" -std=c++11 -pedantic -Wall -Wextra -Wshadow -Werror -fsyntax-only $(pkg-config --cflags hwtrace-uscope-dpi) "$folder/header.cpp"
test "$(find "$folder/prefix" -name uscope_pkg.sv | wc -l)" -eq 1
rm -rf "$folder"

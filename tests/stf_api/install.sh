#!/bin/sh
# tests/stf_api/install.sh SOURCES BUILD FOLDER CMAKE FLAGS VALIDATE - installs the C++ interface, moves it, and builds and
# runs the examples with the flags of pkg-config. FLAGS are the additional flags for linking.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 flags=$5 validate=$6

rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --install "$build" --prefix "$folder/first" --component stf >"$folder/log"
mv "$folder/first" "$folder/prefix"
pc=$(find "$folder/prefix" -name hwtrace-stf.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
for name in countdown hot_pcs bus_waits; do
    # shellcheck disable=SC2046,SC2086 # flags are words
    "${CXX:-c++}" -std=c++20 -pedantic -Wall -Wextra -Wshadow -Wconversion -Werror $(pkg-config --cflags hwtrace-stf) \
        -o "$folder/$name" "$sources/tests/stf_api/$name.cpp" $(pkg-config --libs hwtrace-stf) $flags
done
sh "$sources/tests/stf_api/examples.sh" "$folder/run" "$folder/countdown" "$folder/hot_pcs" "$folder/bus_waits" "$validate"
rm -rf "$folder"

#!/bin/sh
# tests/recording_api/install.sh SOURCES BUILD FOLDER CMAKE FLAGS [SYSTEMC_FLAGS] - installs the recording
# library, moves it, and builds and runs the examples with the flags of pkg-config. FLAGS are further flags for linking,
# SYSTEMC_FLAGS are the flags for compiling with SystemC.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 flags=$5 systemc=${6-}

rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --install "$build" --prefix "$folder/first" --component recording >"$folder/log"
mv "$folder/first" "$folder/prefix"
pc=$(find "$folder/prefix" -name hwtrace-recording.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
example() { # example NAME PACKAGES FLAGS
    # shellcheck disable=SC2046,SC2086 # flags are words
    "${CXX:-c++}" -std=c++17 -pedantic -Wall -Wextra -Wshadow -Wconversion -Werror $3 $(pkg-config --cflags $2) \
        -o "$folder/$1" "$sources/tests/recording_api/$1.cpp" $(pkg-config --libs $2) $flags
}
example bus hwtrace-recording ''
example listening hwtrace-recording ''
example global hwtrace-recording ''
sh "$sources/tests/recording_api/examples.sh" "$folder/run" "$folder/bus" "$folder/listening" "$folder/global" "$build/bin"
if [ -n "$systemc" ]; then
    example systemc_memory 'hwtrace-recording systemc' "$systemc"
    example systemc_values 'hwtrace-recording systemc' "$systemc"
    example systemc_tlm 'hwtrace-recording systemc' "$systemc"
    sh "$sources/tests/recording_api/systemc.sh" "$folder/run" "$build/bin" "$folder/systemc_memory" "$folder/systemc_values" "$folder/systemc_tlm"
fi
rm -rf "$folder"

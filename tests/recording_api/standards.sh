#!/bin/sh
# tests/recording_api/standards.sh CXX SOURCES [SYSTEMC_FLAGS] - compiles the headers of the recording interface as
# C++17 with CXX, GCC and clang, as far as they are installed. The headers that need SystemC are compiled if
# SYSTEMC_FLAGS are given. install.sh compiles all examples as C++17, and the build compiles them as C++20.
set -eu

cxx=$1 sources=$2 systemc=${3-}
folder=$sources/tests/recording_api
warnings='-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror'

set -- "$folder/every_type.cpp"
if [ -n "$systemc" ]; then
    set -- "$@" "$folder/systemc_values.cpp" "$folder/systemc_tlm.cpp"
else
    echo 'the SystemC headers are not compiled: SystemC is not installed'
fi
for compiler in "$cxx" g++ clang++; do
    [ "$compiler" = "$cxx" ] || [ "$(command -v "$compiler")" != "$(command -v "$cxx")" ] || continue
    command -v "$compiler" >/dev/null || continue
    # shellcheck disable=SC2086 # flags are words
    "$compiler" -std=c++17 $warnings $systemc -fsyntax-only -I"$sources/libs/recording/include" "$@"
done

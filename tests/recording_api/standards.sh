#!/bin/sh
# tests/recording_api/standards.sh CXX SOURCES [SYSTEMC_FLAGS] - compiles the headers and examples of the recording
# interface as C++17, with CXX and the other compilers that are installed. The build compiles them as C++20. Files
# that need SystemC are compiled if SYSTEMC_FLAGS are given.
set -eu

cxx=$1 sources=$2 systemc=${3-}
folder=$sources/tests/recording_api
warnings='-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror'

set -- "$folder/bus.cpp" "$folder/listening.cpp" "$folder/global.cpp" "$folder/every_type.cpp" "$sources/apps/examples/record_ftr.cpp"
if [ -n "$systemc" ]; then
    set -- "$@" "$folder"/systemc_*.cpp
else
    echo 'the SystemC headers are not compiled: SystemC is not installed'
fi
for compiler in "$cxx" g++ clang++; do
    [ "$compiler" = "$cxx" ] || [ "$(command -v "$compiler")" != "$(command -v "$cxx")" ] || continue
    command -v "$compiler" >/dev/null || continue
    # shellcheck disable=SC2086 # flags are words
    "$compiler" -std=c++17 $warnings $systemc -fsyntax-only -I"$sources/libs/recording/include" "$@"
    sh "$folder/refused.sh" "$compiler" "$sources/libs/recording/include" gnu++17
done

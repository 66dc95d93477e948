#!/bin/sh
# tests/install/packages.sh SOURCES BUILD FOLDER CMAKE CC CXX FLAGS - installs everything, moves it, and builds the examples
# by find_package(hwtrace) and by pkg-config hwtrace. FLAGS are compiler and linker flags for the libraries.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 CC=$5 CXX=$6 flags=$7
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'

rm -rf "$folder"
mkdir -p "$folder"
"$cmake" --install "$build" --prefix "$folder/first" >"$folder/log"
mv "$folder/first" "$folder/prefix"
prefix=$folder/prefix

# No installed file names the folder of the sources, and the headers find each other.
config=$(find "$prefix" -name hwtrace-config.cmake)
! grep -rlF "$sources" "$prefix/include" "$(dirname "$config")" || {
    echo 'installed files name the folder of the sources'
    exit 1
}
find "$prefix/include/hwtrace" -mindepth 1 -name '*.hpp' ! -name '*systemc*' ! -name '*tlm*' | sed "s|^$prefix/include/||; s|.*|#include <&>|" | sort -r >"$folder/headers.cpp"
[ "$(wc -l <"$folder/headers.cpp")" -gt 40 ]
# shellcheck disable=SC2086 # flags are words
"$CXX" -std=c++20 $warnings $flags -fsyntax-only -I"$prefix/include" "$folder/headers.cpp"

# find_package
"$cmake" -S "$sources/apps/examples" -B "$folder/found" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_C_FLAGS="$warnings $flags" -DCMAKE_CXX_FLAGS="$warnings $flags" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$folder/log"
grep '"command".*record_ftr' "$folder/found/compile_commands.json" | grep -q 'std=[a-z+]*17' || {
    echo 'hwtrace::recording raises the C++ standard of its users'
    exit 1
}
"$cmake" --build "$folder/found" >"$folder/log" || {
    cat "$folder/log"
    exit 1
}
sh "$sources/tests/install/examples.sh" "$folder/found" "$folder/run" "$prefix/bin"

# The code in the library's README compiles.
mkdir "$folder/said"
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$sources/apps/examples/README.md" | sed '1d;/^```/,$d'; } # the first one
block cpp >"$folder/said/count.cpp"
block cmake >"$folder/said/CMakeLists.txt"
[ "$(wc -l <"$folder/said/count.cpp")" -ge 15 ]
"$cmake" -S "$folder/said" -B "$folder/said/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_CXX_FLAGS="$warnings $flags" >"$folder/log"
"$cmake" --build "$folder/said/build" >"$folder/log" || {
    cat "$folder/log"
    exit 1
}
counted=$("$folder/said/build/count" "$sources/testdata/stf/valid/sum.zstf")
[ "${counted#stf: }" != "$counted" ] && [ "${counted%, findings: 0}" != "$counted" ] || {
    echo "the program of the README says '$counted'"
    exit 1
}
(
    cd "$folder/said"
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hwtrace.pc)")
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    eval "$(block sh | sed "s|^c++ |\"\$CXX\" $warnings $flags |")"
    [ "$(./count "$sources/testdata/stf/valid/sum.zstf")" = "$counted" ]
)

# A missing component is not found, and the message names it.
mkdir "$folder/refused"
cat >"$folder/refused/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.21)
project(refused LANGUAGES C)
find_package(hwtrace 0.9 CONFIG QUIET)
if(hwtrace_FOUND OR NOT hwtrace_CONSIDERED_VERSIONS STREQUAL "0.1.0")
  message(FATAL_ERROR "a version that there is not was found")
endif()
find_package(hwtrace CONFIG QUIET COMPONENTS flux_emitter)
if(NOT hwtrace_FOUND OR TARGET ZLIB::ZLIB)
  message(FATAL_ERROR "the emitter was not found, or takes more than itself")
endif()
find_package(hwtrace CONFIG QUIET COMPONENTS formats OPTIONAL_COMPONENTS pipes)
if(NOT hwtrace_FOUND OR NOT hwtrace_formats_FOUND OR hwtrace_pipes_FOUND)
  message(FATAL_ERROR "formats were not found, or what there is not was")
endif()
find_package(hwtrace CONFIG QUIET COMPONENTS formats pipes)
if(hwtrace_FOUND OR NOT hwtrace_NOT_FOUND_MESSAGE STREQUAL "hwtrace has no component 'pipes'.")
  message(FATAL_ERROR "a component that there is not was found: ${hwtrace_NOT_FOUND_MESSAGE}")
endif()
EOF
"$cmake" -S "$folder/refused" -B "$folder/refused/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" >"$folder/log"

# A shared library exports the functions and classes of the headers, and no others.
library=$(find "$prefix" -name libhwtrace.so.0)
if [ -n "$library" ]; then
    readelf -d "$library" | grep -q 'SONAME.*\[libhwtrace.so.0\]'
    nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | c++filt |
        sed -E 's/^(vtable|typeinfo name|typeinfo|VTT) for //; s/\[abi:[a-z0-9]*\]//g; s/[(<].*//; s/.* hwtrace::/hwtrace::/
                s/^hwtrace::([a-z_]+::)*//; s/::.*//; s/^operator.*/operator/' | sort -u >"$folder/shown"
    find "$prefix/include" -name '*.h*' -exec grep -ohE '[A-Za-z_][A-Za-z0-9_]*' {} + | sort -u >"$folder/declared"
    [ "$(wc -l <"$folder/shown")" -gt 150 ]
    comm -23 "$folder/shown" "$folder/declared" >"$folder/leaked"
    [ ! -s "$folder/leaked" ] || {
        echo "libhwtrace.so shows what no header declares: $(tr '\n' ' ' <"$folder/leaked")"
        exit 1
    }
fi

# pkg-config
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hwtrace.pc)")
export PKG_CONFIG_PATH
mkdir "$folder/configured"
for name in read_trace write_trace add_format; do
    # shellcheck disable=SC2046,SC2086 # flags are words
    "$CXX" -std=c++20 $warnings $flags $(pkg-config --cflags hwtrace) -o "$folder/configured/$name" "$sources/apps/examples/$name.cpp" \
        $(pkg-config --libs hwtrace)
done
# shellcheck disable=SC2046,SC2086
"$CXX" -std=c++17 $warnings $flags $(pkg-config --cflags hwtrace-recording) -o "$folder/configured/record_ftr" "$sources/apps/examples/record_ftr.cpp" \
    $(pkg-config --libs hwtrace-recording)
# shellcheck disable=SC2046,SC2086
"$CC" -std=c99 $warnings $flags $(pkg-config --cflags hwtrace-flux-emitter) -o "$folder/configured/emit_flux" "$sources/apps/examples/emit_flux.c" \
    $(pkg-config --libs hwtrace-flux-emitter)
# shellcheck disable=SC2046,SC2086
"$CC" -std=c99 $warnings $flags $(pkg-config --cflags hwtrace-uscope) -o "$folder/configured/record_uscope" "$sources/apps/examples/record_uscope.c" \
    $(pkg-config --libs hwtrace-uscope)
# The functions for SystemVerilog, as a simulator that knows only C links them. Without --variable=libdir, it does not run.
# shellcheck disable=SC2046,SC2086
"$CC" -std=c99 $flags -I "$sources/tests/uscope_api" $(pkg-config --cflags hwtrace-uscope-dpi) -o "$folder/configured/dpi" \
    "$sources/tests/uscope_api/dpi.c" "$sources/tests/uscope_api/check.c" "$sources/tests/uscope_api/machine.c" \
    $(pkg-config --libs hwtrace-uscope-dpi) -Wl,-rpath,"$(pkg-config --variable=libdir hwtrace)"
"$folder/configured/dpi" write "$folder/dpi.uscope" >"$folder/log" 2>&1 || {
    cat "$folder/log"
    exit 1
}
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") sh "$sources/tests/install/examples.sh" "$folder/configured" "$folder/run_again" "$prefix/bin"
[ "$(pkg-config --modversion hwtrace)" = "$("$prefix/bin/hwtrace" --version | cut -d ' ' -f 2)" ]

# The commands find each other. Man pages and completions are in the standard folders.
"$prefix/bin/hwtrace" info "$folder/run/bus.ftr" >"$folder/log"
for file in share/man/man1/hwtrace-split.1 share/bash-completion/completions/hwtrace share/fish/vendor_completions.d/hwtrace-diff.fish; do
    [ -s "$prefix/$file" ] || {
        echo "$file is not installed"
        exit 1
    }
done
rm -rf "$folder"

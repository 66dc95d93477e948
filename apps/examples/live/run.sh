#!/bin/sh
# run.sh [--build BUILD] [FOLDER] - records one bus three times and merges the traces:
#   FOLDER/rtl.uscope   events and state of the RTL (bus.sv), through DPI in Verilator
#   FOLDER/rtl.fst      signals of the RTL, by Verilator itself (WAVE=vcd: rtl.vcd)
#   FOLDER/model.ftr    transactions of the SystemC model (bus_model.cpp), through TLM sockets
#   FOLDER/system.*     all of it on one time axis: jsonl, µScope, and a timeline for Perfetto
# FOLDER is build/live by default. Uses the installed hwtrace that pkg-config and PATH find, or a build folder (--build).
# Exits with 77 if a program or library is missing, and says which. CXX, CXXFLAGS and LDFLAGS are honoured.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=
if [ "${1-}" = --build ]; then
    build=$(cd "$2" && pwd)
    shift 2
fi
folder=${1-build/live}
wave=${WAVE-fst}
case $wave in
fst) trace=--trace-fst ;;
vcd) trace=--trace ;;
*) echo "run.sh: WAVE is fst or vcd, not $wave" >&2 && exit 2 ;;
esac
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

missing() {
    echo "run.sh: $1 is missing; $2" >&2
    exit 77
}
for program in verilator:verilator make:make pkg-config:pkg-config; do
    command -v "${program%%:*}" >/dev/null || missing "${program%%:*}" "Debian: apt-get install ${program#*:}"
done
command -v "${CXX:=c++}" >/dev/null || missing "the C++ compiler $CXX" "Debian: apt-get install g++"
pkg-config --exists systemc || missing SystemC 'Debian: apt-get install libsystemc-dev'
if [ -n "$build" ]; then
    command -v cmake >/dev/null || missing cmake 'Debian: apt-get install cmake'
    for component in uscope recording; do
        cmake --install "$build" --prefix "$folder/prefix" --component $component >"$folder/log" 2>&1 || {
            cat "$folder/log" >&2
            missing "the component $component in $build" 'build all targets first'
        }
    done
    found=$(find "$folder/prefix" -type d -name pkgconfig)
    PKG_CONFIG_PATH=$found${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    LD_LIBRARY_PATH=${found%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    PATH=$build/bin:$PATH
    export PKG_CONFIG_PATH LD_LIBRARY_PATH PATH
fi
for package in hwtrace-uscope-dpi hwtrace-recording; do
    pkg-config --exists $package || missing "the pkg-config package $package" 'set PKG_CONFIG_PATH, or use --build'
done
for command in hwtrace-merge hwtrace-validate; do
    command -v $command >/dev/null || missing $command 'install hwtrace, or use --build'
done

# --- the RTL ---
verilator --binary "$trace" -j 0 -Wno-WIDTH --Mdir "$folder/rtl" --top-module bus -o bus -CFLAGS "-O1 ${CXXFLAGS-}" \
    -LDFLAGS "$(pkg-config --libs hwtrace-uscope-dpi) ${LDFLAGS-}" \
    "$(pkg-config --variable=package hwtrace-uscope-dpi)" "$here/bus.sv" >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
"$folder/rtl/bus" "+requests=$here/requests.hex" "+uscope=$folder/rtl.uscope" "+wave=$folder/rtl.$wave" >"$folder/log"

# --- the model ---
# shellcheck disable=SC2046,SC2086 # flags are words
"$CXX" -std=c++17 ${CXXFLAGS-} $(pkg-config --cflags hwtrace-recording systemc) -o "$folder/bus_model" "$here/bus_model.cpp" \
    ${LDFLAGS-} $(pkg-config --libs hwtrace-recording systemc)
SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 "$folder/bus_model" "$here/requests.hex" "$folder/model.ftr" >"$folder/log"

# --- one time axis ---
cd "$folder"
hwtrace-validate rtl.uscope model.ftr "rtl.$wave"
for output in system.jsonl system.uscope system.pftrace; do
    hwtrace-merge rtl.uscope model.ftr "rtl.$wave" --name rtl --name model --name wave -o $output --force -q
done
hwtrace-validate system.jsonl system.uscope
echo "open $folder/system.pftrace in https://ui.perfetto.dev"

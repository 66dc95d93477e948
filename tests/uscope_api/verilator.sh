#!/bin/sh
# tests/uscope_api/verilator.sh SOURCES FOLDER CHECK FLAGS LIBRARY... - records a trace from SystemVerilog with Verilator and reads
# it with the program CHECK. FLAGS are additional flags for linking the libraries. Skipped without Verilator.
set -eu

sources=$1 folder=$2 check=$3 flags=$4
shift 4

if ! command -v verilator >/dev/null 2>&1; then
    echo "skipped: Verilator is not installed; the same calls are made by uscope_api.dpi"
    exit 77
fi

rm -rf "$folder"
mkdir -p "$folder"
verilator --cc --exe --main --build --no-timing -Wall -Wno-DECLFILENAME -O0 -j 1 -Mdir "$folder/build" --top-module dpi_machine \
    -CFLAGS -O0 -LDFLAGS "$flags $*" \
    "$sources/formats/uscope/dpi/uscope_pkg.sv" "$sources/tests/uscope_api/dpi_machine.sv" >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    exit 1
}
"$folder/build/Vdpi_machine" "+trace=$folder/sv.uscope"
"$check" check "$folder/sv.uscope"

# The example is the only SystemVerilog code in the README.
awk '/^```systemverilog$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$sources/formats/uscope/api/README.md" >"$folder/recorder.sv"
grep -q '^module recorder' "$folder/recorder.sv"
verilator --lint-only -Wall -Wno-DECLFILENAME "$sources/formats/uscope/dpi/uscope_pkg.sv" "$folder/recorder.sv"
rm -rf "$folder"

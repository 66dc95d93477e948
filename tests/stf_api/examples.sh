#!/bin/sh
# tests/stf_api/examples.sh FOLDER COUNTDOWN HOT_PCS BUS_WAITS VALIDATE - records traces with the examples, validates
# them and reads them.
set -eu

folder=$1 countdown=$2 hot_pcs=$3 bus_waits=$4 validate=$5

rm -rf "$folder"
mkdir -p "$folder"
for name in loop.stf loop.zstf loop.stf.gz loop.stf.xz; do
    "$countdown" "$folder/$name"
    "$validate" -q "$folder/$name"
    "$hot_pcs" "$folder/$name" >"$folder/answer"
    printf '0000000080000000 10\n0000000080000004 10\n' | cmp - "$folder/answer"
done
for name in bus.stf bus.zstf; do
    "$bus_waits" "$folder/$name" >"$folder/answer"
    "$validate" -q "$folder/$name"
    printf '2 waits 12 cycles for 1\n4 waits 30 cycles for 3\n6 waits 12 cycles for 5\n' | cmp - "$folder/answer"
done
if "$hot_pcs" "$folder/bus.stf" 2>"$folder/refusal"; then exit 1; fi
grep -q 'not a trace of instructions' "$folder/refusal"
if "$hot_pcs" "$folder/answer" 2>"$folder/refusal"; then exit 1; fi
grep -q 'not an STF trace' "$folder/refusal"
rm -rf "$folder"

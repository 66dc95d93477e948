#!/bin/sh
# tests/stf_api/examples.sh FOLDER COUNTDOWN HOT_PCS VALIDATE - records with one example, validates, and reads with the other.
set -eu

folder=$1 countdown=$2 hot_pcs=$3 validate=$4

rm -rf "$folder"
mkdir -p "$folder"
for name in loop.stf loop.zstf loop.stf.gz; do
    "$countdown" "$folder/$name"
    "$validate" -q "$folder/$name"
    "$hot_pcs" "$folder/$name" >"$folder/answer"
    printf '0000000080000000 10\n0000000080000004 10\n' | cmp - "$folder/answer"
done
if "$hot_pcs" "$folder/answer" 2>"$folder/refusal"; then exit 1; fi
grep -q 'not an STF trace' "$folder/refusal"
rm -rf "$folder"

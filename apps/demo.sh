#!/bin/sh
# apps/demo.sh - builds hwtrace and shows it on a small trace: STF to µScope, dumped and validated, and back.
# Prints every command as you would type it. Leaves the files in build/release/demo.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
build=${HWTRACE_BUILD:-$root/build/release}

sh apps/packages.sh
mkdir -p "$build"
build=$(cd "$build" && pwd)
echo "building (the log is $build/demo.log) ..."
{ cmake --preset release -B "$build" && cmake --build "$build" --parallel "$(nproc 2>/dev/null || echo 2)"; } \
    >"$build/demo.log" 2>&1 || {
    tail -40 "$build/demo.log" >&2
    echo 'demo: the build failed' >&2
    exit 1
}

demo=$build/demo
rm -rf "$demo"
mkdir -p "$demo"
cp testdata/stf/valid/sum.zstf "$demo/sum.zstf"
cd "$demo"
PATH=$build/bin:$PATH

# show COMMAND: prints and runs the command; ends the demo if it fails.
show() {
    printf '\n$ %s\n' "$1"
    if sh -c "$1"; then return; fi
    code=$?
    echo "demo: FAILED with exit code $code: $1" >&2
    exit "$code"
}
say() { printf '\n# %s\n' "$1"; }

say 'The trace: a RISC-V program that copies and sums an array, recorded by an instruction simulator.'
show 'hwtrace-info sum.zstf'
say "Its records as text: the first 25. ('head' on a pipe would end the dump early.)"
show 'hwtrace-dump sum.zstf > sum.records && head -25 sum.records'
say 'Convert it to µScope. STF has no time, so give the clock and the instructions per cycle.'
show 'hwtrace-convert sum.zstf sum.uscope --clock 1GHz --ipc 1 --verify'
say 'The result: its facts, and the first and last lines of header, schema and frames.'
show 'hwtrace-info sum.uscope'
show 'hwtrace-dump sum.uscope > sum.frames && head -4 sum.frames && tail -19 sum.frames'
say 'Check both files against their formats, and compare them.'
show 'hwtrace-validate sum.zstf sum.uscope'
show 'hwtrace-diff sum.zstf sum.uscope'
say 'Convert it back. Nothing was lost, so the records are the same, line by line.'
show 'hwtrace-convert sum.uscope back.zstf'
show 'hwtrace-dump back.zstf > back.records && cmp sum.records back.records'

printf '\nThe demo worked: %s lines of records are the same after STF -> µScope -> STF. Look around in %s.\n' \
    "$(grep -c '' sum.records)" "$demo"

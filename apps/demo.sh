#!/bin/sh
# apps/demo.sh - builds hwtrace and shows its main job on a small trace: STF to µScope, dumped and validated, and back.
# Every command is shown as you would type it. The files stay in build/release/demo for you to play with.
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

# show COMMAND: echoes it, then runs it; ends the demo where it fails.
show() {
    printf '\n$ %s\n' "$1"
    if sh -c "$1"; then return; fi
    code=$?
    echo "demo: FAILED with exit code $code: $1" >&2
    exit "$code"
}
say() { printf '\n# %s\n' "$1"; }

say 'What is this file? A RISC-V program that copies and sums an array, as an instruction simulator recorded it.'
show 'hwtrace-info sum.zstf'
say "Its records as text (the first 25; dump to a file, because 'head' would end the dump early)."
show 'hwtrace-dump sum.zstf > sum.records && head -25 sum.records'
say 'To µScope. STF has no time, so say how long a cycle lasts and how many instructions it retires.'
show 'hwtrace-convert sum.zstf sum.uscope --clock 1GHz --ipc 1 --verify'
say 'What became of it: the facts, and the first and last lines of header, schema and frames.'
show 'hwtrace-info sum.uscope'
show 'hwtrace-dump sum.uscope > sum.frames && head -4 sum.frames && tail -19 sum.frames'
say 'Are both files what their formats say they are?'
show 'hwtrace-validate sum.zstf sum.uscope'
show 'hwtrace-diff sum.zstf sum.uscope'
say 'And back. Nothing was lost, so the records are the same, line by line.'
show 'hwtrace-convert sum.uscope back.zstf'
show 'hwtrace-dump back.zstf > back.records && cmp sum.records back.records'

printf '\nThe demo worked: %s lines of records are the same after STF -> µScope -> STF. Look around in %s.\n' \
    "$(grep -c '' sum.records)" "$demo"

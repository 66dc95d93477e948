#!/bin/sh
# tests/fuzz/run.sh SECONDS [TARGET...] - gives each target (default: all) broken traces for so long, those that decode
# less than a trace for a quarter of it (command lines for all), and prints a line for each: executions, edges that were
# covered, and what was found. Builds with clang first. libFuzzer looks for inputs that reach something new, and finds other ones each time; a
# number chooses changes of the seeds, the same ones each time.
#
# HWTRACE_FUZZ_NUMBER  the number that chooses (default: none, libFuzzer looks)
# HWTRACE_FUZZ_BUILD   another build with HWTRACE_FUZZ than build/fuzz
# HWTRACE_CORPUS       the folder of real traces, whose small files are seeds too
# HWTRACE_FUZZ_FOLDER  where seeds, corpora and findings stay (default: build/fuzz/run)
# HWTRACE_FUZZ_RUNS    stop a target after so many executions, too
# HWTRACE_JOBS         compilers and targets at a time (default: the number of processors)
set -eu
# Freed memory that waits, and long stacks of who took it, cost more than they find.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=16:malloc_context_size=5"
seconds=${1:?how many seconds for each target}
shift
cd "$(dirname "$0")/../.."
jobs=${HWTRACE_JOBS:-$(nproc 2>/dev/null || echo 2)}
build=${HWTRACE_FUZZ_BUILD:-build/fuzz}
folder=${HWTRACE_FUZZ_FOLDER:-$build/run}

mkdir -p "$folder"
[ -f "$build/build.ninja" ] || cmake --preset fuzz -B "$build" >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
ninja -C "$build" -j "$jobs" hwtrace_fuzz hwtrace_fuzz_mutate hwtrace_fuzz_replay >"$build.log" 2>&1 || {
    grep -v '^\[' "$build.log" | head -50 >&2
    exit 1
}
[ -n "${HWTRACE_FUZZ_NUMBER:-}" ] || "$build/tests/fuzz/hwtrace_fuzz_replay" --write "$folder/seeds" >/dev/null
if [ $# -eq 0 ]; then
    targets=$("$build/tests/fuzz/hwtrace_fuzz_replay" --list) || {
        echo "hwtrace_fuzz_replay --list ended with $?" >&2
        exit 1
    }
    set -- $targets
fi
[ $# -ne 0 ] || {
    echo 'there is no target' >&2
    exit 1
}

look() { # look TARGET SECONDS: with libFuzzer
    mkdir -p "$folder/corpus/$1"
    # Its statistics of features would take more time than the targets.
    "$build/tests/fuzz/hwtrace_fuzz" --target="$1" -max_total_time="$2" -runs="${HWTRACE_FUZZ_RUNS:--1}" \
        -entropic=0 -max_len=8192 -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=400 \
        -dict=tests/fuzz/traces.dict -print_final_stats=1 \
        -artifact_prefix="$folder/findings/$1/" "$folder/corpus/$1" "$folder/seeds/$1"
}

mutate() { # mutate TARGET SECONDS
    rm -rf "$folder/findings/$1" # what was found before is found again
    mkdir "$folder/findings/$1"
    ASAN_OPTIONS="$ASAN_OPTIONS:max_allocation_size_mb=400:hard_rss_limit_mb=1024" \
        "$build/tests/fuzz/hwtrace_fuzz_mutate" "$1" "$HWTRACE_FUZZ_NUMBER" "$2" "${HWTRACE_FUZZ_RUNS:-1000000000}" "$folder/findings/$1"
}

fuzz() { # fuzz TARGET: one line, and its status
    target=$1
    case $target in
        read-* | round-trip-* | compare* | merge | command-line) patience=$seconds ;;
        *) patience=$(((seconds + 3) / 4)) ;;
    esac
    mkdir -p "$folder/findings/$target"
    status=0
    if [ -n "${HWTRACE_FUZZ_NUMBER:-}" ]; then way=mutate; else way=look; fi
    "$way" "$target" "$patience" >"$folder/$target.log" 2>&1 </dev/null || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^\([0-9]*\) executions$/\1/p' "$folder/$target.log" | tail -1)
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$folder/$target.log" | tail -1)
    found=$(find "$folder/findings/$target" -type f | wc -l)
    printf '%-24s %12s executions%s %4s found\n' "$target" "${runs:-?}" "${edges:+ $edges edges}" "$found"
    [ "$status" -ne 0 ] || [ "$found" -ne 0 ] || [ "${runs:-0}" -eq 0 ] || return 0
    # What ends a target within an input leaves no number of executions either.
    reasons=$(grep -E 'broken:|ERROR:|SUMMARY:|Test unit written' "$folder/$target.log" | head -5)
    [ -n "$reasons" ] || reasons="it ended with $status; its last words: $(tail -3 "$folder/$target.log")"
    printf '%s\n' "$reasons" | sed 's/^/    /'
    return 1
}

failures=$folder/failures
: >"$failures"
running=0
for target; do
    { fuzz "$target" || echo "$target" >>"$failures"; } &
    running=$((running + 1))
    [ "$running" -lt "$jobs" ] || { wait; running=0; }
done
wait
if [ -s "$failures" ]; then
    echo "failed: $(tr '\n' ' ' <"$failures"); see the logs in $folder, and $folder/findings"
    exit 1
fi

#!/bin/sh
# tests/fuzz/run.sh SECONDS [TARGET...] - runs each fuzz target (default: all) for that time. Targets that decode less
# than a trace run for a quarter of the time, except command lines. Prints one line per target: executions, covered
# edges and findings. Builds with clang first. libFuzzer searches for new inputs and finds others in each run. With
# HWTRACE_FUZZ_NUMBER, runs reproducible mutations of the seeds instead.
#
# HWTRACE_FUZZ_NUMBER  the number of reproducible mutations (default: none, libFuzzer searches)
# HWTRACE_FUZZ_BUILD   a build with HWTRACE_FUZZ (default: build/fuzz)
# HWTRACE_CORPUS       the folder of real traces, whose small files are seeds, too
# HWTRACE_FUZZ_FOLDER  the folder for seeds, corpora and findings (default: build/fuzz/run)
# HWTRACE_FUZZ_RUNS    also stops a target after that many executions
# HWTRACE_JOBS         number of parallel compilers and targets (default: the number of processors)
set -eu
# A large quarantine and long allocation stacks cost more than they find.
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

look() { # look TARGET SECONDS: runs it with libFuzzer
    mkdir -p "$folder/corpus/$1"
    # Entropic scheduling would take more time than the targets.
    "$build/tests/fuzz/hwtrace_fuzz" --target="$1" -max_total_time="$2" -runs="${HWTRACE_FUZZ_RUNS:--1}" \
        -entropic=0 -max_len=8192 -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=400 \
        -dict=tests/fuzz/traces.dict -print_final_stats=1 \
        -artifact_prefix="$folder/findings/$1/" "$folder/corpus/$1" "$folder/seeds/$1"
}

mutate() { # mutate TARGET SECONDS
    rm -rf "$folder/findings/$1" # earlier findings are found again
    mkdir "$folder/findings/$1"
    ASAN_OPTIONS="$ASAN_OPTIONS:max_allocation_size_mb=400:hard_rss_limit_mb=1024" \
        "$build/tests/fuzz/hwtrace_fuzz_mutate" "$1" "$HWTRACE_FUZZ_NUMBER" "$2" "${HWTRACE_FUZZ_RUNS:-1000000000}" "$folder/findings/$1"
}

fuzz() { # fuzz TARGET: runs it, prints one line, and returns its status
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
    # A target that ends during an input reports no number of executions.
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

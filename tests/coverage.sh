#!/bin/sh
# tests/coverage.sh [BUILD [CTEST-ARGUMENTS...]] - measures which lines and branches of libs/ and formats/ the tests
# run. Builds with counters (cmake --preset coverage) in BUILD (default: build/coverage) and runs the tests there.
# Prints one row per file, the worst first, then the sums. Exits with 1 if a test fails or a sum is below its minimum.
# Needs GCC and gcovr.
#
# HWTRACE_JOBS          number of parallel compilers and tests (default: the number of processors)
# HWTRACE_LONG_TESTS    when OFF: leaves out the laws, which take as long as all other tests
# HWTRACE_COVERAGE_RUN  when "no": prints the existing counts without building and running anything
set -eu
cd "$(dirname "$0")/.."

least_lines=90    # per cent
least_branches=80 # per cent of the branches that the source decides (tests/gcov_branches.py)

jobs=${HWTRACE_JOBS:-$(nproc 2>/dev/null || echo 2)}
out=${1:-build/coverage}
[ $# -eq 0 ] || shift
command -v gcovr >/dev/null 2>&1 || {
    echo "coverage.sh: there is no gcovr (Debian: gcovr)" >&2
    exit 2
}

failed=0
if [ "${HWTRACE_COVERAGE_RUN:-yes}" != no ]; then
    cmake --preset coverage -B "$out" -DHWTRACE_LONG_TESTS="${HWTRACE_LONG_TESTS:-ON}" >/dev/null
    ninja -C "$out" -j "$jobs" >"$out/build.log" || {
        grep -v '^\[' "$out/build.log" | head -100
        exit 1
    }
    find "$out" -name '*.gcda' -delete
    # Tests that build other programs count nothing here. Programs that are killed while they write their counts would
    # damage the counts. cli.hostile limits programs so that they cannot write their counts.
    ctest --test-dir "$out" --parallel "$jobs" --timeout 7200 --output-on-failure --exclude-regex '[.]install$|^install[.]|^faults[.]|freestanding|verilator|refused|^cli[.]hostile$|^record_qemu[.]programs$|^python[.]wheel$|^laws[.]sample' "$@" ||
        failed=1
fi

gcovr --root . --object-directory "$out" "$out" -j "$jobs" --gcov-executable "python3 '$PWD/tests/gcov_branches.py'" \
    --filter 'libs/' --filter 'formats/' --exclude 'libs/install' \
    --exclude-throw-branches --exclude-unreachable-branches --gcov-ignore-parse-errors \
    --csv "$out/coverage.csv" --print-summary \
    --fail-under-line "$least_lines" --fail-under-branch "$least_branches" >"$out/summary.txt" || failed=1
awk -F, 'NR > 1 && $2 { printf "%5.1f %%  %4d of %4d lines  %4d of %4d branches  %s\n", 100 * $3 / $2, $3, $2, $6, $5, $1 }' "$out/coverage.csv" |
    sort -n
cat "$out/summary.txt"
exit $failed

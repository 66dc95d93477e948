#!/bin/sh
# tests/run.sh - builds and tests hwtrace, in tiers. Installs missing packages first. The last line is
# "N passed, N failed, N skipped"; the exit code is 0 if something ran and nothing failed.
#
#   sh tests/run.sh quick            runs unit tests in one fast build and the format check; for use while you work
#   sh tests/run.sh                  runs the default tier with sanitizers; for use before each commit
#   sh tests/run.sh all              runs the default tier and every part; for use after a large piece of work
#   sh tests/run.sh all PART...      runs only these parts
#   sh tests/run.sh parts            lists the parts
#   sh tests/run.sh rotating         runs the default tier and the part of the day; of laws and sweeps, a fifth a time
#
# HWTRACE_CORPUS        the folder of real traces; tests that need it are skipped without it
# HWTRACE_SARIF_TOOL    the path of Sarif.Multitool (tests/cli/sarif.sh), which checks reports; skipped without it
# HWTRACE_JOBS          number of parallel compilers and tests (default: the number of processors)
# HWTRACE_PART          the part that `rotating` runs instead of the part of the day
# HWTRACE_SAMPLE        K/N: the parts `laws` and `sweeps` try share K of N (default: all; `rotating` chooses one of 5)
# HWTRACE_FUZZ_SECONDS  seconds per fuzz target, for up to 100,000 broken traces, the same in each run (default: 30)
# HWTRACE_TIDY          how many of the last changed sources clang-tidy checks, or "all" (default: 30)
set -eu
cd "$(dirname "$0")/.."
. tests/tiers/lib.sh
. tests/tiers/parts.sh

usage() {
    echo "run.sh: $1; see the top of tests/run.sh" >&2
    exit 2
}

check_format() {
    if command -v clang-format >/dev/null 2>&1; then
        check 'sources are formatted' formatted || true
    else
        skip 'sources are formatted' 'clang-format is not installed'
    fi
}

quick_tier() {
    check_format
    check 'build without optimisation' build "$out/quick" hwtrace_unit_tests --preset quick || return 0
    phase 'unit tests' run_tests "$out/quick" --label-regex '^unit$'
}

# A test without a label of a tier or part would never run.
each_has_a_tier() {
    labels="^(unit|default|$(part_names | tr ' ' '|'))\$"
    ctest --test-dir "$out/dev" --label-exclude "$labels" --show-only </dev/null >"$out/untiered.txt" || return 1
    grep -qx 'Total Tests: 0' "$out/untiered.txt" || { cat "$out/untiered.txt"; return 1; }
}

default_tier() {
    check_format
    build_dev all || return 0
    check 'each test has a tier' each_has_a_tier || true
    phase 'unit tests, laws on a sample, commands, interfaces and views' run_tests "$out/dev" --label-regex '^(unit|default)$'
}

# run_parts PART...: runs the parts in this order. If disk space is short, removes builds that no later part uses.
run_parts() {
    make_room_for "$@"
    while [ $# -gt 0 ]; do
        part=$1
        shift
        echo
        echo "==== part $part: $(part_text "$part")"
        "part_$part"
        [ $# -eq 0 ] || make_room_for "$@"
    done
}

tier=${1:-default}
[ $# -eq 0 ] || shift
case $tier in
    parts)
        parts
        exit 0
        ;;
    quick | default | rotating) [ $# -eq 0 ] || usage "$tier takes no words behind it" ;;
    all) for part; do is_part "$part" || usage "there is no part '$part'"; done ;;
    *) usage "there is no tier '$tier'" ;;
esac
if [ "$tier" = rotating ]; then
    chosen=${HWTRACE_PART:-$(part_of_day)}
    is_part "$chosen" || usage "HWTRACE_PART: there is no part '$chosen'"
    echo "the part of the day behind the default tier: $chosen ($(part_text "$chosen"))"
fi

choose_folder
if ! phase 'packages' sh apps/packages.sh tests; then
    failed=1
    echo 'FAIL  the packages cannot be installed'
    finish
fi
case $tier in
    quick) quick_tier ;;
    default) default_tier ;;
    rotating)
        default_tier
        export HWTRACE_SAMPLE="${HWTRACE_SAMPLE:-$(share_of_day)}"
        run_parts "$chosen"
        ;;
    all)
        if [ $# -eq 0 ]; then
            default_tier
            # shellcheck disable=SC2046 # words
            set -- $(part_names)
        fi
        run_parts "$@"
        ;;
esac
finish

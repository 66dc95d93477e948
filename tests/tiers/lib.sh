# tests/tiers/lib.sh - shared by the tiers of tests/run.sh: counts, phases, builds, and runs of ctest.

jobs=${HWTRACE_JOBS:-$(nproc 2>/dev/null || echo 2)}
passed=0
failed=0
skipped=0
phases= # a line for each finished phase: its seconds and its name
dev_is_built=
# Stack traces of five calls, and freed memory kept for 16 MB of further calls, save a fifth of the time.
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=16:malloc_context_size=5}"

# choose_folder: sets `out`, the folder of all builds, and `free_kb`.
choose_folder() {
    out=$PWD/build
    mkdir -p "$out" 2>/dev/null || true
    if [ ! -w "$out" ]; then # for a read-only checkout
        out=$(mktemp -d "${TMPDIR:-/tmp}/hwtrace-build-XXXXXX")
        echo "building in $out"
    fi
    # All builds together take 11 GB. With less free space, each one is removed after its last use. The largest build
    # takes 5 GB.
    free_kb=$(df -Pk "$out" | awk 'NR == 2 { print $4 }')
    few_kb=$((14 * 1000 * 1000))
    [ "$free_kb" -ge "$few_kb" ] || echo "$((free_kb / 1000000)) GB of disk are free in $out: each build is removed after use"
}

# make_room_for PART...: if disk space is short, removes the builds that none of these parts uses.
make_room_for() {
    [ "$free_kb" -lt "$few_kb" ] || return 0
    for folder in dev clang tsan coverage release; do
        used=
        for later; do
            [ "$(build_of "$later")" != "$folder" ] || used=yes
        done
        [ -z "$used" ] || continue
        if [ -n "$(find "$out/$folder/run/findings" -type f 2>/dev/null | head -1)" ]; then
            rm -rf "$out/findings"
            mv "$out/$folder/run/findings" "$out/findings"
            echo "what fuzzing found is in $out/findings"
        fi
        rm -rf "${out:?}/$folder"
        [ "$folder" != dev ] || dev_is_built=
    done
}

# finish: prints the times of the phases and the counts, and exits with the exit code.
finish() {
    echo
    printf '%s' "$phases"
    echo
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && exit 0
    exit 1
}

# phase NAME COMMAND...: runs COMMAND, prints how long it took, and returns its status.
phase() {
    phase_name=$1
    shift
    echo "== $phase_name"
    phase_start=$(date +%s)
    phase_status=0
    "$@" || phase_status=$?
    phase_seconds=$(($(date +%s) - phase_start))
    echo "-- $phase_name: $phase_seconds s"
    phases=$phases$(printf '%6s s  %s' "$phase_seconds" "$phase_name")'
'
    return "$phase_status"
}

# check NAME COMMAND...: runs COMMAND as a phase that counts as one test.
check() {
    check_name=$1
    shift
    if phase "$check_name" "$@" </dev/null; then
        passed=$((passed + 1))
        echo "pass  $check_name"
    else
        failed=$((failed + 1))
        echo "FAIL  $check_name"
        return 1
    fi
}

skip() { # skip NAME REASON
    skipped=$((skipped + 1))
    echo "skip  $1: $2"
}

build() { # build FOLDER TARGETS CMAKE-ARGUMENTS...
    folder=$1
    targets=$2
    shift 2
    cmake -B "$folder" "$@" >"$folder.log" 2>&1 || {
        cat "$folder.log"
        return 1
    }
    # shellcheck disable=SC2086 # words
    ninja -C "$folder" -j "$jobs" $targets >"$folder.log" 2>&1 || {
        grep -v '^\[' "$folder.log" | head -200
        return 1
    }
    tail -1 "$folder.log"
}

# build_dev TARGETS: builds TARGETS with sanitizers, unless this run has built everything already.
build_dev() {
    [ -z "$dev_is_built" ] || return 0
    check "build with sanitizers ($1)" build "$out/dev" "$1" --preset dev || return 1
    [ "$1" != all ] || dev_is_built=yes
}

formatted() {
    find apps libs formats tests \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
        xargs -0 clang-format --dry-run -Werror
}

# run_tests FOLDER CTEST-ARGUMENTS...: runs the tests that the arguments select, and counts every case of a doctest
# program. ctest prints the number of the test at the start of each line.
run_tests() {
    folder=$1
    shift
    status=0
    ctest --test-dir "$folder" "$@" --parallel "$jobs" --timeout 2700 --verbose </dev/null >"$out/tests.log" 2>&1 || status=$?
    wanted=$(ctest --test-dir "$folder" "$@" --show-only </dev/null | sed -n 's/^Total Tests: //p')
    awk -f tests/tiers/cases.awk "$out/tests.log" >"$out/tests.txt"
    ended=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: ' "$out/tests.log" || true)
    case $status in
        0 | 8) [ "$ended" = "$wanted" ] || echo "FAIL  $ended of ${wanted:-?} programs of tests ended" >>"$out/tests.txt" ;;
        *) echo "FAIL  ctest ended with $status, when $ended of ${wanted:-?} programs of tests had ended" >>"$out/tests.txt" ;;
    esac
    if grep -q '^FAIL' "$out/tests.txt"; then
        echo "--- the tests' full output"
        cat "$out/tests.log"
        echo "---"
    fi
    cat "$out/tests.txt"
    count() { grep -c "^$1  " "$out/tests.txt" || true; }
    passed=$((passed + $(count pass)))
    failed=$((failed + $(count FAIL)))
    skipped=$((skipped + $(count skip)))
    if ! grep -qE '^(pass|FAIL|skip)  ' "$out/tests.txt"; then
        failed=$((failed + 1))
        echo 'FAIL  no test ran'
    fi
}

#!/bin/sh
# tests/run.sh - installs what is missing, builds everything with sanitizers, and runs every test. The last line is
# "N passed, N failed, N skipped"; the exit code is 0 when something ran and nothing failed.
#
# HWTRACE_CORPUS        the folder of real traces; tests that want it are skipped without it
# HWTRACE_SARIF_TOOL    the path of Sarif.Multitool (tests/cli/sarif.sh), which looks at reports; skipped without it
# HWTRACE_JOBS          compilers and tests at a time (default: the number of processors)
# HWTRACE_FUZZ_SECONDS  for how long at most each target is given 100,000 broken traces, the same ones in each run (default: 30)
# HWTRACE_TIDY          how many of the sources that were changed last clang-tidy looks at, or all of them: "all" (default: 30)
# HWTRACE_QUICK         when not empty: no build with clang, no fuzzing, no clang-tidy, no counting of coverage and no demo
set -eu
cd "$(dirname "$0")/.."

jobs=${HWTRACE_JOBS:-$(nproc 2>/dev/null || echo 2)}
out=$PWD/build
mkdir -p "$out" 2>/dev/null || true
if [ ! -w "$out" ]; then # a checkout that cannot be written to
    out=$(mktemp -d "${TMPDIR:-/tmp}/hwtrace-build-XXXXXX")
    echo "building in $out"
fi

# All builds together take 11 GB. Where there is less, each is removed as soon as it was used: the largest takes 5 GB.
free_kb=$(df -Pk "$out" | awk 'NR == 2 { print $4 }')
few_kb=$((14 * 1000 * 1000))
[ "$free_kb" -ge "$few_kb" ] || echo "$((free_kb / 1000000)) GB of disk are free in $out: each build is removed after use"

passed=0
failed=0
skipped=0

finish() {
    echo
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && exit 0
    exit 1
}

was_used() { # was_used FOLDER
    [ "$free_kb" -lt "$few_kb" ] || return 0
    if [ -n "$(find "$1/run/findings" -type f 2>/dev/null | head -1)" ]; then
        rm -rf "$out/findings"
        mv "$1/run/findings" "$out/findings"
        echo "what fuzzing found is in $out/findings"
    fi
    rm -rf "$1"
}

# check NAME COMMAND... - one check of the whole tree, counted as one test.
check() {
    name=$1
    shift
    echo "== $name"
    if "$@" </dev/null; then
        passed=$((passed + 1))
        echo "pass  $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name"
        return 1
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skip  $1: $2"
}

build() { # build FOLDER TARGET CMAKE-ARGUMENTS...
    folder=$1
    target=$2
    shift 2
    cmake -B "$folder" "$@" >"$folder.log" 2>&1 || {
        cat "$folder.log"
        return 1
    }
    ninja -C "$folder" -j "$jobs" "$target" >"$folder.log" 2>&1 || {
        grep -v '^\[' "$folder.log" | head -200
        return 1
    }
    tail -1 "$folder.log"
}

formatted() {
    find apps libs formats tests \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
        xargs -0 clang-format --dry-run -Werror
}

sh apps/packages.sh tests || {
    failed=1
    echo "FAIL  the packages cannot be installed"
    finish
}

if command -v clang-format >/dev/null 2>&1; then
    check 'sources are formatted' formatted || true
else
    skip 'sources are formatted' 'clang-format is not installed'
fi

check 'build with sanitizers' build "$out/dev" all --preset dev || finish

# Every program, and inside the doctest programs every case; lines are prefixed with the number of the program.
run_tests() { # run_tests FOLDER [CTEST-ARGUMENTS...]
    folder=$1
    shift
    status=0
    ctest --test-dir "$folder" "$@" --timeout 1800 --verbose </dev/null >"$out/tests.log" 2>&1 || status=$?
    wanted=$(ctest --test-dir "$folder" "$@" --show-only </dev/null | sed -n 's/^Total Tests: //p')
    awk '
        /^[0-9]+: (pass|FAIL|skip)  / {
            number = $1; sub(/:$/, "", number)
            cases[number]++
            if ($2 == "FAIL") failures[number]++
            line = $0; sub(/^[0-9]+: /, "", line); print line
        }
        /^[0-9]+: skipped: / {
            number = $1; sub(/:$/, "", number)
            reason[number] = $0; sub(/^[0-9]+: skipped: /, "", reason[number])
        }
        # A program without cases of its own counts as one, and so does one that failed outside of its cases.
        /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
            number = $0; sub(/^.*#/, "", number); sub(/:.*$/, "", number)
            name = $0; sub(/^[^:]*: /, "", name); sub(/ .*$/, "", name)
            if ($0 ~ /\*\*\*Skipped/) print "skip  program " name (number in reason ? ": " reason[number] : "")
            else if ($0 !~ / Passed /) { if (!failures[number]) print "FAIL  program " name }
            else if (!cases[number]) print "pass  program " name
        }' "$out/tests.log" >"$out/tests.txt"
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
    if [ "$(count pass)" -eq 0 ]; then
        failed=$((failed + 1))
        echo 'FAIL  no test ran'
    fi
}

echo "== tests"
run_tests "$out/dev" --parallel "$jobs"

was_used "$out/dev"

if [ -n "${HWTRACE_QUICK:-}" ]; then
    skip 'build with clang' 'HWTRACE_QUICK is set'
    skip 'fuzzing' 'HWTRACE_QUICK is set'
    skip 'clang-tidy has nothing to say' 'HWTRACE_QUICK is set'
    skip 'tests of threads, with ThreadSanitizer' 'HWTRACE_QUICK is set'
    skip 'coverage of libs and formats' 'HWTRACE_QUICK is set'
    skip 'the demo' 'HWTRACE_QUICK is set'
    finish
fi

# builds_with FLAG SOURCE: whether clang++ makes a program of it.
builds_with() {
    echo "$2" | clang++ "$1" -x c++ -o "$out/tried" - >/dev/null 2>&1
}

can_fuzz() { # some packages of clang lack the library
    builds_with -fsanitize=fuzzer,address \
        'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, decltype(sizeof 0)) { return 0; }'
}

can_watch_threads() { # some kernels place memory where its runtime does not look
    builds_with -fsanitize=thread 'int main() {}' && "$out/tried" >/dev/null 2>&1
}

# One build with clang shows its warnings, and is what fuzzing needs.
if ! command -v clang++ >/dev/null 2>&1; then
    skip 'build with clang' 'clang++ is not installed'
    skip 'fuzzing' 'clang++ is not installed'
elif can_fuzz; then
    check 'build with clang' build "$out/clang" all --preset fuzz -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DHWTRACE_WERROR=ON -DHWTRACE_TESTS=ON -DHWTRACE_BENCH=ON || true
    # Formats are read and written by the fuzzers below, and threads by the tests of ThreadSanitizer.
    echo '== tests of libs, built with clang'
    run_tests "$out/clang" --tests-regex '^(model|io|codec|pipeline|views|cli|recording)$' --parallel "$jobs"
    check 'fuzzing' env HWTRACE_FUZZ_BUILD="$out/clang" HWTRACE_FUZZ_NUMBER=1 HWTRACE_FUZZ_RUNS=100000 sh tests/fuzz/run.sh "${HWTRACE_FUZZ_SECONDS:-30}" || true
else
    check 'build with clang' build "$out/clang" all -S . -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DHWTRACE_WERROR=ON -DHWTRACE_TESTS=ON -DHWTRACE_BENCH=ON || true
    skip 'fuzzing' 'clang++ has no libFuzzer'
fi

if [ -e "$out/clang/compile_commands.json" ] && command -v clang-tidy >/dev/null 2>&1; then
    check 'clang-tidy has nothing to say' sh tests/tidy.sh "$out/clang" "${HWTRACE_TIDY:-30}" "$jobs" || true
else
    skip 'clang-tidy has nothing to say' 'clang-tidy is not installed'
fi
was_used "$out/clang"

if ! command -v clang++ >/dev/null 2>&1; then
    skip 'tests of threads, with ThreadSanitizer' 'clang++ is not installed'
elif ! can_watch_threads; then
    skip 'tests of threads, with ThreadSanitizer' 'programs of clang++ with -fsanitize=thread do not run here'
elif check 'build with ThreadSanitizer' build "$out/tsan" hwtrace_threads --preset tsan; then
    echo "== tests of threads, with ThreadSanitizer"
    run_tests "$out/tsan" --label-regex '^threads$' --parallel "$jobs"
fi
was_used "$out/tsan"

# The laws, which take long, run a few lines that no other test does: `sh tests/coverage.sh` counts them too.
if command -v gcovr >/dev/null 2>&1 && command -v g++ >/dev/null 2>&1; then
    check 'coverage of libs and formats' env HWTRACE_LONG_TESTS=OFF sh tests/coverage.sh "$out/coverage" || true
else
    skip 'coverage of libs and formats' 'gcovr or g++ is not installed'
fi
was_used "$out/coverage"

# The demo's build is the one that is packed: the preset says what the demo leaves open.
check 'the release build is configured' cmake --preset package -B "$out/release" || true
check 'the demo' env HWTRACE_BUILD="$out/release" sh apps/demo.sh || true
check 'programs are built with libhwtrace.so' sh tests/install/packages.sh "$PWD" "$out/release" "$out/packages" cmake cc c++ -g || true

archives() {
    status=0
    sh tests/install/archives.sh "$PWD" "$out/release" "$out/archives" cpack >"$out/archives.log" 2>&1 || status=$?
    cat "$out/archives.log"
    return "$status"
}
check 'the archives that cpack makes' archives || true
skipped=$((skipped + $(grep -c '^skip  ' "$out/archives.log" || true)))
finish

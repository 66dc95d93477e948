# tests/tiers/parts.sh - the parts of `sh tests/run.sh all`. Parts that share a build are next to each other.

# parts: prints one line per part: its name, the build in which its tests run, and what it does.
parts() {
    cat <<'END'
laws      dev       every law on every file and every random model
faults    dev       the commands with calls that fail, signals, full disks and bombs
sweeps    dev       readers and views on files with damage at many places
packages  dev       install tests, the demo, the examples of the manual pages, archives and lintian
threads   tsan      what runs threads, with ThreadSanitizer
clang     clang     a build with clang, the unit tests of libs, clang-tidy
fuzzing   clang     100,000 broken traces for each fuzz target
coverage  coverage  lines and branches of libs and formats that the tests run, with floors
END
}
part_names() { parts | awk '{ printf "%s%s", separator, $1; separator = " " }'; }
build_of() { parts | awk -v part="$1" '$1 == part { print $2 }'; }
part_text() { parts | sed -n "s/^$1  *[a-z]*  *//p"; }
is_part() { [ -n "$(build_of "$1")" ]; }
today() { echo "$(($(date +%s) / 86400))"; }
part_of_day() { parts | awk -v day="$(today)" '{ name[NR - 1] = $1 } END { print name[day % NR] }'; }
share_of_day() { echo "$(($(today) / $(parts | wc -l) % 5))/5"; }

part_laws() {
    build_dev hwtrace_test_laws || return 0
    phase "laws on ${HWTRACE_SAMPLE:-all} files" run_tests "$out/dev" --label-regex '^laws$'
}

part_faults() {
    build_dev all || return 0
    phase 'faults' run_tests "$out/dev" --label-regex '^faults$'
}

part_sweeps() {
    build_dev all || return 0
    phase "sweeps of ${HWTRACE_SAMPLE:-all} files" run_tests "$out/dev" --label-regex '^sweeps$'
}

archives() {
    status=0
    sh tests/install/archives.sh "$PWD" "$out/release" "$out/archives" cpack >"$out/archives.log" 2>&1 || status=$?
    cat "$out/archives.log"
    return "$status"
}

part_packages() {
    if build_dev all; then phase 'install tests' run_tests "$out/dev" --label-regex '^packages$'; fi
    # The demo uses the build for the packages, so configure it with the preset `package` first.
    check 'the release build is configured' cmake --preset package -B "$out/release" || true
    check 'the demo' env HWTRACE_BUILD="$out/release" sh apps/demo.sh || true
    check 'programs are built with libhwtrace.so' \
        sh tests/install/packages.sh "$PWD" "$out/release" "$out/packages" cmake cc c++ -g || true
    check 'the archives that cpack makes' archives || true
    skipped=$((skipped + $(grep -c '^skip  ' "$out/archives.log" || true)))
    static_program
    check 'the Debian source package' sh tests/install/source_package.sh "$PWD" "$out/source_package" || true
}

# The program is compiled without optimisation, because the test is about linking and packing.
static_program() {
    check 'the static program is built' build "$out/static" hwtrace_documents --preset static -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_C_FLAGS_DEBUG=-O0 || return 0
    check 'the static tarball in an empty root folder' sh tests/install/static.sh "$PWD" "$out/static" "$out/static_tarball" cpack || true
}

# builds_with FLAG SOURCE: succeeds if clang++ builds a program from the source.
builds_with() {
    echo "$2" | clang++ "$1" -x c++ -o "$out/tried" - >/dev/null 2>&1
}

can_watch_threads() { # some kernels place memory at addresses that ThreadSanitizer does not support
    builds_with -fsanitize=thread 'int main() {}' && "$out/tried" >/dev/null 2>&1
}

part_threads() {
    if ! command -v clang++ >/dev/null 2>&1; then
        skip 'tests of threads, with ThreadSanitizer' 'clang++ is not installed'
    elif ! can_watch_threads; then
        skip 'tests of threads, with ThreadSanitizer' 'programs of clang++ with -fsanitize=thread do not run here'
    elif check 'build with ThreadSanitizer' build "$out/tsan" hwtrace_threads --preset tsan; then
        phase 'tests of threads, with ThreadSanitizer' run_tests "$out/tsan" --label-regex '^threads$'
    fi
}

can_fuzz() { # some clang packages lack libFuzzer
    builds_with -fsanitize=fuzzer,address \
        'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, decltype(sizeof 0)) { return 0; }'
}

# build_clang NAME TARGETS: makes one build that shows clang's warnings, and serves fuzzing if clang supports it.
build_clang() {
    if can_fuzz; then
        set -- "$@" --preset fuzz
    else
        set -- "$@" -S . -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug
    fi
    name=$1
    shift
    check "$name" build "$out/clang" "$@" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DHWTRACE_WERROR=ON -DHWTRACE_TESTS=ON -DHWTRACE_BENCH=ON
}

part_clang() {
    if ! command -v clang++ >/dev/null 2>&1; then
        skip 'build with clang' 'clang++ is not installed'
        skip 'clang-tidy has nothing to say' 'clang++ is not installed'
        return 0
    fi
    # Fuzzing tests the formats, and ThreadSanitizer the threads, so only the other unit tests run here.
    if build_clang 'build with clang' all; then
        phase 'unit tests of libs, built with clang' run_tests "$out/clang" --label-regex '^unit$' --exclude-regex '^formats'
    fi
    if [ -e "$out/clang/compile_commands.json" ] && command -v clang-tidy >/dev/null 2>&1; then
        check 'clang-tidy has nothing to say' sh tests/tidy.sh "$out/clang" "${HWTRACE_TIDY:-30}" "$jobs" || true
    else
        skip 'clang-tidy has nothing to say' 'clang-tidy is not installed'
    fi
}

part_fuzzing() {
    if ! command -v clang++ >/dev/null 2>&1; then
        skip 'fuzzing' 'clang++ is not installed'
    elif ! can_fuzz; then
        skip 'fuzzing' 'clang++ has no libFuzzer'
    elif build_clang 'build of the fuzz targets' 'hwtrace_fuzz hwtrace_fuzz_mutate hwtrace_fuzz_replay'; then
        check 'fuzzing' env HWTRACE_FUZZ_BUILD="$out/clang" HWTRACE_FUZZ_NUMBER=1 HWTRACE_FUZZ_RUNS=100000 \
            sh tests/fuzz/run.sh "${HWTRACE_FUZZ_SECONDS:-30}" || true
    fi
}

# Leaves out the laws, which take long and cover only a few more lines. `sh tests/coverage.sh` includes them.
part_coverage() {
    if command -v gcovr >/dev/null 2>&1 && command -v g++ >/dev/null 2>&1; then
        check 'coverage of libs and formats' env HWTRACE_LONG_TESTS=OFF sh tests/coverage.sh "$out/coverage" || true
    else
        skip 'coverage of libs and formats' 'gcovr or g++ is not installed'
    fi
}

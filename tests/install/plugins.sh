#!/bin/sh
# tests/install/plugins.sh SOURCES BUILD FOLDER CMAKE CC CXX FLAGS - installs everything, builds the example of a plug-in by
# find_package(hwtrace) and by pkg-config hwtrace, and uses its format with the installed commands. Then every way in which a
# plug-in can be wrong is refused. FLAGS are compiler and linker flags for the libraries.
set -eu

sources=$1 build=$2 folder=$3 cmake=$4 CC=$5 CXX=$6 flags=$7
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
failures=0
unset HWTRACE_PLUGINS

rm -rf "$folder"
mkdir -p "$folder/cmake" "$folder/run"
"$cmake" --install "$build" --prefix "$folder/prefix" >"$folder/log"
bin=$folder/prefix/bin
pc=$(find "$folder/prefix" -name hwtrace.pc)
export PKG_CONFIG_PATH="${pc%/*}" LD_LIBRARY_PATH="${pc%/pkgconfig/*}"

# What apps/examples/README.md shows: the lines of CMake, and the command.
page=$sources/apps/examples/README.md
block() { sed -n "/^## Formats as plug-ins/,/^## /p" "$page" | sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" | sed '1d;/^```/,$d'; }
cp "$sources/apps/examples/spans_plugin.cpp" "$sources/apps/examples/spans_format.hpp" "$folder/cmake"
cp "$sources/apps/examples/spans_plugin.cpp" "$sources/apps/examples/spans_format.hpp" "$folder/run"
block cmake >"$folder/cmake/CMakeLists.txt"
grep -q find_package "$folder/cmake/CMakeLists.txt"
"$cmake" -S "$folder/cmake" -B "$folder/cmake/build" -G Ninja -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_CXX_FLAGS="$warnings $flags" >"$folder/log"
"$cmake" --build "$folder/cmake/build" >"$folder/log" || {
    cat "$folder/log"
    exit 1
}
cd "$folder/run"
block sh | grep -q pkg-config
eval "$(block sh | grep -A 1 '^c++ ' | sed "s|^c++ |\"\$CXX\" $warnings $flags |")"

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}
# expect STATUS COMMAND...: output in the files stdout and stderr. says STREAM TEXT
expect() {
    wanted=$1
    shift
    status=0
    "$@" >stdout 2>stderr </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit $status instead of $wanted: HWTRACE_PLUGINS=${HWTRACE_PLUGINS:-} $*: $(head -3 stderr)"
}
says() { grep -qF -- "$2" "$1" || fail "'$2' is not on $1: $(head -3 "$1")"; }

# The installation is in none of the system's folders, and still the plug-in finds its library there.
unset LD_LIBRARY_PATH

printf '#spans\n# by hand\ncore0 sleep 0 10\ncore0 run 10 30\ncore1 run 5 70\n' >lanes.spans
expect 4 "$bin/hwtrace-dump" lanes.spans # unknown without the plug-in
for plugin in spans_plugin.so "$folder/cmake/build/spans_plugin.so" ":./spans_plugin.so:"; do
    export HWTRACE_PLUGINS="$plugin"
    expect 0 "$bin/hwtrace-convert" lanes.spans lanes.uscope --verify --force
    expect 0 "$bin/hwtrace-validate" lanes.spans lanes.uscope
    expect 0 "$bin/hwtrace-convert" lanes.uscope back.spans --spans-comment 'by hand' --force
    cmp lanes.spans back.spans || fail 'the way to µScope and back changes the spans'
done
export HWTRACE_PLUGINS=spans_plugin.so
expect 0 "$bin/hwtrace-dump" lanes.spans
says stdout 'core0: 2 spans, 30 ns'
expect 0 "$bin/hwtrace-dump" lanes.spans --view model
says stdout '10 interval core0/run duration=20'
# A view that cannot select names those that can.
expect 2 "$bin/hwtrace-dump" lanes.spans --view lanes-sum --select track=run
says stderr '--select: the view lanes-sum always shows whole files; views that can: model, schema, timeline'
says stderr '; or write the records with hwtrace-convert --select to a spans file, and show that'
expect 0 "$bin/hwtrace" dump --list-views
says stdout lanes-sum
expect 0 "$bin/hwtrace-convert" --list-formats
says stdout 'a log of spans'
expect 0 "$bin/hwtrace-convert" --list-formats --json
says stdout '"key": "spans-comment"'
expect 0 "$bin/hwtrace" --version --json
says stdout '"name": "spans"'
expect 0 "$bin/hwtrace-validate" --list-rules
says stdout SPN001
expect 0 "$bin/hwtrace-validate" --explain SPN001
says stdout 'the comment of spans_format.hpp'
expect 0 "$bin/hwtrace-info" lanes.spans
says stdout spans
expect 0 "$bin/hwtrace-convert" --help
says stdout --spans-comment
printf '#spans\nno span\ncore0 run 1 2\n' >wrong.spans
expect 1 "$bin/hwtrace-validate" wrong.spans
says stdout 'SPN001'
says stdout 'expected lane name begin end'
expect 1 "$bin/hwtrace-validate" wrong.spans --report sarif
says stdout 'See spans: '
expect 2 "$bin/hwtrace-convert" lanes.spans out.jsonl --spans-comment x
says stderr 'no effect on a jsonl trace'
expect 0 "$bin/hwtrace-merge" lanes.spans lanes.uscope -o merged.spans

# wrong CAUSE PLUGIN: the plug-in is refused, and the message names it and the cause.
wrong() {
    HWTRACE_PLUGINS=$2
    expect 2 "$bin/hwtrace-convert" lanes.spans out.uscope --force
    says stderr "$1"
    says stderr "HWTRACE_PLUGINS: ${2##*:}"
    [ ! -e out.uscope ] || fail "$2: there is an output"
}
wrong 'No such file' ./absent.so
wrong 'No such file' spans_plugin.so:absent.so
echo text >text.so
wrong 'cannot be loaded' text.so
sed 's/^HWTRACE_PLUGIN(/int absent(); int used = absent();\n&/' spans_plugin.cpp >lacking.cpp
# shellcheck disable=SC2046,SC2086 # flags are words
"$CXX" -std=c++20 $flags -shared -fPIC -Wl,--exclude-libs,ALL -o lacking.so lacking.cpp $(pkg-config --cflags --libs hwtrace)
wrong 'undefined symbol: _Z6absentv' ./lacking.so
wrong "name 'spans' of the format 'spans'" "spans_plugin.so:$folder/cmake/build/spans_plugin.so"
# Plug-ins in C, with a descriptor made by hand.
cat >plain.c <<'END'
#include <stdint.h>
#include <stdlib.h>
struct plugin {
    uint64_t magic;
    const char *version, *abi;
    uint64_t layout;
    const void* const* formats;
    size_t count;
};
const void* hwtrace_plugin(void);
const void* hwtrace_plugin(void) {
    static const void* const formats[] = {0};
    static struct plugin plugin = {0x3147554c50545748, VERSION, "libstdc++", 1, formats, 1};
    static void* made; // refers to the memory, so that it does not count as a leak
    switch (WHAT) {
        case 1: return NULL;
        case 2: return (const void*)1;
        case 3: return made = calloc(1, sizeof plugin);
        case 4: plugin.magic = 5; break;
        case 5: plugin.version = (const char*)8; break;
        case 6: plugin.abi = "libc++"; break;
        default: break;
    }
    return &plugin;
}
END
plain() { "$CC" -shared -fPIC -DWHAT="$1" "-DVERSION=\"$2\"" plain.c -o "$3"; }
version=$("$bin/hwtrace" --version 2>/dev/null | cut -d ' ' -f 2 || true)
[ -n "$version" ] || version=$(HWTRACE_PLUGINS='' "$bin/hwtrace" --version | cut -d ' ' -f 2)
for what in 1 2 3 4 5; do
    plain "$what" "$version" "plain$what.so"
    wrong 'returns no descriptor of a plug-in' "./plain$what.so"
done
plain 6 "$version" plain6.so
wrong 'was compiled with libc++, and hwtrace with libstdc++' ./plain6.so
plain 0 9.8.7 old.so
wrong "was compiled for hwtrace 9.8.7, and this is $version; compile it again" ./old.so
plain 0 "$version" layout.so
wrong "headers of another build of hwtrace $version; compile it again" ./layout.so
echo 'int nothing;' >nothing.c
"$CC" -shared -fPIC nothing.c -o nothing.so
wrong 'exports no function hwtrace_plugin' ./nothing.so
echo 'struct Thrower { Thrower() { throw 1; } } thrower;' >thrower.cpp
# shellcheck disable=SC2086 # flags are words
"$CXX" $flags -shared -fPIC thrower.cpp -o thrower.so
wrong 'throws an exception while it is loaded' ./thrower.so
echo 'struct Thrower { Thrower() noexcept { throw 1; } } thrower;' >stopper.cpp
# shellcheck disable=SC2086 # flags are words
"$CXX" $flags -w -shared -fPIC stopper.cpp -o stopper.so
wrong 'throws an exception while it is loaded' ./stopper.so

# A plug-in that is wrong as the variable WRONG says.
cat >wrong.cpp <<'END'
#include <hwtrace/plugin.hpp>

#include <cstdlib>
#include <stdexcept>

#include "spans_format.hpp"

extern "C" const hwtrace::Plugin* hwtrace_plugin();
extern "C" const hwtrace::Plugin* hwtrace_plugin() {
    using namespace std::literals;
    static const std::string_view wrong = std::getenv("WRONG");
    static hwtrace::Format format = spans::format;
    static const hwtrace::Format* const formats[] = {&format};
    static hwtrace::Plugin plugin{.formats = formats, .count = 1};
    static constexpr std::string_view taken[] = {".stf"}, bare[] = {"spans"};
    static constexpr hwtrace::Option option[] = {{"stf-chunk", "count", "", "x"}};
    static constexpr hwtrace::Rule rule[] = {{"STF001", hwtrace::Severity::error, hwtrace::Effect::damaged, "x", "x", "x"}};
    static constexpr hwtrace::Rule twice[] = {{"SPN009", hwtrace::Severity::error, hwtrace::Effect::damaged, "x", "x", "x"},
                                              {"SPN009", hwtrace::Severity::error, hwtrace::Effect::damaged, "y", "y", "y"}};
    if (wrong == "throws") throw std::runtime_error("no licence");
    if (wrong == "throws number") throw 42;
    if (wrong == "count") plugin.count = 0;
    if (wrong == "huge") plugin.count = 1u << 30;
    if (wrong == "name") format.name = "stf", format.options = {};
    if (wrong == "letters") format.name = "My Format";
    if (wrong == "no name") format.name = {};
    if (wrong == "title") format.title = {};
    if (wrong == "extension") format.extensions = taken;
    if (wrong == "bare extension") format.extensions = bare;
    if (wrong == "no extension") format.extensions = {};
    if (wrong == "option") format.options = option;
    if (wrong == "rule") format.rules = rule;
    if (wrong == "rule twice") format.rules = twice;
    if (wrong == "no sniff") format.sniff = nullptr;
    if (wrong == "no functions") format.make_reader = nullptr, format.make_writer = nullptr;
    if (wrong == "sniff throws") format.sniff = [](hwtrace::Head) -> bool { throw std::runtime_error("bad sniff"); };
    if (wrong == "reader throws" || wrong == "reader throws number" || wrong == "reader fails")
        format.make_reader = [](hwtrace::Input&, const hwtrace::Settings&, hwtrace::Findings&) -> std::unique_ptr<hwtrace::Reader> {
            if (wrong == "reader fails") hwtrace::fail(hwtrace::Failure::input, "lanes.spans: of another kind");
            if (wrong == "reader throws") throw std::runtime_error("bad reader");
            throw 42;
        };
    return &plugin;
}
END
# shellcheck disable=SC2046,SC2086
"$CXX" -std=c++20 $flags -shared -fPIC -Wl,--exclude-libs,ALL -o wrong.so wrong.cpp $(pkg-config --cflags --libs hwtrace)
while IFS='|' read -r WRONG cause; do
    export WRONG
    wrong "$cause" ./wrong.so
done <<'END'
throws|hwtrace_plugin throws: no licence
throws number|hwtrace_plugin throws: an exception of an unknown type
count|lists no formats
huge|lists no formats
name|the name 'stf' of the format 'stf'
letters|a name has only small letters and digits
no name|is not in the plug-in
title|has no title
extension|the extension '.stf' of the format 'stf'
bare extension|the extension 'spans' does not begin with a dot
no extension|has no extension
option|the option 'stf-chunk' does not begin with 'spans-'
rule|the rule 'STF001' of the format 'stf'
rule twice|the rule 'SPN009' occurs twice
no sniff|has no function sniff
no functions|has neither make_reader nor make_writer
END
HWTRACE_PLUGINS=./wrong.so
for what in 'sniff throws:bad sniff' 'reader throws:bad reader' 'reader throws number:an exception of an unknown type'; do
    WRONG=${what%%:*}
    expect 2 "$bin/hwtrace-convert" lanes.spans out.uscope --force
    says stderr "${what#*:}; a plug-in may have thrown this"
done
WRONG='reader fails'
expect 4 "$bin/hwtrace-convert" lanes.spans out.uscope --force
says stderr 'lanes.spans: of another kind'

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
cd /
rm -rf "$folder"

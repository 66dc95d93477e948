#!/bin/sh
# tests/tidy.sh BUILD [all|COUNT] [JOBS] - runs clang-tidy (.clang-tidy) on all sources, or on the COUNT sources that
# were changed last, with their headers. BUILD is a folder that was configured with CMAKE_EXPORT_COMPILE_COMMANDS and
# clang.
set -eu
build=$(cd "$1" && pwd)
which=${2:-all}
jobs=${3:-$(nproc 2>/dev/null || echo 2)}
cd "$(dirname "$0")/.."

chosen=$(mktemp)
trap 'rm -f "$chosen"' EXIT
if [ "$which" = all ] || ! git log -1 >/dev/null 2>&1; then
    find libs formats apps -name '*.cpp' | sort
else
    git log --max-count=200 --name-only --diff-filter=d --pretty=format: -- 'libs/*.cpp' 'formats/*.cpp' 'apps/*.cpp' |
        awk 'NF && !seen[$0]++'
fi | while read -r source; do
    # Skip sources that are not part of this build, such as examples.
    [ -e "$source" ] && grep -qF "/$source\"" "$build/compile_commands.json" && echo "$source"
done | { [ "$which" = all ] && cat || head -n "$which"; } >"$chosen"
echo "$(wc -l <"$chosen") sources"
[ -s "$chosen" ] || exit 1
# shellcheck disable=SC2016 # the inner shell's
xargs -P "$jobs" -n 4 sh -c '
    said=$(clang-tidy -p "$0" --quiet "$@" 2>&1) && exit 0
    printf "%s\n" "$said"
    exit 1' "$build" <"$chosen"

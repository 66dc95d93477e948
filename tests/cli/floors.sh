#!/bin/sh
# Tests that each room of libs/ includes only itself and the rooms on the floors below it (libs/README.md#floors), and
# that a format includes only itself and codec, domain, io and model. Also tests that no two headers define one class,
# and that no function is longer than 80 lines.
#
# usage: floors.sh BIN TESTDATA
set -eu
cd "$2/.."

# room: the rooms that it may include, besides itself
floors='
model:
io: model
symbols: model io
domain: model io symbols
codec: model io symbols domain
select: model io symbols domain codec
convert: model io symbols domain codec select
compare: model io symbols domain codec select convert
operate: model io symbols domain codec select convert
views: model io symbols domain codec select convert
query: model io symbols domain codec select convert
hwtrace: model io symbols domain codec select convert compare operate views
serve: model io
cli: model io symbols domain codec select convert compare operate views query hwtrace serve
python: hwtrace
'
# The interfaces of formats and recording are included as hwtrace/…, too, but are not in this room.
facade=$(ls libs/hwtrace/*.hpp | sed 's|.*/||; s|\.hpp$||' | tr '\n' '|')
fault=0

# check FOLDER SELF ALLOWED...: prints each include in FOLDER of a room that is neither SELF nor ALLOWED.
check() {
    folder=$1
    self=$2
    shift 2
    pattern=$(printf '%s' "$self $*" | tr -s ' ' '|')
    found=$(grep -rEn --include='*.hpp' --include='*.cpp' '^#include "((model|io|symbols|domain|codec|select|convert|compare|operate|views|query|serve|cli|recording|python)/|hwtrace/('"${facade%|}"')\.hpp")' "$folder" |
        grep -vE "#include \"($pattern)/" || true)
    [ -z "$found" ] && return
    fault=1
    echo "$folder may include only $self $*:"
    echo "$found"
}

rooms=0
while IFS=: read -r room allowed; do
    [ -n "$room" ] || continue
    # shellcheck disable=SC2086
    check "libs/$room" "$room" $allowed
    rooms=$((rooms + 1))
done <<EOF
$floors
EOF
for folder in formats/*/; do
    name=$(basename "$folder")
    check "formats/$name" model io symbols domain codec
    others=$(ls -d formats/*/ | xargs -n 1 basename | grep -vx "$name" | tr '\n' '|')
    found=$(grep -rEn --include='*.hpp' --include='*.cpp' "^#include \"(${others%|})/" "$folder" || true)
    [ -z "$found" ] || { fault=1; echo "formats/$name may not include another format:"; echo "$found"; }
    rooms=$((rooms + 1))
done
# Only these folders may include SQLite, because it is optional.
found=$(grep -rlE --include='*.hpp' --include='*.cpp' '^#include <sqlite3' libs formats apps | grep -vE '^(libs/query|formats/sqlite)/' || true)
[ -z "$found" ] || { fault=1; echo "only libs/query and formats/sqlite may include SQLite:"; echo "$found"; }
# Only this folder may include libelf and libdw, because they are optional.
found=$(grep -rlE --include='*.hpp' --include='*.cpp' '^#include <(libelf|gelf|dwarf|elfutils/)' libs formats apps | grep -vE '^libs/symbols/' || true)
[ -z "$found" ] || { fault=1; echo "only libs/symbols may include libelf and libdw:"; echo "$found"; }
# Only this folder may include libcurl, because it is optional.
found=$(grep -rlE --include='*.hpp' --include='*.cpp' '^#include <curl/' libs formats apps | grep -vE '^libs/io/http/' || true)
[ -z "$found" ] || { fault=1; echo "only libs/io/http may include libcurl:"; echo "$found"; }
# Two classes of one name in namespace hwtrace would be one class for the linker, whichever room they are in.
twice=$(find libs -name '*.hpp' ! -path 'libs/recording/*' -exec grep -lxF 'namespace hwtrace {' {} + | xargs cat |
    sed -nE 's/^(class|struct|enum class) ([A-Za-z]+)( final)?( : [^;]*)? \{.*/\2/p' | sort | uniq -d)
[ -z "$twice" ] || { fault=1; echo "classes that two headers define:"; echo "$twice"; }
# clang-format indents all lines between the head of a function and the brace that closes it.
long=$(find libs formats apps \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -exec awk -v most=80 '
    FNR == 1 { split("", last) }
    /^ *[^ #]/ {
        indent = match($0, /[^ ]/) - 1
        if ($0 ~ /^ *}$/) {
            head = 0
            for (i = 0; i <= indent; ++i) if (last[i] > head) head = last[i]
            lines = FNR - head + 1
            if (lines > most) print FILENAME ":" head ": a block of " lines " lines; at most " most
        }
        last[indent] = FNR
    }' {} +)
[ -z "$long" ] || { fault=1; echo "$long"; }
[ "$rooms" -ge 20 ] || { echo "only $rooms rooms were found"; exit 1; }
[ "$fault" = 0 ] || exit 1
echo "$rooms rooms include only the floors below them"

#!/bin/sh
# tests/flux_emitter/freestanding.sh SOURCES FOLDER - compiles the emitter as for a target without a libc and links it
# into one object, which may need memcpy only.
set -eu

sources=$1 folder=$2

rm -rf "$folder"
mkdir -p "$folder"
for source in "$sources"/formats/flux/emitter/*.c; do
    for level in -O2 -Os; do
        "${CC:-cc}" -std=c99 -ffreestanding $level -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
            -I"$sources/formats/flux/emitter/include" -c "$source" -o "$folder/$(basename "$source" .c)$level.o"
    done
done
for level in -O2 -Os; do
    "${CC:-cc}" -nostdlib -r -o "$folder/emitter$level" "$folder"/*"$level.o"
    needed=$(nm -u "$folder/emitter$level" | awk '{ print $2 }' | sort -u)
    # A compiler may call these three functions to copy, fill or compare memory.
    for name in $needed; do
        case $name in
        memcpy | memset | memcmp) ;;
        *)
            echo "the emitter needs $name"
            exit 1
            ;;
        esac
    done
    # A program may use any name that does not begin with the prefix.
    if nm "$folder/emitter$level" | grep -E ' [A-TV-Z] ' | grep -v ' flux_'; then
        echo "the emitter exports a name without its prefix"
        exit 1
    fi
    # The emitter has no writable data outside of the caller's memory.
    if nm "$folder/emitter$level" | grep -E ' [bBdDcC] '; then
        echo "the emitter has variables of its own"
        exit 1
    fi
done
rm -rf "$folder"

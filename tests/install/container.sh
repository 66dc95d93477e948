#!/bin/sh
# tests/install/container.sh SOURCES [MACHINE] - checks apps/container/Containerfile without an engine: the order and the words
# of its instructions, that each copied file exists and each stage is defined, that the lines RUN are correct for a shell and
# name presets, programs and files that exist. With MACHINE, a folder with a Debian 12 (debootstrap), root also runs
# the lines in it, and the commands of the image in a root folder of their own.
set -eu

sources=$1 machine=${2:-}
cd "$sources"
file=apps/container/Containerfile
failures=0
fail() {
    failures=$((failures + 1))
    echo "FAILED: $file: $*"
}

stages=' ' made=' ' runs=0 has_entry=
while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    word=${line%% *} rest=${line#* }
    [ "$stages" != ' ' ] || [ "$word" = FROM ] || fail "the first instruction is $word"
    case $word in
    FROM)
        # shellcheck disable=SC2086 # words
        set -- $rest
        case $# in
        1) stages="$stages- " ;;
        3) [ "$2" = AS ] || fail "$line"
            stages="$stages$3 " ;;
        *) fail "$line" ;;
        esac
        ;;
    COPY)
        case $rest in
        --from=*)
            stage=${rest%% *}
            stage=${stage#--from=}
            case $stages in *" $stage "*) ;; *) fail "COPY from the stage $stage, which is not defined" ;; esac
            # shellcheck disable=SC2086
            set -- ${rest#* }
            case $made in *" ${1%/} "*) ;; *) fail "COPY of $1, which no line RUN makes" ;; esac
            ;;
        *)
            # shellcheck disable=SC2086
            set -- $rest
            while [ $# -gt 1 ]; do
                [ -e "$1" ] || fail "COPY of $1, which does not exist"
                made="$made$1 "
                shift
            done
            ;;
        esac
        ;;
    RUN)
        runs=$((runs + 1))
        printf '%s\n' "$rest" | sh -n || fail "RUN $rest"
        for preset in $(printf '%s\n' "$rest" | grep -oE -- '--preset [a-z]+' | cut -d ' ' -f 2); do
            grep -q "\"name\": \"$preset\"" CMakePresets.json || fail "the preset $preset does not exist"
        done
        for path in $(printf '%s\n' "$rest" | grep -oE '(^| )(apps|testdata|libs|formats)/[a-z0-9/._-]+'); do
            [ -e "$path" ] || fail "RUN uses $path, which does not exist"
            case $made in *" ${path%%/*} "*) ;; *) fail "RUN uses $path, which is not copied" ;; esac
        done
        for path in $(printf '%s\n' "$rest" | grep -oE 'DESTDIR=[^ ]+'); do made="$made${path#DESTDIR=} "; done
        ;;
    ENV) case $rest in *=*) ;; *) fail "$line" ;; esac ;;
    WORKDIR) case $rest in /*) ;; *) fail "$line" ;; esac ;;
    ENTRYPOINT | CMD)
        printf '%s\n' "$rest" | grep -qE '^\["[^"]+"(, "[^"]+")*\]$' || fail "$line: an image without a shell needs a list"
        has_entry=yes
        ;;
    *) fail "the instruction $word" ;;
    esac
done <$file
[ "$runs" -ge 4 ] || fail "only $runs lines RUN"
[ -n "$has_entry" ] || fail 'no ENTRYPOINT'
# With the prefix /, CMake installs in /usr all the same.
prefix=$(sed -n 's/.*CMAKE_INSTALL_PREFIX=\([^ ]*\).*/\1/p' $file)
[ "$prefix" != / ] && grep -qxF "ENTRYPOINT [\"$prefix/bin/hwtrace\"]" $file || fail "ENTRYPOINT does not name a program in $prefix/bin"
# What CMakeLists.txt includes and installs is copied.
for folder in $(grep -oE '(include|add_subdirectory)\((apps|libs|formats|tests)' CMakeLists.txt | sed 's/.*(//' | sort -u); do
    case $made in *" $folder "*) ;; *) fail "$folder is not copied, but CMakeLists.txt uses it" ;; esac
done

if [ -z "$machine" ]; then
    echo 'skipped: the lines RUN, because no machine is given'
else
    rm -rf "$machine/hwtrace" "$machine/image"
    mkdir "$machine/hwtrace"
    git ls-files -z CMakeLists.txt CMakePresets.json ./*.md LICENSE apps formats libs testdata tests | xargs -0 cp --parents -t "$machine/hwtrace"
    sed -n 's/^RUN //p' $file | while IFS= read -r line; do
        echo "RUN $line"
        chroot "$machine" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -c "cd /hwtrace && $line"
    done
    cp testdata/stf/valid/sum.zstf "$machine/image/traces"
    chroot "$machine/image" /usr/bin/hwtrace validate /traces/sum.zstf || fail 'the image'
fi
[ "$failures" -eq 0 ] || exit 1
echo "$file: $runs lines RUN; all that it copies and uses exists"

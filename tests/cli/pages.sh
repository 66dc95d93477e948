# Tests that pages show the output of the commands: runs every command of README.md and of the pages in apps/, formats/
# and libs/.
. "$(dirname "$0")/lib.sh"
root=$(cd "$2/.." && pwd)
python=${PYTHON:-/usr/bin/python3}

command -v "$python" >/dev/null || { skip "there is no Python"; exit 77; }
without=
"$bin/hwtrace-dump" "$2/stf/valid/sum.zstf" --view instructions --range 102#:103# 2>/dev/null | grep -q 'ld *a4' || {
    { ldconfig -p 2>/dev/null || true; } | grep -q 'libLLVM[-.0-9so]*' && fail "libLLVM is installed, but nothing is disassembled"
    skip "blocks of instructions in assembly language: there is no libLLVM"
    without='--without disassembly'
}
# shellcheck disable=SC2046,SC2086 # words
expect 0 "$python" "$root/tests/cli/pages.py" $without "$bin" "$2" \
    $(find "$root/README.md" "$root/apps" "$root/formats" "$root/libs" -name '*.md' -exec grep -l '^```console' {} + | sort)
cat "$work/stdout"
finish

#!/bin/sh
# tests/install/pages.sh TESTDATA - runs every example of every manual page, as `man` prints it, in a fresh folder with
# the files that the examples name, made of the traces in TESTDATA. The page must have the examples of --help. hwtrace
# must be installed, or be in PATH and MANPATH. An example may exit with 0, 1 (differences, findings) or 3 (losses).
set -eu

samples=$(cd "$1" && pwd)
files=$(mktemp -d)
tried=$files.tried
trap 'rm -rf "$files" "$tried" "$tried".*' EXIT
(
    cd "$files"
    mkdir traces old
    for name in core core0 core1 a b traces/core; do cp "$samples/stf/valid/sum.zstf" "$name.zstf"; done
    for name in npu a b; do cp "$samples/pccx/valid/npu.pccx" "$name.pccx"; done
    printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"track":"read","time":"12us","duration":"900ns"}' \
        '{"track":"write","time":"13us","duration":"1us"}' >run.jsonl
    hwtrace-convert run.jsonl run.ftr -q
    for name in bus soc old new a b; do cp "$samples/ftr/valid/soc.ftr" "$name.ftr"; done
    hwtrace-convert core.zstf core.uscope -q
    for name in run a b; do cp core.uscope "$name.uscope"; done
    hwtrace-convert core.zstf core.stf -q
    cp core.stf old/core.stf
    head -c 5000 soc.ftr >cut.ftr
    head -c 20000 core.zstf >damaged.zstf
    hwtrace-index core.zstf -q
    echo 'SELECT count(*) FROM "read"' >report.sql
    cp "$(ldd "$(command -v hwtrace)" | sed -n 's/.*=> \(.*libc\.so[^ ]*\).*/\1/p')" program # it has names of functions
    hwtrace-validate -q --write-baseline known.json old/core.stf >/dev/null
    for shard in 1 2; do hwtrace-info core.zstf --shard $shard/2 --partial >$shard.json; done
)

lines=0
failed=0
for page in convert dump validate info diff merge split recover query index; do
    MANWIDTH=200 MAN_KEEP_FORMATTING= man -P cat "hwtrace-$page" >"$tried.page"
    # Cuts off the remark, which follows several spaces.
    sed -n '/^EXAMPLES/,/^[A-DF-Z]/s/^  *\([a-z].*\)$/\1/p' "$tried.page" | sed 's/   *[^ ].*//' >"$tried.lines"
    # The page has the same examples as --help, and all of them are run.
    COLUMNS=200 "hwtrace-$page" --help | awk '/^Examples:/ { shown = 1; next } /^[^ ]/ { shown = 0 } shown && NF' |
        sed 's/^ *//; s/   *[^ ].*//' >"$tried.shown"
    if [ ! -s "$tried.shown" ] || ! diff "$tried.shown" "$tried.lines" >"$tried.out"; then
        failed=$((failed + 1))
        echo "FAILED: the examples of hwtrace-$page --help (<) are not those that its page gives (>): $(wc -l <"$tried.shown") and $(wc -l <"$tried.lines") lines"
        cat "$tried.out"
    fi
    while read -r line; do
        lines=$((lines + 1))
        rm -rf "$tried"
        cp -r "$files" "$tried"
        case $line in
            hwtrace-convert*) rm "$tried/core.uscope" ;;
            'hwtrace-index core.zstf') rm "$tried/core.zstf.hwtidx" ;;
        esac
        status=0
        (cd "$tried" && sh -c "$line") >"$tried.out" 2>&1 </dev/null || status=$?
        case $status in
            0 | 1 | 3) ;;
            *)
                failed=$((failed + 1))
                printf 'FAILED, %s: %s\n' "$status" "$line"
                tail -3 "$tried.out"
                ;;
        esac
    done <"$tried.lines"
done
echo "$lines lines, $failed failed"
[ "$lines" -ge 40 ] && [ "$failed" -eq 0 ]

# Tests hwtrace-recover: undamaged, cut, damaged and hopeless files.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# An undamaged file is copied.
expect 0 "$bin/hwtrace-recover" small.pccx sound.pccx
says stderr "no damage found: kept 4 records; "
expect 0 "$bin/hwtrace-diff" -q small.pccx sound.pccx
expect 2 "$bin/hwtrace-recover" small.pccx sound.pccx
expect 0 "$bin/hwtrace-recover" small.pccx sound.pccx -f -q
silent stderr
expect 2 "$bin/hwtrace-recover" small.pccx small.pccx -f
expect 2 "$bin/hwtrace-recover" small.pccx
expect 2 "$bin/hwtrace-recover" small.pccx out.pccx --stf-chunk 5

# A cut file gives its whole records, in any format.
head -c 100 transactions.stf >cut.stf
expect 3 "$bin/hwtrace-validate" -q cut.stf
expect 3 "$bin/hwtrace-recover" cut.stf whole.stf
says stderr "the input ends early"
says stderr "the first damage is at byte"
expect 0 "$bin/hwtrace-validate" -q whole.stf
expect 0 "$bin/hwtrace-recover" cut.stf whole.stf -f --allow-incomplete
expect 3 "$bin/hwtrace-recover" cut.stf whole.uscope
expect 0 "$bin/hwtrace-validate" -q whole.uscope
expect 0 "$bin/hwtrace-diff" -q whole.stf whole.uscope
expect 3 "$bin/hwtrace-recover" cut.stf no_extension
same no_extension whole.stf
"$bin/hwtrace-recover" - - <cut.stf >piped.stf 2>stderr
[ $? -eq 3 ] || fail "from a pipe: $(cat stderr)"
same piped.stf whole.stf
expect 3 "$bin/hwtrace-recover" cut.stf strict.stf --strict
absent strict.stf

# A log that ends inside a number is read, and these commands warn of it.
printf 'Kanata\t0004\nI\t0\t0\t0\nC\t5\nR\t0\t0\t0\nC\t1' >cut.kanata
for command in 'validate cut.kanata' 'info cut.kanata' 'convert cut.kanata cut.uscope' 'recover cut.kanata whole.kanata'; do
    # shellcheck disable=SC2086
    expect 0 "$bin"/hwtrace-$command
    cat stdout stderr | grep -q 'warning KAN010 at byte 32.*: the last line has no line end' || fail "$command: $(cat stderr)"
done
expect 1 "$bin/hwtrace-validate" --strict cut.kanata

# Records that would make the output invalid are dropped: here, the content of a missing access.
{ stf_header; printf '\075\001\000\000\000\000\000\000\000'; stf_instructions 2; } >broken.stf
expect 1 "$bin/hwtrace-validate" -q broken.stf
expect 3 "$bin/hwtrace-recover" broken.stf --explain
says stdout "kept 4 records, dropped 1"
says stdout "native-dropped stf.record, 1 time, first 0 native"
absent broken.stf.recovered
# Assumptions are reported, too.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":20,"track":"a"}' '{"time":10,"track":"a"}' >lines.jsonl
expect 0 "$bin/hwtrace-recover" lines.jsonl lines.uscope --explain
says stdout "assumption: the trace does not state the length of a cycle"
absent lines.uscope
expect 3 "$bin/hwtrace-recover" broken.stf mended.stf --loss-report report.json
says stderr "lost: native-dropped stf.record"
grep -q '"native-dropped"' report.json || fail "the report does not say what was dropped"
expect 0 "$bin/hwtrace-validate" -q mended.stf
expect 0 "$bin/hwtrace-recover" broken.stf mended.stf -f -q --allow-loss --allow-incomplete
expect 1 "$bin/hwtrace-diff" broken.stf mended.stf
says stdout "different: 4 equal, 1 only in A"

# A mandatory key that the header lacks gets a value, and the value is reported.
for layout in json bincode bincode4 flatbuf; do
    expect 0 "$bin/hwtrace-convert" small.pccx whole.pccx --pccx-layout $layout --allow-loss -f
    expect 0 "$bin/hwtrace-dump" whole.pccx --format csv
    cp stdout events
    for key in pccx_lab_version mac_dims isa_version cycles cores encoding byte_length; do
        LC_ALL=C sed "s/\"$key\"/\"X${key#?}\"/" whole.pccx >keyless.pccx
        expect 1 "$bin/hwtrace-validate" -q keyless.pccx
        expect 3 "$bin/hwtrace-recover" keyless.pccx mended.pccx -f
        says stderr "assumption: "
        says stderr "$key, which the header lacks"
        expect 0 "$bin/hwtrace-validate" -q mended.pccx
        expect 0 "$bin/hwtrace-dump" mended.pccx --format csv
        same events stdout
    done
done

# A hopeless file gives no output; the reason is reported.
head -c 20 small.pccx >header.pccx
expect 4 "$bin/hwtrace-recover" header.pccx none.pccx
head -c 30 transactions.stf >empty.stf
expect 4 "$bin/hwtrace-recover" empty.stf none.stf
says stderr "no whole record can be read; nothing was written"
# The second record is refused for its core, not for its earlier time, which JSON lines allow. Nothing is dropped.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":20,"duration":2,"track":"core0.DMA_READ"}' \
    '{"time":10,"duration":2,"track":"core843268944.DMA_READ"}' >refused.jsonl
expect 4 "$bin/hwtrace-recover" refused.jsonl none.pccx --pccx-layout flatbuf
says stderr "core 843268944 cannot be written as flatbuf"
absent none.pccx
# What is recovered is read once more: a format that is only written is refused.
for name in none.csv none.pftrace; do
    expect 2 "$bin/hwtrace-recover" refused.jsonl "$name"
    says stderr "cannot read"
    absent "$name"
done
expect 5 "$bin/hwtrace-recover" missing.stf none.stf
absent none.pccx
absent none.stf
expect 3 "$bin/hwtrace" recover cut.stf by_verb.stf
same by_verb.stf whole.stf
finish

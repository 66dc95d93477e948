# Tests hwtrace-merge.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

stf_header >a.stf
stf_instructions 3 >>a.stf
cp a.stf b.stf
pccx_events 100 '{"core_id":0,"start_cycle":1,"duration":5,"event_type":"MAC_COMPUTE"}' >npu.pccx

# Two cores merged into µScope become two scopes of the cpu protocol, in time order.
expect 0 "$bin/hwtrace-merge" a.stf b.stf -o cores.uscope --clock 1GHz --ipc 1
expect 0 "$bin/hwtrace-validate" cores.uscope
expect 0 "$bin/hwtrace-dump" cores.uscope --view timeline
[ "$(grep -c "^/[ab]/.*retired" stdout)" -eq 16 ] || fail "not 16 instructions: $(head -3 stdout)"
expect 0 "$bin/hwtrace-merge" a.stf b.stf --to uscope --output - --clock 1GHz --ipc 1
same stdout cores.uscope

# Scopes have unique names if a file is given twice, and names from --name.
expect 0 "$bin/hwtrace-merge" a.stf a.stf -o twice.uscope --clock 1GHz --ipc 1
expect 0 "$bin/hwtrace-info" twice.uscope
says stdout "/a-2"
expect 0 "$bin/hwtrace-merge" a.stf a.stf -o named.uscope --clock 1GHz --ipc 1 --name left --name right
expect 0 "$bin/hwtrace-info" named.uscope
says stdout "/right"
expect 2 "$bin/hwtrace-merge" a.stf a.stf -o other.uscope --name left
says stderr "need 2 different names"
absent other.uscope

# Traces of different formats are merged, and so are their slices.
expect 0 "$bin/hwtrace-merge" npu.pccx a.stf -o all.uscope --clock 1GHz --ipc 1
expect 0 "$bin/hwtrace-dump" --view model all.uscope
says stdout "npu"
says stdout "entities"
expect 0 "$bin/hwtrace-merge" npu.pccx npu.pccx -o part.flux --range 0ns:1ns
expect 0 "$bin/hwtrace-dump" part.flux --view samples
[ "$(grep -c MAC_COMPUTE stdout)" -eq 0 ] || fail "a slice has records from outside: $(head -3 stdout)"

# These are errors: two harts in one STF trace, no output, an input that is the output, no input.
expect 4 "$bin/hwtrace-merge" a.stf b.stf -o both.stf
says stderr "one hart"
absent both.stf
expect 2 "$bin/hwtrace-merge" a.stf
says stderr "-o OUT"
cp b.stf c.stf
expect 2 "$bin/hwtrace-merge" a.stf c.stf -o c.stf --force --to uscope
says stderr "the output is the input itself"
same c.stf b.stf
expect 2 "$bin/hwtrace-merge" -o x.uscope
expect 2 "$bin/hwtrace-merge" - - -o x.uscope
expect 5 "$bin/hwtrace-merge" a.stf missing.stf -o x.uscope
absent x.uscope

# A cut input is reported. The whole records of the input are merged.
head -c 60 a.stf >cut.stf
expect 3 "$bin/hwtrace-merge" a.stf cut.stf -o x.uscope --clock 1GHz --ipc 1
says stderr "cut.stf"
expect 0 "$bin/hwtrace-merge" a.stf cut.stf -o x.uscope --clock 1GHz --ipc 1 --allow-incomplete --force
expect 3 "$bin/hwtrace-merge" a.stf cut.stf -o strict.uscope --clock 1GHz --ipc 1 --strict
absent strict.uscope

# FTR files that are all compressed become a compressed file; files of other formats do not count.
compression_is() { # compression_is FILE WORD
    expect 0 "$bin/hwtrace-info" "$1"
    grep -q "^ *compression  *$2\$" stdout || fail "$1 has another compression: $(grep compression stdout)"
}
expect 0 "$bin/hwtrace-convert" "$2/jsonl/valid/bus.jsonl" plain.ftr --allow-loss
expect 0 "$bin/hwtrace-convert" plain.ftr packed.ftr --ftr-compression lz4
expect 0 "$bin/hwtrace-merge" packed.ftr packed.ftr -o both.ftr
compression_is both.ftr LZ4
expect 0 "$bin/hwtrace-merge" npu.pccx packed.ftr -o other.ftr
compression_is other.ftr LZ4
expect 0 "$bin/hwtrace-merge" packed.ftr plain.ftr -o mixed.ftr
compression_is mixed.ftr none
expect 0 "$bin/hwtrace-merge" packed.ftr packed.ftr -o unpacked.ftr --ftr-compression none
compression_is unpacked.ftr none

expect 0 "$bin/hwtrace-merge" a.stf npu.pccx --to uscope --explain
says stdout "merge"
expect 0 "$bin/hwtrace" merge --help
says stdout "Examples:"

# --- µScope traces: nothing is lost, because the layout of a file and the added root say nothing about the merge ---
expect 0 "$bin/hwtrace-merge" "$2/uscope/valid/queue.uscope" "$2/uscope/valid/pipeline.uscope" -o queues.uscope
says stderr 'assumption: scopes: a µScope file needs one root; added / above the merged traces'
"$bin/hwtrace-dump" queues.uscope --view model >model
grep -q '^scope 1 "queue" parent=0' model || fail "the root is missing: $(grep '^scope' model | head -3)"
finish

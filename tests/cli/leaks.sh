# Tests that no command leaks memory: every command, with traces of all formats, sound and damaged. Other scripts do not
# look for leaks (lib.sh), which takes a third of the time of a short command.
. "$(dirname "$0")/lib.sh"
data=$(cd "$2" && pwd)
cd "$work" || exit 1

ldd "$bin/hwtrace-convert" 2>/dev/null | grep -q libasan || { skip "built without AddressSanitizer"; exit 77; }
ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=1"
looked=0
# keeps_nothing COMMAND...: runs the command, which may fail.
keeps_nothing() {
    "$@" >stdout 2>stderr </dev/null
    ! grep -q LeakSanitizer stderr || fail "a leak of $*: $(grep -A6 LeakSanitizer stderr)"
    looked=$((looked + 1))
}

"$bin/hwtrace-convert" -q "$data/jsonl/valid/script.jsonl" script.flux
"$bin/hwtrace-convert" -q "$data/vcd/valid/kinds.vcd" kinds.fst --allow-loss
for source in "$data/stf/valid/sum.zstf" "$data/stf/valid/traffic.stf" "$data/uscope/valid/queue.uscope" "$data/pccx/valid/npu.pccx" \
    "$data/ftr/valid/soc.ftr" script.flux "$data/jsonl/valid/everything.jsonl" "$data/kanata/valid/pipeline.kanata" \
    "$data/txlog/valid/bus.txlog" "$data/o3pipeview/valid/branch.o3pipeview" "$data/commitlog/valid/spike.commitlog" \
    "$data/vcd/valid/kinds.vcd" kinds.fst; do
    [ -s "$source" ] || fail "there is no $source"
    damaged=damaged.${source##*.}
    head -c $(($(wc -c <"$source") * 3 / 4)) "$source" >"$damaged"
    for trace in "$source" "$damaged"; do
        keeps_nothing "$bin/hwtrace-info" "$trace"
        keeps_nothing "$bin/hwtrace-validate" "$trace" --level semantic --report json
        keeps_nothing "$bin/hwtrace-dump" "$trace"
        keeps_nothing "$bin/hwtrace-recover" "$trace" recovered --to jsonl -f
        keeps_nothing "$bin/hwtrace-convert" "$trace" out.uscope --clock 1GHz -f
    done
    for target in stf ftr flux perfetto csv html; do
        keeps_nothing "$bin/hwtrace-convert" "$source" "out.$target" --to $target --clock 1GHz --verify -f
    done
    keeps_nothing "$bin/hwtrace-dump" "$source" --view model --format json --last 3
    [ ! -x "$bin/hwtrace-query" ] || keeps_nothing "$bin/hwtrace-query" "$source" --list
    keeps_nothing "$bin/hwtrace-split" "$source" -o 'part-{}.jsonl' --into 2 -f
    keeps_nothing "$bin/hwtrace-merge" --concat part.manifest.json -o whole.jsonl -f
    keeps_nothing "$bin/hwtrace-merge" "$source" script.flux -o merged.jsonl -f
    keeps_nothing "$bin/hwtrace-diff" "$source" whole.jsonl
    keeps_nothing "$bin/hwtrace-index" "$source" -o index.hwtidx -f
done
keeps_nothing "$bin/hwtrace" --version
keeps_nothing "$bin/hwtrace" help convert
keeps_nothing "$bin/hwtrace-convert" --wrong
[ "$looked" -gt 250 ] || fail "only $looked commands"
finish

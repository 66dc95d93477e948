# Tests --verify, --explain and --loss-report, which mean the same in convert, merge, split and recover.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
data=$2

sum=$data/stf/valid/sum.zstf npu=$data/pccx/valid/npu.pccx soc=$data/ftr/valid/soc.ftr
{ stf_header; stf_instructions 5; } >core.stf
mkdir out

# verified COMMAND...: the command verifies its output, says so with -v, and writes the bytes that it writes otherwise.
verified() {
    rm -rf out
    mkdir out
    expect 0 "$@"
    rm -rf plain
    mv out plain
    mkdir out
    expect 0 "$@" --verify -v
    says stderr "verified: the output reads back as the same trace"
    for file in plain/*; do
        [ "${file%.json}" != "$file" ] || same "$file" "out/${file#plain/}"
    done
}
verified "$bin/hwtrace-convert" core.stf out/core.uscope
verified "$bin/hwtrace-merge" core.stf "$sum" -o out/cores.uscope --clock 1GHz --ipc 1
verified "$bin/hwtrace-merge" "$npu" "$soc" -o out/system.flux
verified "$bin/hwtrace-merge" "$soc" "$soc" -o out/twice.ftr --name a --name b
bus=$data/txlog/valid/bus.txlog small=$data/uscope/valid/sum_small.uscope
verified "$bin/hwtrace-merge" "$data/uscope/valid/npu.uscope" "$small" -o out/raised.uscope
verified "$bin/hwtrace-merge" "$bus" "$bus" -o out/relations.ftr --name a --name b
verified "$bin/hwtrace-merge" "$npu" "$soc" -o out/slice.jsonl --range 0ns:500ns
verified "$bin/hwtrace-split" core.stf -o out/part.stf --every '10#'
verified "$bin/hwtrace-split" "$soc" -o out/soc.ftr --by track
verified "$bin/hwtrace-split" "$sum" -o out/shard.zstf --into 3
verified "$bin/hwtrace-split" "$npu" -o out/us.uscope --every 1us
expect 0 "$bin/hwtrace-split" core.stf -o shard.stf --into 3
verified "$bin/hwtrace-merge" --concat shard.manifest.json -o out/whole.stf
expect 2 "$bin/hwtrace-merge" shard.manifest.json -o out/merged.stf
says stderr "--concat puts them together"
verified "$bin/hwtrace-merge" --concat shard-0001.stf shard-0002.stf shard-0003.stf -o out/whole.uscope --clock 1GHz
verified "$bin/hwtrace-recover" "$sum" out/sum.zstf
verified "$bin/hwtrace-recover" "$npu" out/npu.uscope

# Each piece is verified. A pipe is read twice, too.
expect 0 "$bin/hwtrace-split" core.stf -o out/pieces.stf --every '8#' --verify -v
[ "$(grep -c 'verified: ' stderr)" -eq 4 ] || fail "not 4 pieces are verified: $(cat stderr)"
"$bin/hwtrace-merge" - core.stf -o out/piped.uscope --verify -v <core.stf 2>stderr || fail "--verify of a pipe"
says stderr "verified: "
"$bin/hwtrace-recover" - out/piped.stf --verify -v <core.stf 2>stderr || fail "--verify of a pipe"
says stderr "verified: "
"$bin/hwtrace-split" - -o out/piped.stf --every '16#' --verify -v <core.stf 2>stderr || fail "--verify of a pipe"
says stderr "verified: "

# A cut trace is compared as far as it goes. What is dropped is dropped on both sides.
head -c 160 core.stf >cut.stf
expect 3 "$bin/hwtrace-recover" cut.stf out/cut.stf --verify -v
says stderr "verified: "
{ stf_header; printf '\075\001\000\000\000\000\000\000\000'; stf_instructions 2; } >broken.stf
expect 3 "$bin/hwtrace-recover" broken.stf out/mended.stf --verify -v
grep -q 'verified: \|--verify: not compared, because ' stderr || fail "broken.stf: $(cat stderr)"

# An output with losses is checked, but not compared. Pictures are refused before anything is written.
for command in "convert $soc out/lossy.pccx" "merge $soc $npu -o out/lossy.pccx" "split $soc -o out/lossy.pccx --by track"; do
    # shellcheck disable=SC2086
    expect 3 "$bin"/hwtrace-$command --verify --force
    says stderr "--verify: not compared, because data was lost"
done
for command in "convert core.stf out/x.vcd" "merge core.stf -o out/x.vcd" "split core.stf -o out/x.vcd --every 8#"; do
    # shellcheck disable=SC2086
    expect 2 "$bin"/hwtrace-$command --verify
    says stderr "the output cannot be verified: vcd files are for viewers"
    [ -z "$(ls out/x* 2>/dev/null)" ] || fail "$command wrote $(ls out/x*)"
done

expect 2 "$bin/hwtrace-recover" "$data/vcd/valid/kinds.vcd" out/x.vcd --verify
says stderr "the output cannot be verified: vcd files are for viewers"

# An output that would violate its format is not written, and the exit code is 1.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"metadata":"pccx.version","value":"1.0.0"}' \
    '{"metadata":"pccx.cycles","value":"3"}' >few_cycles.jsonl
"$bin/hwtrace-convert" few_cycles.jsonl out/few.pccx --verify >/dev/null 2>&1
[ $? -eq 1 ] && for command in "merge few_cycles.jsonl -o out/few2.pccx" "split few_cycles.jsonl -o out/few2.pccx --by track"; do
    # shellcheck disable=SC2086
    expect 1 "$bin"/hwtrace-$command --verify
done

# --explain writes nothing, and --loss-report is a file of JSON, in all four commands.
for command in "convert $soc out/soc.pccx" "merge $soc -o out/soc.pccx" "split $soc -o out/soc.pccx --by scope" \
    "recover $soc out/soc.pccx"; do
    rm -rf out
    mkdir out
    # shellcheck disable=SC2086
    expect 0 "$bin"/hwtrace-$command --explain --verify --allow-loss
    [ -s stdout ] || fail "$command --explain prints nothing"
    [ -z "$(ls out)" ] || fail "$command --explain wrote $(ls out)"
    # shellcheck disable=SC2086
    expect 2 "$bin"/hwtrace-$command --explain --loss-report losses.json
    says stderr "--explain prints the losses and writes nothing; leave out --loss-report"
    # shellcheck disable=SC2086
    expect 3 "$bin"/hwtrace-$command --loss-report losses.json
    grep -q '"schema": "hwtrace-losses/1"' losses.json || fail "$command writes no loss report"
done

# --check only checks.
expect 0 "$bin/hwtrace-merge" --check shard.manifest.json
says stderr "3 shards are complete and undamaged"
for ignored in '-o out/whole.stf' '--to stf' --force --explain --verify --strict --allow-loss --allow-incomplete \
    '--loss-report losses.json' '--name a' '--clock 1GHz' '--ipc 1' '--range :5#' '--select kind=note'; do
    # shellcheck disable=SC2086
    expect 2 "$bin/hwtrace-merge" --check shard.manifest.json $ignored
    says stderr "--check only checks and writes nothing: ${ignored%% *}"
    says stderr "leave it out"
done
expect 2 "$bin/hwtrace-merge" --check shard.manifest.json --stf-chunk 5
says stderr "--stf-chunk"
expect 2 "$bin/hwtrace-merge" --concat --check shard.manifest.json -o out/whole.stf
says stderr "--concat checks the shards of manifests first"
printf x >>shard-0002.stf
expect 1 "$bin/hwtrace-merge" --concat shard.manifest.json -o out/damaged.stf
absent out/damaged.stf

finish

# Tests hwtrace-info --partial and --reduce: the statistics of all shards are those of the whole trace.
. "$(dirname "$0")/lib.sh"
data=$2
cd "$work" || exit 1

# tests/cli/reduce_test.cpp compares the whole document for every trace of testdata. Here are files and options.
# reduces TRACE N: checks that N shards reduce to what the whole trace gives.
reduces() {
    rm -f shard-*.json
    for i in $(seq "$2"); do
        "$bin/hwtrace-info" "$1" --shard "$i/$2" --partial -q >"shard-$i.json" 2>errors || {
            fail "$1, shard $i/$2: $(cat errors)"
            return
        }
    done
    "$bin/hwtrace-info" --reduce shard-*.json --format json >reduced.json 2>errors ||
        { fail "$1, $2 shards: $(cat errors)"; return; }
    same whole.json reduced.json
}
# A part of the formats; a trace with an index begins near its shard.
for trace in "$data"/*/valid/*; do
    case $trace in *.hex | *.md | *.json) continue ;; esac
    case $trace in *sum* | *cpu* | *soc* | *npu* | *pipeline* | *kinds*) ;; *) continue ;; esac
    "$bin/hwtrace-info" "$trace" --format json -q >whole.json 2>errors || continue
    "$bin/hwtrace-info" "$trace" --shard 1/2 --partial -q >shard-1.json 2>errors || continue
    reduces "$trace" 3
done
cp "$data/stf/valid/sum.zstf" indexed.zstf
"$bin/hwtrace-info" indexed.zstf --format json >whole.json
"$bin/hwtrace-index" indexed.zstf --every 200 2>errors || fail "no index: $(cat errors)"
reduces indexed.zstf 5

# More shards than positions, and one shard only.
sum=$data/stf/valid/sum_small.stf
"$bin/hwtrace-info" "$sum" --format json >whole.json
reduces "$sum" 1
reduces "$sum" 200
(ulimit -n 60 && "$bin/hwtrace-info" --reduce shard-*.json --format json >few.json) || fail "more shards than open files"
same whole.json few.json

# Text is as of the whole trace.
reduces "$sum" 3
expect 0 "$bin/hwtrace-info" --reduce shard-3.json shard-1.json shard-2.json
tr -s ' ' <stdout >squeezed
grep -q "inst_count 108" squeezed || fail "the text lacks the number of instructions"
tr -s ' ' <stdout >reduced.txt
"$bin/hwtrace-info" "$sum" | tr -s ' ' >whole.txt
same whole.txt reduced.txt

# Wrong sets of shards are refused.
expect 2 "$bin/hwtrace-info" --reduce shard-1.json shard-3.json
says stderr "shard 2/3 is missing; make it: hwtrace-info $sum --shard 2/3 --partial"
expect 2 "$bin/hwtrace-info" --reduce shard-1.json shard-2.json
says stderr "shard 3/3 is missing"
expect 2 "$bin/hwtrace-info" --reduce shard-1.json shard-2.json shard-3.json shard-2.json
says stderr "are both shard 2/3"
"$bin/hwtrace-info" "$sum" --shard 2/4 --partial >other.json
expect 2 "$bin/hwtrace-info" --reduce shard-1.json other.json shard-3.json
says stderr "other.json is shard 2/4, but shard-1.json is shard 1/3"
{ stf_header; stf_instructions 5; } >core.stf
"$bin/hwtrace-info" core.stf --shard 2/3 --partial >other.json
expect 2 "$bin/hwtrace-info" --reduce shard-1.json other.json shard-3.json
says stderr "are statistics of different traces"
expect 4 "$bin/hwtrace-info" --reduce shard-1.json whole.json
says stderr "whole.json: not partial statistics"
echo '{"schema": "hwtrace-info-partial/2", "shard": [1, 1]}' >short.json
expect 4 "$bin/hwtrace-info" --reduce short.json
sed 's/"profile":"..../"profile":"\/\/\/\//' shard-1.json >wrong.json
expect 4 "$bin/hwtrace-info" --reduce wrong.json shard-2.json shard-3.json
says stderr "wrong.json: "
sed 's/hwtrace-info-partial.2/hwtrace-info-partial\/1/' shard-1.json >old.json
expect 4 "$bin/hwtrace-info" --reduce old.json shard-2.json shard-3.json
expect 6 "$bin/hwtrace-info" --reduce shard-1.json shard-2.json shard-3.json --max-block 500
says stderr "max-block"

# Texts have other numbers in each shard. What depends on them is left out, with a note.
"$bin/hwtrace-convert" "$data/uscope/valid/pipeline.uscope" pipeline.jsonl
{
    sed 's/{"name":"reason","type":"enum","enum":3}/{"name":"reason","type":"text"}/' pipeline.jsonl
    for reason in cold busy cold; do
        printf '{"type":"event","time":900000,"scope":"core0","track":"stall","track_id":6,"fields":{"reason":"%s"}}\n' $reason
    done
} >stalls.jsonl
for i in 1 2 3; do
    expect 0 "$bin/hwtrace-info" stalls.jsonl --shard $i/3 --partial -q
    mv stdout text-$i.json
done
expect 0 "$bin/hwtrace-info" --reduce text-1.json text-2.json text-3.json --format json
grep -q "reasons to wait are texts" stdout || fail "reasons that are texts are reduced"

# Nesting and many values do not need much more memory than the text.
{ head -c 3000000 /dev/zero | tr '\0' '['; } >deep.json
expect 4 "$bin/hwtrace-info" --reduce deep.json
# Partial statistics may come from pipes.
mkfifo pipe
cat shard-2.json >pipe &
expect 0 "$bin/hwtrace-info" --reduce shard-1.json pipe shard-3.json
expect 5 "$bin/hwtrace-info" --reduce absent.json
expect 2 "$bin/hwtrace-info" "$sum" --partial
says stderr "needs one trace and --shard"
expect 2 "$bin/hwtrace-info" "$sum" --shard 1/2 --partial --reuse
expect 2 "$bin/hwtrace-info" --reduce shard-1.json --last 3

# A pipe is spooled.
"$bin/hwtrace-info" - --shard 2/3 --partial <"$sum" | sed 's/"file":"[^"]*"//' >piped.json
sed 's/"file":"[^"]*"//' shard-2.json >named.json
same piped.json named.json
finish

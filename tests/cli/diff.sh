# Tests hwtrace-diff: equal, different, incomplete, nothing compared; reports as text and JSON.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

pccx_events 100 "$(pccx_event 0 0 10 MAC_COMPUTE),$(pccx_event 0 5 12 DMA_READ),$(pccx_event 1 20 10 MAC_COMPUTE)" >other.pccx
pccx_events 100 "" >empty.pccx

expect 0 "$bin/hwtrace-diff" small.pccx small.pccx
says stdout "equal: 4 equal"
silent stderr
expect 1 "$bin/hwtrace-diff" small.pccx other.pccx
says stdout "first difference, in stream npu/core0/DMA_READ: duration"
says stdout "  < A#1 5 interval core0/DMA_READ duration=10"
says stdout "  > B#1 5 interval core0/DMA_READ duration=12"
says stdout "    A#0 0 interval core0/MAC_COMPUTE duration=10"
says stdout "in stream npu/core1/own_name: only in A"
says stdout "stream npu/core0/DMA_READ: 0 equal, 1 different"
says stdout "different: 2 equal, 1 different, 1 only in A"
expect 1 "$bin/hwtrace-diff" -q small.pccx other.pccx
silent stdout
silent stderr
expect 1 "$bin/hwtrace-diff" small.pccx other.pccx --max-differences 1 --context 0
says stdout "1 more"
grep -q "A#0" stdout && fail "--context 0 shows more than the differences"
expect 0 "$bin/hwtrace-diff" small.pccx other.pccx --tolerance 4ns --ignore track=own_name
expect 1 "$bin/hwtrace-diff" small.pccx other.pccx --tolerance 3ns --ignore track=own_name
expect 0 "$bin/hwtrace-diff" small.pccx other.pccx --range :5cyc
expect 0 "$bin/hwtrace-diff" small.pccx other.pccx --select track=MAC_COMPUTE
expect 1 "$bin/hwtrace-diff" small.pccx other.pccx --last 1

# The report can be printed as JSON.
expect 1 "$bin/hwtrace-diff" small.pccx other.pccx --format json
says stdout '"schema": "hwtrace-diff/1"'
says stdout '"equal": false'
says stdout '"only_in_a": 1'

# A converted trace equals its source, also from a pipe, unless --lowered keep compares both as stored.
expect 0 "$bin/hwtrace-convert" small.pccx small.uscope
expect 0 "$bin/hwtrace-diff" small.pccx small.uscope
expect 1 "$bin/hwtrace-diff" small.pccx small.uscope --lowered keep
expect 1 "$bin/hwtrace-diff" other.pccx small.uscope
"$bin/hwtrace-diff" - small.uscope <small.pccx >stdout 2>stderr || fail "from a pipe: $(cat stderr stdout)"
expect 0 "$bin/hwtrace" diff small.stf small.stf
expect 0 "$bin/hwtrace-convert" small.stf stf.uscope -q
expect 0 "$bin/hwtrace-diff" stf.uscope small.stf
# Records that another tool added to a lowered trace are not raised. The rest is equal; a note reports it.
expect 0 "$bin/hwtrace-convert" stf.uscope stf.jsonl
id=$(sed -n 's/.*"id":\([0-9]*\),"kind":"event","name":"annotate".*/\1/p' stf.jsonl)
{
    cat stf.jsonl
    printf '{"type":"event","time":99999,"frame":true,"track_id":%s,"fields":{"entity_id":1,"text":"seen"}}\n' "$id"
} >added.jsonl
expect 0 "$bin/hwtrace-convert" added.jsonl added.uscope
expect 3 "$bin/hwtrace-diff" small.stf added.uscope
says stdout "equal: 2 equal"
says stderr "not compared: kind-dropped annotate, 1 time,"
expect 1 "$bin/hwtrace-diff" stf.uscope added.uscope

# If nothing was compared, the traces are not equal.
expect 1 "$bin/hwtrace-diff" empty.pccx empty.pccx
says stderr "nothing was compared"
expect 0 "$bin/hwtrace-diff" empty.pccx empty.pccx --allow-empty
expect 1 "$bin/hwtrace-diff" small.pccx empty.pccx --allow-empty
expect 1 "$bin/hwtrace-diff" small.pccx small.pccx --ignore kind=interval
says stderr "nothing was compared"
expect 1 "$bin/hwtrace-diff" small.stf transactions.stf
says stdout "only in B"

# A cut trace is compared up to its end.
head -c 100 transactions.stf >cut.stf
expect 1 "$bin/hwtrace-diff" transactions.stf cut.stf
says stderr "cut.stf: not everything could be read"
expect 3 "$bin/hwtrace-diff" cut.stf cut.stf
expect 0 "$bin/hwtrace-diff" cut.stf cut.stf --allow-incomplete
echo text >no_trace
expect 4 "$bin/hwtrace-diff" small.stf no_trace
expect 5 "$bin/hwtrace-diff" small.stf missing.stf

for wrong in "small.stf" "- -" "small.stf small.stf --ignore nothing" "small.stf small.stf --key id" "small.stf small.stf --align x" \
    "small.stf small.stf --tolerance 5" "small.stf small.stf --window 0" "small.stf small.stf --stf-chunk 5"; do
    # shellcheck disable=SC2086
    expect 2 "$bin/hwtrace-diff" $wrong
done
# An --ignore that matches nothing is reported and has no effect.
expect 0 "$bin/hwtrace-diff" small.stf small.stf --ignore track=nosuch --ignore 'scope=no*' --ignore field=pcs --ignore metadata=no.such --ignore kind=interval
for unmet in track=nosuch 'scope=no*' field=pcs metadata=no.such kind=interval; do
    says stderr "warning: --ignore $unmet: matches nothing in either trace"
done
expect 0 "$bin/hwtrace-diff" small.stf small.stf --ignore 'field=p?' --ignore 'metadata=stf.*' --ignore native --ignore time
silent stderr
expect 0 "$bin/hwtrace-diff" small.pccx small.pccx --ignore 'track=own_*' --ignore 'scope=*1' --ignore field=duration --ignore order
silent stderr
expect 0 "$bin/hwtrace-diff" small.stf small.stf --ignore track=nosuch -q
silent stderr
expect 0 "$bin/hwtrace-diff" small.stf small.stf --align key --key pc
expect 2 "$bin/hwtrace-diff" small.stf small.stf --align key --key pc --key nosuch
says stderr "--key nosuch: no record has such a field"
finish

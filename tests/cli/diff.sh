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
# Records that another tool added to a lowered trace are not raised. The rest is equal, and a note reports the added
# records.
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

# --align shift removes a constant offset of the times, but no other difference.
pccx_events 100 "$(pccx_event 0 0 10 MAC_COMPUTE),$(pccx_event 0 15 12 DMA_READ),$(pccx_event 1 20 10 MAC_COMPUTE),$(
    pccx_event 1 40 11 DMA_READ)" >run.pccx
pccx_events 100 "$(pccx_event 0 7 10 MAC_COMPUTE),$(pccx_event 0 22 12 DMA_READ),$(pccx_event 1 27 10 MAC_COMPUTE),$(
    pccx_event 1 47 11 DMA_READ)" >later.pccx
pccx_events 100 "$(pccx_event 0 7 10 MAC_COMPUTE),$(pccx_event 0 23 12 DMA_READ),$(pccx_event 1 27 10 MAC_COMPUTE),$(
    pccx_event 1 47 11 DMA_READ)" >late.pccx
expect 1 "$bin/hwtrace-diff" run.pccx later.pccx
says stdout "different: 0 equal, 4 different"
expect 0 "$bin/hwtrace-diff" run.pccx later.pccx --align shift
says stdout "B is 7 cycles later than A; this offset was removed"
says stdout "equal: 4 equal"
expect 0 "$bin/hwtrace-diff" later.pccx run.pccx --align shift
says stdout "B is 7 cycles earlier than A; this offset was removed"
expect 0 "$bin/hwtrace-diff" run.pccx later.pccx --align shift --format json
says stdout '"ticks": "7"'
expect 1 "$bin/hwtrace-diff" run.pccx late.pccx --align shift
says stdout "different: 3 equal, 1 different"
expect 0 "$bin/hwtrace-diff" run.pccx run.pccx --align shift
says stderr "the traces have no constant offset"
says stdout "equal: 4 equal"

{ echo '{"schema":"hwtrace-jsonl/1"}'; echo '{"type":"track","id":0,"kind":"stream","name":"x","time":"ns"}'
    for time in 0 10 30 60 100; do echo "{\"type\":\"interval\",\"time\":$time,\"track_id\":0,\"duration\":1}"; done; } >paced.jsonl
sed 's/"time":30,/"time":37,/; s/"time":60,/"time":81,/; s/"time":100,/"time":152,/; s/"time":10,/"time":13,/' paced.jsonl >unpaced.jsonl
expect 1 "$bin/hwtrace-diff" paced.jsonl unpaced.jsonl --align shift --format json
says stderr "no constant offset explains half of the records"
says stdout '"constant_offset": false'
says stdout '"shifts": []'
sed '/"time":0,/d' paced.jsonl >begun.jsonl
expect 1 "$bin/hwtrace-diff" paced.jsonl begun.jsonl --align shift
says stdout "different: 4 equal, 1 only in A"

# A trace that lacks only its end is reported in one line.
{ stf_header; stf_instructions 7; } >long.stf
{ stf_header; stf_instructions 6; } >short.stf
expect 1 "$bin/hwtrace-diff" long.stf short.stf
says stdout "B ends after record 64: 64 records of A follow"
says stdout "different: 64 equal, 64 only in A"
[ "$(wc -l <stdout)" -eq 4 ] || fail "a cut trace has more lines than its end: $(cat stdout)"
expect 1 "$bin/hwtrace-diff" short.stf long.stf --format json
says stdout '"after_record": 64'
expect 1 "$bin/hwtrace-diff" run.pccx small.pccx
grep -q "ends after" stdout && fail "traces that differ everywhere are reported as cut: $(cat stdout)"
# The same for a file that was cut off.
head -c "$(($(wc -c <long.stf) - 40))" long.stf >cut_off.stf
expect 1 "$bin/hwtrace-diff" long.stf cut_off.stf
says stdout "B ends after record 1"

# In a file with relations, relations are missing between the transactions of the whole one, not behind them.
awk 'BEGIN { print "scv_tr_stream (ID 1, name \"bus\", kind \"TRANSACTOR\")\nscv_tr_generator (ID 1, name \"read\", scv_tr_stream 1,\n)"
    for (i = 1; i <= 4000; ++i) {
        print "tx_begin " i " 1 " i " ns\ntx_end " i " 1 " i " ns"
        if (i > 1) print "tx_relation \"next\" " i " " i - 1
    } }' >linked.txlog
expect 0 "$bin/hwtrace-convert" linked.txlog linked.ftr --allow-loss
head -c "$(($(wc -c <linked.ftr) * 2 / 5))" linked.ftr >linked_cut.ftr
expect 1 "$bin/hwtrace-diff" linked.ftr linked_cut.ftr
grep -q '^B ends after record [0-9]*: [0-9]* records of A follow$' stdout || fail "a cut file with relations: $(cat stdout)"
expect 1 "$bin/hwtrace-diff" linked_cut.ftr linked.ftr --format json
says stdout '"ends_early"'

# --summary compares statistics. Here one type of work takes 20 % longer.
slower= faster=
for start in 0 100 200 300; do
    faster="$faster${faster:+,}$(pccx_event 0 $start 50 MAC_COMPUTE),$(pccx_event 0 $((start + 60)) 20 DMA_READ)"
    slower="$slower${slower:+,}$(pccx_event 0 $start 60 MAC_COMPUTE),$(pccx_event 0 $((start + 60)) 20 DMA_READ)"
done
pccx_events 400 "$faster" >faster.pccx
pccx_events 400 "$slower" >slower.pccx
expect 0 "$bin/hwtrace-diff" faster.pccx faster.pccx --summary
says stdout "equal: 0 statistics changed by more than 5 %"
expect 1 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary -v
grep -q 'intervals.tracks\[npu/core0/MAC_COMPUTE\].p99 *50 *60 *+20.00 % *changed' stdout || fail "the change of a percentile: $(cat stdout)"
grep -q 'intervals.tracks\[npu/core0/DMA_READ\].p99 *20 *20 *+0.00 % *same' stdout || fail "an equal percentile: $(cat stdout)"
grep -q 'DMA_READ\].*changed' stdout && fail "DMA_READ did not change: $(cat stdout)"
tail -n 1 stdout | grep -q "^different: .* changed by more than 5 %" || fail "totals are not last: $(cat stdout)"
expect 0 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary --threshold 20%
says stdout "equal: 0 statistics changed by more than 20 %"
expect 1 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary --threshold 19.9
expect 1 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary --format csv
head -n 1 stdout | grep -qx "statistic,a,b,change_percent,verdict" || fail "the header of CSV: $(head -n 1 stdout)"
says stdout 'intervals.tracks[npu/core0/MAC_COMPUTE].p99,50,60,20.000000,changed'
expect 1 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary --format json
says stdout '"schema": "hwtrace-diff-summary/1"'
says stdout '"equal": false'
says stdout '"verdict": "changed"'
for threshold in 05 0005% 00.5 0 00; do
    expect 1 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary --threshold "$threshold" --format json
    number=$(echo "$threshold" | sed 's/%//; s/^0*//; s/^\./0./; s/^$/0/')
    says stdout "\"threshold_percent\": $number,"
done
expect 1 "$bin/hwtrace-diff" faster.pccx slower.pccx --summary -q
silent stdout
expect 1 "$bin/hwtrace-diff" faster.pccx run.pccx --summary -v
says stdout "only in B"
expect 0 "$bin/hwtrace-diff" short.stf short.stf --summary
for wrong in "--summary --key id" "--summary --align key" "--summary --ignore time" "--threshold 5%" "--summary --threshold x" \
    "--summary --threshold -5%" "--summary --threshold 5.%" "--format csv"; do
    # shellcheck disable=SC2086
    expect 2 "$bin/hwtrace-diff" small.stf small.stf $wrong
done
finish

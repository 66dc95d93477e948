# Tests dumps as data, and the activity that hwtrace-info prints.
. "$(dirname "$0")/lib.sh"
data=$(cd "$2" && pwd)
cd "$work" || exit 1

# Data is printed by a view that supports the form. If there is none, the model is printed. --view model always works.
expect 0 "$bin/hwtrace-dump" small.pccx --format csv
says stdout "core,start,duration,type,name"
says stdout "0,5,10,DMA_READ,"
expect 0 "$bin/hwtrace-dump" small.pccx --format csv --view model
says stdout "time,kind,scope,track,track_id,duration,slot,field,value,details"
says stdout "90,interval,core1,own_name,3,10,,,,"
expect 0 "$bin/hwtrace-dump" small.stf --format csv
says stdout "instruction,pc,size,encoding,target,"
expect 0 "$bin/hwtrace-dump" small.stf --format csv --view model
says stdout "time,kind,scope,track,track_id,duration,slot,field,value,details"
expect 0 "$bin/hwtrace-dump" small.stf --format jsonl --view model
says stdout '"schema":"hwtrace-jsonl/1","tool":"hwtrace-dump","version":'
[ "$(grep -c '"type":"instruction"' stdout)" -eq 2 ] || fail "not every instruction is a line"
for view in events model; do
    for form in json jsonl; do
        expect 0 "$bin/hwtrace-dump" small.pccx --view $view --format $form
        says stdout '"tool":"hwtrace-dump"'
        if command -v python3 >/dev/null; then
            if [ $form = json ]; then set -- "json.load(sys.stdin)"; else set -- "[json.loads(l) for l in sys.stdin]"; fi
            python3 -c "import json, sys; $1" <stdout || fail "$view as $form cannot be parsed"
        else
            skip "no python3 to parse JSON with"
        fi
    done
done

expect 2 "$bin/hwtrace-dump" small.stf --view records --format json
says stderr "--view records: has no json output; views that have it: instructions, model"
expect 2 "$bin/hwtrace-dump" small.pccx --view nonsense --format json
says stderr "it has events, model"
expect 2 "$bin/hwtrace-dump" small.pccx --format xml

# Integers that JSON readers would round can be printed as strings.
pccx_events 100 "$(pccx_event 0 0 9007199254740993 MAC_COMPUTE)" >long.pccx
for view in events model; do
    expect 0 "$bin/hwtrace-dump" long.pccx --view $view --format jsonl --json-u64 string
    says stdout '"duration":"9007199254740993"'
    expect 0 "$bin/hwtrace-dump" long.pccx --view $view --format jsonl
    says stdout '"duration":9007199254740993'
done

# Numeric facts are JSON numbers, exact up to 64 bits. Names are JSON strings, even if they consist of digits.
pccx_events 18446744073709551615 "$(pccx_event 0 0 5 MAC_COMPUTE)" >facts.pccx
expect 0 "$bin/hwtrace-info" --quick --format json facts.pccx
says stdout '"cycles": 18446744073709551615'
says stdout '"cores": 2'
says stdout '"isa_version": "1"'
says stdout '"clock": "500 MHz"'
expect 0 "$bin/hwtrace-info" --quick --format json --json-u64 string facts.pccx
says stdout '"cycles": "18446744073709551615"'
says stdout '"cores": 2'

# The reader of a pipe may leave early. A damaged file is printed up to the damage.
"$bin/hwtrace-dump" small.pccx --format csv | head -1 >first
[ "$(cat first)" = "core,start,duration,type,name" ] || fail "the output into a pipe differs"
head -c 400 small.pccx >cut.pccx
expect 3 "$bin/hwtrace-dump" cut.pccx --format csv --view model
says stdout "0,interval,core0,MAC_COMPUTE,0,10"

# Activity is counted by core and type, relative to the cycles stated in the header.
expect 0 "$bin/hwtrace-info" small.pccx
says stdout "of 100 cycles (pccx.trace.cycles)"
grep -qE '^ +npu/core0 +2 +15 +20 +15\.00 %$' stdout || fail "wrong activity of core0: $(grep core0 stdout)"
grep -qE '^ +MAC_COMPUTE +2 +20 +20 +10\.00 %$' stdout || fail "wrong activity of MAC_COMPUTE: $(grep MAC_ stdout)"
grep -qE '^ +time +0 to 100 cycles$' stdout || fail "wrong time span: $(grep time stdout)"
! grep -qE 'core0/DMA_READ .* %$' stdout || fail "tracks are shown as busy without -v"
grep -qE '^ +npu/core0/DMA_READ +1 ' stdout || fail "intervals are not counted by track: $(grep DMA_READ stdout)"
expect 0 "$bin/hwtrace-info" -v small.pccx
grep -qE '^ +npu/core0/DMA_READ +1 +10 +10 +10\.00 %$' stdout || fail "core0/DMA_READ: $(grep core0/ stdout)"
expect 0 "$bin/hwtrace-info" --quick small.pccx
! grep -q activity stdout || fail "activity without reading"
expect 0 "$bin/hwtrace-info" --format json small.pccx
says stdout '"utilisation_percent": 15.0'
says stdout '"span_from": "pccx.trace.cycles"'

# The numbers are exact even if intervals are out of order and no duration is stated.
pccx_events 0 "$(pccx_event 0 50 10 MAC_COMPUTE),$(pccx_event 0 0 5 DMA_READ),$(pccx_event 0 52 18 DMA_READ)" >mixed.pccx
expect 0 "$bin/hwtrace-info" -q mixed.pccx
says stdout "of 70 cycles (first begin to last end)"
grep -qE '^ +npu/core0 +3 +25 +33 +35\.71 %$' stdout || fail "wrong activity of core0: $(grep core0 stdout)"
expect 0 "$bin/hwtrace-info" small.stf
! grep -q activity stdout || fail "instructions have an activity"

# The utilisation of a range refers to its cycles, and counts those parts of intervals that are inside. A selection
# refers to the whole trace: neither its length nor the number of its cores changes.
pccx_events 200 "$(pccx_event 0 10 40 MAC_COMPUTE),$(pccx_event 0 0 30 API_CALL),$(pccx_event 0 45 30 DMA_READ),$(pccx_event 1 60 100 MAC_COMPUTE)" >window.pccx
expect 0 "$bin/hwtrace-info" window.pccx --range 20cyc:70cyc
says stdout "of 50 cycles (time window)"
grep -qE '^ +npu/core0 +2 +50 +55 +100\.00 %$' stdout || fail "core0 in the range: $(grep core0 stdout)"
grep -qE '^ +npu/core1 +1 +10 +10 +20\.00 %$' stdout || fail "core1 in the range: $(grep core1 stdout)"
grep -qE '^ +MAC_COMPUTE +2 +40 +40 +40\.00 %$' stdout || fail "MAC_COMPUTE in the range: $(grep MAC_ stdout)"
sed -n '/MAC_COMPUTE  .*utilisation/,$p' stdout >matrix
grep -qE '^ +npu/core0 +1 +30 +30 +60\.00 %$' matrix || fail "matrix unit of core0: $(cat matrix)"
expect 0 "$bin/hwtrace-info" window.pccx
grep -qE '^ +npu/core0 +2 +65 +70 +32\.50 %$' stdout || fail "the host keeps core0 busy: $(grep core0 stdout)"
grep -E '^ +API_CALL ' stdout | tr -s ' ' >whole
expect 0 "$bin/hwtrace-info" window.pccx --select track=API_CALL
grep -E '^ +API_CALL ' stdout | tr -s ' ' >selected
cmp -s whole selected || fail "a selection changes the utilisation: $(cat whole selected)"
expect 0 "$bin/hwtrace-convert" window.pccx window.ftr --allow-loss
for part in track=API_CALL scope=core1 track=DMA_READ; do
    expect 0 "$bin/hwtrace-info" window.ftr
    grep -E '^ +(npu/)?[A-Za-z_0-9]+ .* %$' stdout | tr -s ' ' | sort >whole
    expect 0 "$bin/hwtrace-info" window.ftr --select $part
    grep -E '^ +(API_CALL|DMA_READ|npu/core1) .* %$' stdout | tr -s ' ' | sort >selected
    [ -s selected ] && [ -z "$(comm -13 whole selected)" ] || fail "$part: $(cat whole selected)"
    cat window.ftr | "$bin/hwtrace-info" - --select $part >stdout 2>stderr || fail "$part of a pipe"
    grep -E '^ +(API_CALL|DMA_READ|npu/core1) .* %$' stdout | tr -s ' ' | sort | cmp -s - selected || fail "$part of a pipe differs"
done

# Without --view, data is printed by the view of the format if it has anything to show, otherwise from the model.
for form in json jsonl csv; do
    expect 0 "$bin/hwtrace-dump" transactions.stf --format "$form"
    cp stdout default
    expect 0 "$bin/hwtrace-dump" transactions.stf --format "$form" --view model
    same default stdout
    cat transactions.stf | "$bin/hwtrace-dump" - --format "$form" >stdout || fail "$form of a pipe"
    same default stdout
    expect 0 "$bin/hwtrace-dump" small.stf --format "$form"
    cp stdout default
    expect 0 "$bin/hwtrace-dump" small.stf --format "$form" --view instructions
    same default stdout
    cat small.stf | "$bin/hwtrace-dump" - --format "$form" >stdout || fail "$form of a pipe"
    same default stdout
    expect 0 "$bin/hwtrace-dump" transactions.stf --format "$form" --last 1
done
for packed in gz zst xz zstf; do
    expect 0 "$bin/hwtrace-convert" transactions.stf packed --to stf --stf-container "$packed" --force
    expect 0 "$bin/hwtrace-dump" packed --format csv
    cp stdout default
    expect 0 "$bin/hwtrace-dump" transactions.stf --format csv
    same default stdout
    cat packed | "$bin/hwtrace-dump" - --format csv >stdout || fail "a pipe of $packed"
    same default stdout
done
expect 4 "$bin/hwtrace-dump" transactions.stf --format csv --view instructions
says stderr "a trace of transactions has no instructions"
# Durations, times between begins and relations have percentiles, as text and as JSON.
expect 0 "$bin/hwtrace-info" "$data/txlog/valid/bus.txlog"
grep -qE '^ +top.memory/access +3 +0 ps +1.5 ns +3 µs +3 µs +3 µs +1 µs$' stdout || fail "durations: $(grep memory/access stdout)"
grep -qE '^ +top.bus/read +1 +1.5 ns +1.5 ns +1.5 ns +1.5 ns +1.5 ns +1.5 ns$' stdout || fail "times between begins: $(grep bus/read stdout)"
grep -qE '^ +part_of: top.bus/read -> top.memory/access +2 +1.5 ns +1.5 ns +3 µs +3 µs +3 µs +1.5 µs$' stdout ||
    fail "relations: $(grep part_of stdout)"
expect 0 "$bin/hwtrace-info" --format json "$data/txlog/valid/bus.txlog"
says stdout '"percentiles": "exact"'
says stdout '"p99": 2998500'
says stdout '"mean_per_window": '
# A mean in data is not rounded like that of a table.
pccx_events 100 "$(pccx_event 0 0 1 MAC_COMPUTE),$(pccx_event 0 5 1 MAC_COMPUTE),$(pccx_event 0 9 2 MAC_COMPUTE)" >thirds.pccx
expect 0 "$bin/hwtrace-info" thirds.pccx --format json
says stdout '"mean": 1.3333333333333333,'
# More than 4096 different durations: percentiles are estimates, and marked.
awk 'BEGIN { for (i = 0; i < 5000; ++i) printf "%s{\"core_id\":0,\"start_cycle\":%d,\"duration\":%d,\"event_type\":\"DMA_READ\"}", i ? "," : "", i * 7, 100000 + i * 3 }' >many_events
pccx_events 0 "$(cat many_events)" >many.pccx
expect 0 "$bin/hwtrace-info" many.pccx
says stdout "~ less than 1 % too small: more than 4096 different values"
median=$(sed -n 's/^ *npu\/core0\/DMA_READ *5000 *100000 *~\([0-9]*\) .*/\1/p' stdout)
[ "${median:-0}" -le 107497 ] && [ "$median" -ge 106422 ] || fail "the median 107497 is estimated as $median"
expect 0 "$bin/hwtrace-info" many.pccx --format json
says stdout '"percentiles": "within 1 %"'
says stdout '"median_exact": false'
# The profile of instructions; reuse distances only on request.
expect 0 "$bin/hwtrace-info" "$data/stf/valid/sum.zstf"
says stdout "hot pcs, of 19"
! grep -q "reuse distances" stdout || fail "reuse distances without --reuse"
expect 0 "$bin/hwtrace-info" "$data/stf/valid/sum.zstf" --reuse --format json
says stdout '"sampled_lines": "all"'
expect 0 "$bin/hwtrace-info" small.pccx --reuse
says stderr "--reuse has no effect"
expect 2 "$bin/hwtrace-info" small.stf --reuse --quick
finish

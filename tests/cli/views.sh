# Tests the views of the model (schema, timeline, counters, buffers) and the statistics of hwtrace-info.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

expect 0 "$bin/hwtrace-convert" -q small.stf small.uscope

expect 0 "$bin/hwtrace-dump" --list-views
for view in model schema timeline pipeline counters buffers samples lanes histogram heatmap; do
    grep -qE "^any +$view " stdout || fail "$view is not listed"
done

# Every view works in every form for every trace. A view without contents prints a note and succeeds.
for file in small.uscope small.stf small.pccx; do
    for view in model schema timeline counters buffers samples; do
        for form in text json jsonl csv; do
            expect 0 "$bin/hwtrace-dump" $file --view $view --format $form
            case $view-$form in
                model-jsonl) says stdout '"schema":"hwtrace-jsonl/1"' ;;  # which is a trace
                *-json | *-jsonl) says stdout "\"schema\":\"hwtrace-$view/1\"" ;;
            esac
            is_data $form "$file $view"
        done
    done
done
expect 0 "$bin/hwtrace-dump" small.pccx --view timeline
silent stderr
says stdout "/core0/MAC_COMPUTE cycles 0-10"
expect 0 "$bin/hwtrace-dump" small.pccx --view pipeline
says stderr "no scope has the protocol cpu"
! grep -q hwtrace-convert stderr || fail "the message suggests converting intervals to instructions"
expect 0 "$bin/hwtrace-dump" small.stf --view timeline
says stderr "convert instructions to µScope first: hwtrace-convert IN OUT.uscope"
expect 0 "$bin/hwtrace-dump" small.pccx --view samples
says stderr "the trace has no signals"
expect 0 "$bin/hwtrace-dump" -q small.pccx --view pipeline
silent stderr

# A root called "/" adds no second slash.
cat >rooted.jsonl <<'END'
{"type":"scope","id":0,"name":"/"}
{"type":"scope","id":1,"name":"core0","parent":0}
{"type":"track","id":0,"kind":"event","name":"reset","scope":0,"fields":[]}
{"type":"track","id":1,"kind":"event","name":"stall","scope":1,"fields":[]}
{"type":"event","time":0,"track_id":0}
{"type":"event","time":1,"track_id":1}
END
expect 0 "$bin/hwtrace-dump" rooted.jsonl --view model
says stdout "event /reset"
expect 0 "$bin/hwtrace-convert" -q rooted.jsonl rooted.trace.json
grep -q '"name":"/core0"' rooted.trace.json || fail "no process /core0: $(cat rooted.trace.json)"
! grep -q '//' rooted.trace.json || fail "a path has two slashes: $(cat rooted.trace.json)"

expect 0 "$bin/hwtrace-dump" small.uscope --view schema
says stdout "core0: protocol cpu, clock"
says stdout "; instructions in flight"
expect 0 "$bin/hwtrace-dump" small.uscope --view timeline
says stdout "# /core0: 2 instructions: 2 retired, 0 flushed, 0 in flight"
grep -qE '^/core0 #1 slot 1 pc 0x80000004 .* cycles 1-2 \(1000-2000 ps\) retired$' stdout || fail "$(cat stdout)"
grep -qE '^ +commit 1-2$' stdout || fail "no stage: $(cat stdout)"
expect 0 "$bin/hwtrace-dump" small.uscope --view timeline --entity 1 --format csv
[ "$(wc -l <stdout)" -eq 2 ] || fail "other entities are shown: $(cat stdout)"
silent stderr
expect 0 "$bin/hwtrace-dump" small.uscope --view timeline --entity 77
says stderr "no instruction, transaction or interval has the id 77"
expect 0 "$bin/hwtrace-dump" small.uscope --view counters --counter committed
says stdout "cycle 1  /core0/committed_insns  2  +1"
! grep -q loads stdout || fail "a counter is shown without a request"
expect 0 "$bin/hwtrace-dump" small.uscope --view counters --counter committed --interval 10cyc
says stdout "cycles 0-2  /core0/committed_insns  2  +2  0.667/cycle"
expect 0 "$bin/hwtrace-dump" small.uscope --view buffers
says stdout "cycle 0  /core0/entities  1 of"

# Options of another view, and invalid values, are refused.
expect 2 "$bin/hwtrace-dump" small.uscope --entity 1
says stderr "--entity requires --view timeline"
expect 2 "$bin/hwtrace-dump" small.uscope --view timeline --entity x
expect 2 "$bin/hwtrace-dump" small.uscope --view counters --interval 0
expect 2 "$bin/hwtrace-dump" small.uscope --view timeline --interval 5
expect 2 "$bin/hwtrace-dump" small.uscope --view schema --counter a

# hwtrace-info
expect 0 "$bin/hwtrace-info" small.uscope
grep -A 1 -E '^ +/core0 +2 instructions: 2 retired, 0 flushed, 0 in flight$' stdout |
    grep -qE '^ +cycles 0 to 2, 1\.000 instructions per cycle$' ||
    fail "$(cat stdout)"
grep -qE '^ +/core0/committed_insns +2$' stdout || fail "no value of the counter: $(cat stdout)"
grep -qE '^ +/core0/stage_transition +2 ' stdout || fail "no events: $(cat stdout)"
expect 0 "$bin/hwtrace-info" --format json small.uscope
says stdout '"retired_per_cycle": 1.0'
says stdout '"highest_occupancy"'
expect 0 "$bin/hwtrace-info" --quick small.uscope
! grep -q 'instructions:' stdout || fail "statistics without reading"
# If a fact has hundreds of values, only some of them are printed.
wide=${HWTRACE_CORPUS:-/nowhere}/uscope/gen_wide_v03.uscope
if [ -f "$wide" ]; then
    expect 0 "$bin/hwtrace-info" "$wide"
    [ "$(grep -cE '^  counter +[a-z_]+ [0-9]+$' stdout)" -eq 16 ] || fail "not 16 counters: $(grep -c counter stdout)"
    says stdout "and 284 more (-v shows all)"
    expect 0 "$bin/hwtrace-info" -v "$wide"
    [ "$(grep -cE '^  counter +[a-z_0-9]+ [0-9]+$' stdout)" -eq 300 ] || fail "not all counters with -v"
else
    skip "facts that occur often: no corpus"
fi
# Strings from a trace are escaped, so that they stay on one line and cannot control a terminal.
{ stf_header; printf '\003\016\000\000\000\033[31m\nCOMMENT\t'; stf_instructions 0; } >escape.stf
for view in records instructions; do
    expect 0 "$bin/hwtrace-dump" escape.stf --view "$view"
    grep -q '\\x1b\[31m\\x0aCOMMENT	$' stdout || fail "the comment is $(grep -a COMMENT stdout)"
done
expect 0 "$bin/hwtrace-dump" escape.stf --view instructions --format csv
says stdout '\x1b[31m\x0aCOMMENT'

# Times of intervals before 0, and counts with a restated record.
cat >negative.jsonl <<'END'
{"type":"track","id":0,"kind":"stream","name":"t","time":{"base":"seconds","num":1,"den":1000000000},"fields":[]}
{"type":"track","id":1,"kind":"event","name":"e","time":{"base":"seconds","num":1,"den":1000000000},"fields":[]}
{"type":"interval","time":-100,"track_id":0,"duration":15}
{"type":"interval","time":-20,"track_id":0,"duration":5}
{"type":"event","time":-18,"track_id":1,"fields":{}}
{"type":"event","time":-17,"track_id":1,"fields":{},"restated":true}
END
expect 0 "$bin/hwtrace-info" negative.jsonl
grep -qE 'intervals by track +intervals +first +last end +total' stdout || fail "no table of intervals"
grep -qE '^ +t +2 +-100 ns +-15 ns +20 ns$' stdout || fail "times before 0: $(grep -A 1 'intervals by track' stdout)"
grep -qE '^  records +4$' stdout && grep -qE '^  restated +1$' stdout && grep -qE '^  model.records +3$' stdout ||
    fail "the counts do not agree: $(grep -E 'records|restated' stdout)"
expect 0 "$bin/hwtrace-info" negative.jsonl --format json
tr -d ' \n' <stdout >line
grep -q '"first":-100,"intervals":2,"last_end":-15' line || grep -q '"first":-100,"last_end":-15' line ||
    fail "JSON: times before 0"
finish

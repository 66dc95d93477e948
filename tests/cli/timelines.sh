# Tests timelines with Perfetto's own SQL engine, trace_processor: it loads the timeline of every trace of testdata
# without an error, and counts as many slices, instants, counters and arrows as the trace has.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$2" && pwd)
cd "$work" || exit 1

. "$here/trace_processor.sh"

# traces FORMAT: prints three valid traces of a format: two of testdata, and one of the corpus.
traces() {
    find "$data/$1/valid" -type f ! -name '*.hex' -size -64k | sort | sed -n '1p; $p'
    [ -d "${HWTRACE_CORPUS:-}/$1" ] || return 0
    find "$HWTRACE_CORPUS/$1" -name "*.$1" -size -16k | sort | while read -r trace; do
        "$bin/hwtrace-validate" -q "$trace" >/dev/null 2>&1 </dev/null || continue
        echo "$trace"
        break
    done
}
# count TYPE: prints how many lines of this type the model has.
count() { grep -c "^{\"type\":\"$1\"" model.jsonl; }

# The number of slices and instants, of values of counters, and of arrows; then the errors that the engine counts.
query="select (select count(*) from slice) || ' ' || (select count(*) from counter) || ' ' || (select count(*) from flow)
    || ' ' || (select coalesce(group_concat(name || '=' || value), 'no faults') from stats
               where value > 0 and severity in ('error', 'data_loss')) as answer"
# draw NUMBER TRACE EXPECTED: makes both timelines of a trace. EXPECTED is a pattern for the answer to the query.
draw() {
    expect 0 "$bin/hwtrace-convert" "$2" "$1.pftrace" -q
    expect 0 "$bin/hwtrace-convert" "$2" "$1.trace.json" -q
    echo "$2$tab$3" >>wanted
    echo "$1.pftrace $1.trace.json" >>timelines
}
# expected TRACE: prints the pattern for a trace. Only traces of intervals, events and notes are counted.
expected() {
    "$bin/hwtrace-convert" "$1" model.jsonl -f -q 2>/dev/null
    if grep -q '"type":"track".*"kind":"\(storage\|signal\|hart\)"\|"key":"hwtrace\.' model.jsonl; then
        echo '* no faults' # the timeline shows other items than the records, or the source of an earlier conversion
        return
    fi
    items=$(($(count interval) + $(count event) + $(count note)))
    ! grep -q '^{"type":"metadata"' model.jsonl || items=$((items + 1))
    echo "$items 0 $(count relation) no faults"
}

tab=$(printf '\t')
number=0
for format in ftr txlog pccx flux kanata o3pipeview uscope stf jsonl; do
    for trace in $(traces $format); do
        number=$((number + 1))
        draw $number "$trace" "$(expected "$trace")"
    done
done
# Times that readers of JSON keep only roughly are reported, and nothing at the last times vanishes.
cat >late.jsonl <<'END'
{"type":"track","id":0,"kind":"stream","name":"a","time":{"base":"seconds","num":1,"den":1000000000},"fields":[]}
{"type":"track","id":1,"kind":"stream","name":"b","time":{"base":"seconds","num":1,"den":1000000000},"fields":[]}
{"type":"interval","time":5,"track_id":0,"duration":9223372036854775802}
{"type":"interval","time":9223372036854775807,"track_id":1,"duration":0}
END
draw late late.jsonl '2 0 0 no faults'
expect 0 "$bin/hwtrace-convert" late.jsonl late.trace.json -f
says stderr "tick 9223372036854775807 is shown at 9223372036000000000 ns"
sed '3,$d' late.jsonl >near.jsonl
for time in 8796093022208000 8796093022208001; do
    echo "{\"type\":\"interval\",\"time\":$time,\"track_id\":0,\"duration\":0}" >>near.jsonl
    "$bin/hwtrace-convert" near.jsonl near.trace.json -f --strict >stdout 2>stderr
    echo "$?" >>near
    expect 0 "$bin/hwtrace-convert" near.jsonl near.pftrace -f --strict
done
[ "$(tr '\n' ' ' <near)" = "0 3 " ] || fail "times around 2^43 microseconds: $(cat near stderr)"
number=$((number + 1))
# shellcheck disable=SC2046 # words
node "$here/trace_processor.mjs" "$query" $(cat timelines) >answers 2>stderr </dev/null || fail "trace_processor: $(head -3 stderr)"
counted=0
exec 3<answers
while IFS=$tab read -r trace pattern; do
    read -r proto <&3
    read -r json <&3
    case $pattern in
    \**) ;;
    *) counted=$((counted + 1)) ;;
    esac
    # shellcheck disable=SC2254 # a pattern
    case $proto in
    $pattern) ;;
    *) fail "$trace: the timeline has '$proto' instead of '$pattern'" ;;
    esac
    [ "$proto" = "$json" ] || fail "$trace: .pftrace has '$proto', .trace.json has '$json'"
done <wanted
echo "trace_processor loaded $number traces, and $counted of them were counted"
[ "$number" -ge 14 ] && [ "$counted" -ge 4 ] || fail "too few traces were tried"
finish

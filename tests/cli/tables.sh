# Tests tables with two readers of others: DuckDB and hyparquet. Parquet and CSV hold the same rows, as many as the model
# has records, with the same sums; statistics of row groups are right, and a filter skips row groups.
#
# HWTRACE_DUCKDB names a folder node_modules with the npm packages @duckdb/node-api and hyparquet; without it, they are
# downloaded.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$2" && pwd)
cd "$work" || exit 1

# --- folders appear complete or not at all ---------------------------------------------------------------------------

mkdir folders && cd folders || exit 1
trace=$(find "$data/pccx/valid" "$data/ftr/valid" -type f ! -name '*.hex' | sort | head -1)
expect 0 "$bin/hwtrace-convert" "$trace" tables.parquet/
silent stdout
expect 2 "$bin/hwtrace-convert" "$trace" tables.parquet/
says stderr "tables.parquet/: the output already exists; --force replaces it"
cp -r tables.parquet before
expect 0 "$bin/hwtrace-convert" --force "$trace" tables.parquet
diff -r before tables.parquet >diff || fail "tables differ between two runs: $(cat diff)"
# An interval whose end no row can hold is a loss.
cat >late.jsonl <<'END'
{"type":"track","id":0,"kind":"stream","name":"a","time":{"base":"cycles"},"fields":[]}
{"type":"interval","time":9223372036854775800,"track_id":0,"duration":100}
{"type":"interval","time":9223372036854775800,"track_id":0,"duration":7}
END
for output in late.csv late.parquet late.db; do
    "$bin/hwtrace-convert" --list-formats | grep -qF ".${output#late.}" || continue  # SQLite may not be installed
    expect 3 "$bin/hwtrace-convert" late.jsonl $output --strict
    says stderr "a begin or end after 2^63 - 1 ticks is shown there"
    expect 0 "$bin/hwtrace-convert" late.jsonl $output --loss-report losses.json
    tr -d ' \n' <losses.json | grep -q '"count":1' && grep -q time-rounded losses.json || fail "$output: $(cat losses.json)"
    rm -r "$output" losses.json
done
rm late.jsonl
touch tables.parquet/notes.txt
expect 2 "$bin/hwtrace-convert" --force "$trace" tables.parquet
says stderr "the folder contains notes.txt"
rm -r tables.parquet/notes.txt
# The replaced folder takes its files with it, so the report of the losses cannot be one of them.
for report in tables.parquet/losses.parquet tables.parquet/new/losses.json ./tables.parquet; do
    expect 2 "$bin/hwtrace-convert" --force "$trace" tables.parquet/ --loss-report "$report"
done
diff -r before tables.parquet >diff || fail "refused, but tables differ: $(cat diff)"
expect 0 "$bin/hwtrace-convert" --force "$trace" tables.parquet --loss-report losses.json
grep -q hwtrace-losses/1 losses.json || fail "no report of the losses"
rm losses.json
expect 2 "$bin/hwtrace-convert" "$trace" fresh.csv --loss-report fresh.csv/losses.json
says stderr "is in the output fresh.csv; name a file outside"
absent fresh.csv
expect 3 "$bin/hwtrace-convert" --strict "$trace" strict.csv # CSV has no place for metadata
absent strict.csv
expect 2 "$bin/hwtrace-convert" "$trace" one.pftrace/
says stderr "one.pftrace/: the output is one file, not a folder"
expect 0 "$bin/hwtrace-convert" "$trace" one.csv --csv-single
expect 0 "$bin/hwtrace-convert" "$trace" - --to csv
same ../stdout one.csv
expect 0 "$bin/hwtrace-convert" "$trace" tables.csv
expect 0 "$bin/hwtrace-dump" "$trace" --format csv -o dumped/
diff -r tables.csv dumped >diff || fail "hwtrace-dump -o writes other tables: $(cat diff)"
expect 2 "$bin/hwtrace-dump" "$trace" --format csv -o dumped
expect 0 "$bin/hwtrace-dump" "$trace" --format csv -o dumped --force
expect 2 "$bin/hwtrace-dump" "$trace" --format csv -o dumped --view model
rm -r tables.csv dumped
expect 0 "$bin/hwtrace-convert" "$trace" one.parquet --parquet-single
"$bin/hwtrace-convert" "$trace" - --to parquet -q >two.parquet || fail "no Parquet on standard output"
same one.parquet two.parquet
expect 2 "$bin/hwtrace-convert" "$trace" other.parquet --parquet-level 0
holds . "before diff one.csv one.parquet tables.parquet two.parquet "
cd .. || exit 1
rm -r folders

# --- a signal removes the temporary folder ---------------------------------------------------------------------------

mkdir ended && cd ended || exit 1
mkfifo pipe
"$bin/hwtrace-convert" -q --from vcd pipe out.parquet 2>/dev/null &
pid=$!
exec 4>pipe
echo '$timescale 1 ns $end $var wire 1 a a $end $enddefinitions $end' >&4
awk 'BEGIN { for (t = 0; t < 300000; ++t) printf "#%d\n%da\n", t, t % 2 }' >&4
kill -TERM $pid
exec 4>&-
wait $pid 2>/dev/null
[ $? -ne 0 ] || fail "the conversion ended although it was interrupted"
holds . "pipe "
cd .. || exit 1

# --- many tables -----------------------------------------------------------------------------------------------------

# 5,000 signals with 20 changes each, and 100 open files at most.
awk 'BEGIN {
    print "$timescale 1 ns $end\n$scope module top $end"
    for (i = 0; i < 5000; ++i) printf "$var wire 32 v%d signal_%d $end\n", i, i
    print "$upscope $end\n$enddefinitions $end"
    for (t = 0; t < 20; ++t) { print "#" t * 10; for (i = 0; i < 5000; ++i) printf "b%d v%d\n", (t * 7 + i) % 2, i }
}' >many.vcd
expect 0 sh -c 'ulimit -n 100; exec "$0" many.vcd many.parquet' "$bin/hwtrace-convert"
expect 0 sh -c 'ulimit -n 100; exec "$0" many.vcd many.csv' "$bin/hwtrace-convert"
[ "$(ls many.parquet | wc -l)" -eq 5000 ] && [ "$(ls many.csv | wc -l)" -eq 5000 ] || fail "not 5000 tables"

# --- what other programs read ----------------------------------------------------------------------------------------

without_readers() {
    skip "$1"
    [ "$failures" -eq 0 ] && exit 77
    finish
    exit 1
}
command -v node >/dev/null || without_readers "node is not installed"
if [ -z "${HWTRACE_DUCKDB-}" ]; then
    command -v npm >/dev/null || without_readers "npm is not installed"
    npm install --ignore-scripts --no-audit --no-fund --prefix "$work/npm" @duckdb/node-api@1.5.6-r.1 hyparquet@1.33.0 \
        >/dev/null 2>&1 || without_readers "npm cannot download DuckDB"
    HWTRACE_DUCKDB=$work/npm/node_modules
fi
export HWTRACE_DUCKDB

traces() {
    find "$data"/*/valid -type f ! -name '*.hex' ! -name '*.txt' -size -256k | sort
    [ -d "${HWTRACE_CORPUS:-}" ] || return 0
    for format in stf uscope pccx ftr flux txlog kanata; do
        [ ! -d "$HWTRACE_CORPUS/$format" ] || find "$HWTRACE_CORPUS/$format" -type f -size -64k | sort | awk 'NR % 8 == 1'
    done
}
tab=$(printf '\t')
number=0
traces | sampled >all_traces
while read -r trace; do
    "$bin/hwtrace-validate" -q "$trace" >/dev/null 2>&1 </dev/null || continue
    number=$((number + 1))
    expect 0 "$bin/hwtrace-convert" -q "$trace" $number.parquet
    expect 0 "$bin/hwtrace-convert" -q "$trace" $number.plain --to parquet --parquet-compression none
    expect 0 "$bin/hwtrace-convert" -q "$trace" $number.csv
    expect 0 "$bin/hwtrace-convert" -q "$trace" --parquet-single $number.single.parquet
    "$bin/hwtrace-convert" -q "$trace" $number.jsonl </dev/null 2>/dev/null
    "$bin/hwtrace-dump" -q --view model --format jsonl --json-u64 string $number.jsonl >$number.model </dev/null
    echo "$trace$tab$number.parquet$tab$number.plain$tab$number.csv$tab$number.single.parquet$tab$number.model" >>list
done <all_traces
[ "$number" -ge "$(at_least 20)" ] || fail "only $number traces were tried"
node "$here/tables.mjs" check list >answer 2>&1 </dev/null || fail "tables.mjs: $(head -20 answer)"
tail -1 answer

# --- row groups ------------------------------------------------------------------------------------------------------

awk 'BEGIN {
    print "$timescale 1 ns $end\n$scope module top $end\n$var wire 64 a address $end\n$var real 64 r level $end"
    print "$upscope $end\n$enddefinitions $end"
    for (t = 0; t < 700000; ++t) printf "#%d\nb%d%d%d a\nr%.3f r\n", t * 3, t % 2, int(t / 1000) % 2, t % 3 == 0, t / 7
}' >long.vcd
expect 0 "$bin/hwtrace-convert" -q long.vcd long.parquet
for table in long.parquet/address.parquet long.parquet/level.parquet; do
    node "$here/tables.mjs" groups $table >answer 2>&1 </dev/null || fail "tables.mjs: $table: $(head -20 answer)"
    tail -1 answer
done
finish

# Tests hwtrace-query, and databases that hwtrace-convert writes.
. "$(dirname "$0")/lib.sh"
testdata=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 1
query=$bin/hwtrace-query
[ -x "$query" ] || { skip "hwtrace was built without SQLite"; exit 77; }

soc=$testdata/ftr/valid/soc.ftr
# The forms of the output.
expect 0 "$query" "$soc" --format csv 'SELECT id, addr FROM "read"'
printf 'id,addr\n3,2147483648\n' | cmp -s - stdout || fail "csv: $(cat stdout)"
expect 0 "$query" "$soc" --format jsonl 'SELECT id, addr FROM "read"'
says stdout '{"id":3,"addr":2147483648}'
is_data jsonl query
expect 0 "$query" "$soc" --format json 'SELECT 1 AS a, NULL AS b; SELECT 2'
says stdout '"schema":"hwtrace-query/1"'
is_data json query
expect 0 "$query" "$soc" 'SELECT id, addr, NULL AS x FROM "read"'
says stdout 'id        addr  x'
says stdout ' 3  2147483648  -'
for form in text csv json jsonl; do
    expect 0 "$query" "$soc" --list --format $form
    is_data $form "the list as $form"
    says stdout transfer
done
# The tables that describe a trace are listed under the names that they have.
cat >names.jsonl <<'END'
{"type":"metadata","key":"board","value":"b1"}
{"type":"event","track":"tracks","time":5}
END
expect 0 "$query" names.jsonl --list --format csv
says stdout 'tracks_2,table,name,text,tracks'
says stdout 'metadata,fact,key,text,board'
expect 0 "$query" names.jsonl --format csv 'SELECT name, tick_num FROM tracks_2'
says stdout 'tracks,'
# --require-match: an answer without rows is the answer no.
expect 0 "$query" "$soc" --require-match 'SELECT id FROM "read"'
expect 0 "$query" "$soc" 'SELECT id FROM "read" WHERE id > 1000'
expect 1 "$query" "$soc" --require-match 'SELECT id FROM "read" WHERE id > 1000'
says stderr "--require-match: the answer has no rows"
# Statements and files can be standard input, but not both.
echo 'SELECT count(*) FROM "read"' | "$query" "$soc" --format csv - >piped || fail "statements from standard input"
[ "$(tail -n 1 piped)" = 1 ] || fail "statements from standard input: $(cat piped)"
cat "$soc" | "$query" - --format csv 'SELECT count(*) FROM "read" a, "transfer" b' >piped || fail "a pipe"
[ "$(tail -n 1 piped)" = 1 ] || fail "a pipe: $(cat piped)"
expect 2 "$query" - -
# Several files are schemas.
cp "$soc" new.ftr
expect 0 "$query" "$soc" new.ftr --format csv 'SELECT count(*) FROM soc."read" a JOIN new."read" b ON a.id = b.id'
says stdout 1
expect 0 "$query" "$soc" new.ftr --list
says stdout new

# Errors.
expect 2 "$query" "$soc"
says stderr '--list lists the tables'
for empty in '' ' ; ' '-- SELECT 1' '/* */;'; do
    expect 2 "$query" "$soc" "$empty"
    says stderr 'SQL: the text has no statement'
done
expect 2 "$query" "$soc" 'SELECT nope FROM "read"'
says stderr 'hwtrace-query: SQL: no such column: nope'
says stderr '--list lists the columns of each table'
expect 2 "$query" "$soc" 'SELECT * FROM reed'
says stderr 'hwtrace-query: SQL: no such table: reed (did you mean read?); --list lists the tables'
expect 2 "$query" "$soc" 'SELECT * FROM nothing_like_it'
says stderr 'hwtrace-query: SQL: no such table: nothing_like_it; --list lists the tables'
# A name without its scope leads to the whole names.
expect 2 "$query" small.pccx 'SELECT * FROM mac_compute'
says stderr 'no such table: mac_compute (did you mean "npu/core0/MAC_COMPUTE" or "npu/core1/MAC_COMPUTE"?); --list'
expect 2 "$query" "$testdata/pccx/valid/npu.pccx" 'SELECT * FROM DMA_READ'
says stderr '(did you mean "npu/core0/DMA_READ", "npu/core1/DMA_READ", "npu/core2/DMA_READ" or 1 more?); --list'
expect 2 "$query" "$soc" "ATTACH '$work/x.db' AS x"
absent x.db
expect 2 "$query" "$soc" "VACUUM INTO '$work/x.db'"
absent x.db
expect 2 "$query" "$soc" 'DELETE FROM "read"'
expect 2 "$query" "$soc" 'SELECT * FROM hwtrace'
expect 6 "$query" "$soc" 'SELECT length(zeroblob(2000000000))'
printf 'SELECT 1;\000SELECT 2' | "$query" "$soc" - >/dev/null 2>&1
[ $? -eq 2 ] || fail "a byte of value 0 in statements"
expect 5 "$query" missing.ftr 'SELECT 1'
expect 4 "$query" "$here/query.sh" 'SELECT 1'
head -c 150 "$soc" >cut.ftr
expect 3 "$query" cut.ftr 'SELECT count(*) FROM tracks'
says stderr 'error FTR'
says stderr '--allow-incomplete accepts this'
expect 0 "$query" --allow-incomplete cut.ftr 'SELECT count(*) FROM tracks'

# SQLite's files are in --tmpdir. They are open and deleted while rows are printed.
if [ -d /proc/self/fd ]; then
    mkdir temporary
    mkfifo sorted
    "$query" "$soc" --tmpdir "$work/temporary" --format csv "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
        LIMIT 40000) SELECT i, hex(zeroblob(200)) AS z FROM n ORDER BY z, i" >sorted 2>/dev/null &
    sorting=$!
    exec 3<sorted
    read -r row <&3
    [ "$row" = i,z ] || fail "a sort: $row"
    read -r row <&3
    ls -l "/proc/$sorting/fd" >open_files
    says open_files "$work/temporary/"
    exec 3<&-
    wait "$sorting"
fi

# A file of SQLite that cannot grow is no fault of the statement.
(
    trap '' XFSZ
    ulimit -f 1000
    "$query" "$soc" "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000)
        SELECT count(*) FROM (SELECT i, hex(zeroblob(200)) AS z FROM n ORDER BY z, i LIMIT -1)"
) >/dev/null 2>stderr
[ $? -eq 5 ] || fail "a full disk: $(cat stderr)"

# A slice.
expect 0 "$query" small.stf --format csv --range '1#:2#' 'SELECT count(*) FROM core0'
[ "$(tail -n 1 stdout)" = 1 ] || fail "--range: $(cat stdout)"
expect 0 "$query" small.stf --format csv --last 1 'SELECT position FROM core0'
[ "$(tail -n 1 stdout)" = 1 ] || fail "--last: $(cat stdout)"
expect 0 "$query" "$soc" --format csv --select track=read 'SELECT name FROM tracks'
[ "$(tail -n +2 stdout)" = read ] || fail "--select: $(cat stdout)"

# Databases.
expect 0 "$bin/hwtrace-convert" -q "$testdata/txlog/valid/bus.txlog" bus.db
expect 2 "$bin/hwtrace-convert" -q "$soc" bus.db
says stderr --force
"$bin/hwtrace-convert" -q "$testdata/txlog/valid/bus.txlog" --to sqlite - >piped.db || fail "a database on standard output"
same bus.db piped.db
if [ -w /dev/full ]; then
    "$bin/hwtrace-convert" -q "$soc" --to sqlite - >/dev/full 2>stderr
    [ $? -eq 5 ] || fail "a full disk: $(cat stderr)"
fi
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 bus.db 'PRAGMA integrity_check')" = ok ] || fail "the database is damaged"
    sqlite3 bus.db 'SELECT from_table, to_table FROM after_ends' >ends || fail "the view of ends"
    grep -q 'access|access' ends || fail "the view of ends: $(cat ends)"
    # The ends of a relation behind the last column that SQLite takes have no view.
    {
        echo '{"schema":"hwtrace-jsonl/1"}'
        echo '{"type":"track","name":"iv","kind":"interval","time":"ns","fields":{"id":"u64"}}'
        printf '{"type":"track","name":"rel","kind":"relation","time":"ns","fields":{'
        seq 2100 | sed 's/.*/"f&":"u8",/' | tr -d '\n'
        echo '"from":"u64","to":"u64"}}'
        echo '{"time":0,"duration":5,"track":"iv","id":1}'
        echo '{"type":"relation","time":1,"track":"rel","from":1,"to":1}'
    } >wide_relation.jsonl
    expect 0 "$bin/hwtrace-convert" -q wide_relation.jsonl wide_relation.db --allow-loss
    [ "$(sqlite3 wide_relation.db "SELECT count(*) FROM sqlite_master WHERE type = 'view'")" = 0 ] ||
        fail "a view of ends that are no columns"
    expect 0 "$bin/hwtrace-convert" -q "$testdata/stf/valid/sum.zstf" sum.db
    sqlite3 sum.db 'EXPLAIN QUERY PLAN SELECT * FROM core0 WHERE position > 5' | grep -q 'USING INDEX core0.position' ||
        fail "no index of times"
    module=$bin/../lib/hwtrace/hwtrace.so
    for folder in "$bin"/../lib/*/hwtrace; do [ -e "$folder/hwtrace.so" ] && module=$folder/hwtrace.so; done
    if [ -e "$module" ]; then
        sqlite3 -cmd ".load $module" :memory: \
            "CREATE VIRTUAL TABLE r USING hwtrace('$soc', 'read'); SELECT id, addr FROM r WHERE begin < 5000" >rows ||
            fail "the extension"
        grep -qx '3|2147483648' rows || fail "the extension: $(cat rows)"
        sqlite3 -cmd ".load $module" :memory: \
            "SELECT json_extract(row, '\$.addr') FROM hwtrace_rows('$soc', 'read')" >rows || fail "the function"
        grep -qx 2147483648 rows || fail "the function: $(cat rows)"
        ! sqlite3 -cmd ".load $module" :memory: 'SELECT * FROM hwtrace' 2>rows || fail "the module as a table"
        grep -q 'no such table' rows || fail "the module as a table: $(cat rows)"
        {
            echo '{"schema":"hwtrace-jsonl/1"}'
            echo '{"type":"track","name":"e","kind":"event","time":"ns","fields":{"r":"f64"}}'
            echo '{"time":1,"track":"e","r":"-Infinity"}'
        } >infinite.jsonl
        sqlite3 -cmd ".load $module" :memory: \
            "SELECT json_extract(row, '\$.r') FROM hwtrace_rows('infinite.jsonl', 'e')" >rows || fail "infinite numbers"
        grep -qx -- -Infinity rows || fail "infinite numbers: $(cat rows)"
        ! sqlite3 -cmd ".load $module" :memory: "SELECT * FROM hwtrace_rows('$work/none.ftr', 'read')" 2>rows ||
            fail "a missing file"
        grep -q 'none.ftr' rows || fail "a missing file: $(cat rows)"
    else
        skip "the extension of SQLite was not built"
    fi
else
    skip "the shell sqlite3 is not installed"
fi

# Every trace of testdata: rows are those of the records, in queries and in databases.
if command -v python3 >/dev/null && python3 -c 'import sqlite3'; then
    for file in "$testdata"/*/valid/*; do
        case $file in
        *.hex | *.md) ;;
        *) echo "$file" ;;
        esac
    done >traces.list
    xargs python3 "$here/query_rows.py" "$bin" "$work" <traces.list >stdout 2>stderr || fail "$(tail -n 1 stderr)"
    cat stdout
else
    skip "python3 with sqlite3 is not installed"
fi
finish

# Tests recordings of transactions: logs and FTR, whole and sliced, as text and data.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

cat >run.txlog <<'LOG'
scv_tr_stream (ID 1, name "soc.bus", kind "bus")
scv_tr_stream (ID 2, name "soc.mem", kind "memory")
scv_tr_stream (ID 3, name "soc.idle", kind "<no_stream_kind>")
scv_tr_generator (ID 4, name "read", scv_tr_stream 1,
begin_attribute (ID 0, name "addr", type "UNSIGNED")
end_attribute (ID 1, name "data", type "UNSIGNED")
)
scv_tr_generator (ID 5, name "access", scv_tr_stream 2,
)
scv_tr_generator (ID 6, name "never", scv_tr_stream 2,
)
tx_begin 1 4 0 s
a 16
tx_begin 2 5 10 ns
tx_relation "causes" 2 1
tx_end 2 5 20 ns
tx_end 1 4 30 ns
a 7
tx_begin 3 4 40 ns
a 32
tx_begin 4 5 50 ns
tx_record_attribute 4 "bank" STRING = "north"
tx_relation "causes" 4 3
tx_end 4 5 60 ns
tx_end 3 4 70 ns
a 9
LOG

# shown NUMBERS FILE ARGUMENTS...: checks that the view of the format prints these transactions and relations, in order.
shown() {
    asked=$1
    shift
    expect 0 "$bin/hwtrace-dump" "$@"
    found=$(sed -n -e 's/^tx \([0-9]*\).*/\1/p' -e 's/^relation [a-z]* \([0-9]*\) -> \([0-9]*\).*/\1>\2/p' \
        -e 's/^ *[0-9][0-9]* begin \([0-9]*\).*/\1/p' -e 's/^ *relation "[a-z]*" from=\([0-9]*\) to=\([0-9]*\)/\1>\2/p' stdout | tr '\n' ' ')
    [ "$found" = "$asked" ] || fail "$* shows '$found' instead of '$asked'"
}

expect 3 "$bin/hwtrace-convert" run.txlog run.ftr
says stderr "order-changed causes"
expect 0 "$bin/hwtrace-validate" run.ftr
# After converting back, only relations have moved, because FTR gives them no time.
expect 3 "$bin/hwtrace-convert" run.ftr again.txlog
says stderr "order-changed records, 2 times"
[ "$(grep -c lost: stderr)" -eq 1 ] || fail "run.ftr loses more as a log: $(cat stderr)"
grep -v tx_relation run.txlog >wanted
grep -v tx_relation again.txlog >found
same found wanted
sort run.txlog >wanted
sort again.txlog >found
same found wanted

# Slices are taken by position, time, stream and generator. A relation belongs to the slice of its sink. FTR stores each
# stream separately.
shown "1 3 2 4 1>2 3>4 " run.ftr
shown "1 2 1>2 3 4 3>4 " run.txlog
for part in "1 3 :--range 0#:2#" "2 4 1>2 3>4 :--last 2" "3 2 1>2 :--range 1#:3#" "1 :--range 25ns:40ns" \
    "2 4 1>2 3>4 :--select scope=soc.mem" "1 3 :--select track=read" "4 3>4 :--select track=access --range 30ns:" \
    "1>2 3>4 :--select kind=relation" "1>2 3>4 :--select track=causes" "2 4 1>2 3>4 :--select scope=*mem"; do
    # shellcheck disable=SC2086
    shown "${part%%:*}" run.ftr ${part#*:}
    # A log has transactions in order of time, and relations where they were stated.
    # shellcheck disable=SC2086
    expect 0 "$bin/hwtrace-dump" run.txlog ${part#*:}
    # shellcheck disable=SC2086
    expect 0 "$bin/hwtrace-convert" run.ftr part.ftr --force --allow-loss ${part#*:}
    shown "${part%%:*}" part.ftr
    expect 0 "$bin/hwtrace-validate" part.ftr
done
shown "3 4 3>4 " run.txlog --last 2
shown "2 1>2 4 3>4 " run.txlog --select scope=soc.mem
shown "1>2 3>4 " run.txlog --select track=causes
grep -q 'stream 1' stdout && fail "streams without selected records are shown"
expect 3 "$bin/hwtrace-convert" run.ftr part.ftr --force --select scope=soc.mem
says stderr "part-dropped causes, 2 times, first from 1 to 2: the first is outside the slice"
expect 0 "$bin/hwtrace-convert" run.ftr part.ftr --force --range '0#:2#' --verify
expect 0 "$bin/hwtrace-convert" run.ftr part.ftr --force --select track=read --verify
expect 0 "$bin/hwtrace-info" run.ftr --select scope=soc.mem
says stdout "model.interval           2"
says stdout "model.relation           2"
for view in transactions tree; do
    expect 0 "$bin/hwtrace-dump" run.ftr --view $view --range 1s:
    says stderr "nothing is in the range"
    expect 2 "$bin/hwtrace-dump" run.ftr --view $view --range 1cyc:
    expect 2 "$bin/hwtrace-dump" run.ftr --view $view --select scope=nothing
    expect 2 "$bin/hwtrace-dump" run.ftr --view $view --select mode=user
done
expect 0 "$bin/hwtrace-dump" run.txlog --range 1s:
says stderr "nothing is in the range"
expect 2 "$bin/hwtrace-dump" run.txlog --select scope=nothing
expect 0 "$bin/hwtrace-dump" run.txlog --view log --format jsonl --last 1
says stdout '{"statement":"begin","time":40000,"id":3,"generator":4}'

# Times in tables have units. JSON has exact ticks.
expect 0 "$bin/hwtrace-info" "$2/txlog/valid/bus.txlog"
grep -Eq '^ +durations by track +count' stdout || fail "no durations: $(cat stdout)"
grep -A 1 'durations by track' stdout | grep -Eq '[0-9.]+ [nµ]s +[0-9.]+ [nµ]s' || fail "no units: $(grep -A 2 'durations by' stdout)"
! grep -q ', ps' stdout || fail "a heading has the unit: $(grep ', ps' stdout)"
[ "$(grep -v -e '->' -e 'begin to end' stdout | wc -L)" -le 80 ] || fail "hwtrace-info has $(wc -L <stdout) columns"
! grep -q ' $' stdout || fail "lines of hwtrace-info end in blanks"
expect 0 "$bin/hwtrace-info" "$2/txlog/valid/bus.txlog" --format json
says stdout '"unit": "ps"'
! grep -q '[0-9] [nµm]s"' stdout || fail "JSON has times as text: $(grep '[0-9] [nµm]s"' stdout)"
# Cycles have no other unit.
expect 0 "$bin/hwtrace-info" "$2/pccx/valid/npu.pccx"
grep -Eq '^ +(durations by track,|cycles +count)' stdout || fail "no durations in cycles: $(cat stdout)"
# The view tree counts the records of each stream and generator, even for a slice.
expect 0 "$bin/hwtrace-dump" run.ftr --view tree
says stdout "stream 3 soc.idle"
says stdout "  generator 4 read: 2 transactions, 0..70000"
says stdout "  generator 6 never: 0 transactions"
says stdout "relation causes: 2 times"
expect 0 "$bin/hwtrace-dump" run.ftr --view tree --select track=access --range 30ns:
says stdout "  generator 5 access: 1 transaction, 50000..60000"
says stdout "relation causes: 1 time"
grep -q soc.idle stdout && fail "a stream without selected records is shown"
expect 0 "$bin/hwtrace-dump" run.ftr --view tree --format csv
says stdout "generator,1,soc.bus,bus,4,read,2,0,70000,,,,"
says stdout "attribute,2,soc.mem,memory,5,access,,,,record,bank,text,"
says stdout "relation,,,,,,2,,,,,,causes"
expect 0 "$bin/hwtrace-dump" run.ftr --view tree --format jsonl
says stdout '{"type":"generator","id":6,"name":"never","stream":2,"transactions":0,"attributes":[]}'
expect 0 "$bin/hwtrace-dump" run.ftr --view tree --format json
says stdout '"relations":['
expect 0 "$bin/hwtrace-dump" run.ftr --format csv --last 1
says stdout 'transaction,4,soc.mem,access,5,50000,60000,"[[""record"",""bank"",""text"",""north""]]"'
[ "$(wc -l <stdout)" -eq 3 ] || fail "--last 1 as CSV has $(wc -l <stdout) lines"
expect 0 "$bin/hwtrace-dump" run.ftr --format jsonl --range '2#:3#'
says stdout '"streams":[{"id":1'
says stdout '{"type":"relation","name":"causes","source":1,"sink":2,"source_stream":1,"sink_stream":2}'
"$bin/hwtrace-dump" - --last 2 <run.ftr >piped 2>/dev/null
"$bin/hwtrace-dump" run.ftr --last 2 >stdout
same piped stdout

# Ticks of any length have a unit: fs below 1 ps.
sed 's/10 ns/10 fs/' run.txlog >fine.txlog
expect 3 "$bin/hwtrace-convert" fine.txlog fine.ftr
expect 0 "$bin/hwtrace-info" fine.ftr
grep -Eq "^ +soc.mem +2 +10 fs +60 ns" stdout || fail "no times in fs: $(cat stdout)"

# The compression of the source is kept. Changing it and changing it back gives the same trace.
expect 0 "$bin/hwtrace-convert" run.ftr small.ftr --ftr-compression lz4 --verify
expect 0 "$bin/hwtrace-convert" small.ftr same_size.ftr --verify
same same_size.ftr small.ftr
expect 0 "$bin/hwtrace-convert" small.ftr plain.ftr --ftr-compression none --verify
"$bin/hwtrace-dump" plain.ftr >plain.txt
"$bin/hwtrace-dump" run.ftr >run.txt
same plain.txt run.txt
cmp -s small.ftr run.ftr && fail "LZ4 changes nothing"

# Without a creation time in the source, SOURCE_DATE_EPOCH is used.
expect 3 env SOURCE_DATE_EPOCH=7 "$bin/hwtrace-convert" run.txlog dated.ftr
expect 0 "$bin/hwtrace-dump" dated.ftr
says stdout "ftr.epoch 7"
expect 2 env SOURCE_DATE_EPOCH=today "$bin/hwtrace-convert" run.txlog undated.ftr
expect 0 "$bin/hwtrace-convert" dated.ftr dated_anew.ftr --ftr-epoch 5 --verify
expect 0 "$bin/hwtrace-convert" dated.ftr same_date.ftr
"$bin/hwtrace-dump" same_date.ftr >same_date.txt
"$bin/hwtrace-dump" dated.ftr >dated.txt
same same_date.txt dated.txt

# Compressed logs are written by name and detected by content.
for packing in gz lz4 lz zst xz; do
    expect 0 "$bin/hwtrace-convert" run.txlog packed.txlog.$packing --verify
    expect 0 "$bin/hwtrace-convert" packed.txlog.$packing unpacked.txlog --force
    same unpacked.txlog run.txlog
done
expect 3 "$bin/hwtrace-convert" packed.txlog.gz packed.ftr
same packed.ftr run.ftr

# Recordings may be empty, or have streams without generators and generators without transactions.
head -3 run.txlog >streams.txlog
head -11 run.txlog >generators.txlog
for log in streams generators; do
    expect 0 "$bin/hwtrace-convert" $log.txlog $log.ftr
    expect 0 "$bin/hwtrace-validate" $log.txlog $log.ftr
    for file in $log.txlog $log.ftr; do
        for form in text json jsonl csv; do
            expect 0 "$bin/hwtrace-dump" $file --format $form
            [ -s stdout ] || fail "$file as $form is empty"
        done
        expect 0 "$bin/hwtrace-info" $file
        expect 0 "$bin/hwtrace-convert" $file empty.uscope --force --verify
        expect 0 "$bin/hwtrace-convert" empty.uscope back.ftr --force --verify
    done
    expect 0 "$bin/hwtrace-dump" $log.ftr --view tree
    says stdout "stream 3 soc.idle"
done

# Transactions of a core and a bus become STF. Missing attributes are reported.
cat >core.txlog <<'LOG'
scv_tr_stream (ID 1, name "core0", kind "pipeline")
scv_tr_stream (ID 2, name "bus", kind "transactor")
scv_tr_generator (ID 3, name "instruction", scv_tr_stream 1,
begin_attribute (ID 0, name "pc", type "UNSIGNED")
begin_attribute (ID 1, name "encoding", type "UNSIGNED")
)
scv_tr_generator (ID 4, name "write", scv_tr_stream 2,
begin_attribute (ID 0, name "addr", type "UNSIGNED")
begin_attribute (ID 1, name "bytes", type "UNSIGNED")
)
tx_begin 1 3 0 s
a 4096
a 33554543
tx_begin 2 3 1 ns
a 4128
a 17665
tx_begin 3 4 1 ns
a 2147483648
a 8
tx_end 1 3 2 ns
tx_end 3 4 3 ns
tx_end 2 3 4 ns
LOG
expect 3 "$bin/hwtrace-convert" core.txlog core.stf
says stderr "assumed the interconnect"
expect 0 "$bin/hwtrace-validate" core.stf
expect 0 "$bin/hwtrace-dump" core.stf --view records
says stdout "INST_PC_TARGET 0000000000001020"
says stdout "BUS_MASTER_ACCESS WRITE 0000000080000000 ICN0 8 00000000"
expect 0 "$bin/hwtrace-convert" core.stf core.ftr --verify
expect 0 "$bin/hwtrace-dump" core.ftr
says stdout "pc=0x1020 "
expect 0 "$bin/hwtrace-convert" core.ftr again.stf --verify
same again.stf core.stf
expect 0 "$bin/hwtrace-convert" core.ftr part.stf --range '1#:2#'
expect 4 "$bin/hwtrace-convert" run.txlog none.stf
says stderr "'read' lacks a size"
# A log whose times decrease keeps its order in µScope. A log is written sorted, directly or from µScope.
cat >delayed.txlog <<'END'
scv_tr_stream (ID 1, name "bus", kind "transactor")
scv_tr_generator (ID 4, name "read", scv_tr_stream 1,
)
tx_begin 1 4 0 s
tx_end 1 4 50 ns
tx_begin 2 4 20 ns
tx_relation "next" 2 1
tx_end 2 4 60 ns
END
expect 0 "$bin/hwtrace-convert" delayed.txlog delayed.uscope --verify
expect 3 "$bin/hwtrace-convert" delayed.txlog sorted.txlog
says stderr "order-changed records, 1 time"
expect 3 "$bin/hwtrace-convert" delayed.uscope back.txlog
says stderr "order-changed records, 1 time"
same sorted.txlog back.txlog

finish

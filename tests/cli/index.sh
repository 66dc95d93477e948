# Tests hwtrace-index, and that slices are the same with an index, without one, and with one that does not fit.
. "$(dirname "$0")/lib.sh"
data=$(cd "$2" && pwd)
cd "$work" || exit 1

# A trace that is long enough for several checkpoints: one is at least a batch of records behind the last.
{ stf_header; stf_instructions 14; } >plain.stf
cp "$data/stf/valid/sum.zstf" sum.zstf
gzip -c plain.stf >packed.stf.gz

expect 0 "$bin/hwtrace-index" --every 1 plain.stf sum.zstf packed.stf.gz -v
says stderr "plain.stf.hwtidx: "
says stderr "16384 positions, 32 checkpoints"
for trace in plain.stf sum.zstf packed.stf.gz; do
    expect 0 "$bin/hwtrace-index" --check "$trace"
    says stdout "$trace.hwtidx: fits the trace"
done

# The same trace and options give the same index. An existing one is replaced only with --force.
expect 0 "$bin/hwtrace-index" --every 1 plain.stf -o other.idx -j 3
same plain.stf.hwtidx other.idx
expect 2 "$bin/hwtrace-index" plain.stf
expect 0 "$bin/hwtrace-index" plain.stf --force
expect 0 "$bin/hwtrace-index" --check plain.stf
says stdout "16384 positions, 0 checkpoints" # too short for the usual distance
expect 0 "$bin/hwtrace-index" plain.stf -f --every 1

# slices TRACE NAME: converts, prints and counts slices of the trace, into files that begin with NAME.
slices() {
    trace=$1 name=$2
    rm -f "$name".*
    expect "${3:-0}" "$bin/hwtrace-convert" "$trace" "$name.last.uscope" --last 5 --clock 1GHz --ipc 1
    expect "${3:-0}" "$bin/hwtrace-convert" "$trace" "$name.shard.zstf" --shard 2/3
    expect "${3:-0}" "$bin/hwtrace-convert" "$trace" "$name.range.stf" --range 1500#:1503#
    expect "${3:-0}" "$bin/hwtrace-convert" "$trace" "$name.tables.csv" --csv-single --shard 3/3
    expect "${3:-0}" "$bin/hwtrace-dump" "$trace" --view model --around 1400# -C 2
    cp stdout "$name.around"
    expect "${3:-0}" "$bin/hwtrace-dump" "$trace" --view instructions --last 3
    cp stdout "$name.instructions"
    expect "${3:-0}" "$bin/hwtrace-info" "$trace" --shard 3/4
    cp stdout "$name.info"
    expect "${3:-0}" "$bin/hwtrace-split" "$trace" -o "$name.{}.stf" --into 4 -f
    rm -f "$name"*.manifest.json
}
# same_slices A B: compares what slices() has made.
same_slices() {
    compared=0
    for one in "$1".*; do
        same "$one" "$2.${one#"$1".}"
        compared=$((compared + 1))
    done
    [ "$compared" -ge 10 ] || fail "only $compared slices of $1 are compared"
}

for trace in plain.stf sum.zstf packed.stf.gz; do
    mv "$trace.hwtidx" index
    slices "$trace" without
    cp index "$trace.hwtidx"
    slices "$trace" with
    same_slices without with
    expect 0 "$bin/hwtrace-convert" "$trace" last.jsonl -f --last 2 -v
    says stderr "$trace.hwtidx: used: "

    # A damaged checkpoint, directory or version, a cut, and the index of another trace: slower, and a note.
    size=$(wc -c <index)
    for at in 20 9 $((size / 2)) $((size - 60)) $((size - 1)); do
        cp index "$trace.hwtidx"
        printf '\377' | dd of="$trace.hwtidx" bs=1 seek="$at" conv=notrunc 2>/dev/null
        slices "$trace" damaged
        same_slices without damaged
    done
    says_note() { says stderr "hwtrace-index --force makes it again"; }
    head -c 100 index >"$trace.hwtidx"
    expect 0 "$bin/hwtrace-convert" "$trace" last.jsonl -f --last 2
    says_note
    says stderr "not used, because it is damaged"
    expect 1 "$bin/hwtrace-index" --check "$trace"
    says stdout "is damaged"
    cp index "$trace.hwtidx"
    printf '\011' | dd of="$trace.hwtidx" bs=1 seek=8 conv=notrunc 2>/dev/null
    expect 0 "$bin/hwtrace-convert" "$trace" last.jsonl -f --last 2
    says stderr "was made by a newer version of hwtrace"
    rm "$trace.hwtidx"
done

# A µScope file has checkpoints between segments, also for times.
expect 0 "$bin/hwtrace-convert" plain.stf seg.uscope --clock 1GHz --ipc 1 --uscope-checkpoint 1us
expect 0 "$bin/hwtrace-index" seg.uscope --every 1 -v
! grep -q ', 0 checkpoints' stderr || fail "a µScope file with many segments has no checkpoints"
mv seg.uscope.hwtidx index
for name in without with; do
    expect 0 "$bin/hwtrace-convert" seg.uscope "$name.time.uscope" -f --range 9us:9500ns
    expect 0 "$bin/hwtrace-convert" seg.uscope "$name.last.uscope" -f --last 50
    expect 0 "$bin/hwtrace-convert" seg.uscope "$name.shard.uscope" -f --shard 2/3
    expect 0 "$bin/hwtrace-dump" seg.uscope --view model --around 12us -C 3
    cp stdout "$name.around"
    expect 0 "$bin/hwtrace-dump" seg.uscope --view model --range 60000#:60010#
    cp stdout "$name.range"
    expect 0 "$bin/hwtrace-info" seg.uscope --range 9us:9500ns
    cp stdout "$name.info"
    cp index seg.uscope.hwtidx
done
for what in time.uscope last.uscope shard.uscope around range info; do
    same "without.$what" "with.$what"
done
[ -s with.around ] || fail "nothing is around 12us"

# A damaged checkpoint is noticed when it is used.
expect 0 "$bin/hwtrace-index" plain.stf --every 1
printf '\377\377' | dd of=plain.stf.hwtidx bs=1 seek=300 conv=notrunc 2>/dev/null
expect 1 "$bin/hwtrace-index" --check plain.stf
says stdout "differs from the index of the trace as it is now"

# The trace has changed since.
expect 0 "$bin/hwtrace-index" plain.stf -f --every 1
stf_instructions 1 >>plain.stf
expect 0 "$bin/hwtrace-convert" plain.stf grown.jsonl --last 2
says stderr "belongs to another trace, or to another version of this one"


# A damaged trace: only the counts.
head -c 50001 plain.stf >cut.stf
expect 3 "$bin/hwtrace-index" cut.stf --every 1
says stderr "its index has no checkpoints"
expect 0 "$bin/hwtrace-index" cut.stf -f --allow-incomplete
expect 3 "$bin/hwtrace-convert" cut.stf cut.with.stf --last 3
rm cut.stf.hwtidx
expect 3 "$bin/hwtrace-convert" cut.stf cut.without.stf --last 3
same cut.with.stf cut.without.stf

# Logs and formats whose tracks appear while reading have checkpoints, too.
awk 'BEGIN {
    print "scv_tr_stream (ID 1, name \"bus\", kind \"k\")\nscv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n)"
    for (id = 1; id <= 4000; ++id) {
        printf "tx_begin %d 2 %d ns\ntx_record_attribute %d \"a%d\" UNSIGNED = %d\n", id, 10 * id, id, id / 900, id
        if (id % 5 == 0) printf "tx_record_attribute %d \"text\" STRING = \"t%d\"\n", id, id
        printf "tx_end %d 2 %d ns\n", id, 10 * id + 5
        if (id % 3 == 0) printf "tx_relation \"before\" %d %d\n", id, id - 1
    }
}' >run.txlog
awk 'BEGIN {
    print "Kanata\t0004\nC=\t0"
    for (id = 0; id < 4000; ++id) {
        printf "I\t%d\t%d\t0\nL\t%d\t0\t%x: nop\nS\t%d\t0\tF\nC\t1\n", id, id, id, 4096 + 4 * id, id
        if (id >= 2) printf "R\t%d\t%d\t0\n", id - 2, id - 2
    }
}' >run.kanata
# Each cycle is longer than the distance of checkpoints, and all of it is in one shard.
awk 'BEGIN {
    print "Kanata\t0004\nC=\t0"
    for (id = 0; id < 4000; ++id) {
        printf "I\t%d\t%d\t0\nS\t%d\t0\tF\n", id, id, id
        if (id % 900 == 0) print "C\t1"
    }
}' >wide.kanata
awk 'BEGIN {
    for (i = 0; i < 4000; ++i)
        printf "core   0: 3 0x%016x (0x00150513) x10 0x%016x\n", 2147483648 + 4 * i, i
}' >run.commitlog
gzip -c run.commitlog >packed.commitlog.gz
expect 0 "$bin/hwtrace-convert" run.txlog run.ftr --allow-loss
expect 0 "$bin/hwtrace-convert" run.txlog run.flux --allow-loss
"$bin/hwtrace-convert" run.txlog run.pccx --allow-loss >stdout 2>stderr || fail "cannot convert to pccx"
for trace in run.txlog run.kanata wide.kanata run.commitlog packed.commitlog.gz run.ftr run.flux run.pccx; do
    expect 0 "$bin/hwtrace-index" --every 1 "$trace" -v
    ! grep -q ', 0 checkpoints' stderr || fail "$trace has no checkpoints"
    expect 0 "$bin/hwtrace-index" --check "$trace"
    mv "$trace.hwtidx" index
    for name in without with; do
        rm -f "$name".*
        for slice in "--last 5" "--shard 2/3" "--range 2000#:2003#"; do
            what=$(echo "$slice" | tr -dc 'a-z0-9')
            # shellcheck disable=SC2086 # a slice is an option and its value
            expect 0 "$bin/hwtrace-convert" "$trace" "$name.$what.jsonl" $slice --allow-loss
            # shellcheck disable=SC2086
            expect 0 "$bin/hwtrace-convert" "$trace" "$name.$what.uscope" $slice --clock 1GHz --ipc 1 --allow-loss
            # shellcheck disable=SC2086
            expect 0 "$bin/hwtrace-convert" "$trace" "$name.$what.ftr" $slice --clock 1GHz --ipc 1 --allow-loss
            # shellcheck disable=SC2086
            expect 0 "$bin/hwtrace-info" "$trace" $slice
            cp stdout "$name.$what.info"
        done
        expect 0 "$bin/hwtrace-dump" "$trace" --view model --around 3000# -C 2
        cp stdout "$name.around"
        cp index "$trace.hwtidx"
    done
    same_slices without with
    head -c 100 index >"$trace.hwtidx"
    expect 0 "$bin/hwtrace-convert" "$trace" damaged.jsonl -f --last 5 --allow-loss
    says_note
    same damaged.jsonl without.last5.jsonl
    rm "$trace.hwtidx"
done
expect 0 "$bin/hwtrace-index" --every 1 run.ftr
expect 0 "$bin/hwtrace-dump" run.ftr --view model --around id=3500 -C 1
cp stdout with.id
expect 0 "$bin/hwtrace-diff" run.ftr run.txlog --last 10
rm run.ftr.hwtidx
expect 0 "$bin/hwtrace-dump" run.ftr --view model --around id=3500 -C 1
same stdout with.id

# Other formats get counts.
cp "$data/o3pipeview/valid/"*.o3pipeview .
for trace in *.o3pipeview; do
    expect 0 "$bin/hwtrace-convert" "$trace" "without.$trace" --shard 2/3 --allow-loss
    expect 0 "$bin/hwtrace-index" "$trace"
    says stderr "has no checkpoints"
    expect 0 "$bin/hwtrace-convert" "$trace" "with.$trace" --shard 2/3 --allow-loss
    same "with.$trace" "without.$trace"
    expect 0 "$bin/hwtrace-index" --check "$trace"
    break
done

# Usage.
expect 2 "$bin/hwtrace-index"
expect 2 "$bin/hwtrace-index" plain.stf sum.zstf -o one
expect 2 "$bin/hwtrace-index" plain.stf -f --every 0
expect 2 "$bin/hwtrace-index" plain.stf --check --every 5
expect 2 "$bin/hwtrace-index" plain.stf -o plain.stf -f
expect 5 "$bin/hwtrace-index" missing.stf
expect 5 "$bin/hwtrace-index" --check sum.zstf # it has no index
mkfifo pipe
cat plain.stf >pipe &
expect 2 "$bin/hwtrace-index" pipe
wait
finish

# Tests that -j changes neither outputs nor messages nor exit codes, for pairs of formats and for printed reports.
. "$(dirname "$0")/lib.sh"
data=$2
cd "$work" || exit 1

# run THREADS COMMAND...: runs the command with so many threads. Keeps its exit code and messages in said.THREADS.
run() {
    threads=$1
    shift
    "$@" -j "$threads" >"printed.$threads" 2>"said.$threads" </dev/null
    echo "exit $?" >>"said.$threads"
}
# alike COMMAND...: checks that the command prints the same with every number of threads.
alike() {
    for count in 1 2 8; do
        run $count "$@"
        cmp -s "printed.$count" printed.1 || fail "-j $count prints something else: $*"
        cmp -s "said.$count" said.1 || fail "-j $count says something else: $* $(diff said.1 "said.$count" | head -3)"
    done
    compared=$((${compared:-0} + 1))
}

for source in stf/valid/sum.zstf stf/valid/traffic.stf uscope/valid/pipeline.uscope uscope/valid/npu.uscope \
    pccx/valid/npu.pccx ftr/valid/soc.ftr jsonl/valid/everything.jsonl jsonl/valid/growing.jsonl vcd/valid/kinds.vcd \
    kanata/valid/pipeline.kanata txlog/valid/bus.txlog o3pipeview/valid/branch.o3pipeview \
    commitlog/valid/spike.commitlog; do
    for target in stf uscope pccx ftr flux jsonl kanata txlog vcd perfetto; do
        for threads in 1 2 8; do
            rm -f out losses
            run $threads "$bin/hwtrace-convert" "$data/$source" out --to $target --loss-report losses --clock 1GHz
            : >>out
            : >>losses
            mv out "out.$threads"
            mv losses "losses.$threads"
        done
        for threads in 2 8; do
            for file in out losses said; do
                cmp -s $file.$threads $file.1 ||
                    fail "$source to $target: -j $threads gives other $file: $(diff $file.1 $file.$threads | head -3)"
            done
        done
        [ -s out.1 ] && converted=$((${converted:-0} + 1))
    done
done
[ "${converted:-0}" -ge 80 ] || fail "only ${converted:-0} conversions were compared"

# Slices, damaged inputs, verification.
sum=$data/stf/valid/sum.zstf
head -c 9000 "$sum" >cut.zstf
for options in "--range 100#:900#" "--last 7" "--shard 2/3" "--select kind=event" "--verify"; do
    # shellcheck disable=SC2086
    alike "$bin/hwtrace-convert" "$sum" - --to uscope $options
done
alike "$bin/hwtrace-convert" cut.zstf - --to uscope
alike "$bin/hwtrace-convert" cut.zstf - --to jsonl --strict
alike "$bin/hwtrace-merge" "$sum" "$data/pccx/valid/npu.pccx" "$data/ftr/valid/soc.ftr" -o - --to jsonl --clock 1GHz

# Printed reports.
for source in "$sum" cut.zstf "$data/ftr/valid/soc.ftr" "$data/pccx/valid/npu.pccx" "$data/jsonl/valid/everything.jsonl"; do
    alike "$bin/hwtrace-info" "$source" --format json
    alike "$bin/hwtrace-info" "$source" --shard 2/3
    alike "$bin/hwtrace-dump" "$source" --view model
    alike "$bin/hwtrace-dump" "$source" --view model --first 5
    alike "$bin/hwtrace-validate" "$source" --level semantic --report json
done
for trace in $(find "$data"/*/invalid -type f ! -name '*.hex' ! -name '*.md' | sort | sampled); do
    alike "$bin/hwtrace-validate" "$trace" --level semantic
    alike "$bin/hwtrace-info" "$trace"
done

# Threads that begin at the checkpoints of an index.
for source in stf/valid/sum.zstf stf/valid/traffic.stf pccx/valid/npu.pccx kanata/valid/pipeline.kanata; do
    trace=$(basename "$source")
    cp "$data/$source" "$trace"
    "$bin/hwtrace-index" --every 20 --force "$trace" || fail "hwtrace-index $source"
    alike "$bin/hwtrace-info" "$trace"
    alike "$bin/hwtrace-info" "$trace" --format json
    alike "$bin/hwtrace-validate" "$trace" --level semantic --report json
done

# An error ends all threads.
if [ -w /dev/full ]; then
    for threads in 1 4; do
        "$bin/hwtrace-convert" "$sum" - --to jsonl -j $threads >/dev/full 2>stderr
        [ $? -eq 5 ] || fail "a full disk does not give exit code 5 with -j $threads"
    done
fi
finish

# Tests that the same input and options give the same bytes, for every number of threads, folder and locale.
. "$(dirname "$0")/lib.sh"
data=$2
cd "$work" || exit 1
mkdir elsewhere

for source in stf/valid/sum.zstf uscope/valid/pipeline.uscope pccx/valid/npu.pccx; do
    for target in stf uscope pccx ftr flux kanata o3pipeview txlog; do
        "$bin/hwtrace-convert" "$data/$source" first --to $target --force --allow-loss -q -j 1 2>/dev/null || continue
        for threads in 2 8; do
            "$bin/hwtrace-convert" "$data/$source" again --to $target --force --allow-loss -q -j $threads
            same again first
        done
        (cd elsewhere && LC_ALL=C.UTF-8 TZ=Asia/Tokyo "$bin/hwtrace-convert" "$data/$source" ../again --to $target \
            --force --allow-loss -q)
        same again first
        LC_ALL=C TMPDIR=$work/elsewhere "$bin/hwtrace-convert" - - --to $target --allow-loss -q \
            <"$data/$source" >again
        same again first
        compared=$((${compared:-0} + 1))
    done
done
[ "${compared:-0}" -ge 12 ] || fail "only ${compared:-0} conversions were compared"

# Merges and printed reports also have the same bytes.
for threads in 1 2 8; do
    expect 0 "$bin/hwtrace-merge" "$data/stf/valid/sum.zstf" "$data/pccx/valid/npu.pccx" -o m$threads.uscope --clock 1GHz \
        -j $threads
    "$bin/hwtrace-dump" m$threads.uscope --view model -j $threads >d$threads
done
same m2.uscope m1.uscope
same m8.uscope m1.uscope
same d2 d1
same d8 d1
finish

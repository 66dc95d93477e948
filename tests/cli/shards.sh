# Tests shards: --shard in every command, hwtrace-split --into, manifests, hwtrace-merge --concat.
. "$(dirname "$0")/lib.sh"
data=$2
cd "$work" || exit 1

{ stf_header; stf_instructions 5; } >core.stf
sum=$data/stf/valid/sum.zstf
soc=$data/ftr/valid/soc.ftr

# --shard is I/N, and excludes the other ways to choose a range.
for text in 0/8 9/8 3 x/8 3/ ; do
    expect 2 "$bin/hwtrace-info" core.stf --shard $text
    says stderr "takes I/N"
done
for tool in info dump; do
    expect 2 "$bin/hwtrace-$tool" core.stf --shard 1/2 --range 0#:3#
    says stderr "--range and --shard cannot be combined"
    expect 2 "$bin/hwtrace-$tool" core.stf --shard 1/2 --last 3
    expect 2 "$bin/hwtrace-$tool" core.stf --shard 1/2 --first 3
done
expect 2 "$bin/hwtrace-convert" core.stf part.stf --shard 1/2 --last 3
absent part.stf
if [ -x "$bin/hwtrace-query" ]; then
    expect 2 "$bin/hwtrace-query" core.stf 'SELECT 1' --shard 1/2 --last 3
fi

# count_of COMMAND...: prints the number of lines that begin with INST.
count_of() { "$@" 2>/dev/null | grep -c '^INST32 '; }
# Every instruction is in one shard of hwtrace-dump.
total=0
for i in 1 2 3 4 5; do
    part=$(count_of "$bin/hwtrace-dump" core.stf --view instructions --shard $i/5)
    [ "$part" -eq 6 ] || [ "$part" -eq 7 ] || fail "shard $i/5 has $part instructions"
    total=$((total + part))
done
[ $total -eq 32 ] || fail "the shards have $total instructions instead of 32"

# counts FILE OPTIONS...: prints the number of intervals and relations that hwtrace-info finds.
counts() {
    "$bin/hwtrace-info" "$@" --format json 2>stderr |
        python3 -c 'import json, sys; m = json.load(sys.stdin)["files"][0]["model"]; print(m.get("intervals", 0), m.get("relations", 0))'
}
if command -v python3 >/dev/null; then
    # Intervals and relations are in one shard each. So is a relation whose interval is in another shard.
    whole=$(counts "$soc")
    intervals=0 relations=0
    for i in 1 2 3 4 5 6 7; do
        set -- $(counts "$soc" --shard $i/7)
        intervals=$((intervals + $1)) relations=$((relations + $2))
    done
    [ "$whole" = "$intervals $relations" ] || fail "the shards have $intervals $relations instead of $whole"
else
    skip "counting intervals needs python3"
fi

# split_and_concat SOURCE EXTENSION N: checks that the shards, put together, are the whole as hwtrace-convert writes it.
split_and_concat() {
    rm -rf parts
    mkdir parts
    expect 0 "$bin/hwtrace-convert" "$1" "parts/whole.$2"
    expect 0 "$bin/hwtrace-split" "$1" -o "parts/s-{}.$2" --into "$3"
    expect 0 "$bin/hwtrace-merge" --check parts/s.manifest.json
    says stderr "$3 shards are complete and undamaged"
    if [ "$2" = ftr ] || [ "$2" = txlog ] || [ "$2" = pccx ]; then  # transactions do not tell whether they were other records
        expect 4 "$bin/hwtrace-merge" --concat parts/s-*."$2" -o "parts/again.$2"
        says stderr "give a manifest that states it"
    else
        expect 0 "$bin/hwtrace-merge" --concat parts/s-*."$2" -o "parts/again.$2"
        same "parts/whole.$2" "parts/again.$2"
    fi
    expect 0 "$bin/hwtrace-merge" --concat parts/s.manifest.json -o "parts/checked.$2"
    same "parts/whole.$2" "parts/checked.$2"
    expect 0 "$bin/hwtrace-validate" parts/s-*."$2"
}
split_and_concat core.stf stf 3
split_and_concat core.stf stf 40
split_and_concat "$sum" zstf 8
split_and_concat "$sum" jsonl 3
split_and_concat "$soc" ftr 5
split_and_concat "$sum" uscope 3
split_and_concat "$data/pccx/valid/npu.pccx" uscope 8
split_and_concat "$sum" flux 3
split_and_concat "$data/pccx/valid/npu.pccx" pccx 8

# Shards that were converted on the way: intervals without ids are numbered through, and values of signals stay whole.
split_and_concat "$data/stf/valid/traffic.stf" uscope 3
split_and_concat "$data/jsonl/valid/script.jsonl" ftr 3
rm -rf parts
mkdir parts
expect 0 "$bin/hwtrace-convert" "$data/vcd/valid/small.vcd" parts/whole.flux
expect 0 "$bin/hwtrace-split" "$data/vcd/valid/small.vcd" -o 'parts/s-{}.flux' --into 2
expect 0 "$bin/hwtrace-merge" --concat parts/s.manifest.json -o parts/again.flux
same parts/whole.flux parts/again.flux
# Nothing is lost if only other shards use an attribute.
split_and_concat "$data/txlog/valid/bus.txlog" txlog 7
# refused FILE EXTENSION N WHY: converted shards that would become another trace are refused, also without a manifest.
refused() {
    rm -rf parts
    mkdir parts
    "$bin/hwtrace-split" "$data/$1" -o "parts/s-{}.$2" --into "$3" 2>stderr
    expect 4 "$bin/hwtrace-merge" --concat parts/s.manifest.json -o "parts/again.$2"
    says stderr "$4"
    expect 4 "$bin/hwtrace-merge" --concat parts/s-*."$2" -o "parts/again.$2"
    absent "parts/again.$2"
}
refused txlog/valid/bus.txlog ftr 2 "they were txlog, and became ftr without a mark"
"$bin/hwtrace-split" "$data/txlog/valid/bus.txlog" -o 'warned-{}.ftr' --into 2 2>stderr
says stderr "hwtrace-merge --concat will refuse these shards"
refused ftr/valid/sum_small.ftr uscope 2 "convert the whole trace"

# The manifest finds missing and damaged shards, and prints the command that makes them again.
split_and_concat core.stf stf 4
rm parts/s-0002.stf
expect 1 "$bin/hwtrace-merge" --check parts/s.manifest.json
says stderr "shard 2/4 is missing"
says stderr "hwtrace-convert core.stf parts/s-0002.stf --shard 2/4"
expect 1 "$bin/hwtrace-merge" --concat parts/s.manifest.json -o none.stf
absent none.stf
PATH=$bin:$PATH expect 0 "$bin/hwtrace-convert" core.stf parts/s-0002.stf --shard 2/4 --force
expect 0 "$bin/hwtrace-merge" --check parts/s.manifest.json
printf 'x' >>parts/s-0003.stf
expect 1 "$bin/hwtrace-merge" --check parts/s.manifest.json
says stderr "shard 3/4 is damaged"
expect 4 "$bin/hwtrace-merge" --check core.stf
says stderr "is no manifest"

# Each shard has its own manifest, written after the output. A failed shard has none.
mkdir jobs
for i in 1 2 3; do
    expect 0 "$bin/hwtrace-convert" core.stf jobs/s-$i.stf --shard $i/3 --manifest jobs/s-$i.json
done
expect 0 "$bin/hwtrace-merge" --concat jobs/*.json -o jobs/whole.stf
expect 0 "$bin/hwtrace-convert" core.stf whole.stf
same whole.stf jobs/whole.stf
expect 2 "$bin/hwtrace-convert" core.stf jobs/s-2.stf --shard 2/3 --manifest jobs/s-2.json
rm jobs/s-2.json
expect 1 "$bin/hwtrace-merge" --check jobs/*.json
says stderr "make it again: hwtrace-convert core.stf jobs/s-2.stf --shard 2/3 --force --manifest jobs/s-2.json"
expect 0 "$bin/hwtrace-convert" core.stf jobs/s-2.stf --shard 2/3 --force --manifest jobs/s-2.json
expect 0 "$bin/hwtrace-merge" --check jobs/*.json
# A job that fails removes the manifest of an earlier run.
expect 4 "$bin/hwtrace-convert" /dev/null jobs/s-2.stf --shard 2/3 --force --manifest jobs/s-2.json
absent jobs/s-2.json
# A manifest replaces a regular file that is neither the input nor the output.
cp core.stf kept.stf
ln -s kept.stf link.stf
ln jobs/s-2.stf jobs/same.stf
for wrong in kept.stf link.stf jobs/s-2.stf ./jobs/../jobs/s-2.stf jobs/same.stf /dev/null; do
    expect 2 "$bin/hwtrace-convert" kept.stf jobs/s-2.stf --shard 2/3 --force --manifest "$wrong"
    says stderr "$wrong: "
done
same core.stf kept.stf
same jobs/s-2.stf jobs/same.stf
expect 2 "$bin/hwtrace-convert" core.stf out.csv --shard 2/3 --manifest out.csv/m.json
says stderr "is in the output out.csv"
expect 2 "$bin/hwtrace-convert" core.stf x.stf --manifest x.json
says stderr "--manifest requires --shard"

# Shards are checked together: one reports the fault, the others are valid.
{
    head -c 9000 "$sum"
    printf 'damaged'
} >damaged.zstf
expect 3 "$bin/hwtrace-validate" damaged.zstf
for i in 1 2 3; do
    "$bin/hwtrace-validate" damaged.zstf --shard $i/3 >>verdicts
done
[ "$(grep -c 'damaged.zstf: error' verdicts)" -eq 1 ] || fail "not one finding: $(cat verdicts)"
[ "$(grep -c ': valid (shard [123]/3; 0 errors' verdicts)" -eq 2 ] || fail "not two valid shards: $(cat verdicts)"
expect 0 "$bin/hwtrace-validate" "$sum" --shard 2/3 --json
says stdout '"shard": "2/3"'
expect 2 "$bin/hwtrace-validate" "$sum" --shard 4/3
says stderr "--shard 4/3: takes I/N"
expect 2 "$bin/hwtrace-validate" "$sum" --shard 1/3 --level quick
says stderr "leave out --shard"
for option in --baseline --write-baseline; do
    expect 2 "$bin/hwtrace-validate" "$sum" --shard 1/3 $option known.json
    says stderr "leave out --shard"
done

# Shards in a wrong order are refused.
expect 0 "$bin/hwtrace-split" "$sum" -o 'order-{}.zstf' --into 3
expect 4 "$bin/hwtrace-merge" --concat order-0001.zstf order-0003.zstf order-0002.zstf -o none.zstf
says stderr "does not continue the shards before it"
absent none.zstf

expect 2 "$bin/hwtrace-split" core.stf -o 'x-{}.stf' --into 3 --every 3#
expect 2 "$bin/hwtrace-split" core.stf -o 'x-{}.stf' --into 3 --last 3
expect 6 "$bin/hwtrace-split" core.stf -o 'x-{}.stf' --into 20000
expect 2 "$bin/hwtrace-merge" --concat order-0001.zstf core.stf -o none.zstf --range 0#:3#

# Formats that do not state what was in flight where a shard begins are refused.
for format in kanata o3pipeview vcd; do
    expect 2 "$bin/hwtrace-merge" --concat core.stf core.stf -o "none.$format"
    says stderr "--concat: $format does not state what was in flight where a shard begins"
done
pipeline=${sum%/stf/*}/kanata/valid/pipeline.kanata
expect 2 "$bin/hwtrace-merge" --concat "$pipeline" "$pipeline" -o none.uscope
says stderr "--concat: kanata does not state"

finish

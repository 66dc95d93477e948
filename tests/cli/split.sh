# Tests hwtrace-split.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

{ stf_header; stf_instructions 5; } >core.stf

# pieces_are_ranges SOURCE EXTENSION RANGE...: checks that every piece in parts/ equals the output of hwtrace-convert
# --range.
pieces_are_ranges() {
    source=$1 extension=$2 number=0
    shift 2
    for range in "$@"; do
        expect 0 "$bin/hwtrace-convert" "$source" "whole.$extension" --range "$range" --force
        same "parts/part-000$number.$extension" "whole.$extension"
        expect 0 "$bin/hwtrace-validate" "parts/part-000$number.$extension"
        number=$((number + 1))
    done
    rm -r parts
    mkdir parts
}
mkdir parts

# Traces are split by instructions, also into another format, and by records, cycles and time.
expect 0 "$bin/hwtrace-split" core.stf -o 'parts/part-{}.stf' --every '10#'
holds parts "part-0000.stf part-0001.stf part-0002.stf part-0003.stf "
pieces_are_ranges core.stf stf 0#:10# 10#:20# 20#:30# 30#:40#
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.uscope --every '16#'
holds parts "part-0000.uscope part-0001.uscope "
pieces_are_ranges core.stf uscope 0#:16# 16#:32#
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every '3#'
holds parts "part-0000.pccx part-0001.pccx "
pieces_are_ranges small.pccx pccx 0#:3# 3#:6#

# An interval is in every piece that it overlaps. Empty pieces are skipped.
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 8cyc -v
holds parts "part-0000.pccx part-0001.pccx part-0002.pccx part-0003.pccx part-0004.pccx part-0005.pccx "
says stderr "range 88cyc:96cyc"
pieces_are_ranges small.pccx pccx 0cyc:8cyc 8cyc:16cyc 16cyc:24cyc 24cyc:32cyc 88cyc:96cyc 96cyc:104cyc
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 10ns
pieces_are_ranges small.pccx pccx 0ns:10ns 10ns:20ns 20ns:30ns 40ns:50ns 50ns:60ns 180ns:190ns

# Each piece begins with the contents of the tables.
expect 0 "$bin/hwtrace-convert" small.pccx small.uscope
expect 0 "$bin/hwtrace-split" small.uscope -o parts/part.uscope --every 20ns
pieces_are_ranges small.uscope uscope 0ns:20ns 20ns:40ns 40ns:60ns 60ns:80ns 180ns:200ns 200ns:220ns

# Traces are split by scopes and tracks. File names are made safe.
expect 0 "$bin/hwtrace-merge" small.pccx core.stf -o all.uscope --clock 2ns --name 'a b' --name 'a?b'
expect 0 "$bin/hwtrace-split" all.uscope -o 'parts/{}.uscope' --by scope
holds parts "a_b-2.uscope a_b.uscope "
expect 0 "$bin/hwtrace-dump" --view timeline parts/a_b-2.uscope
[ "$(grep -c "^/a?b.* pc 0x.*retired" stdout)" -eq 32 ] || fail "$(grep -c retired stdout) instructions, not 32: $(tail -3 stdout)"
rm parts/*
# In a format that holds less, each piece reports only losses of its own records.
{
    for core in 1 2; do
        printf 'scv_tr_stream (ID %d, name "soc.core%d", kind "pipeline")\n' $core $core
        printf 'scv_tr_generator (ID %d, name "run%d", scv_tr_stream %d,\n' $((core + 2)) $core $core
        printf 'begin_attribute (ID 0, name "pc", type "UNSIGNED")\n'
        printf 'begin_attribute (ID 1, name "encoding", type "UNSIGNED")\n)\n'
    done
    for core in 1 2; do
        printf 'tx_begin %d %d 0 ns\na 4096\na 11929395\ntx_end %d %d 3 ns\n' $core $((core + 2)) $core $((core + 2))
    done
} >cores.txlog
expect 3 "$bin/hwtrace-split" cores.txlog -o 'parts/{}.stf' --by scope
holds parts "soc.core1.stf soc.core2.stf "
says stderr "lost: type-changed run1, 1 time, first"
says stderr "lost: type-changed run2, 1 time, first"
expect 3 "$bin/hwtrace-convert" cores.txlog one.stf --select 'scope=soc.core2'
same parts/soc.core2.stf one.stf
says stderr "lost: type-changed run2, 1 time, first"
says stderr "lost: scope-flattened soc.core2, 1 time, first"
! grep -qE 'run1|core1' stderr || fail "a loss is reported for data outside the slice: $(grep -E 'run1|core1' stderr)"
expect 0 "$bin/hwtrace-convert" cores.txlog one.stf --select 'scope=soc.core2' --explain
says stdout "scope-flattened soc.core2"
! grep -qE 'run1|core1' stdout || fail "a loss is predicted for data outside the slice: $(grep -E 'run1|core1' stdout)"
# In pccx, a track without a record in the range loses neither attributes nor its scope.
expect 3 "$bin/hwtrace-convert" cores.txlog one.pccx --range '0#:1#' --loss-report part.json
grep -q '"run1.pc"' part.json || fail "no loss is reported for data in the range: $(cat part.json)"
! grep -qE 'run2|core2' part.json || fail "a loss is reported for data outside the slice: $(grep -E 'run2|core2' part.json)"
expect 3 "$bin/hwtrace-split" cores.txlog -o 'parts/{}.pccx' --by scope --force
says stderr "lost: scope-flattened soc.core1, 1 time, first as core"
says stderr "lost: scope-flattened soc.core2, 1 time, first as core"
! grep -q 'it has no event' stderr || fail "a piece reports losses of another piece: $(grep 'it has no event' stderr)"
rm parts/*.pccx one.pccx
expect 3 "$bin/hwtrace-convert" cores.txlog one.stf --select 'scope=soc.core2' --range '0#:1#' --force
same parts/soc.core2.stf one.stf
# An empty slice is an empty trace in every format. A trace that an instruction format cannot hold is still refused.
for to in stf txlog pccx ftr uscope flux jsonl; do
    expect 0 "$bin/hwtrace-convert" cores.txlog "none.$to" --select 'scope=soc.core2' --range '5#:6#'
    says stderr "nothing is in the range 5#:6#; the output holds no records"
    expect 0 "$bin/hwtrace-validate" -q "none.$to"
    rm "none.$to"
done
# pccx cannot hold all of the trace outside the slice, so there is nothing to compare.
expect 0 "$bin/hwtrace-convert" cores.txlog none.pccx --range '5#:6#' --verify
says stderr "--verify: not compared, because pccx cannot hold all of the trace outside the slice"
expect 0 "$bin/hwtrace-convert" cores.txlog none.ftr --range '5#:6#' --verify -v
says stderr "verified"
rm none.pccx none.ftr
sed 's/"pc"/"address"/' cores.txlog >vague.txlog
expect 4 "$bin/hwtrace-convert" vague.txlog refused.stf --select 'scope=soc.core2' --range '0#:1#'
absent refused.stf
rm parts/*
# A single root is split by its children, or by deeper scopes with --depth. Traces are also split by tracks and harts.
expect 0 "$bin/hwtrace-split" small.pccx -o 'parts/{}.pccx' --by scope
holds parts "npu.core0.pccx npu.core1.pccx "
expect 0 "$bin/hwtrace-convert" small.pccx one.pccx --select scope=core1 --force
same parts/npu.core1.pccx one.pccx
rm parts/*
expect 0 "$bin/hwtrace-split" small.pccx -o 'parts/{}.pccx' --by scope --depth 1
holds parts "npu.pccx "
same parts/npu.pccx small.pccx
rm parts/*
expect 0 "$bin/hwtrace-split" small.pccx -o 'parts/{}.pccx' --by scope --depth 9
holds parts "npu.core0.pccx npu.core1.pccx "
rm parts/*
expect 0 "$bin/hwtrace-split" small.pccx -o 'parts/{}.ftr' --by track
holds parts "npu.core0.DMA_READ.ftr npu.core0.MAC_COMPUTE.ftr npu.core1.MAC_COMPUTE.ftr npu.core1.own_name.ftr "
for part in parts/*; do
    expect 0 "$bin/hwtrace-validate" "$part"
done
rm parts/*
expect 0 "$bin/hwtrace-convert" small.pccx small.flux
expect 0 "$bin/hwtrace-split" small.flux -o 'parts/{}.flux' --by track
[ "$(ls parts | wc -l)" -eq 4 ] || fail "flux by track: $(ls parts)"
rm parts/*
expect 0 "$bin/hwtrace-split" core.stf -o 'parts/{}.stf' --by hart
holds parts "core0.stf "
expect 0 "$bin/hwtrace-diff" core.stf parts/core0.stf
rm parts/*
expect 2 "$bin/hwtrace-split" small.pccx -o parts/x.pccx --by track --depth 1
says stderr "--depth requires --by scope"
expect 2 "$bin/hwtrace-split" small.pccx -o parts/x.pccx --by hart
says stderr "has no harts"

# An error in one piece names it.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":1,"track":"reset"}' >event.jsonl
expect 4 "$bin/hwtrace-split" event.jsonl -o 'parts/{}.stf' --by track
says stderr "hwtrace-split: event.jsonl: reset: nothing in this trace can be written as stf"
expect 4 "$bin/hwtrace-split" event.jsonl -o 'parts/{}.stf' --by track --explain
says stderr "hwtrace-split: event.jsonl: reset: nothing in this trace can be written as stf"

# No piece has a scope with a protocol but without its tables.
cp core.stf twin.stf
expect 0 "$bin/hwtrace-merge" core.stf twin.stf -o cores.uscope --clock 1GHz
expect 0 "$bin/hwtrace-split" cores.uscope -o 'parts/m-{}.uscope' --by hart
[ "$(ls parts/m-*.uscope | wc -l)" -ge 2 ] || fail "two cores make $(ls parts) by hart"
for piece in parts/m-*.uscope; do expect 0 "$bin/hwtrace-validate" --strict "$piece"; done
expect 0 "$bin/hwtrace-convert" cores.uscope twin.uscope --select scope=twin
expect 0 "$bin/hwtrace-validate" --strict twin.uscope
rm cores.uscope twin.stf twin.uscope parts/m-*.uscope

# The first piece begins where the slice begins, and the last piece ends where the slice ends.
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '10#' --range 5#:28#
holds parts "part-0000.stf part-0001.stf part-0002.stf "
pieces_are_ranges core.stf stf 5#:15# 15#:25# 25#:28#
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '5#' --last 12
holds parts "part-0000.stf part-0001.stf part-0002.stf "
pieces_are_ranges core.stf stf 20#:25# 25#:30# 30#:35#
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 8cyc --range 12cyc:98cyc
holds parts "part-0000.pccx part-0001.pccx part-0002.pccx part-0003.pccx part-0004.pccx "
pieces_are_ranges small.pccx pccx 12cyc:20cyc 20cyc:28cyc 28cyc:36cyc 84cyc:92cyc 92cyc:98cyc
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 10ns --range 5ns:57ns
pieces_are_ranges small.pccx pccx 5ns:15ns 15ns:25ns 25ns:35ns 35ns:45ns 45ns:55ns 55ns:57ns
expect 0 "$bin/hwtrace-split" small.uscope -o parts/part.uscope --every 20ns --range 30ns:190ns
pieces_are_ranges small.uscope uscope 30ns:50ns 50ns:70ns 170ns:190ns

# With --select, each piece equals the output of hwtrace-convert. Empty pieces are skipped.
# part_is PIECE SOURCE OPTIONS...: checks this for one piece.
part_is() {
    piece=$1 source=$2
    shift 2
    expect 0 "$bin/hwtrace-convert" "$source" "selected.${piece##*.}" --force "$@"
    same "$piece" "selected.${piece##*.}"
}
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 8cyc --select scope=core1
holds parts "part-0000.pccx part-0001.pccx part-0002.pccx part-0003.pccx "
part_is parts/part-0000.pccx small.pccx --range 16cyc:24cyc --select scope=core1
part_is parts/part-0001.pccx small.pccx --range 24cyc:32cyc --select scope=core1
part_is parts/part-0003.pccx small.pccx --range 96cyc:104cyc --select scope=core1
rm parts/*
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every '1#' --range 1#: --select 'track=MAC*,duration>=8ns'
holds parts "part-0000.pccx "
part_is parts/part-0000.pccx small.pccx --range 2#:3# --select 'track=MAC*'
rm parts/*
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '10#' --select 'pc>=0x80000020,pc<0x80000040'
holds parts "part-0000.stf part-0001.stf "
part_is parts/part-0000.stf core.stf --range 0#:10# --select 'pc>=0x80000020'
part_is parts/part-0001.stf core.stf --range 10#:20# --select 'pc<0x80000040'
rm parts/*
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.uscope --every '3#' --range 8#: --select 'from-pc=0x80000028,to-pc=0x8000003c'
holds parts "part-0000.uscope part-0001.uscope part-0002.uscope "
part_is parts/part-0002.uscope core.stf --range 14#:17# --select 'from-pc=0x80000028,to-pc=0x8000003c'
rm parts/*
expect 0 "$bin/hwtrace-split" small.pccx -o 'parts/{}.pccx' --by track --range :30ns --select 'track=MAC*'
holds parts "npu.core0.MAC_COMPUTE.pccx "
part_is parts/npu.core0.MAC_COMPUTE.pccx small.pccx --range :30ns --select 'track=MAC*'
rm parts/*
expect 0 "$bin/hwtrace-split" small.uscope -o 'parts/{}.uscope' --by track --range 30ns:50ns
part_is parts/npu.core0.busy.uscope small.uscope --range 30ns:50ns --select track=npu/core0/busy
part_is parts/npu.core1.active.uscope small.uscope --range 30ns:50ns --select track=npu/core1/active
absent parts/npu.core1.own_name.uscope
rm parts/*
expect 0 "$bin/hwtrace-split" small.pccx -o 'parts/{}.pccx' --by scope --last 2
part_is parts/npu.pccx small.pccx --last 2
rm parts/*

# Errors: inputs that cannot be split or do not exist.
expect 2 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 10ns --range 1#:5#
says stderr "the same unit"
expect 2 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every 10ns --last 5
says stderr "the same unit"
expect 2 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every '1#' --range 1#:5# --last 5
expect 2 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every '1#' --select scope=nowhere
expect 0 "$bin/hwtrace-split" small.pccx -o parts/part.pccx --every '1#' --range 100#:
says stderr "nothing was selected"
holds parts ""

# All pieces are written or none. Nothing is written if a file exists or is the input. --force replaces existing files.
echo mine >parts/part-0001.stf
expect 2 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '10#'
says stderr "--force"
holds parts "part-0001.stf "
cp core.stf parts/part-0002.stf
expect 2 "$bin/hwtrace-split" parts/part-0002.stf -o parts/part.stf --every '10#' --force
says stderr "the output is the input itself"
holds parts "part-0001.stf part-0002.stf "
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '10#' --force
pieces_are_ranges core.stf stf 0#:10# 10#:20# 20#:30# 30#:40#

# If the last piece cannot be committed, the others are withdrawn and replaced files are restored.
rm -f parts/*
echo mine >parts/part-0000.stf
mkdir parts/part-0003.stf
expect 5 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '10#' --force
holds parts "part-0000.stf part-0003.stf "
[ "$(cat parts/part-0000.stf)" = mine ] || fail "a replaced file was not restored"
rmdir parts/part-0003.stf
rm parts/*
(
    ulimit -f 0
    "$bin/hwtrace-split" core.stf -o parts/part.stf --every '10#' 2>stderr
)
[ $? -eq 5 ] || fail "a limit on the size of files"
holds parts ""

# Tests standard input, the plan, a cut input, and a limit.
"$bin/hwtrace-split" - -o parts/part.stf --every '16#' <core.stf 2>stderr || fail "standard input cannot be split"
pieces_are_ranges core.stf stf 0#:16# 16#:32#
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.uscope --every '16#' --explain
says stdout "parts/part-0001.uscope  range 16#:32#"
says stdout "write uscope"
head -c 150 core.stf >cut.stf
expect 3 "$bin/hwtrace-split" cut.stf -o parts/part.stf --every '16#' --strict
holds parts ""
expect 3 "$bin/hwtrace-split" cut.stf -o parts/part.stf --every '16#'
[ -s parts/part-0000.stf ] || fail "no pieces of a cut input"
rm parts/*
expect 6 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '1#' --max-pieces 31
says stderr "--max-pieces"
expect 0 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '1#' --max-pieces 32
rm parts/*

# These are usage errors.
expect 2 "$bin/hwtrace-split" core.stf -o parts/part.stf
expect 2 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '1#' --by scope
expect 2 "$bin/hwtrace-split" core.stf -o parts/part.stf --every '0#'
expect 2 "$bin/hwtrace-split" core.stf -o parts/part.stf --every many
expect 2 "$bin/hwtrace-split" core.stf -o parts/part.stf --every 1ms
says stderr "use #"
expect 2 "$bin/hwtrace-split" core.stf -o - --every '1#' --to stf
expect 2 "$bin/hwtrace-split" core.stf -o '{}/part.stf' --every '1#'
expect 5 "$bin/hwtrace-split" missing.stf -o parts/part.stf --every '1#'
holds parts ""
expect 0 "$bin/hwtrace" split --help
says stdout "Examples:"
finish

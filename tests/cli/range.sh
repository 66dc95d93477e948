# Tests --range, --last and --select: kept records, refused options, messages.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# kept RANGE LINES: checks that the range keeps these events: core, start, duration.
kept() {
    expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --force --range "$1"
    expect 0 "$bin/hwtrace-dump" part.pccx -q
    found=$(grep -v '^#' stdout | cut -d' ' -f1-3 | tr '\n' ' ')
    [ "$found" = "$2" ] || fail "--range $1 keeps '$found' instead of '$2'"
}
kept 10cyc:21cyc "0 5 10 1 20 10 "
kept 10cyc: "0 5 10 1 20 10 1 90 10 "
kept :5cyc "0 0 10 "
kept 20ns:42ns "0 5 10 1 20 10 "
kept 180ns: "1 90 10 "
kept '#1:#3' "0 5 10 1 20 10 "
kept '#0:' "0 0 10 0 5 10 1 20 10 1 90 10 "

# A range works with another target format and with --verify.
expect 0 "$bin/hwtrace-convert" small.pccx part.uscope --range 10cyc:21cyc --verify
expect 0 "$bin/hwtrace-convert" part.uscope back.pccx
expect 0 "$bin/hwtrace-dump" back.pccx -q
[ "$(grep -vc '^#' stdout)" -eq 2 ] || fail "the range differs in µScope"

# Values are restated at the begin of the range, before intervals that began earlier: they are sorted for µScope.
cat >held.jsonl <<'END'
{"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"s"}
{"type":"track","id":0,"kind":"signal","name":"g","scope":0,"time":"ns","fields":[{"name":"v","type":"u8"}]}
{"type":"track","id":1,"kind":"stream","name":"i","scope":0,"time":"ns"}
{"type":"change","time":0,"track_id":0,"values":{"v":1}}
{"type":"interval","time":10,"track_id":1,"duration":90}
{"type":"change","time":60,"track_id":0,"values":{"v":2}}
END
expect 0 "$bin/hwtrace-convert" held.jsonl held.uscope --range 50ns: --verify
expect 0 "$bin/hwtrace-convert" held.uscope back.jsonl
for line in '"time":10000,.*"begin":10,"duration":90' '"time":50000,.*"value":1' '"time":60000,.*"value":2'; do
    grep -q "$line" back.jsonl || fail "the range in µScope lacks $line: $(cat back.jsonl)"
done
expect 0 "$bin/hwtrace-convert" "$2/jsonl/valid/everything.jsonl" everything.uscope --range 2ns:20ns --allow-loss

# Pictures, tables and views keep the positions of the whole trace; a slice that is a trace begins at 0.
sum="$2/stf/valid/sum.zstf"
expect 0 "$bin/hwtrace-convert" "$sum" part.trace.json --range 100#:103# -q
grep -q '"ts":0.100,' part.trace.json || fail "the picture of a slice does not begin at 100"
! grep -q '"ts":0[,}]' part.trace.json || fail "the picture of a slice has something at time 0: $(grep '"ts":0[,}]' part.trace.json)"
expect 0 "$bin/hwtrace-convert" "$sum" part.vcd --range 100#:103# -q
grep -qx '#100' part.vcd || fail "the waveform of a slice does not begin at 100"
# A run of code ends where instructions are left out.
expect 0 "$bin/hwtrace-convert" "$sum" gaps.trace.json --select 'pc<0x1018' -q
sed -n 's/.*"dur":\([0-9.]*\),"name":"0x.*"instructions":\([0-9]*\).*/\1 \2/p' gaps.trace.json >runs
[ "$(wc -l <runs)" -gt 10 ] || fail "there are no runs of code: $(head -3 gaps.trace.json)"
awk '$1 * 1000 < $2 - 0.1 || $1 * 1000 > $2 + 0.1' runs >wrong_runs
[ ! -s wrong_runs ] || fail "runs of code span gaps: $(head -2 wrong_runs)"
expect 0 "$bin/hwtrace-convert" "$sum" part.csv --range 100#:103# -q
cut -d, -f1 part.csv/core0.csv | grep -qx 102 || fail "the table of a slice lacks position 102: $(head -2 part.csv/core0.csv)"
expect 0 "$bin/hwtrace-dump" "$sum" --view lanes --format csv --range 100#:103#
grep -q ',100,' stdout || fail "lanes of a slice do not begin at 100: $(cat stdout)"
expect 0 "$bin/hwtrace-convert" "$sum" part.zstf --range 100#:103#
expect 0 "$bin/hwtrace-dump" part.zstf --view model
grep -q '^ *0 ' stdout || fail "the slice does not begin at 0: $(head -5 stdout)"

# An empty range is a note, not an error.
expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --force --range 50cyc:60cyc
says stderr "nothing is in the range 50cyc:60cyc"
expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --force --range 50cyc:60cyc -q
silent stderr

# Each loss is printed once, even for tracks with equal names and for losses counted before the first record.
for to in txlog pccx flux; do
    expect 0 "$bin/hwtrace-convert" "$2/uscope/valid/npu.uscope" --to "$to" --explain
    [ -z "$(sort "$work/stdout" | uniq -d)" ] || fail "printed twice: $(sort "$work/stdout" | uniq -d | head -2)"
done
expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --range 10cyc:21cyc --explain
says stdout "select"

for wrong in "" : 5 '#5' 5cyc 2cyc:1cyc 1cyc:2ns 1:2 x:y; do
    rm -f refused.pccx
    expect 2 "$bin/hwtrace-convert" small.pccx refused.pccx --range "$wrong"
    says stderr "--range"
    absent refused.pccx
done
expect 2 "$bin/hwtrace-convert" small.stf refused.uscope --range 1us:2us
says stderr "counts positions"
absent refused.uscope

# Tests --last 1, --select and invalid conditions in instruction traces.
expect 0 "$bin/hwtrace-convert" small.stf part.stf --last 1 --verify
expect 0 "$bin/hwtrace-validate" -q part.stf
expect 0 "$bin/hwtrace-dump" part.stf -q --view records
[ "$(grep -c INST_OPCODE stdout)" -eq 1 ] || fail "--last 1 keeps another number of instructions"
cat small.stf | "$bin/hwtrace-convert" - again.stf --last 1 || fail "--last of a pipe"
same part.stf again.stf
expect 0 "$bin/hwtrace-convert" small.stf whole.stf --last 1000000
same small.stf whole.stf
expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --force --last 2
expect 0 "$bin/hwtrace-dump" part.pccx -q
[ "$(grep -vc '^#' stdout)" -eq 2 ] || fail "--last 2 keeps another number of intervals"
expect 0 "$bin/hwtrace-convert" small.stf none.stf --select mode=user
says stderr "nothing was selected"
expect 0 "$bin/hwtrace-convert" small.pccx one.pccx --select 'scope=core1' --verify
expect 0 "$bin/hwtrace-dump" one.pccx -q
[ "$(grep -v '^#' stdout | cut -d' ' -f1 | sort -u)" = 1 ] || fail "--select scope keeps other cores"

# The view entries shows a slice of a flux stream. The slice has no definitions. Without --view, samples show
# the slice.
expect 0 "$bin/hwtrace-convert" small.pccx small.flux --force
expect 0 "$bin/hwtrace-dump" small.flux --view entries --last 1
[ "$(grep -c '^[0-9]* sample ' stdout)" -eq 1 ] && [ "$(wc -l <stdout)" -eq 1 ] || fail "--last 1 shows other entries"
expect 0 "$bin/hwtrace-dump" small.flux --view entries --range '#1:#3' --format jsonl
[ "$(grep -c '"entry":"sample"' stdout)" -eq 2 ] || fail "--range shows other entries: $(cat stdout)"
expect 0 "$bin/hwtrace-dump" small.flux --last 1
cp stdout wanted
expect 0 "$bin/hwtrace-dump" small.flux --last 1 --view samples
same stdout wanted
expect 0 "$bin/hwtrace-dump" small.flux --view tree --last 1
[ "$(grep -c ': struct' stdout)" -eq 1 ] || fail "--last 1 shows the tree $(cat stdout)"
expect 0 "$bin/hwtrace-dump" small.flux --view tree --range 0#:
[ "$(grep -c ': struct' stdout)" -gt 1 ] || fail "--range 0#: shows the tree $(cat stdout)"
cp stdout wanted
expect 0 "$bin/hwtrace-dump" small.flux --view tree --select kind=change
same stdout wanted
for wrong in "" colour=red kind=thing mode=root mode=user; do
    expect 2 "$bin/hwtrace-convert" small.pccx refused.pccx --select "$wrong"
    says stderr "--select"
    absent refused.pccx
done
expect 2 "$bin/hwtrace-convert" small.pccx refused.pccx --select colour=red
says stderr "has a field 'colour'; the fields are duration; the keys are kind, scope, track, mode"
expect 0 "$bin/hwtrace-dump" small.stf --last 1
[ "$(grep -c INST_OPCODE stdout)" -le 1 ] || fail "hwtrace-dump --last 1 shows more than one instruction"
expect 0 "$bin/hwtrace-dump" small.stf --last 1 --view model
[ "$(grep -c '^1 instruction ' stdout)" -eq 1 ] || fail "--last 1 is another instruction in the model"
expect 0 "$bin/hwtrace-dump" small.pccx --select 'scope=core1'
[ "$(grep -cE '^1 [0-9]' stdout)" -eq 2 ] || fail "--select scope shows other intervals: $(tail -5 stdout)"
expect 0 "$bin/hwtrace-dump" small.stf --select kind=instruction --view records
says stdout INST_OPCODE32
expect 2 "$bin/hwtrace-dump" small.stf --last 1 --at 1ns
expect 2 "$bin/hwtrace-convert" small.pccx refused.pccx --last x
says stderr "--last"
expect 2 "$bin/hwtrace-convert" small.pccx refused.pccx --last 1 --range '0#:'
says stderr "--last"
absent refused.pccx
# hwtrace-info counts only the slice, which begins in the mode before it.
add='\360\063\007\266\000'
to_user='\144\000\000\000\000\000\000\000\100\001\000\000\000\000\000\000\000\000'
{ stf_header; printf "$add$to_user$add$add$add"; } >modes.stf
# counts VALUE COUNTER OPTION...: checks that hwtrace-info prints this value for modes.stf.
counts() {
    value=$1 counter=$2
    shift 2
    expect 0 "$bin/hwtrace-info" modes.stf "$@"
    found=$(sed -n "s/^ *$counter  *\([0-9]*\).*/\1/p" stdout | head -1)
    [ "$found" = "$value" ] || fail "$counter of modes.stf $* is '$found' instead of $value"
}
counts 2 user_count
counts 2 non_user_count
counts 1 user_count --range '3#:'
counts 0 non_user_count --range '3#:'
counts 1 inst_count --range '3#:'
counts 1 total_record_count --range '3#:'
counts 1 model.records --range '3#:'
counts 0 event_count --range '3#:'
counts 1 user_count --last 1
counts 1 non_user_count --range '#1:#2'
counts 1 event_count --range '#1:#2'
counts 2 user_count --select mode=user
counts 1 model.records --select kind=event
says stdout "part                     --select kind=event"
says stdout "not checked outside the slice"
expect 0 "$bin/hwtrace-info" --format json modes.stf --range '3#:'
says stdout '"part": "--range 3#:"'
if grep -q '"instructions": "' stdout; then fail "facts about the file depend on the number of records read"; fi
expect 0 "$bin/hwtrace-info" small.pccx --range 10cyc:21cyc
says stdout "model.interval           2"
says stdout "of 11 cycles (time window)"
expect 0 "$bin/hwtrace-info" small.pccx --last 1
says stdout "model.interval           1"
expect 0 "$bin/hwtrace-info" part.uscope --range 10ns:20ns
cat modes.stf | "$bin/hwtrace-info" - --last 1 >stdout || fail "hwtrace-info --last of a pipe"
grep -q "^ *inst_count  *1$" stdout || fail "hwtrace-info --last of a pipe counts others"
expect 2 "$bin/hwtrace-info" modes.stf --range '3#:' --quick
says stderr "--quick"
expect 2 "$bin/hwtrace-info" modes.stf --range '3#:' --last 1
expect 2 "$bin/hwtrace-info" modes.stf --range 10ns:
expect 2 "$bin/hwtrace-info" modes.stf --select kind=thing


# --select by fields: with ranges, from pipes, and after conversions. fields FOUND OPTION...: checks that small.pccx
# keeps the events with these starts.
fields() {
    kept=$1
    shift
    expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --force "$@"
    expect 0 "$bin/hwtrace-dump" part.pccx -q
    found=$(grep -v '^#' stdout | cut -d' ' -f2 | tr '\n' ' ')
    [ "$found" = "$kept" ] || fail "$* keeps '$found' instead of '$kept'"
}
fields "0 5 20 90 " --select 'duration=10'
fields "0 5 20 90 " --select 'duration>=10cyc'
fields "0 5 20 90 " --select 'duration<=20ns' --verify
fields "20 90 " --select 'duration=20ns' --select scope=core1
fields "20 90 " --select 'duration!=11' --last 2
fields "0 5 " --select 'duration>5' --range :10cyc
fields "" --select 'duration>10'
expect 0 "$bin/hwtrace-convert" small.pccx part.pccx --force --select 'duration>10'
says stderr "nothing was selected"
expect 0 "$bin/hwtrace-convert" small.pccx part.uscope --force --select 'scope=core0,duration=10'
expect 0 "$bin/hwtrace-convert" part.uscope part.pccx --force --select 'duration>19ns'
expect 0 "$bin/hwtrace-diff" small.pccx part.pccx --select 'scope=core0,duration=20ns'
expect 0 "$bin/hwtrace-dump" part.uscope --select 'id=1'
says stdout "event core0/DMA_READ"
expect 0 "$bin/hwtrace-dump" small.stf --select 'pc>=0'
says stdout "INST32    1 "
expect 0 "$bin/hwtrace-convert" small.stf part.stf --force --select 'pc>=0,size=4' --verify
expect 0 "$bin/hwtrace-info" small.stf --select 'size=4'
says stdout "model.instruction        2"
"$bin/hwtrace-convert" - part.stf --force --select 'pc=0' <small.stf 2>stderr || fail "fields of a pipe: $(cat stderr)"
expect 0 "$bin/hwtrace-merge" small.pccx -o merged.uscope --select 'duration=10'
for wrong in 'duration>x' 'durations=10' 'duration>10,size=4' 'kind!=interval' 'duration>' 'pc>=0'; do
    for tool in hwtrace-dump hwtrace-info "hwtrace-diff small.pccx"; do
        # shellcheck disable=SC2086
        expect 2 "$bin/"$tool small.pccx --select "$wrong"
        says stderr "--select"
    done
done
# A slice that makes no sense is a usage error with a reason.
for option in "--range 1#:2#" "--last 1" "--select kind=note"; do
    for tool in "validate small.pccx" "recover small.pccx out.pccx"; do
        # shellcheck disable=SC2086
        expect 2 "$bin/hwtrace-"$tool $option
        says stderr "hwtrace-convert"
        absent out.pccx
    done
done
expect 2 "$bin/hwtrace-merge" small.pccx -o out.pccx --last 1
says stderr "no common end"

# Positions in transaction traces count transactions, in views and outputs. Each transaction keeps its clock.
ids() { grep '^TXN_ID' "$1" | tr -s ' ' | cut -d' ' -f2 | tr '\n' ' '; }
# transactions IDS OPTION...: checks that views and outputs of a slice have these transactions.
transactions() {
    asked=$1
    shift
    expect 0 "$bin/hwtrace-dump" transactions.stf "$@"
    [ "$(ids stdout)" = "$asked" ] || fail "the view of $* shows '$(ids stdout)' instead of '$asked'"
    expect 0 "$bin/hwtrace-dump" transactions.stf --view model --format csv "$@"
    found=$(grep -c ',interval,' stdout)
    [ "$found" -eq "$(echo "$asked" | wc -w)" ] || fail "the model of $* has $found transactions"
    expect 0 "$bin/hwtrace-convert" transactions.stf piece.stf --force --allow-loss "$@"
    expect 0 "$bin/hwtrace-dump" piece.stf
    [ "$(ids stdout)" = "$asked" ] || fail "the piece of $* holds '$(ids stdout)' instead of '$asked'"
}
transactions "1 2 3 4 " --range '0#:'
transactions "1 " --range '0#:1#'
transactions "2 " --range '1#:2#'
says stdout "DEPENDENCY ID       1"
transactions "2 3 " --range '1#:3#'
transactions "4 " --last 1
transactions "3 4 " --last 2
transactions "1 2 3 4 " --last 9
# A dependency stays with its transaction, even if the other transaction has a different clock.
for clock in cpu io; do
    expect 0 "$bin/hwtrace-convert" transactions.stf piece.stf --force --select "scope=$clock" --allow-loss
    expect 0 "$bin/hwtrace-dump" piece.stf
    [ "$(grep -A 1 '^TXN_ID ' stdout | grep '^CLOCK ' | tr -s ' ' | sort | uniq -c | tr -s ' ')" = " 2 CLOCK $clock" ] ||
        fail "--select scope=$clock changes clocks: $(grep '^CLOCK ' stdout)"
done
says stdout "DEPENDENCY ID       1"
expect 3 "$bin/hwtrace-convert" transactions.stf piece.stf --force --select scope=io
says stderr "part-dropped stf.dependency, 1 time, first from 1 to 2"

# An empty slice is reported.
for part in "--range :0#" "--range 9#:" "--range 1#:1#" "--last 0"; do
    for file in small.stf transactions.stf; do
        # shellcheck disable=SC2086
        expect 0 "$bin/hwtrace-convert" "$file" none.stf --force $part
        says stderr "the output holds no records"
        # shellcheck disable=SC2086
        expect 0 "$bin/hwtrace-dump" "$file" $part
        says stderr "nothing is in the range"
        # shellcheck disable=SC2086
        expect 0 "$bin/hwtrace-dump" "$file" $part --view model
        says stderr "nothing is in the range"
    done
    # shellcheck disable=SC2086
    expect 0 "$bin/hwtrace-dump" small.stf --view instructions $part
    says stderr "nothing is in the range"
    # shellcheck disable=SC2086
    expect 0 "$bin/hwtrace-dump" small.stf --view instructions --format jsonl $part
    says stderr "nothing is in the range"
done
expect 0 "$bin/hwtrace-dump" small.stf --view instructions --range '1#:'
silent stderr
expect 0 "$bin/hwtrace-dump" small.stf --view instructions --select kind=note
says stderr "nothing was selected"

# --first is the range from the beginning.
sum=$2/stf/valid/sum.zstf
expect 0 "$bin/hwtrace-dump" "$sum" --view instructions --range ':5#'
cp stdout wanted
expect 0 "$bin/hwtrace-dump" "$sum" --view instructions --first 5
same stdout wanted
for pair in '--range :5# --first 5' '--first 5 --last 5' '--around 5# --first 5' '--around 5# --last 5' '--around 5# --range :5#'; do
    # shellcheck disable=SC2086
    expect 2 "$bin/hwtrace-dump" "$sum" $pair
    says stderr "cannot be combined"
done
expect 2 "$bin/hwtrace-dump" "$sum" --first x
says stderr "--first x: takes a number"

# --around shows what surrounds a place. In this trace, the 7th instruction is the first one at 0x1018.
around() { # around PLACE CONTEXT RANGE FILE OPTIONS...: the place with its context is this range
    place=$1 context=$2 range=$3 file=$4
    shift 4
    expect 0 "$bin/hwtrace-dump" "$file" --range "$range" "$@"
    cp stdout wanted
    expect 0 "$bin/hwtrace-dump" "$file" --around "$place" -C "$context" "$@"
    same stdout wanted
}
around pc=0x1018 2 '4#:9#' "$sum" --view instructions
around 6# 2 '4#:9#' "$sum" --view instructions
around '#6' 0 '6#:7#' "$sum" --format jsonl
around 3# 10 ':14#' "$sum"
# npu.pccx holds intervals, each a position; the clock has 1 ns.
npu=$2/pccx/valid/npu.pccx
"$bin/hwtrace-dump" "$npu" --format csv >rows.csv
for place in 1000cyc:1000 1us:1000 1500ns:1500; do
    at=$(awk -F , -v from="${place#*:}" 'NR > 1 && $2 >= from { print NR - 2; exit }' rows.csv)
    around "${place%:*}" 3 "$((at - 3))#:$((at + 4))#" "$npu" --view model
done
expect 0 "$bin/hwtrace-dump" "$2/ftr/valid/soc.ftr" --view model --around id=5 -C 0
[ "$(grep -c ' interval ' stdout)" -eq 1 ] || fail "--around id=5 -C 0 shows $(grep -c ' interval ' stdout) intervals"
says stdout "id=5"
# In the tables of pipelines and of active intervals, slots get pcs and ids. An index knows no ids of slots.
for pipeline in "$2/uscope/valid/pipeline.uscope" "$2/kanata/valid/pipeline.kanata"; do
    expect 0 "$bin/hwtrace-dump" "$pipeline" --view model --around pc=0x80000004 -C 0
    says stdout "set core0/entities[1].pc=0x80000004"
    expect 0 "$bin/hwtrace-dump" "$pipeline" --view model --around id=20 -C 0
    says stdout "set core0/entities[4].entity_id=20"
done
cp "$2/uscope/valid/npu.uscope" indexed.uscope
for index in without with; do
    [ $index = without ] || expect 0 "$bin/hwtrace-index" indexed.uscope --every 10
    expect 0 "$bin/hwtrace-dump" indexed.uscope --view model --around id=5 -C 0
    says stdout "[0].id=0x5"
done
# hwtrace-convert writes the same surroundings, and states where they are. Pictures keep the numbers.
expect 0 "$bin/hwtrace-convert" "$sum" wanted.stf --range '4#:9#'
expect 0 "$bin/hwtrace-convert" "$sum" around.stf --around pc=0x1018 -C 2
says stderr "position 0 of the output is 4# of the input"
same around.stf wanted.stf
expect 0 "$bin/hwtrace-convert" "$sum" around.html --around pc=0x1018 -C 2
! grep -q 'position 0' stderr || fail "a report counts instructions again: $(cat stderr)"
expect 0 "$bin/hwtrace-convert" "$2/ftr/valid/soc.ftr" around.ftr --around id=5 -C 0
rm -f none.stf
expect 2 "$bin/hwtrace-convert" "$sum" none.stf --around 6# --last 5
says stderr "cannot be combined"
# A trace that was made from instructions is searched, and cut, as those: the same slice comes from all.
for made in ftr uscope flux; do
    expect 0 "$bin/hwtrace-convert" "$sum" "made.$made" -q
    for place in 6# pc=0x1018; do
        expect 0 "$bin/hwtrace-convert" "made.$made" around.stf --around "$place" -C 2 --force
        says stderr "position 0 of the output is 4# of the input"
        expect 0 "$bin/hwtrace-diff" around.stf wanted.stf --ignore metadata
    done
done
expect 0 "$bin/hwtrace-dump" "$sum" -o around.csv --format csv --around pc=0x1018 -C 2
[ "$(cat around.csv/core0.csv | wc -l)" -eq 6 ] || fail "-o and --around write $(wc -l <around.csv/core0.csv) lines"
expect 2 "$bin/hwtrace-convert" "$sum" none.stf --context 5
says stderr "add --around PLACE"
expect 0 "$bin/hwtrace-convert" "$sum" nothing.stf --around pc=0x1
says stderr "--around pc=0x1: the trace has no such place"
expect 1 "$bin/hwtrace-convert" "$sum" none.stf --around pc=0x1 --require-match
[ ! -e none.stf ] || fail "--require-match wrote a slice without records"
last=$("$bin/hwtrace-info" "$sum" --format json | sed -n 's/.*"instruction": \([0-9]*\).*/\1/p' | head -1)
for place in pc=0x1 id=77 "$last#" 1000000#; do
    expect 0 "$bin/hwtrace-dump" "$sum" --around $place
    says stderr "--around $place: the trace has no such place; its last position is $((last - 1))#"
    ! grep -q '^INST[0-9]' stdout || fail "--around $place shows instructions"
    expect 1 "$bin/hwtrace-dump" "$sum" --around $place --require-match
    silent stdout
    says stderr "--around $place: the trace has no such place"
done
expect 0 "$bin/hwtrace-dump" "$sum" --around "$((last - 1))#" -C 0
[ "$(grep -c '^INST[0-9]' stdout)" -eq 1 ] || fail "--around the last position shows $(grep -c '^INST[0-9]' stdout) instructions"
expect 0 "$bin/hwtrace-dump" "$npu" --around 1s
says stderr "--around 1s: the trace has no such place; its last position is "
# A time is refused with a reason if the trace has no times.
for place in 1us 5cyc; do
    expect 2 "$bin/hwtrace-dump" "$sum" --around $place
    says stderr "the trace counts positions and has no times; use a position such as 100#"
done
expect 2 "$bin/hwtrace-dump" "$2/kanata/valid/pipeline.kanata" --around 0ns
says stderr "does not state the length of a cycle; use a cycle such as 100cyc"
expect 0 "$bin/hwtrace-dump" "$2/kanata/valid/pipeline.kanata" --around 0cyc
# A rule leads to the record that violates it.
bad=$2/ftr/invalid/generator_undefined.hex
python3 -c 'import sys
lines = [l.split("#")[0] for l in open(sys.argv[1]) if not l.startswith("expect")]
sys.stdout.buffer.write(bytes.fromhex("".join("".join(lines).split())))' "$bad" >bad.ftr
expect 3 "$bin/hwtrace-dump" bad.ftr --around FTR027 -C 0
says stdout "tx 3 "
[ "$(grep -c '^tx' stdout)" -eq 1 ] || fail "--around FTR027 shows $(grep -c '^tx' stdout) transactions"
# Ids of rules are taken in any case.
cp stdout wanted
expect 3 "$bin/hwtrace-dump" bad.ftr --around ftr027 -C 0
same stdout wanted
expect 0 "$bin/hwtrace-dump" "$2/o3pipeview/valid/pipeline.o3pipeview" --around o3p002
says stderr "--around o3p002: the trace has no such place"
expect 2 "$bin/hwtrace-dump" bad.ftr --around STF062
says stderr "--around STF062: ftr has no such rule"
expect 0 "$bin/hwtrace-dump" "$2/ftr/valid/soc.ftr" --around FTR027
says stderr "--around FTR027: the trace has no such place"

# --first and --last count what --select chooses.
chosen() { # chosen FILE SELECTION: prints the number of records in the selection
    "$bin/hwtrace-dump" "$1" --select "$2" --view model --format jsonl | grep -c '"time":-*[0-9]'
}
for case in "$sum write=0x20070" "$npu track=DMA_READ" "$npu duration>100cyc" \
    "$2/ftr/valid/soc.ftr kind=interval" "$2/uscope/valid/queue.uscope track=note"; do
    file=${case% *} selection=${case##* }
    total=$(chosen "$file" "$selection")
    for count in 1 2 1000000; do
        for end in first last; do
            expect 0 "$bin/hwtrace-dump" "$file" --select "$selection" --$end $count --view model --format jsonl
            shown=$(grep -c '"time":-*[0-9]' stdout)
            [ "$shown" -eq "$((count < total ? count : total))" ] ||
                fail "--select $selection --$end $count of $file shows $shown of $total"
        done
    done
done
expect 0 "$bin/hwtrace-convert" "$npu" dma.pccx --select track=DMA_READ --last 3
expect 0 "$bin/hwtrace-info" dma.pccx --format json
says stdout '"interval": 3'
expect 0 "$bin/hwtrace-convert" "$npu" dma.pccx --force --select track=DMA_READ --first 2
expect 0 "$bin/hwtrace-info" dma.pccx --format json
says stdout '"interval": 2'

# --require-match turns an empty slice into the answer no; nothing is written.
for part in '--select pc=0x1' '--range 1000000#:' '--last 0'; do
    for verb in dump info; do
        # shellcheck disable=SC2086
        expect 0 "$bin/hwtrace-$verb" "$sum" $part
        # shellcheck disable=SC2086
        expect 1 "$bin/hwtrace-$verb" "$sum" $part --require-match
        says stderr "--require-match: nothing was selected"
    done
    # shellcheck disable=SC2086
    expect 1 "$bin/hwtrace-convert" "$sum" no.stf $part --require-match
    says stderr "--require-match: nothing was selected; no.stf was not written"
    absent no.stf
done
for verb in dump info; do
    expect 0 "$bin/hwtrace-$verb" "$sum" --select pc=0x1018 --require-match
done
expect 0 "$bin/hwtrace-convert" "$sum" yes.stf --select pc=0x1018 --require-match

# The default view of a slice is that of the whole trace.
for case in "$sum ^INST[0-9]" "$npu ^[0-9]+.[0-9]+"; do
    file=${case% *} row=${case##* }
    expect 0 "$bin/hwtrace-dump" "$file"
    grep -E "$row" stdout | sed -n 3,5p >wanted
    expect 0 "$bin/hwtrace-dump" "$file" --range '2#:5#'
    grep -E "$row" stdout >part
    same part wanted
done
expect 0 "$bin/hwtrace-dump" "$sum" --select pc=0x1018
grep '^INST[0-9]' stdout | grep -v ' 0000000000001018 ' && fail "--select pc=0x1018 shows other instructions"
[ "$(grep -c '^INST[0-9]' stdout)" -gt 1 ] || fail "--select pc=0x1018 shows $(grep -c '^INST[0-9]' stdout) instructions"
expect 0 "$bin/hwtrace-dump" "$sum" --view records --select pc=0x1018
says stdout "INST_OPCODE32"
expect 0 "$bin/hwtrace-dump" "$npu" --format csv --select duration=25
[ "$(cut -d , -f 3 stdout | sort -u | tr '\n' ' ')" = "25 duration " ] || fail "--select duration=25 of pccx: $(cat stdout)"
# The view of frames shows the selected records in their frames.
expect 0 "$bin/hwtrace-dump" "$2/uscope/valid/queue.uscope" --view frames
grep -B 1000 '^strings ' stdout >wanted
awk '/^@/ { frame = $0 } /^  event queue\/note / { if (frame != "") print frame; frame = ""; print }' stdout >>wanted
expect 0 "$bin/hwtrace-dump" "$2/uscope/valid/queue.uscope" --view frames --select track=note
grep -v '^segment ' stdout >shown
same shown wanted
grep -q '^  event queue/note ' shown || fail "--view frames --select shows no event"
# The view of records selects transactions, notes and dependencies; it is the default.
traffic=$2/stf/valid/traffic.stf
expect 0 "$bin/hwtrace-dump" "$traffic"
[ "$(grep -c '^COMMENT' stdout)" -gt 1 ] || fail "too few comments: $(grep -c '^COMMENT' stdout)"
grep '^COMMENT' stdout >wanted
expect 0 "$bin/hwtrace-dump" "$traffic" --select kind=note
grep -v -e '^PROTOCOL' -e '^CLOCK_ID' -e '^VERSION' -e '^TRACE_INFO' stdout >shown
same shown wanted
expect 0 "$bin/hwtrace-dump" "$traffic" --view records --select id=16
[ "$(grep -c '^TXN_ID' stdout)" -eq 1 ] || fail "--select id=16 shows $(grep -c '^TXN_ID' stdout) transactions"
says stdout "DEPENDENCY ID"
expect 0 "$bin/hwtrace-dump" "$traffic" --view records --select id=16 --select kind=interval
[ "$(grep -c '^TXN_ID' stdout)" -eq 1 ] || fail "kind=interval shows $(grep -c '^TXN_ID' stdout) transactions"
grep -q '^DEPENDENCY' stdout && fail "kind=interval shows dependencies"
expect 0 "$bin/hwtrace-dump" "$traffic" --view records --select id=123456789
says stderr "nothing was selected"
grep -q -e '^TXN_ID' -e '^DEPENDENCY' stdout && fail "an empty selection shows transactions"
expect 4 "$bin/hwtrace-dump" "$traffic" --view instructions --select id=16
says stderr "a trace of transactions has no instructions; use --view records or --view model"
# Views of pipelines show whole instructions, whatever record of them matches.
branch=$2/o3pipeview/valid/branch.o3pipeview
fetched=$(grep -c ':fetch:.*:0x0*1014:' "$branch")
expect 0 "$bin/hwtrace-dump" "$branch" --view lines --select pc=0x1014
[ "$(grep -c ':fetch:' stdout)" -gt 0 ] || fail "--view lines --select shows nothing"
[ "$(grep -c ':fetch:' stdout)" -eq "$(grep -c ':fetch:.*:0x0*1014:' stdout)" ] || fail "--view lines: $(cat stdout)"
[ "$(grep -c ':retire:' stdout)" -eq "$(grep -c ':fetch:' stdout)" ] || fail "--view lines --select cuts instructions"
expect 0 "$bin/hwtrace-dump" "$branch" --view instructions --select pc=0x1014 --format csv
[ "$(sed 1d stdout | wc -l)" -eq "$fetched" ] || fail "instructions: $(cat stdout)"
expect 1 "$bin/hwtrace-dump" "$branch" --view lines --select pc=0x1 --require-match
says stderr "--require-match: nothing was selected"
pipeline=$2/kanata/valid/pipeline.kanata
ids() { awk '$2 != "line" && NR > 1 { print $3 }' stdout | sort -un | tr '\n' ' '; }
expect_ids() {
    wanted_ids=$1
    shift
    expect 0 "$bin/hwtrace-dump" "$pipeline" --view log "$@"
    [ "$(ids)" = "$wanted_ids" ] || fail "$*: shows the instructions $(ids)"
}
expect_ids '1 ' --select entity_id=1 --select track=retire
says stdout " begin 1 "
says stdout " dependency 1 on 0 "
expect_ids '0 ' --select entity_id=0
says stdout " retire 0 "
expect_ids '1 20 ' --select 'retire_id>8'
expect_ids '0 ' --select 'pc=0x80000000'
expect_ids '1 ' --select 'src_entity=0'
expect_ids '0 ' --select 'pc=0x80000000' --first 1
expect_ids '1 20 ' --select track=retire --last 2
expect_ids '0 ' --range 0#:1#
expect_ids '0 1 2 20 ' --range 0#:
# An instruction has records in several shards, but each item must be in exactly one.
expect 2 "$bin/hwtrace-dump" "$pipeline" --view log --shard 1/2
says stderr "--shard: the view log shows rows that belong to several shards; views that can: model"
# A pipe is read as often as needed.
"$bin/hwtrace-dump" "$pipeline" --view log --select entity_id=1 >wanted
"$bin/hwtrace-dump" - --view log --select entity_id=1 <"$pipeline" >shown || fail "a pipe is not selected from"
same shown wanted
# The tree of flux shows the items of the slice and the scopes around them.
expect 0 "$bin/hwtrace-convert" "$2/jsonl/valid/script.jsonl" script.flux
expect 0 "$bin/hwtrace-dump" script.flux --view tree --select track=reset
says stdout " reset: "
grep -q ' fill: ' stdout && fail "--view tree --select track=reset shows fill"
"$bin/hwtrace-dump" - --view tree --select track=reset <script.flux >shown || fail "a pipe has no tree of a slice"
same shown stdout
# Lines of JSON are shown with the declarations that they need; each record is in one shard.
lines=$2/jsonl/valid/script.jsonl
expect 0 "$bin/hwtrace-dump" "$lines" --select track=fill
says stdout '1 @0 {"schema"'
says stdout '"name": "fill"'
[ "$(grep -c track stdout)" -eq 2 ] || fail "--view lines --select track=fill: $(cat stdout)"
"$bin/hwtrace-dump" - --select track=fill <"$lines" >shown || fail "a pipe has no lines of a slice"
same shown stdout
for i in 1 2 3; do "$bin/hwtrace-dump" "$lines" --view lines --shard $i/3; done | grep '"time": [0-9"].*"track"' | sort -n >shown
"$bin/hwtrace-dump" "$lines" --view lines | grep '"time": [0-9"].*"track"' >wanted
[ -s wanted ] || fail "there are no lines of records"
same shown wanted
expect 0 "$bin/hwtrace-dump" "$lines" --view lines --select track=fill,words=9
says stderr "nothing was selected"
expect 0 "$bin/hwtrace-convert" "$2/uscope/valid/queue.uscope" selected.uscope --select kind=event
expect 0 "$bin/hwtrace-dump" selected.uscope --view frames

# A message names the option that was given.
for part in '--around 3#' '--first 3' '--last 3' '--range :3#'; do
    # shellcheck disable=SC2086
    expect 2 "$bin/hwtrace-dump" "$2/uscope/valid/queue.uscope" --view frames $part
    says stderr "${part% *}: the view frames takes time and cycles only"
done
for place in x pc=x 5 -5# id= 10; do
    expect 2 "$bin/hwtrace-dump" "$sum" "--around=$place"
    says stderr "expected a place such as"
done
expect 2 "$bin/hwtrace-dump" "$sum" -C 3
says stderr "--context requires --around"

# Many losses are summed up by kind; -v lists all.
expect 3 "$bin/hwtrace-convert" "$2/jsonl/valid/everything.jsonl" many.pccx
[ "$(grep -c 'lost: ' stderr)" -le 12 ] || fail "$(grep -c 'lost: ' stderr) lines of losses"
all=$(sed -n 's/.*-v lists all \([0-9]*\) losses/\1/p' stderr)
expect 3 "$bin/hwtrace-convert" "$2/jsonl/valid/everything.jsonl" many.pccx --force -v --loss-report losses.json
[ "$(grep -c 'lost: ' stderr)" -eq "$all" ] || fail "-v lists $(grep -c 'lost: ' stderr) losses, not $all"
[ "$(grep -c '"subject"' losses.json)" -eq "$all" ] || fail "the report has $(grep -c '"subject"' losses.json) losses, not $all"

# A terminal, or -v, gets a summary of the conversion.
expect 0 "$bin/hwtrace-convert" "$npu" npu.ftr -v
says stderr "npu.ftr: $(LC_ALL=C awk -v n="$(wc -c <npu.ftr)" 'BEGIN { printf "%.1f kB", n / 1000 }') from"
says stderr "; 328 records from 328; "
says stderr "; nothing lost"
if command -v script >/dev/null; then
    TERM=xterm script -qec "$bin/hwtrace-convert $npu npu.ftr --force" /dev/null >terminal </dev/null
    tr -s '\r\n ' ' ' <terminal | grep -q '328 records from 328; .* s.*; nothing lost' ||
        fail "no summary on a terminal: $(cat terminal)"
else
    skip "terminals: there is no 'script' here"
fi
finish

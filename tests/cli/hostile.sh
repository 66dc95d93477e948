# Tests traces that were made to break a promise: names with control characters, outputs that violate their format,
# gaps, no threads. Names what a conversion must repair, refuse or count.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
testdata=$2
corpus=${HWTRACE_CORPUS:-/nowhere}/adversary
[ -d "$corpus" ] || skip "the hostile files of the corpus: HWTRACE_CORPUS is not set"

# --- control characters in names never reach a terminal ---
# Every name and value of these traces has an escape sequence, a forged line, DEL and U+009B.
line() { printf '%s\n' "$1"; }
hostile_schema() {
    e='\u001b]0;P\u0007\u001b[2J\n0 FORGED\u009b31m\u007f'
    ps='"time":{"base":"seconds","num":1,"den":1000000000000}'
    line '{"schema":"hwtrace-jsonl/1"}'
    line "{\"type\":\"clock\",\"id\":0,\"name\":\"clk$e\",\"period_ps\":1000}"
    line "{\"type\":\"scope\",\"id\":0,\"name\":\"root$e\",\"clock\":0,\"protocol\":\"pr$e\"}"
    line "{\"type\":\"scope\",\"id\":1,\"name\":\"s1$e\",\"parent\":0,\"clock\":0}"
    line "{\"type\":\"enum\",\"id\":0,\"name\":\"en$e\",\"values\":[{\"value\":0,\"name\":\"A$e\"}]}"
    line "{\"type\":\"track\",\"id\":0,\"kind\":\"event\",\"name\":\"ev$e\",\"scope\":1,$ps,\"fields\":[{\"name\":\"f$e\",\"type\":\"u32\"},{\"name\":\"t$e\",\"type\":\"text\"},{\"name\":\"e$e\",\"type\":\"enum\",\"enum\":0}]}"
    line "{\"type\":\"track\",\"id\":1,\"kind\":\"stream\",\"name\":\"st$e\",\"scope\":1,$ps,\"fields\":[{\"name\":\"at$e\",\"type\":\"u32\"},{\"name\":\"tx$e\",\"type\":\"text\"}]}"
    line "{\"type\":\"metadata\",\"key\":\"k$e\",\"value\":\"v$e\"}"
}
{
    hostile_schema
    line "{\"type\":\"event\",\"time\":10,\"track_id\":0,\"fields\":{\"f$e\":1,\"t$e\":\"x$e\",\"e$e\":\"A$e\"}}"
} >event.jsonl
{
    hostile_schema
    line "{\"type\":\"interval\",\"time\":20,\"track_id\":1,\"duration\":5,\"attributes\":{\"at$e\":1,\"tx$e\":\"y$e\"}}"
} >interval.jsonl
# The same with the characters themselves where JSON allows them.
sed "s/\\\\u007f/$(printf '\177')/g; s/\\\\u009b/$(printf '\302\233')/g" event.jsonl >raw.jsonl

# is_safe COMMAND...: runs the command, which may fail; neither stream may hold a control character or a forged line.
is_safe() {
    "$@" >stdout 2>stderr </dev/null
    for stream in stdout stderr; do
        LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|^0 FORGED' "$stream" &&
            fail "control characters on $stream: $*"
    done
}
for source in event interval; do
    for target in uscope ftr pccx flux txlog; do
        "$bin/hwtrace-convert" $source.jsonl $source.$target -q --allow-loss || fail "$source.jsonl to $target"
    done
done
"$bin/hwtrace-dump" --list-views >views
[ -d "$corpus" ] && cp "$corpus/esc_key.pccx" key.pccx
for file in event.* interval.* raw.jsonl key.pccx; do
    [ -e "$file" ] || continue
    extension=${file##*.}
    while read -r format view _; do
        case $format in
        "$extension" | any)
            for form in text json jsonl; do
                is_safe "$bin/hwtrace-dump" "$file" --view "$view" --format "$form"
            done
            ;;
        esac
    done <views
    is_safe "$bin/hwtrace-dump" "$file" --at 10ps
    for form in text json; do
        is_safe "$bin/hwtrace-info" "$file" --format $form
        is_safe "$bin/hwtrace-diff" "$file" event.flux --format $form
    done
    is_safe "$bin/hwtrace-validate" "$file" --level semantic
    is_safe "$bin/hwtrace-recover" "$file" --explain
    for target in uscope ftr pccx flux jsonl txlog; do
        is_safe "$bin/hwtrace-convert" "$file" --explain --to $target
        is_safe "$bin/hwtrace-convert" "$file" out --to $target --force --verify
    done
    is_safe "$bin/hwtrace-merge" "$file" event.ftr out.jsonl --force
    is_safe "$bin/hwtrace-convert" "$file" - --to jsonl
done
"$bin/hwtrace-dump" event.pccx >stdout
[ "$(grep -c '^# "k' stdout)" -eq 1 ] || fail "a metadata key is not on one line: $(cat stdout)"

# --- control characters in names of files never reach a terminal ---
name=$(printf 'a\033]0;P\007\033[2J\177\302\233')
cp event.jsonl "$name.jsonl"
cp interval.ftr "$name.ftr"
cp event.uscope "$name.uscope"
head -c 100 event.uscope >"$name.cut.uscope"
for file in "$name.jsonl" "$name.ftr" "$name.uscope" "$name.cut.uscope" "$name.absent"; do
    is_safe "$bin/hwtrace" "$file"
    is_safe "$bin/hwtrace" "$name"
    is_safe "$bin/hwtrace" help "$name"
    is_safe "$bin/hwtrace-info" "$file" --next
    is_safe "$bin/hwtrace-dump" "$file"
    is_safe "$bin/hwtrace-dump" "$file" "--$name"
    is_safe "$bin/hwtrace-dump" "$file" "$name" "$name"
    for option in --view --format --at --range --first --around --select --from --elf --color; do
        is_safe "$bin/hwtrace-dump" "$file" $option "$name"
    done
    is_safe "$bin/hwtrace-diff" "$file" event.jsonl
    is_safe "$bin/hwtrace-diff" --summary "$file" event.jsonl
    for report in text json junit sarif github; do
        is_safe "$bin/hwtrace-validate" "$file" --report $report
    done
    is_safe "$bin/hwtrace-validate" "$file" --rule "$name=off" --baseline "$name"
    for explain in '' --explain; do
        # shellcheck disable=SC2086
        {
            is_safe "$bin/hwtrace-convert" "$file" "$name.out.jsonl" -v $explain
            is_safe "$bin/hwtrace-convert" "$file" "$name.out.$name" $explain
            is_safe "$bin/hwtrace-merge" "$file" event.ftr -o "$name.merged.jsonl" -v $explain
            is_safe "$bin/hwtrace-recover" "$file" "$name.good.jsonl" -v $explain
            is_safe "$bin/hwtrace-split" "$file" -o "$name.{}.jsonl" --by track -v $explain
        }
    done
    [ ! -x "$bin/hwtrace-query" ] || is_safe "$bin/hwtrace-query" "$file" --list
done
is_safe "$bin/hwtrace-split" "$name.uscope" -o "$name.{}.uscope" --into 2 --force
rm -f "$name.1.uscope" "$name.0001.uscope"
for manifest in "$name"*.manifest.json; do
    is_safe "$bin/hwtrace-merge" --check "$manifest"
done
says stderr "hwtrace-convert \$'a\\x1b]0;P\\x07"

# --- text of a trace is no formula in a spreadsheet ---
{
    line '{"schema":"hwtrace-jsonl/1"}'
    line '{"type":"scope","id":0,"name":"root"}'
    line '{"type":"track","id":0,"kind":"event","name":"e","scope":0,"time":{"base":"seconds","num":1,"den":1000000000000},"fields":[{"name":"t","type":"text"},{"name":"n","type":"i32"}]}'
    for text in '=1+1' '+x' '-x' '@x' '\tx' '\rx' 'x=1' '-5' '+2.5e3'; do
        line "{\"type\":\"event\",\"time\":10,\"track_id\":0,\"fields\":{\"t\":\"$text\",\"n\":-7}}"
    done
} >cells.jsonl
cells() { tr '\r' R <stdout | tr '\t' T | tail -n +2 | cut -d , -f 2 | tr -d '"' | tr '\n' ' '; }
expect 0 "$bin/hwtrace-dump" cells.jsonl --view model --format csv --select track=e
[ "$(cells)" = "=1+1 +x -x @x Tx Rx x=1 -5 +2.5e3 " ] || fail "CSV is not exact without --csv-safe: $(cells)"
expect 0 "$bin/hwtrace-dump" cells.jsonl --view model --format csv --select track=e --csv-safe
[ "$(cells)" = "'=1+1 '+x '-x '@x 'Tx 'Rx x=1 -5 +2.5e3 " ] || fail "--csv-safe writes $(cells)"
grep -q ',-7$' stdout || fail "--csv-safe changes numbers: $(cat stdout)"
expect 0 "$bin/hwtrace-convert" cells.jsonl cells.csv --csv-safe --allow-loss
grep -rq "'=1+1" cells.csv || fail "hwtrace-convert --csv-safe writes a formula"
if [ -x "$bin/hwtrace-query" ]; then
    expect 0 "$bin/hwtrace-query" cells.jsonl --format csv --csv-safe 'SELECT t FROM e'
    says stdout "'=1+1"
fi
expect 2 "$bin/hwtrace-dump" cells.jsonl --csv-safe
says stderr "--csv-safe requires CSV output"

# --- text is printed on a terminal ---
if command -v python3 >/dev/null; then
    # on_terminal COMMAND...: runs the command on a terminal, whose text goes to standard output.
    on_terminal() {
        python3 -c 'import os, pty, sys
status = pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 65536))
sys.exit(os.waitstatus_to_exitcode(status))' "$@"
    }
    for target in jsonl txlog; do
        on_terminal "$bin/hwtrace-convert" interval.jsonl - --to $target --allow-loss -q >stdout </dev/null ||
            fail "$target is not printed on a terminal: $(cat stdout)"
        grep -q 'st.*x1b\|u001b' stdout || fail "no $target on a terminal"
        tr -d '\r' <stdout | LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' &&
            fail "control characters of $target reach the terminal"
    done
    for refused in "uscope" "jsonl --jsonl-container gz"; do
        # shellcheck disable=SC2086
        on_terminal "$bin/hwtrace-convert" interval.jsonl - --to $refused >stdout </dev/null
        [ $? -eq 2 ] || fail "$refused is written to a terminal"
    done
else
    skip "text on a terminal: there is no python3"
fi

# --- --verify does not pass an output that violates its format ---
cat <<'END' >no_cycles.jsonl
{"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"npu"}
{"type":"scope","id":1,"name":"core0","parent":0}
{"type":"track","id":0,"kind":"stream","name":"MAC_COMPUTE","scope":1,"time":{"base":"cycles","num":1,"den":250000000}}
{"type":"metadata","key":"pccx.version","value":"1.1"}
{"type":"metadata","key":"pccx.pccx_lab_version","value":"hand"}
{"type":"metadata","key":"pccx.arch.mac_dims","value":"[8,4]"}
{"type":"metadata","key":"pccx.arch.isa_version","value":"1.1"}
{"type":"metadata","key":"pccx.arch.peak_tops","value":"2.5"}
{"type":"metadata","key":"pccx.trace.cores","value":"1"}
{"type":"metadata","key":"pccx.trace.clock_mhz","value":"250"}
{"type":"metadata","key":"pccx.payload.encoding","value":"bincode"}
{"type":"metadata","key":"pccx.format_minor","value":"1"}
{"type":"interval","time":10,"track_id":0,"duration":20}
END
expect 1 "$bin/hwtrace-convert" no_cycles.jsonl no_cycles.pccx --verify
says stderr PCX006
says stderr "violate"
absent no_cycles.pccx
# The losses are reported all the same.
expect 1 "$bin/hwtrace-convert" no_cycles.jsonl no_cycles.pccx --verify --loss-report refused.json
[ -s refused.json ] || fail "no loss report of a refused output"
absent no_cycles.pccx
expect 0 "$bin/hwtrace-convert" no_cycles.jsonl no_cycles.pccx
expect 3 "$bin/hwtrace-convert" no_cycles.pccx again.pccx --verify
says stderr "the output violates its format as the input does: PCX006"
if [ -d "$corpus" ]; then
    expect 1 "$bin/hwtrace-convert" "$corpus/pccx_no_cycles.jsonl" out.pccx --verify
    says stderr PCX006
    expect 1 "$bin/hwtrace-convert" "$corpus/stf_dup_header.jsonl" out.stf --verify
    says stderr STF006
    absent out.stf
fi

# --- a gap between instructions is a loss in STF ---
cat <<'END' >gap.jsonl
{"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"/"}
{"type":"scope","id":1,"name":"core0","parent":0}
{"type":"track","id":0,"kind":"hart","name":"core0","scope":1,"time":{"base":"ordinal"}}
{"type":"instruction","time":0,"track_id":0,"pc":4096,"encoding":19,"size":4}
{"type":"instruction","time":10,"track_id":0,"pc":4100,"encoding":19,"size":4}
END
expect 3 "$bin/hwtrace-convert" gap.jsonl gap.stf --verify
says stderr "lost: time-rounded core0, 1 time, first position 10 becomes 1"
expect 0 "$bin/hwtrace-convert" small.stf small.jsonl --verify
expect 0 "$bin/hwtrace-convert" small.jsonl same.stf --verify
expect 0 "$bin/hwtrace-convert" small.jsonl slice.stf --range 1#:
same small.stf same.stf

# --- bus accesses made from transactions have a content ---
cat <<'END' >bus.jsonl
{"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"bus"}
{"type":"track","id":0,"kind":"stream","name":"read","scope":0,"time":{"base":"seconds","num":1,"den":1000000000000},"fields":[{"name":"address","type":"u64"},{"name":"size","type":"u32"}]}
{"type":"interval","time":10,"track_id":0,"duration":5,"attributes":{"address":4096,"size":4}}
END
expect 0 "$bin/hwtrace-convert" bus.jsonl bus.ftr
for source in bus.jsonl bus.ftr; do
    expect 3 "$bin/hwtrace-convert" $source bus.stf --force
    says stderr "assumption: 1 bus access without data: the content is written as 0"
    expect 0 "$bin/hwtrace-validate" bus.stf --level semantic
done

# --- the ids of transactions in µScope are those that relations name ---
expect 0 "$bin/hwtrace-convert" "$testdata/ftr/valid/soc.ftr" soc.uscope --allow-loss
"$bin/hwtrace-dump" "$testdata/ftr/valid/soc.ftr" --format csv | sed -n 's/^transaction,\([0-9]*\),.*/\1/p' | sort -u >ids
"$bin/hwtrace-dump" soc.uscope --view model | sed -n 's/.*active\[[0-9]*\]\.id=\(0x[0-9a-f]*\).*/\1/p' |
    while read -r id; do printf '%d\n' "$id"; done | sort -u >shown
[ -s shown ] || fail "no ids in the table of soc.uscope"
comm -13 ids shown >strange
[ ! -s strange ] || fail "ids that no transaction has: $(head -3 strange)"

# --- events of µScope survive FTR ---
{ hostile_schema | grep -v '"stream"'; tail -1 event.jsonl; } >own.jsonl
expect 0 "$bin/hwtrace-convert" own.jsonl own.uscope
for source in own.uscope "$corpus/ev.uscope" "$corpus/ev_generated.uscope"; do
    [ -e "$source" ] || continue
    expect 0 "$bin/hwtrace-convert" "$source" events.ftr --force
    expect 0 "$bin/hwtrace-convert" events.ftr events.uscope --force
    expect 0 "$bin/hwtrace-diff" "$source" events.uscope
done

# --- without threads, the work is done on one thread, with a note ---
if command -v prlimit >/dev/null; then
    mkdir -m 777 open
    cp "$testdata/stf/valid/sum.zstf" "$testdata/pccx/valid/npu.pccx" open
    chmod 755 "$work"
    # alone COMMAND...: runs the command as a user that may have no further thread; the limit does not bind root.
    alone() {
        if [ "$(id -u)" -ne 0 ]; then prlimit --nproc=1 "$@"; else setpriv --reuid=65531 --clear-groups prlimit --nproc=1 "$@"; fi
    }
    if alone "$bin/hwtrace-convert" --version >stdout 2>stderr; then
        for target in stf zstf uscope pccx jsonl; do
            expect 0 "$bin/hwtrace-convert" open/sum.zstf open/many.$target -j 4 -q --allow-loss
            expect 0 alone "$bin/hwtrace-convert" open/sum.zstf open/one.$target -j 4 --allow-loss
            says stderr "the system allows no further thread"
            same open/many.$target open/one.$target
        done
        expect 0 alone "$bin/hwtrace-validate" open/sum.zstf open/npu.pccx -j 4
        expect 0 alone "$bin/hwtrace-convert" open/npu.pccx open/npu.uscope -q --allow-loss
        silent stderr
    else
        skip "no threads: the commands cannot be run as another user"
    fi
else
    skip "no threads: there is no prlimit"
fi

# --- a small file with many faults is recovered about as fast as it is validated ---
# cpu COMMAND...: prints the CPU time of the command in hundredths of a second.
cpu() {
    { "$@" >stdout 2>stderr; times; } | tail -1 | tr 'ms.' '   ' | {
        read -r minutes seconds fraction more_minutes more_seconds more_fraction
        one=1$(echo "$fraction" | cut -c1-2) two=1$(echo "$more_fraction" | cut -c1-2)
        echo $(((minutes + more_minutes) * 6000 + (seconds + more_seconds) * 100 + one + two - 200))
    }
}
if [ -d "$corpus" ]; then
    checked=$(cpu "$bin/hwtrace-validate" "$corpus/recover_slow_381.stf")
    recovered=$(cpu "$bin/hwtrace-recover" "$corpus/recover_slow_381.stf" recovered.stf)
    expect 0 "$bin/hwtrace-validate" recovered.stf
    [ "$recovered" -lt $((8 * checked + 100)) ] || fail "recover took $recovered cs, validate $checked cs"
fi
finish

# Tests the views that draw (pipeline, lanes, histogram, heatmap): drawings of traces of every format in 80 columns
# (tests/cli/drawings/*.txt), the width, ASCII and colour, slices, and what cannot be drawn.
#
# With HWTRACE_WRITE_DRAWINGS set, writes the files instead of comparing with them.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=$(cd "$2" && pwd)
cd "$work" || exit 1

# drawing NAME VIEW FILE OPTION...: compares the drawing of a file with NAME.txt, and its ASCII form with NAME.ascii.txt.
drawing() {
    name=$1
    view=$2
    file=$3
    shift 3
    for form in '' .ascii; do
        expect 0 "$bin/hwtrace-dump" "$file" --view "$view" ${form:+--ascii} "$@"
        golden=$here/drawings/$name$form.txt
        if [ -n "${HWTRACE_WRITE_DRAWINGS-}" ]; then
            cp stdout "$golden"
        elif ! cmp -s stdout "$golden"; then
            fail "$file --view $view $* differs from drawings/$name$form.txt:"
            diff "$golden" stdout | head -20
        fi
        [ -z "$form" ] || ! LC_ALL=C grep -q '[^ -~]' stdout || fail "$name: --ascii writes other characters"
    done
}

expect 0 "$bin/hwtrace-convert" -q "$data/jsonl/valid/script.jsonl" script.flux
expect 0 "$bin/hwtrace-convert" -q "$data/pccx/valid/npu.pccx" npu.flux
drawing stf_lanes lanes "$data/stf/valid/sum_small.stf"
drawing stf_heatmap heatmap "$data/stf/valid/sum.zstf"
drawing uscope_lanes lanes "$data/uscope/valid/queue.uscope"
drawing uscope_histogram histogram "$data/uscope/valid/queue.uscope"
drawing uscope_pipeline pipeline "$data/uscope/valid/pipeline.uscope"
drawing pccx_lanes lanes "$data/pccx/valid/npu.pccx"
drawing pccx_heatmap heatmap "$data/pccx/valid/npu.pccx"
drawing pccx_histogram histogram "$data/pccx/valid/npu.pccx" --select 'scope=core0'
drawing pccx_range lanes "$data/pccx/valid/npu.pccx" --range 1000cyc:1100cyc --select 'scope=core1'
drawing ftr_lanes lanes "$data/ftr/valid/soc.ftr"
drawing ftr_last heatmap "$data/ftr/valid/soc.ftr" --last 3
drawing flux_lanes lanes script.flux
drawing flux_histogram histogram script.flux
drawing txlog_lanes lanes "$data/txlog/valid/soc.txlog"
drawing kanata_pipeline pipeline "$data/kanata/valid/pipeline.kanata"
drawing kanata_names pipeline "$data/kanata/valid/names.kanata"
drawing kanata_heatmap heatmap "$data/kanata/valid/pipeline.kanata"
drawing jsonl_lanes lanes "$data/jsonl/valid/everything.jsonl"

# Every form of every view works for every trace. A trace with nothing to draw causes a note, and the exit code is 0.
for file in small.uscope small.stf small.pccx "$data/jsonl/valid/everything.jsonl" "$data/ftr/valid/soc.ftr"; do
    [ "$file" != small.uscope ] || expect 0 "$bin/hwtrace-convert" -q small.stf small.uscope
    for view in lanes histogram heatmap; do
        for form in json jsonl csv; do
            expect 0 "$bin/hwtrace-dump" "$file" --view $view --format $form
            [ $form = csv ] || says stdout "\"schema\":\"hwtrace-$view/1\""
            COLUMNS=200 "$bin/hwtrace-dump" "$file" --view $view --format $form >wide 2>/dev/null
            cmp -s stdout wide || fail "$view as $form depends on the width of the terminal"
            is_data $form "$file $view"
        done
    done
done
expect 0 "$bin/hwtrace-dump" small.pccx --view pipeline
silent stdout
says stderr "no scope has the protocol cpu"
expect 0 "$bin/hwtrace-dump" small.stf --view histogram
silent stdout
says stderr "the trace has no intervals, lifetimes, numeric signals or buffers"
expect 0 "$bin/hwtrace-dump" small.pccx --view lanes --range 5000cyc:6000cyc
says stderr "nothing is in the range"
expect 0 "$bin/hwtrace-dump" small.uscope --view pipeline --entity 77
says stderr "has the id 77"
expect 0 "$bin/hwtrace-dump" "$data/jsonl/valid/sum_small.jsonl.gz" --view lanes
mv stdout file
"$bin/hwtrace-dump" - --view lanes <"$data/jsonl/valid/sum_small.jsonl.gz" >piped || fail "a pipe cannot be drawn"
same file piped

# Names from a file cannot send control characters to the terminal.
printf '%s\n' '{"schema":"hwtrace-jsonl/1","tool":"x","version":"0"}' \
    '{"type":"track","id":0,"kind":"stream","name":"\u001b]0;title\u0007\u009b31m日本","time":{"base":"seconds","num":1,"den":1000000000000}}' \
    '{"type":"interval","time":0,"track_id":0,"duration":5}' >hostile.jsonl
for view in timeline lanes histogram heatmap; do
    for option in '' --ascii; do
        [ $view != timeline ] || [ -z "$option" ] || continue
        expect 0 "$bin/hwtrace-dump" hostile.jsonl --view $view $option
        says stdout 'title\x07'
        ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" stdout || fail "$view writes control characters"
    done
done

# The width is COLUMNS if that is set, else that of the terminal, else 80.
width() { awk '{ if (length($0) > most) most = length($0) } END { print most }' "$1"; }
for columns in 60 120; do
    COLUMNS=$columns "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view lanes --ascii | grep -v '^#' >drawn
    [ "$(width drawn)" -le $columns ] && [ "$(width drawn)" -gt $((columns - 12)) ] ||
        fail "COLUMNS=$columns: the drawing has $(width drawn) columns"
done
for pair in 0:40 30:40 5000:1000 99999999999999999999:1000; do
    COLUMNS=${pair%:*} "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view lanes --ascii >drawn
    COLUMNS=${pair#*:} "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view lanes --ascii >clamped
    cmp -s drawn clamped || fail "COLUMNS=${pair%:*} is not taken as ${pair#*:}"
done
COLUMNS=x "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view lanes >drawn
cmp -s drawn "$here/drawings/pccx_lanes.txt" || fail "an invalid COLUMNS is not ignored"

# Colour is only for terminals, unless it is asked for.
escape=$(printf '\033')
expect 0 "$bin/hwtrace-dump" small.pccx --view lanes
! grep -q "$escape" stdout || fail "a pipe gets colour"
expect 0 "$bin/hwtrace-dump" small.pccx --view lanes --color always
grep -q "$escape" stdout || fail "--color always has no colour"

# terminal VARIABLES OPTION...: draws on a terminal of 100 columns; the output is in drawn.
cat >terminal.py <<'SCRIPT'
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    text += piece
sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
SCRIPT
if command -v python3 >/dev/null; then
    TERM=xterm python3 terminal.py "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view lanes --ascii >drawn </dev/null ||
        fail "nothing is drawn on a terminal"
    grep -q "$escape" drawn || fail "a terminal gets no colour"
    TERM=xterm NO_COLOR=1 python3 terminal.py "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view lanes --ascii |
        grep -v '^#' >drawn
    ! grep -q "$escape" drawn || fail "NO_COLOR has no effect"
    [ "$(width drawn)" -gt 88 ] && [ "$(width drawn)" -le 100 ] || fail "a terminal of 100 columns gets $(width drawn)"
else
    skip "python3 is not installed: drawings on a terminal"
fi

# The heatmap and hwtrace-info agree about the utilisation of every scope.
expect 0 "$bin/hwtrace-info" "$data/pccx/valid/npu.pccx"
awk '/scope +intervals +busy/ { on = 1; next } / type +intervals/ { on = 0 } on { printf "%s %.0f%%\n", $1, $5 }' stdout >stated
[ "$(wc -l <stated)" -eq 4 ] || fail "hwtrace-info does not state the utilisation of 4 scopes"
expect 0 "$bin/hwtrace-dump" "$data/pccx/valid/npu.pccx" --view heatmap --ascii
awk '/^npu/ { print $1, $NF }' stdout >drawn
cmp -s stated drawn || fail "hwtrace-info says $(tr '\n' ' ' <stated), but the heatmap $(tr '\n' ' ' <drawn)"

expect 2 "$bin/hwtrace-dump" small.pccx --view model --ascii
says stderr "--ascii requires --view pipeline or lanes or histogram or heatmap"
expect 2 "$bin/hwtrace-dump" small.pccx --view lanes --entity 3
expect 2 "$bin/hwtrace-dump" small.pccx --view lanes --follow

finish

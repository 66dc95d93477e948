# Tests O3PipeView traces with the binaries: to Kanata and µScope, through pipes, compressed, damaged, and as views. A
# parser that knows nothing of hwtrace compares traces with Kanata logs.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)/decoders
samples=$(cd "$2" && pwd)/o3pipeview
python=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
cd "$work" || exit 1

# there_and_back TRACE: writes TRACE again, and converts it to µScope and back. All ways give the same bytes.
there_and_back() {
    expect 0 "$bin/hwtrace-convert" "$1" again.o3pipeview --force --verify
    expect 0 "$bin/hwtrace-convert" again.o3pipeview third.o3pipeview --force --verify
    same third.o3pipeview again.o3pipeview
    expect 0 "$bin/hwtrace-convert" "$1" there.uscope --force --verify
    expect 0 "$bin/hwtrace-validate" there.uscope --level semantic
    expect 0 "$bin/hwtrace-convert" there.uscope back.o3pipeview --force --verify
    same back.o3pipeview again.o3pipeview
    for container in gz zst xz lz4; do
        "$bin/hwtrace-convert" - - --to o3pipeview --o3pipeview-container $container -q <there.uscope | cat >packed
        expect 0 "$bin/hwtrace-validate" packed
        "$bin/hwtrace-convert" - - --to o3pipeview -q <packed | cat >unpacked
        same unpacked again.o3pipeview
    done
}
for trace in branch cores threads; do
    there_and_back "$samples/valid/$trace.o3pipeview"
done
[ -z "${HWTRACE_CORPUS:-}" ] || there_and_back "$HWTRACE_CORPUS/gem5/basic.trace"

# What a viewer shows of the trace, and of the Kanata log.
expect 3 "$bin/hwtrace-convert" "$samples/valid/branch.o3pipeview" branch.kanata
says stderr 'metadata-dropped o3pipeview.ticks_per_cycle'
expect 3 "$bin/hwtrace-convert" branch.kanata kanata.o3pipeview
if command -v "$python" >/dev/null; then
    expect 0 "$python" "$here/o3pipeview.py" "$samples/valid/branch.o3pipeview" branch.kanata 500
    says stdout ' 0 different'
    expect 0 "$python" "$here/o3pipeview.py" kanata.o3pipeview branch.kanata 500
    awk '/^O3PipeView:issue:[1-9]/ && !moved { moved = 1; sub(/issue:/, "issue:1") } { print }' \
        "$samples/valid/branch.o3pipeview" >other.o3pipeview
    cmp -s other.o3pipeview "$samples/valid/branch.o3pipeview" && fail "no issue is moved"
    expect 1 "$python" "$here/o3pipeview.py" other.o3pipeview branch.kanata 500
else
    skip "the comparison with Kanata: there is no Python"
fi

# views
expect 0 "$bin/hwtrace-dump" "$samples/valid/branch.o3pipeview"
same stdout "$samples/../golden/branch.instructions.txt"
for form in json jsonl csv; do
    expect 0 "$bin/hwtrace-dump" "$samples/valid/cores.o3pipeview" --format $form
    is_data $form "the view of instructions"
done
expect 0 "$bin/hwtrace-dump" "$samples/valid/branch.o3pipeview" --view lines
same stdout "$samples/valid/branch.o3pipeview"
for view in pipeline timeline lanes; do
    expect 0 "$bin/hwtrace-dump" "$samples/valid/branch.o3pipeview" --view $view
    [ -s stdout ] || fail "view $view is empty"
done
expect 0 "$bin/hwtrace-dump" "$samples/valid/branch.o3pipeview" --view timeline --entity 5
says stdout '#5'
expect 0 "$bin/hwtrace-info" "$samples/valid/branch.o3pipeview"
says stdout 'flush mispredict'
says stdout 'ticks_per_cycle'
# pictures
for picture in x.pftrace x.vcd x.html; do
    expect 0 "$bin/hwtrace-convert" "$samples/valid/branch.o3pipeview" $picture
done

# Damaged and cut traces: every whole instruction is delivered.
head -c "$(($(wc -c <"$samples/valid/branch.o3pipeview") - 60))" "$samples/valid/branch.o3pipeview" >cut.o3pipeview
expect 3 "$bin/hwtrace-validate" cut.o3pipeview
says stdout 'O3P006'
expect 3 "$bin/hwtrace-convert" cut.o3pipeview cut.uscope
expect 0 "$bin/hwtrace-validate" cut.uscope
printf 'O3PipeView:fetch:1000:0x1000:0:1:x\nO3PipeView:retire:2000\n' >two.o3pipeview
printf 'O3PipeView:fetch:3000:0x1000:0:2:x\nO3PipeView:fetch:4000:0x1004:0:3:y\nO3PipeView:retire:9000\n' >>two.o3pipeview
expect 1 "$bin/hwtrace-validate" two.o3pipeview
says stdout 'O3P005'
printf '%s' 'O3PipeV' >begin.o3pipeview
expect 3 "$bin/hwtrace-validate" begin.o3pipeview --from o3pipeview
: >empty.o3pipeview
printf 'O3 is no trace\n' >other.txt
for file in empty.o3pipeview other.txt; do
    expect 4 "$bin/hwtrace-convert" $file never.uscope --from o3pipeview
    says stderr 'O3P001'
    expect 4 "$bin/hwtrace-dump" $file --from o3pipeview
    absent never.uscope
done
printf 'O3PipeView:fetch:1:0x1:0:1:%02000d\nO3PipeView:retire:2\n' 0 >long.o3pipeview
expect 6 "$bin/hwtrace-convert" long.o3pipeview never.uscope --max-string 1K
says stderr '--max-string'

# A slice holds the instructions in it; the cycle of its ticks is stated.
expect 3 "$bin/hwtrace-convert" "$samples/valid/branch.o3pipeview" slice.o3pipeview --range 5ns:8ns
expect 0 "$bin/hwtrace-validate" slice.o3pipeview
finish

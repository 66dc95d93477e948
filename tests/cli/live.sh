# live.sh BIN TESTDATA BUILD FLAGS: tests apps/examples/live. Verilator and SystemC record one bus in three formats; the
# merged trace has all records of the three, and each request is at one time in all of them. FLAGS are the flags with
# which the libraries in BUILD must be linked.
. "$(dirname "$0")/lib.sh"
cli=$(cd "$(dirname "$0")" && pwd)
live=$(cd "$2/../apps/examples/live" && pwd)
build=$3
command -v python3 >/dev/null || {
    echo 'skipped: python3 is not installed'
    exit 77
}
LDFLAGS=$4 SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
export LDFLAGS SYSTEMC_DISABLE_COPYRIGHT_MESSAGE
cd "$work" || exit 1

# A missing program is named.
expect 77 env CXX=no-such-compiler sh "$live/run.sh" --build "$build" none
grep -Eq 'run.sh: .* is missing; Debian: apt-get install' stderr || fail "nothing is said to be missing: $(cat stderr)"
expect 2 env WAVE=lxt sh "$live/run.sh" --build "$build" none

sh "$live/run.sh" --build "$build" run >log 2>&1
case $? in
0) ;;
77)
    echo "skipped: $(cat log)"
    exit 77
    ;;
*)
    cat log
    fail "run.sh fails"
    finish
    ;;
esac
records() { "$bin/hwtrace-validate" "$@" 2>/dev/null | sed -n 's/.*; \([0-9]*\) records.*/\1/p'; }
total=$(records run/rtl.uscope run/model.ftr run/rtl.fst | awk '{ sum += $1 } END { print sum }')
for system in run/system.jsonl run/system.uscope; do
    expect 0 "$bin/hwtrace-validate" $system
done
expect 0 "$bin/hwtrace-diff" run/system.jsonl run/system.uscope
says stdout "equal: $total equal"
expect 0 "$bin/hwtrace-merge" run/rtl.uscope run/model.ftr run/rtl.fst --name rtl --name model --name wave -o again.uscope
same again.uscope run/system.uscope

# The same with a VCD file, which Python reads itself.
expect 0 env WAVE=vcd sh "$live/run.sh" --build "$build" run
total=$(records run/rtl.uscope run/model.ftr run/rtl.vcd | awk '{ sum += $1 } END { print sum }')
"$bin/hwtrace-dump" run/system.jsonl --view model --format jsonl >model.jsonl
python3 "$cli/live.py" "$live/requests.hex" "$total" model.jsonl run/rtl.vcd || fail "the traces differ"
finish

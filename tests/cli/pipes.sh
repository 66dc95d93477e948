# Tests standard input and output: pipes, files, closed streams, and a reader that closes the pipe.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
{ stf_header; stf_instructions 15; } >big.stf

"$bin/hwtrace-dump" small.stf >wanted
"$bin/hwtrace-convert" small.stf small.uscope -q
cat small.stf | "$bin/hwtrace-dump" - >got || fail "dump from a pipe"
same got wanted
cat small.uscope | "$bin/hwtrace-dump" - --view frames >got || fail "dump of a format that needs spooling"
"$bin/hwtrace-dump" small.uscope --view frames >wanted_frames
same got wanted_frames
"$bin/hwtrace-dump" - <small.stf >got || fail "dump from a redirected file"
same got wanted

cat small.stf | "$bin/hwtrace-convert" - - --to uscope -q | cat >piped.uscope
same piped.uscope small.uscope
cat small.stf | "$bin/hwtrace-convert" - - --to uscope -q | "$bin/hwtrace-convert" - - --to stf -q | "$bin/hwtrace-dump" - >got
same got wanted
cat small.stf | "$bin/hwtrace-convert" - verified.uscope --verify -q || fail "--verify of a pipe"
same verified.uscope small.uscope
cat small.stf | "$bin/hwtrace-validate" - >verdict || fail "validate of a pipe"
grep -q '^<stdin>: valid ' verdict || fail "no verdict for standard input"
cat small.uscope | "$bin/hwtrace-info" - >got || fail "info of a pipe"

# A named pipe can be opened only once, even when a report must not replace an input.
mkfifo named
timeout 60 sh -c "cat small.stf >named" &
timeout 60 "$bin/hwtrace-validate" named --report json=named.json || fail "validate of a named pipe"
grep -q '"verdict": "valid"' named.json || fail "no verdict for a named pipe"
wait

mkdir spool
cat small.uscope | "$bin/hwtrace-dump" - --tmpdir spool >got || fail "dump with --tmpdir"
holds spool ""
cat small.uscope | "$bin/hwtrace-dump" - --tmpdir no-such-folder >got 2>stderr
[ $? -eq 5 ] || fail "a missing spool folder is not a system error"
grep -q no-such-folder stderr || fail "the spool folder is not named"

# A reader that closes the pipe ends the writer quietly.
{ "$bin/hwtrace-dump" big.stf 2>stderr; echo $? >code; } | head -n 1 >got
[ "$(cat code)" -eq 141 ] || fail "a broken pipe gives exit $(cat code)"
silent stderr
head -n 1 wanted | cmp -s - got || fail "the first line was not printed"
{ "$bin/hwtrace-convert" big.stf - --to uscope --uscope-compression none -q 2>stderr; echo $? >code; } | head -c 1 >got
[ "$(cat code)" -eq 141 ] || fail "a broken pipe gives exit $(cat code)"
silent stderr

# Closed standard streams are errors, and never become the output.
"$bin/hwtrace-dump" small.stf >&- 2>stderr
[ $? -eq 5 ] || fail "closed standard output"
"$bin/hwtrace-dump" - <&- >got 2>stderr
[ $? -eq 5 ] || fail "closed standard input"
"$bin/hwtrace-convert" small.stf closed.uscope >&- 2>&- || fail "a conversion without standard streams"
same closed.uscope small.uscope

# Binary data is not written to a terminal.
if command -v script >/dev/null; then
    script -qec "$bin/hwtrace-convert $work/small.stf - --to uscope" /dev/null >terminal </dev/null
    [ $? -eq 2 ] || fail "binary data to a terminal is not refused"
    grep -q terminal terminal || fail "the error message does not state the reason"
else
    skip "terminals: there is no 'script' here"
fi
finish

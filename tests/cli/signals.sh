# Tests SIGINT, SIGTERM and SIGHUP during a conversion: the signal ends the process, and no files remain.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
if ! env --default-signal=INT true 2>/dev/null; then
    skip "this env cannot reset signals that the shell ignores"
    exit 0
fi
mkdir out
mkfifo slow.stf
{ stf_header; stf_instructions 12; } >begin.stf
for signal in INT:2 TERM:15 HUP:1; do
    # The pipe stays open: the conversion waits for more.
    exec 3<>slow.stf
    cat begin.stf >&3
    env --default-signal=INT,TERM,HUP "$bin/hwtrace-convert" slow.stf out/new.uscope 2>stderr 3>&- &
    converter=$!
    wait_for "no temporary file appeared" has_files out
    absent out/new.uscope
    kill -"${signal%:*}" "$converter"
    wait_for "SIG${signal%:*} does not end the conversion" has_ended "$converter" || kill -KILL "$converter"
    wait "$converter"
    code=$?
    [ "$code" -eq $((128 + ${signal#*:})) ] || fail "exit $code after SIG${signal%:*}"
    holds out ""
    exec 3>&-
done

# A signal that the caller ignores stays ignored.
rm -rf out
mkdir out
exec 3<>slow.stf
cat begin.stf >&3
(trap '' HUP; exec "$bin/hwtrace-convert" slow.stf out/new.uscope -q) 3>&- &
converter=$!
wait_for "no temporary file appeared" has_files out
kill -HUP "$converter"
exec 3>&- # the end of the trace
wait "$converter" || fail "an ignored signal ended the conversion"
holds out "new.uscope "
finish

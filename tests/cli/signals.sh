# SIGINT, SIGTERM and SIGHUP during a conversion: the process ends by the signal and leaves no files.
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
    { cat begin.stf; exec sleep 60; } >slow.stf &
    feeder=$!
    env --default-signal=INT,TERM,HUP "$bin/hwtrace-convert" slow.stf out/new.uscope 2>stderr &
    converter=$!
    tries=0
    while [ -z "$(ls -A out)" ] && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    [ -n "$(ls -A out)" ] || fail "no temporary file appeared"
    absent out/new.uscope
    kill -"${signal%:*}" "$converter"
    wait "$converter"
    code=$?
    [ "$code" -eq $((128 + ${signal#*:})) ] || fail "exit $code after SIG${signal%:*}"
    holds out ""
    kill "$feeder"
    wait "$feeder" 2>/dev/null
done

# Signals that the caller ignores stay ignored.
{ cat begin.stf; sleep 1; } >slow.stf &
(trap '' HUP; exec "$bin/hwtrace-convert" slow.stf out/new.uscope -q) &
converter=$!
sleep 0.5
kill -HUP "$converter"
wait "$converter" || fail "an ignored signal ended the conversion"
holds out "new.uscope "
finish

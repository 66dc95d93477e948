#!/bin/sh
# tests/install/examples.sh EXAMPLES FOLDER BIN - runs the examples in FOLDER and checks their output with the commands
# in BIN.
set -eu

examples=$1 bin=$3
mkdir -p "$2"
cd "$2"
is() { [ "$1" = "$2" ] || { echo "'$1' instead of '$2'" && exit 1; }; }
ends() { # ends STATUS COMMAND...
    wanted=$1
    shift
    status=0
    "$@" || status=$?
    is "$status of $1" "$wanted of $1"
}

"$examples/write_trace" transfers.ftr
"$examples/write_trace" transfers.uscope
"$bin/hwtrace-diff" transfers.ftr transfers.uscope >/dev/null
"$examples/read_trace" transfers.ftr >counted
is "$(tr '\n' ';' <counted)" 'ftr, 1 tracks;1000 of kind interval;'
ends 1 "$examples/write_trace" transfers.stf 2>refused
is "$(wc -l <refused)" 1
[ ! -e transfers.stf ]
head -c 1000 transfers.uscope >cut.uscope
ends 3 "$examples/read_trace" cut.uscope >cut.txt
grep -q '^USC0[0-9][0-9] at byte' cut.txt

printf '#spans\ncore0 sleep 0 10\ncore0 run 10 30\ncore1 run 5 70\n' >lanes.spans
"$examples/add_format" lanes.spans lanes.uscope
"$examples/add_format" lanes.uscope back.spans
cmp lanes.spans back.spans
ends 3 "$examples/add_format" transfers.ftr short.spans >losses
is "$(cat losses)" 'lost: field-dropped of transfer, 1000 times'
is "$(sed -n 2p short.spans)" 'dma transfer 0 25'
printf '#spans\nno span\ncore0 run 1 2\n' >wrong.spans
ends 3 "$examples/add_format" wrong.spans wrong.ftr >findings
is "$(cat findings)" 'wrong.spans: SPN001 at byte 7: a line is not a span; expected lane name begin end, found no span'

"$examples/record_ftr" bus.ftr
"$bin/hwtrace-dump" bus.ftr >bus.txt
is "$(grep -c 'master' bus.txt | sed 's/^[1-9][0-9]*$/some/')" some
"$examples/emit_flux" power.flux
ends 2 "$examples/emit_flux" >nothing 2>usage
[ ! -s nothing ]
"$examples/read_trace" power.flux >counted
is "$(tr '\n' ';' <counted)" 'flux, 2 tracks;110 of kind change;'
"$examples/record_uscope" queue.uscope >answer
is "$(sed -n 5p answer)" 'slot 4: 500'
"$bin/hwtrace-validate" -q transfers.ftr transfers.uscope lanes.uscope bus.ftr power.flux queue.uscope

# Built only if SystemC is installed. The leak checker cannot walk the stacks of the kernel's coroutines.
if [ -x "$examples/record_tlm" ]; then
    ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$examples/record_tlm" tlm.ftr >/dev/null 2>&1
    "$bin/hwtrace-validate" -q tlm.ftr >/dev/null
    is "$("$bin/hwtrace-dump" tlm.ftr --view model | grep -c ' interval bus_bl/write duration=10000 ')" 50
fi

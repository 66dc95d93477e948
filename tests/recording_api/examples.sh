#!/bin/sh
# tests/recording_api/examples.sh FOLDER BUS LISTENING TOOLS [SYSTEMC_MEMORY] - records with the examples, and reads what
# they recorded with the tools of the folder TOOLS.
set -eu

folder=$1 bus=$2 listening=$3 tools=$4 memory=${5-}

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
for name in bus.ftr bus.txlog bus.txlog.gz bus.uscope; do
    "$bus" "$name" >losses
    "$tools/hwtrace-validate" -q "$name"
done
"$tools/hwtrace-dump" bus.ftr --view model >bus.txt
grep -q '^60 interval top.bus/transfer duration=30 id=0x5 address=0x1080 command="read" bytes=64 master="cpu2" status=0$' bus.txt
grep -q '^40 interval top.bus/transfer.events duration=0 id=0x4 name="stall" reason="arbitration" cycles=2$' bus.txt
[ "$(grep -c ' relation after ' bus.txt)" = 2 ]
"$bus" bus.pccx >losses
grep -q '^relation-dropped after, 2 times' losses
if "$bus" bus.nothing 2>refusal; then exit 1; fi
grep -q 'does not tell a format' refusal

# The program has died with the third transaction not flushed: two are there, and the file says that it is not whole.
"$listening" heard.ftr >heard
printf '%s took 150\nended: job %s\n' 1 1 2 2 3 3 | cmp - heard
status=0
"$tools/hwtrace-validate" heard.ftr >verdict || status=$?
[ "$status" = 3 ]
grep -q '^heard.ftr: incomplete' verdict
status=0
"$tools/hwtrace-dump" heard.ftr --view model >heard.txt 2>messages || status=$?
[ "$status" = 3 ]
[ "$(grep -c ' interval machine/job duration=150 ' heard.txt)" = 2 ]

# Three seconds are that in a kernel of any resolution (value, unit from femtoseconds on, exponent); it has one a process.
resolutions='1:0:-15 10:0:-14 100:0:-13 1:1:-12 10:1:-11 100:1:-10 1:2:-9 10:2:-8 1:3:-6 1:4:-3 100:4:-1 1:5:0'
[ -n "$memory" ] || resolutions=
for resolution in $resolutions; do
    # shellcheck disable=SC2046 # words
    set -- $(echo "$resolution" | tr : ' ')
    "$memory" run.ftr "$1" "$2" >output 2>&1
    "$tools/hwtrace-validate" -q run.ftr
    "$tools/hwtrace-dump" run.ftr --view model >run.txt
    ticks() { # ticks SECONDS: in ticks of 10^exponent seconds
        printf '%s' "$1"
        [ "$exponent" = 0 ] || printf "%0${exponent}d" 0
    }
    exponent=${3#-}
    grep -q "^$(ticks 3) interval memory/write duration=$(ticks 4) id=0x1 addr=0x80 data=\"0\{69\}101\" latency=$(ticks 4) ack=\"01XZ\"\$" run.txt
    grep -q "^$(ticks 5) interval memory/write duration=1 id=0x2 gain=-1.5 offset=-3\$" run.txt
    "$tools/hwtrace-convert" run.ftr run.txlog --force --allow-loss -q
    grep -q '^tx_begin 1 2 3 s$' run.txlog
    grep -q '^tx_end 1 2 7 s$' run.txlog
done
cd /
rm -rf "$folder"

#!/bin/sh
# tests/recording_api/examples.sh FOLDER BUS LISTENING GLOBAL TOOLS - runs the examples and reads their
# recordings with the tools of the folder TOOLS.
set -eu

folder=$1 bus=$2 listening=$3 global=$4 tools=$5

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
grep -q 'does not select a format; it can end with .*\.ftr, .*\.txlog' refusal

# The program exits before the third transaction is flushed: two remain, and the file is reported as incomplete.
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

# The end of the program closes these recordings.
"$global"
for name in global.ftr global.txlog global.uscope global.pccx; do
    "$tools/hwtrace-validate" -q "$name"
done
"$tools/hwtrace-dump" global.ftr --view model | grep -q '^100 interval machine/job duration=50 id=0x1 kind="first"$'
grep -q '^tx_end 1 2 150 ps$' global.txlog
cd /
rm -rf "$folder"

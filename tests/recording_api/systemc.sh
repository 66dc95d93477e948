#!/bin/sh
# tests/recording_api/systemc.sh FOLDER TOOLS [SYSTEMC_MEMORY SYSTEMC_VALUES SYSTEMC_TLM] - runs the SystemC examples at
# resolutions from a femtosecond to a second, and reads their recordings with the tools of the folder TOOLS. Skipped
# without the examples.
set -eu

folder=$1 tools=$2 memory=${3-} values=${4-} tlm=${5-}
if [ -z "$memory" ]; then
    echo 'skipped: SystemC is not installed'
    exit 77
fi

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# The leak checker cannot walk the stacks of the kernel's coroutines, and would end the program.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export ASAN_OPTIONS

"$values" values.ftr >output 2>&1
"$tools/hwtrace-dump" values.ftr --view model >values.txt
holds() { # holds GENERATOR ATTRIBUTES
    grep -q "^0 interval values/$1 duration=0 id=0x[1-5] $2\$" values.txt
}
zeros=$(printf '%085d' 0)
holds integers 'range=171 call=13 bit=1 signed_range=254 signed_bit=0 concatenated=2882404350 parts=508'
holds wide "range=291 whole=\"1${zeros}01001000110100\" bit=1 signed_range=\"1\{72\}\" signed_bit=1 concatenated=305463294 wider=\"1${zeros}010010001101001\{15\}0\""
holds vectors 'range="0001" bit=1 concatenated="1011000101" logic_range="1X0Z" logic_bit="X" mixed="101100011X0Z0001"'
holds fixed 'gain=1.5 product=2.25'
holds signals 'level=5 ready=1 state="01XZ" input=5 input_ready=1 output=1'

# Two initiators: one whose socket records, and one with a recorder between it and its memory, whose socket records too.
"$tlm" tlm.ftr >output 2>&1
"$tools/hwtrace-validate" -q tlm.ftr
"$tools/hwtrace-dump" tlm.ftr --view model >tlm.txt
records() { # records TIME GENERATOR DURATION ATTRIBUTES
    grep -q "^$1 interval $2 duration=$3 id=0x[0-9a-f]*${4-}\$" tlm.txt || {
        echo "no $2 at $1"
        exit 1
    }
}
lengths() { echo " trans.address=$1 trans.cmd=\"TLM_$2_COMMAND\" trans.data_length=$3 trans.streaming_width=$3"; }
data=' trans.data="0a0b0c0d"' ok=' trans.response_status="TLM_OK_RESPONSE"'
records 1000 cpu.socket_bl/write 10000 "$(lengths 16 WRITE 4) trans.byte_enable_length=2 trans.byte_enable=\"ff00\" trans.data=\"01020304\" delay=1000$ok delay\[return_path\]=11000"
records 11000 cpu.socket_bl/read 10000 "$(lengths 16 READ 20) delay=0$ok trans.data=\"010203040*\.\.\.\" delay\[return_path\]=10000"
records 21000 cpu.socket_bl/read 10000 "$(lengths 4096 READ 4) delay=0 trans.response_status=\"TLM_ADDRESS_ERROR_RESPONSE\" delay\[return_path\]=10000"
for name in tap buffer.socket; do
    records 100000 ${name}_nb_timed/write 10000 "$(lengths 32 WRITE 4)$data$ok"
    records 100000 ${name}_nb_timed/request 2000
    records 107000 ${name}_nb_timed/response 3000
    records 103000 ${name}_nb_timed/read 10000 "$(lengths 32 READ 4)$ok$data"
    records 123000 ${name}_nb_timed/ignore 1000 "$(lengths 0 IGNORE 0) trans.response_status=\"TLM_COMMAND_ERROR_RESPONSE\""
    records 100000 ${name}_nb/fw 0 ' tlm_phase="BEGIN_REQ" delay=0 tlm_sync="TLM_UPDATED" delay\[return_path\]=2000 tlm_phase\[return_path\]="END_REQ"'
    records 107000 ${name}_nb/bw 0 ' tlm_phase="BEGIN_RESP" delay=0 tlm_sync="TLM_ACCEPTED"'
    records 113000 ${name}_nb/fw 0 ' tlm_phase="END_RESP" delay=0 tlm_sync="TLM_COMPLETED" delay\[return_path\]=0'
done
records 123000 own/payload 0 "$(lengths 48 WRITE 2) trans.data=\"0102\" trans.response_status=\"TLM_INCOMPLETE_RESPONSE\""
# A memory and its recorder see 3 transactions with 5 parts and 7 calls; 2 transactions have 3 calls each.
[ "$(grep -c ' interval ' tlm.txt)" = $((3 + 1 + 2 * (3 + 5 + 7))) ]
[ "$(grep -c ' relation PARENT_CHILD ' tlm.txt)" = $((2 * (5 + 7))) ]
[ "$(grep -c ' relation PREDECESSOR_SUCCESSOR ' tlm.txt)" = $((2 * 4)) ]
if grep -q unfinished tlm.txt; then exit 1; fi

# The example records three seconds at each resolution (value, unit, exponent), and the result must be the same. A
# process has only one resolution, so each resolution needs a separate process.
resolutions='1:0:-15 10:0:-14 100:0:-13 1:1:-12 10:1:-11 100:1:-10 1:2:-9 10:2:-8 1:3:-6 1:4:-3 100:4:-1 1:5:0'
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

# tests/cli/lib.sh - functions shared by the scripts: a temporary folder $work, small traces written byte by byte,
# checks. A script sources it with the folder of the binaries as its first argument, and ends with `finish`.
set -u
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
status=0
unset NO_COLOR COLUMNS
export HWTRACE_PAGER=cat  # tests of the pager set another one
# leaks.sh looks for leaks. Elsewhere, it would take a third of the time. In SystemC's coroutines, it would fail.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}

skip() { echo "skipped: $*"; }

# expect STATUS COMMAND...: runs the command. The output is in $work/stdout and $work/stderr.
expect() {
    wanted=$1
    shift
    "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] && return
    fail "exit $status instead of $wanted: $*"
    sed 's/^/    /' "$work/stderr" | head -20
}

# sampled: copies lines: all, or the share that HWTRACE_SAMPLE states (K/N: every Nth line from line K on).
sampled() {
    case ${HWTRACE_SAMPLE:-} in
    '') cat ;;
    */*) awk -v number="${HWTRACE_SAMPLE%/*}" -v shares="${HWTRACE_SAMPLE#*/}" 'NR % shares == number' ;;
    *) awk -v shares="$HWTRACE_SAMPLE" 'NR % shares == 0' ;;
    esac
}
# at_least COUNT: prints how many lines a test must try: COUNT, or 1 of a sample.
at_least() { [ -n "${HWTRACE_SAMPLE:-}" ] && echo 1 || echo "$1"; }

# says STREAM TEXT: checks that the last command wrote TEXT to the stream.
says() { grep -qF -- "$2" "$work/$1" || fail "'$2' is not on $1: $(head -3 "$work/$1")"; }
silent() { [ ! -s "$work/$1" ] || fail "$1 is not empty: $(head -3 "$work/$1")"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
# is_data FORM WHAT: checks that the last command wrote JSON, lines of JSON, or rows of CSV with equally many cells.
is_data() {
    command -v python3 >/dev/null || return 0
    case $1 in
    json) python3 -c "import json, sys; json.load(sys.stdin)" ;;
    jsonl) python3 -c "import json, sys; [json.loads(l) for l in sys.stdin]" ;;
    csv) python3 -c "import csv, sys; assert len({len(r) for r in csv.reader(sys.stdin)}) == 1" ;;
    esac <"$work/stdout" || fail "$2 is not $1"
}
absent() { [ ! -e "$1" ] || fail "$1 exists"; }
# holds FOLDER NAMES: checks that the folder holds these files and no others, hidden ones included.
holds() {
    found=$(ls -A "$1" | tr '\n' ' ')
    [ "$found" = "$2" ] || fail "$1 holds '$found' instead of '$2'"
}

# wait_for FAILURE COMMAND...: tries COMMAND every 20 ms until it succeeds. Fails with FAILURE after 30 seconds, which
# is far more than an idle machine needs.
wait_for() {
    missing=$1
    shift
    deadline=$(($(date +%s) + ${HWTRACE_PATIENCE:-30}))
    until "$@"; do
        if [ "$(date +%s)" -ge "$deadline" ]; then
            fail "$missing"
            return 1
        fi
        sleep 0.02
    done
}
has_files() { [ -n "$(ls -A "$1")" ]; }
has_ended() { ! kill -0 "$1" 2>/dev/null; } # has_ended PID
# sleeps_of PID: prints how often the process has gone to sleep. Prints nothing after the process has ended.
sleeps_of() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null; }
has_slept() { has_ended "$1" || [ "$(sleeps_of "$1")" -ge "$2" ]; } # has_slept PID COUNT
# wait_for_look PID: waits until a process that polls a file has polled it once more. The process may be polling at this
# moment, so the function waits for two more sleeps.
wait_for_look() { wait_for "process $1 does not look at its file" has_slept "$1" $(($(sleeps_of "$1") + 2)); }

# Prints the header of an STF 1.6 trace: identifier, VERSION, ISA, INST_IEM, TRACE_INFO, features, FORCE_PC, END_HEADER.
stf_header() {
    printf '\001STF\002\001\000\000\000\006\000\000\000\004\001\000\005\002\000'
    printf '\006\001\001\000\000\004\000hand\007\000\000\010\000\000\000\000\000'
    printf '\011\000\000\000\200\000\000\000\000\023'
}
# stf_instructions N: prints 2^N records INST_OPCODE32 of `add a4, a2, a1`.
stf_instructions() {
    printf '\360\063\007\266\000' >"$work/one"
    for _ in $(seq "$1"); do
        cat "$work/one" "$work/one" >"$work/two"
        mv "$work/two" "$work/one"
    done
    cat "$work/one"
    rm "$work/one"
}

# pccx_events CYCLES EVENTS: prints a pccx trace of 500 MHz with EVENTS in JSON: {"core_id":0,...},{...}
pccx_events() {
    events="{\"total_cycles\":$1,\"events\":[$2]}"
    header="{\"pccx_lab_version\":\"hand\",\"arch\":{\"mac_dims\":[2,2],\"isa_version\":\"1\"},"
    header="$header\"trace\":{\"cycles\":$1,\"cores\":2,\"clock_mhz\":500},"
    header="$header\"payload\":{\"encoding\":\"json\",\"byte_length\":${#events}}}"
    printf 'PCCX\001\000\000\000'
    printf "\\$(printf %03o $((${#header} % 256)))\\$(printf %03o $((${#header} / 256)))\\000\\000\\000\\000\\000\\000"
    printf '%s%s' "$header" "$events"
}
# pccx_event CORE START DURATION TYPE: prints an event in JSON.
pccx_event() { printf '{"core_id":%s,"start_cycle":%s,"duration":%s,"event_type":"%s"}' "$@"; }

finish() {
    [ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
    exit 0
}

# Prints an STF trace of transactions on the clocks 1 (cpu) and 2 (io): VERSION, TRACE_INFO, features, PROTOCOL_ID,
# CLOCK_IDs, a comment, then transactions 1 to 4 on channel E, 5 cycles apart. Transactions 2 and 4 use the clock io.
# Transaction 2 depends on 1.
stf_transactions() {
    printf '\001STF\002\001\000\000\000\006\000\000\000\006\001\001\000\000\004\000hand'
    printf '\007\000\000\020\000\000\000\000\000\013\001\014\001\003\000cpu\014\002\002\000io\023'
    printf '\003\004\000\000\000warm'
    stf_transaction 1 1
    printf '\373\001\000\000\000\000\000\000\000\005\000\000\000\000\000\000\000\001'
    stf_transaction 2 2
    stf_transaction 3 1
    stf_transaction 4 2
}
# stf_transaction ID CLOCK: prints a transaction on channel E.
stf_transaction() {
    printf "\\372\\00$1\\000\\000\\000\\000\\000\\000\\000\\005\\000\\000\\000\\000\\000\\000\\000"
    printf "\\00$2\\000\\000\\005\\007\\000\\000\\000\\000\\000\\000\\000"
}

{ stf_header; stf_instructions 1; } >"$work/small.stf"
stf_transactions >"$work/transactions.stf"
pccx_events 100 "$(pccx_event 0 0 10 MAC_COMPUTE),$(pccx_event 0 5 10 DMA_READ),$(pccx_event 1 20 10 MAC_COMPUTE),$(
    pccx_event 1 90 10 own_name)" >"$work/small.pccx"

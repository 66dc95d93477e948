# Tests hwtrace-dump --at, --range and --follow: the state at a time, slices, growing files.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
{ stf_header; stf_instructions 7; } >small.stf
expect 0 "$bin/hwtrace-convert" small.stf full.uscope --uscope-checkpoint 20ns -q
dump="$bin/hwtrace-dump"

# --at takes time or cycles of the clock, with every output form.
expect 0 "$dump" full.uscope --at 50ns
says stdout "state at 50000 ps, "
says stdout "committed_insns: 1 slot"
cp stdout at50
expect 0 "$dump" full.uscope --at 50cyc
same stdout at50
expect 0 "$dump" full.uscope --at 50ns --format json
says stdout '"schema":"hwtrace-state/1"'
expect 0 "$dump" full.uscope --at 50ns --format jsonl
says stdout '"type":"slot"'
expect 0 "$dump" full.uscope --at 50ns --format csv
says stdout "scope,storage,track_id,slot,field,value"
for wrong in "" 5 '#5' 1ns:2ns cyc; do
    expect 2 "$dump" full.uscope --at "$wrong"
    says stderr "--at"
done
expect 2 "$dump" full.uscope --at 1ns --range 1ns:2ns
expect 2 "$dump" full.uscope --at 1ns --view model
expect 2 "$dump" small.stf --at 1ns
says stderr "no storages"

# --range prints the same frames as the whole trace, in both views.
expect 0 "$dump" full.uscope
grep '^@' stdout | awk -F'[@ ]' '$2 >= 40000 && $2 < 60000' >expected
expect 0 "$dump" full.uscope --range 40ns:60ns
grep '^@' stdout >frames
same frames expected
[ -s frames ] || fail "no frames in the range"
expect 0 "$dump" full.uscope --range 40cyc:60cyc
grep '^@' stdout >frames
same frames expected
expect 0 "$dump" full.uscope --view model
grep -E '^[0-9]+ ' stdout | awk '$1 >= 40000 && $1 < 60000' >expected
expect 0 "$dump" full.uscope --view model --range 40ns:60ns
grep -E '^[0-9]+ ' stdout >records
same records expected
expect 0 "$dump" small.stf --view model --range '#1:#5'
[ "$(grep -c '^1 instruction ' stdout)" -eq 1 ] || fail "a range of instructions shows other instructions"
expect 0 "$dump" small.stf --range '#3:#5' --view records
[ "$(grep -c '^INST_OPCODE' stdout)" -eq 2 ] || fail "a range of records shows other instructions"
expect 0 "$bin/hwtrace-convert" small.stf chunks.zstf --stf-chunk 2
expect 0 "$dump" small.stf --view model --range '#3:#5'
cp stdout expected
expect 0 "$dump" chunks.zstf --view model --range '#3:#5'
same stdout expected
expect 2 "$dump" full.uscope --range '#3:#5' --view frames
says stderr "takes time and cycles only; views that can: model"
expect 0 "$dump" full.uscope --range '#3:#5'
[ "$(grep -cE '^[0-9]+ ' stdout)" -eq 2 ] || fail "positions are not shown in the model: $(head -3 stdout)"

# A conversion uses the operations. A checkpoint that disagrees with them is reported only at the level that checks it.
number_at() { od -An -t"$3" -j"$2" -N"${3#u}" "$1" | tr -d ' '; } # number_at FILE BYTE u4|u8
cp "$2/uscope/valid/queue.uscope" contradicting.uscope
last_segment=$(number_at contradicting.uscope 40 u8)
checkpoint_size=$(number_at contradicting.uscope $((last_segment + 32)) u4)
printf '\377' | dd of=contradicting.uscope bs=1 seek=$((last_segment + 56 + checkpoint_size - 8)) conv=notrunc 2>/dev/null
expect 0 "$bin/hwtrace-convert" contradicting.uscope converted.uscope
silent stderr
expect 3 "$bin/hwtrace-convert" contradicting.uscope converted.uscope --force --verify
says stderr "error USC029 at byte "

# A slice can be read on its own: at its start, it has the same state as the whole trace.
expect 0 "$bin/hwtrace-convert" full.uscope part.uscope --range 40ns:60ns --verify
for time in 40ns 55ns; do
    expect 0 "$dump" full.uscope --at $time
    cp stdout whole
    expect 0 "$dump" part.uscope --at $time
    same stdout whole
done
expect 0 "$bin/hwtrace-validate" part.uscope

# A closed file is followed to its end.
expect 0 "$dump" full.uscope
cp stdout whole
expect 0 "$dump" full.uscope --follow
same stdout whole
expect 2 "$dump" full.uscope --follow --format json
expect 2 "$dump" small.stf --follow
expect 2 "$dump" full.uscope --follow --from stf
expect 2 "$dump" full.uscope --follow --view schema
says stderr "the view schema does not show appended records"
expect 2 "$dump" - --follow --from uscope

# A file has one committed segment and is closed later. Everything is printed once.
# put FILE OFFSET: writes standard input at the offset.
put() { dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
opened() {
    cp full.uscope "$1"
    dd if=full.uscope bs=1 skip=28 count=4 2>/dev/null | put "$1" 40 # tail: the end of the preamble
    printf '\000\000\000\000' | put "$1" 44
    printf '\202' | put "$1" 8
}
# Output is written in blocks of the buffer until the follower waits.
ends_a_line() { [ "$(tail -c 1 "$1" | wc -l)" -eq 1 ]; }
opened live.uscope
: >followed
"$dump" live.uscope --follow --view model >followed 2>said &
follower=$!
wait_for "no whole line is shown before the file is closed" ends_a_line followed
head -c 48 full.uscope | put live.uscope 0
wait "$follower" || fail "exit $? after the file was closed: $(cat said)"
[ ! -s said ] || fail "a message: $(cat said)"
expect 0 "$dump" full.uscope --view model
grep -Ec '^[0-9]+ ' stdout >expected
grep -Ec '^[0-9]+ ' followed >found
same found expected

# Counters as text are printed after each cycle, not at the end.
opened live.uscope
: >followed
"$dump" live.uscope --follow --view counters >followed 2>said &
follower=$!
wait_for "nothing is shown before the file is closed" [ -s followed ]
grep -q '^cycle 0  /core0/committed_insns  1  +1$' followed || fail "no row before the file is closed: $(head -3 followed)"
head -c 48 full.uscope | put live.uscope 0
wait "$follower" || fail "exit $? after the file was closed: $(cat said)"
[ "$(grep -c ' /core0/committed_insns ' followed)" -eq 128 ] || fail "not a row for each cycle: $(wc -l followed)"

# The command waits for a file that was just created.
: >young.uscope
: >followed
"$dump" young.uscope --follow --view model >followed 2>said &
follower=$!
opened live.uscope
cp live.uscope begun.uscope # no segment yet
printf '\000\000\000\000' | put begun.uscope 24
printf '\000\000\000\000' | put begun.uscope 40
for size in 3 47 48 100; do
    wait_for_look "$follower"
    head -c $size begun.uscope | put young.uscope 0
    wait_for_look "$follower"
    ! has_ended "$follower" || fail "$size bytes are not waited for: $(cat said)"
done
[ ! -s followed ] || fail "records of a file without a preamble were shown"
tail -c +101 begun.uscope | put young.uscope 100
head -c 48 live.uscope | put young.uscope 0
wait_for "nothing is shown of a file that was young" [ -s followed ]
head -c 48 full.uscope | put young.uscope 0
wait "$follower" || fail "exit $? for a file that was just created: $(cat said)"
[ ! -s said ] || fail "a message for a file that was just created: $(cat said)"
grep -Ec '^[0-9]+ ' followed >found
same found expected
: >empty.uscope
expect 4 "$dump" empty.uscope

# The command waits for a closed file that is still being copied.
size=$(wc -c <full.uscope)
head -c $((size / 2)) full.uscope >copy.uscope
: >followed
"$dump" copy.uscope --follow --view model >followed 2>said &
follower=$!
wait_for_look "$follower"
! has_ended "$follower" || fail "the command does not wait for the rest of a copy: $(cat said)"
tail -c +$((size / 2 + 1)) full.uscope | put copy.uscope $((size / 2))
wait "$follower" || fail "exit $? for a file that was being copied: $(cat said)"
[ ! -s said ] || fail "a message for a file that was being copied: $(cat said)"
expect 0 "$dump" full.uscope --view model
grep -Ec '^[0-9]+ ' "$work/stdout" >wanted
grep -Ec '^[0-9]+ ' followed >found
cmp -s wanted found || fail "not every record of the copy was shown: $(cat found) of $(cat wanted)"

# ^C ends the waiting without a message.
if env --default-signal=INT true 2>/dev/null; then
    for signal in INT TERM; do
        opened open.uscope
        : >followed
        env --default-signal=INT,TERM "$dump" open.uscope --follow >followed 2>said &
        follower=$!
        wait_for "no whole line is shown before SIG$signal" ends_a_line followed
        kill -$signal "$follower"
        wait "$follower" || fail "exit $? after SIG$signal"
        [ ! -s said ] || fail "a message after SIG$signal: $(cat said)"
        grep -q '^@' followed || fail "nothing was shown before SIG$signal"
    done
    : >young.uscope
    env --default-signal=INT "$dump" young.uscope --follow >followed 2>said &
    follower=$!
    wait_for_look "$follower"  # on a busy machine, the program may sleep while it is loaded
    wait_for_look "$follower"
    wait_for_look "$follower"
    kill -INT "$follower"
    wait "$follower" || fail "exit $? for a file that stays empty: $(cat said)"
    [ ! -s said ] || fail "a message for a file that stays empty: $(cat said)"
else
    skip "this env cannot reset signals that the shell ignores"
fi

# Replacing, removing or truncating the file ends the waiting, with a note.
for loss in replaced removed cut; do
    opened open.uscope
    : >followed
    "$dump" open.uscope --follow >followed 2>said &
    follower=$!
    wait_for "no whole line is shown before the file is $loss" ends_a_line followed
    wait_for_look "$follower"
    case $loss in
        replaced) cp full.uscope new.uscope && mv new.uscope open.uscope; text="was replaced by another file" ;;
        removed) rm open.uscope; text="was removed" ;;
        cut) dd of=open.uscope bs=1 seek=60 count=0 2>/dev/null; text="was truncated while it was followed" ;;
    esac
    wait_for "a file that is $loss is waited for" has_ended "$follower" || kill "$follower"
    wait "$follower"
    [ $? -eq 3 ] || fail "exit $? for a file that is $loss"
    grep -qF "$text" said || fail "no note on a file that is $loss: $(cat said)"
    grep -q USC013 said || fail "the unclosed trace is not reported: $(cat said)"
done

# A closed standard output ends the waiting.
opened open.uscope
timeout 10 "$dump" open.uscope --follow -q >&- 2>said
[ $? -ne 124 ] || fail "the command waits although standard output is closed"

# A reader that closes the pipe also ends the waiting, without a message.
opened open.uscope
"$dump" open.uscope --follow 2>said | head -n 1 >first
[ ! -s said ] || fail "a message although the reader went away: $(cat said)"
finish

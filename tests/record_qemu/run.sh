# run.sh BIN SOURCE BUILD WORK CMAKE: records programs in QEMU and compares the traces with QEMU's own log. The plugin is
# that of BUILD, or is built in WORK (plugin.sh).
source=$2 build=$3 folder=$4 cmake=$5
. "$source/tests/cli/lib.sh"
. "$source/tests/record_qemu/plugin.sh"
cd "$work" || exit 1

# pcs_of_qemu LOG: the pcs of QEMU's log, one per line. pcs_of_trace TRACE: the same of a trace. A trace states a pc only
# as the target of a taken branch, so equal pcs mean right targets.
pcs_of_qemu() { sed -n 's/^Trace 0.*\[[0-9a-f]*\/0*\([0-9a-f]*\)\/.*/0x\1/p' "$1"; }
pcs_of_trace() { "$bin/hwtrace-dump" "$1" --format csv | cut -d , -f 2 | tail -n +2; }

# --- each instruction of a program is recorded, in order, and the trace is valid ---
# The benchmark sets no gp, so its linker must not use it.
$cross -O2 -march=rv64gc -nostdlib -static -fno-builtin "$programs/sort.c" -o sort || fail "sort.c does not compile"
$cross -O2 -march=rv64gc -nostdlib -static -fno-builtin -Wl,--no-relax "$programs/benchmark.c" -o benchmark || fail "benchmark.c does not compile"
for program in benchmark sort; do
    expect 7 record -o $program.zstf -- ./$program
    says stderr "hwtrace-record-qemu: $program.zstf: recorded "
    silent stdout
    qemu-riscv64 -singlestep -d exec,nochain -D log ./$program
    pcs_of_qemu log >of_qemu
    pcs_of_trace $program.zstf >of_trace
    same of_qemu of_trace
    [ "$(wc -l <of_trace)" -gt 100000 ] || fail "$program executes only $(wc -l <of_trace) instructions"
    expect 0 "$bin/hwtrace-validate" --level semantic $program.zstf
    says stdout '(0 errors, 0 warnings, 0 notes'
done
expect 7 record -o again.zstf -- ./sort
same sort.zstf again.zstf
expect 7 record -o plain.stf -q -- ./sort
silent stderr
expect 0 "$bin/hwtrace-diff" sort.zstf plain.stf

# --- RV32 ---
if $cross -O2 -march=rv32gc -mabi=ilp32 -nostdlib -static -fno-builtin "$programs/sort.c" -o sort32 && command -v qemu-riscv32 >/dev/null; then
    expect 7 record -o sort32.zstf -- ./sort32
    qemu-riscv32 -singlestep -d exec,nochain -D log ./sort32
    says stderr "recorded $(grep -c '^Trace 0' log) instructions"
    expect 0 "$bin/hwtrace-validate" --level semantic sort32.zstf
    says stdout '(0 errors, 0 warnings, 0 notes'
else
    skip 'RV32: the compiler or qemu-riscv32 is missing'
fi

# --- memory: each loaded value is what was last stored there ---
if command -v python3 >/dev/null; then
    "$bin/hwtrace-dump" sort.zstf --view model --format jsonl >model.jsonl
    python3 "$programs/replay.py" model.jsonl || fail "the values of loads are not those of the stores before them"
else
    skip 'values in memory: python3 is not installed'
fi

# --- ChampSim's traces: types of branches, by ChampSim's rules and by objdump ---
champsim() { python3 "$source/tests/cli/champsim.py" "$@"; }
if command -v python3 >/dev/null; then
    $cross -O2 -march=rv64gc -nostdlib -static -fno-builtin "$programs/calls.c" -o calls || fail "calls.c does not compile"
    expect 7 record -o calls.zstf -- ./calls
    for program in sort calls; do
        "$bin/hwtrace-dump" $program.zstf --view model --format jsonl >model.jsonl
        riscv64-linux-gnu-objdump -d -M no-aliases,numeric $program >listing
        expect 0 "$bin/hwtrace-convert" $program.zstf $program.champsim.xz
        xz -dc $program.champsim.xz >$program.champsim
        champsim records model.jsonl $program.champsim >counts || fail "$program: records"
        champsim objdump model.jsonl listing $program.champsim || fail "$program: registers"
    done
    # Each call returns: "155182 call=9610 ... indirect_call=3000 ... return=12610".
    tr ' ' '\n' <counts | awk -F = '/call/ { calls += $2 } /return/ { returns = $2 } /indirect_call/ { indirect = $2 }
        END { exit !(calls == returns && indirect == 3000) }' || fail "calls: $(cat counts)"
else
    skip "ChampSim's traces: python3 is not installed"
fi

# --- regions ---
total=$(wc -l <of_trace)
expect 7 record -o part.zstf --skip 1000 --limit 50 -- ./sort
pcs_of_trace part.zstf >of_part
sed -n 1001,1050p of_trace >wanted
same of_part wanted
expect 0 record -o part.zstf -f --limit 1000 --stop -- ./sort
says stderr 'recorded 1000 instructions'
entry=0x$(riscv64-linux-gnu-nm sort | sed -n 's/^0*\([0-9a-f]*\) T sort$/\1/p')
for place in sort "$entry"; do
    expect 7 record -o part.zstf -f --from $place -- ./sort
    pcs_of_trace part.zstf >of_part
    sed -n "/^$entry\$/,\$p" of_trace >wanted
    same of_part wanted
    expect 7 record -o part.zstf -f --to $place -- ./sort
    pcs_of_trace part.zstf >of_part
    sed "/^$entry\$/,\$d" of_trace >wanted
    same of_part wanted
done
expect 7 record -o part.zstf -f --from no_such_function -- ./sort
says stderr 'recorded 0 instructions'
says stderr 'the program never reached no_such_function'
expect 7 record -o part.zstf -f --skip "$total" -- ./sort
says stderr 'recorded 0 instructions'

# --- threads, and a dynamic program ---
if echo 'int main(void) { return 0; }' | $cross -x c - -o dynamic 2>/dev/null; then
    $cross -O2 "$programs/threads.c" -o threads -pthread || fail "threads.c does not compile"
    expect 0 record -o threads.zstf -- ./threads
    says stdout '49990000 990000'
    expect 0 "$bin/hwtrace-validate" --level semantic threads.zstf
    says stdout '(0 errors, 0 warnings, 0 notes'
    expect 0 "$bin/hwtrace-info" threads.zstf
    for thread in 0:1:1 1:1:2 2:1:3 3:1:4 4:1:5; do
        "$bin/hwtrace-dump" threads.zstf --view instructions --format csv --disasm off | cut -d , -f 7 | grep -qx $thread || fail "the trace lacks thread $thread"
    done
    expect 4 "$bin/hwtrace-convert" threads.zstf threads.champsim
    says stderr 'runs on hart 1 and those before it on hart 0; choose one with --champsim-hart'
    if command -v python3 >/dev/null; then
        "$bin/hwtrace-dump" threads.zstf --view model --format jsonl >model.jsonl
        for hart in 0 3; do
            expect 0 "$bin/hwtrace-convert" threads.zstf hart$hart.champsim --champsim-hart $hart
            champsim records model.jsonl hart$hart.champsim --hart $hart >counts || fail "hart $hart: records"
        done
    fi
else
    skip 'threads: the C library for riscv64 is not installed (Debian: libc6-dev-riscv64-cross)'
fi

# --- a killed run leaves the whole chunks that were recorded ---
expect 137 sh -c "timeout -s KILL 60 '$bin/hwtrace-record-qemu' --plugin '$plugin' -o killed.zstf --chunk 1000 -- ./sort & wait_pid=\$!
    while [ ! -s killed.zstf ]; do sleep 0.01; done; kill -9 \$wait_pid; wait \$wait_pid"
pcs_of_trace killed.zstf 2>/dev/null >of_killed
[ -s of_killed ] || fail "nothing of a killed run can be read"
head -n "$(wc -l <of_killed)" of_trace | cmp -s - of_killed || fail "what remains of a killed run is not its begin"

# --- a crash, after an execve that fails ---
$cross -O1 -march=rv64gc -nostdlib -static -fno-builtin "$programs/crash.c" -o crash || fail "crash.c does not compile"
mkdir crashes
for options in '-o crashes/none.zstf' '-o crashes/none.stf'; do
    # shellcheck disable=SC2086 # words
    expect 139 record $options -- ./crash
    says stderr 'the program was ended by signal 11; there is no trace'
    holds crashes ''
done
expect 139 record -o crashes/most.zstf --chunk 1000 -- ./crash
says stderr 'the program was ended by signal 11; the trace ends with the last whole chunk before it'
holds crashes 'most.zstf '
expect 0 "$bin/hwtrace-info" crashes/most.zstf
grep -Eq '^ *instructions +[3-9][0-9]000$' stdout || fail "of 40000 instructions, a crash leaves $(grep ' instructions ' stdout)"
expect 5 sh -c "ulimit -f 100; '$bin/hwtrace-record-qemu' --plugin '$plugin' -o crashes/long.stf -- ./sort"
holds crashes 'most.zstf '

# --- mistakes ---
expect 2 record -o sort.zstf -- ./sort
says stderr 'exists; --force replaces it'
expect 2 record -o new.zstf -- "$bin/hwtrace-dump"
says stderr 'is not a RISC-V Linux program'
expect 2 record -o new.zstf -- ./absent
expect 2 record -o new.zstf
expect 2 record -- ./sort
expect 2 record -o new.zstf --qemu ./absent -- ./sort
says stderr 'cannot be run'
for mistake in '-o -' '-o new.txt' '-o new.ftr' '-o new.zstf --level 20' '-o new.zstf --chunk 0' '-o new.zstf --from 0xg'; do
    # shellcheck disable=SC2086 # words
    expect 2 record $mistake -- ./sort
done
expect 5 record -o absent/new.zstf -- ./sort
[ ! -e new.zstf ] || fail "a failed run left new.zstf"
finish

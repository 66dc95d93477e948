# Tests the recipes of apps/cluster: eight shards by GNU parallel, make and Slurm. Their union is the whole trace. One
# shard is killed, found by its missing manifest, and only this one runs again.
. "$(dirname "$0")/lib.sh"
data=$(cd "$2" && pwd)
recipes=$(cd "$2/../apps/cluster" && pwd)
cd "$work" || exit 1
trace=$data/stf/valid/sum.zstf
tools=$(cd "$bin" && pwd)

# A hwtrace-convert that is killed for shard 3, until the file `healthy` exists. Each run is written to the file `runs`.
mkdir wrapped
cat >wrapped/hwtrace-convert <<END
#!/bin/sh
echo "\$*" >>"$work/runs"
case "\$*" in
*"--shard 3/8"*) [ -e "$work/healthy" ] || kill -KILL \$\$ ;;
esac
exec "$tools/hwtrace-convert" "\$@"
END
chmod +x wrapped/hwtrace-convert
PATH=$work/wrapped:$tools:$PATH
export PATH

expect 0 "$tools/hwtrace-convert" "$trace" whole.uscope --clock 1GHz --ipc 1
expect 0 "$tools/hwtrace-convert" "$trace" whole.csv -q
# rows_of TABLES: prints their rows, without the head of each table, sorted.
rows_of() {
    for table in "$@"; do
        tail -n +2 "$table"
    done | LC_ALL=C sort
}

# begin: forgets earlier runs.
begin() {
    rm -rf out healthy runs
    mkdir out
}
# killed_and_repaired COMMAND...: checks that shard 3 is missing, that COMMAND runs only this one, and that all are
# there then.
killed_and_repaired() {
    [ "$(ls out/*.manifest.json | wc -l)" -eq 7 ] || fail "not 7 manifests: $(ls out)"
    absent out/shard-0003.manifest.json
    expect 1 hwtrace-merge --check out/*.manifest.json
    says stderr "shard 3/8 is missing"
    says stderr "--shard 3/8 --force --manifest out/shard-0003.manifest.json"
    touch healthy
    : >runs
    "$@" >log 2>&1 || fail "$*: $(tail -3 log)"
    [ "$(wc -l <runs)" -eq 1 ] || fail "more than one shard ran again: $(cat runs)"
    expect 0 hwtrace-merge --check out/*.manifest.json
    says stderr "8 shards are complete and undamaged"
}
union_is_whole_uscope() {
    expect 0 hwtrace-merge --concat out/*.manifest.json -o together.uscope --clock 1GHz --ipc 1 --force
    same together.uscope whole.uscope
}

# --- GNU parallel ---
if command -v parallel >/dev/null; then
    begin
    in_parallel() {
        parallel --will-cite -j2 hwtrace-convert "$trace" 'out/shard-{}.uscope' --shard '{= $_ += 0 =}/8' \
            --manifest 'out/shard-{}.manifest.json' --force --clock 1GHz --ipc 1 ::: "$@"
    }
    in_parallel 0001 0002 0003 0004 0005 0006 0007 0008 >log 2>&1 && fail "parallel did not report the killed job"
    killed_and_repaired in_parallel 0003
    union_is_whole_uscope
else
    skip "GNU parallel is not installed"
fi

# --- make, to µScope and to tables ---
if command -v make >/dev/null; then
    in_make() { make -s -k -j2 -f "$recipes/Makefile" TRACE="$trace" OUT=out FORMAT="$1" OPTIONS="$2"; }
    begin
    in_make uscope "--clock 1GHz --ipc 1" >log 2>&1 && fail "make did not report the killed job"
    killed_and_repaired in_make uscope "--clock 1GHz --ipc 1"
    union_is_whole_uscope
    begin
    in_make csv -q >log 2>&1
    killed_and_repaired in_make csv -q
    for name in $(ls whole.csv); do
        rows_of out/*.csv/"$name" >union
        rows_of "whole.csv/$name" >rows
        same union rows
    done
    begin
    in_make parquet -q >log 2>&1
    killed_and_repaired in_make parquet -q
else
    skip "make is not installed"
fi

# --- Slurm ---
# run_tasks NUMBERS: runs the script of the array for these tasks, without Slurm.
run_tasks() {
    for task in "$@"; do
        SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=8 TRACE=$trace OUT=out FORMAT=uscope \
            OPTIONS="--clock 1GHz --ipc 1" sh "$recipes/shards.sbatch"
    done
}
begin
run_tasks 1 2 3 4 5 6 7 8 2>log
killed_and_repaired run_tasks 1 2 3 4 5 6 7 8
union_is_whole_uscope

# start_slurm: starts Slurm on this machine, below slurm/. Fails if that is impossible.
start_slurm() {
    trap 'stop_slurm; rm -rf "$work"' EXIT
    for program in munged slurmctld slurmd sbatch; do
        command -v $program >/dev/null || { skip "Slurm itself: $program is not installed"; return 1; }
    done
    [ "$(id -u)" -eq 0 ] || { skip "Slurm itself: only root can start it"; return 1; }
    mkdir -p slurm/state slurm/spool
    host=$(hostname -s)
    cat >slurm/slurm.conf <<END
ClusterName=one
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$work/slurm/munge.sock
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((40001 + $$ % 20000))
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
NodeName=$host CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    head -c 128 /dev/urandom >slurm/munge.key
    chmod 600 slurm/munge.key
    chmod 755 "$work"
    munged --force --key-file="$work/slurm/munge.key" --socket="$work/slurm/munge.sock" \
        --pid-file="$work/slurm/munged.pid" --log-file="$work/slurm/munged.log" \
        --seed-file="$work/slurm/munge.seed" 2>>slurm/log || { skip "Slurm itself: munged does not start"; return 1; }
    SLURM_CONF=$work/slurm/slurm.conf
    export SLURM_CONF
    slurmctld -f "$SLURM_CONF" 2>>slurm/log && slurmd -f "$SLURM_CONF" 2>>slurm/log ||
        { skip "Slurm itself: it does not start"; return 1; }
    wait_for "the node of Slurm is not idle" sh -c 'sinfo -h -o %T 2>/dev/null | grep -q idle'
}
# stop_slurm: ends the three programs by their own ids.
stop_slurm() {
    for program in slurmd slurmctld munged; do
        [ -s "slurm/$program.pid" ] && kill "$(cat "slurm/$program.pid")" 2>/dev/null
    done
    sleep 1
}
submit() {
    sbatch --wait --array="$1" --output=/dev/null --error=/dev/null "$recipes/shards.sbatch" 2>>slurm/log
}
if start_slurm; then
    begin
    export TRACE="$trace" OUT="$work/out" FORMAT=uscope OPTIONS="--clock 1GHz --ipc 1" SHARDS=8
    submit 1-8 >log && fail "sbatch did not report the killed task"
    [ "$(ls out/*.manifest.json | wc -l)" -eq 7 ] || fail "Slurm: not 7 manifests: $(ls out)"
    touch healthy
    : >runs
    submit 3 >log || fail "task 3 failed again: $(cat slurm/log)"
    [ "$(wc -l <runs)" -eq 1 ] || fail "more than one task ran again: $(cat runs)"
    unset TRACE OUT FORMAT OPTIONS SHARDS
    union_is_whole_uscope
fi
stop_slurm

finish

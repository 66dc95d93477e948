# Tests commit logs with the binaries: an independent parser compares logs with their STF traces; programs run in QEMU;
# pipes, compression, several harts, and messages.
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
testdata=$(cd "$2" && pwd)
logs=$testdata/commitlog/valid
cd "$work" || exit 1

# to_stf LOG: converts a log to a trace without a finding at any level, and dumps it.
to_stf() {
    expect 0 "$bin/hwtrace-convert" "$1" trace.zstf --force --verify
    expect 0 "$bin/hwtrace-validate" --level semantic --strict trace.zstf
    says stdout "(0 errors, 0 warnings, 0 notes"
    "$bin/hwtrace-dump" trace.zstf --view instructions --format jsonl >trace.jsonl || fail "dump of $1"
}

checks() { python3 "$here/commitlog.py" "$@" >checked 2>&1 || fail "$*: $(tail -1 checked)"; }

if command -v python3 >/dev/null; then
    for log in spike commits_rv32 vector; do
        to_stf "$logs/$log.commitlog"
        checks check "$logs/$log.commitlog" trace.jsonl
    done
    checks random 20000 1 random.commitlog
    to_stf random.commitlog
    checks check random.commitlog trace.jsonl
    # The comparison must notice a changed digit.
    sed 's/^\(core   0: 3 0x0000000080000[0-9a-f]* (0x[0-9a-f]*) x[0-9]* *0x\)[0-9a-f]/\1f/' random.commitlog |
        head -40000 >changed.commitlog
    python3 "$here/commitlog.py" check changed.commitlog trace.jsonl >checked 2>&1 && fail "a changed log is equal"

    if [ -x "$bin/hwtrace-record-qemu" ] && command -v qemu-riscv64 >/dev/null &&
        command -v riscv64-linux-gnu-gcc >/dev/null; then
        cat >sort.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int numbers[64];
    for (int i = 0; i < 64; ++i) numbers[i] = rand() % 1000;
    qsort(numbers, 64, sizeof *numbers, compare);
    printf("%d %.3f\n", numbers[0], numbers[63] / 7.0);
    return 0;
}
END
        riscv64-linux-gnu-gcc -O2 -static sort.c -o sort || fail "cannot compile"
        if "$bin/hwtrace-record-qemu" -o recorded.zstf -- ./sort >/dev/null 2>recording; then
            "$bin/hwtrace-dump" recorded.zstf --view instructions --format jsonl >recorded.jsonl
            checks print recorded.jsonl recorded.commitlog
            expect 0 "$bin/hwtrace-convert" recorded.commitlog trace.zstf --force --verify
            expect 0 "$bin/hwtrace-validate" --level semantic trace.zstf
            "$bin/hwtrace-dump" trace.zstf --view instructions --format jsonl >trace.jsonl
            checks same recorded.jsonl trace.jsonl
            checks check recorded.commitlog trace.jsonl
        else
            skip "a program in QEMU: $(tail -1 recording)"
        fi
    else
        skip "a program in QEMU: hwtrace-record-qemu, qemu-riscv64 or riscv64-linux-gnu-gcc is missing"
    fi
else
    skip "the independent parser: python3 is missing"
fi

# Pipes and compression give the same bytes.
"$bin/hwtrace-convert" -q "$logs/spike.commitlog" direct.stf || fail "spike.commitlog"
"$bin/hwtrace-convert" -q - - --to stf <"$logs/spike.commitlog" | cat >piped.stf
same piped.stf direct.stf
for packed in spike.commitlog.gz commits_rv32.commitlog.lz4 sail.commitlog.zst dromajo.commitlog.xz; do
    "$bin/hwtrace-convert" -q --force "$logs/${packed%.*}" direct.stf || fail "${packed%.*}"
    "$bin/hwtrace-convert" -q - - --to stf <"$logs/$packed" | cat >piped.stf
    same piped.stf direct.stf
done
"$bin/hwtrace-dump" --view model - <"$logs/two_harts.commitlog" >from_pipe
"$bin/hwtrace-dump" --view model "$logs/two_harts.commitlog" >from_file
same from_pipe from_file

# An STF trace holds one hart.
expect 4 "$bin/hwtrace-convert" "$logs/two_harts.commitlog" harts.zstf
says stderr "choose one with --select scope="
absent harts.zstf
for hart in 0 1; do
    expect 0 "$bin/hwtrace-convert" "$logs/two_harts.commitlog" "hart$hart.zstf" --select "scope=core$hart" --allow-loss
    expect 0 "$bin/hwtrace-validate" --level semantic "hart$hart.zstf"
    says stdout "4 records"
done

# A selection without a range needs no order among the harts.
expect 0 "$bin/hwtrace-dump" "$logs/two_harts.commitlog" --view model --select scope=core1
[ "$(grep -c ' instruction core1/core1 ' stdout)" -eq 4 ] || fail "not the instructions of core1: $(cat stdout)"
expect 0 "$bin/hwtrace-info" "$logs/two_harts.commitlog" --select scope=core1
says stdout "model.instruction        4"
expect 2 "$bin/hwtrace-dump" "$logs/two_harts.commitlog" --view model --range :2#
says stderr "hwtrace-split --by hart"
expect 0 "$bin/hwtrace-split" "$logs/two_harts.commitlog" --by scope -o 'split-{}.zstf' --allow-loss
same split-core1.zstf hart1.zstf
expect 0 "$bin/hwtrace-diff" "$logs/spike.commitlog" "$logs/spike.commitlog.gz"
"$bin/hwtrace-convert" -q --force "$logs/spike.commitlog" direct.stf
expect 0 "$bin/hwtrace-diff" "$logs/spike.commitlog" direct.stf

# The views, and a slice of the default one.
expect 0 "$bin/hwtrace-dump" "$logs/spike.commitlog"
says stdout "read:0x0000000080001000=0x80"
for form in json jsonl csv; do
    expect 0 "$bin/hwtrace-dump" "$logs/vector.commitlog" --format $form
    is_data $form "the view instructions"
done
expect 0 "$bin/hwtrace-dump" "$logs/spike.commitlog" --range '#12:#14'
[ "$(wc -l <stdout)" -eq 2 ] || fail "2 instructions instead of $(wc -l <stdout)"

# Commit logs are only read.
expect 2 "$bin/hwtrace-convert" direct.stf out.commitlog
says stderr "does not write it"
absent out.commitlog
expect 2 "$bin/hwtrace-convert" direct.stf - --to commitlog
says stderr "does not write it"
expect 2 "$bin/hwtrace-recover" "$logs/spike.commitlog" out.commitlog
says stderr "does not write it"

# A cut log, with console output and a damaged line, becomes an STF trace of what is readable.
{
    printf 'bbl loader\n'
    cat "$logs/spike.commitlog"
    printf 'core   0: 3 0x0000000080000004 (0x0000006f) oops\ncore   0: 3 0x00000000'
} >damaged.commitlog
expect 3 "$bin/hwtrace-convert" damaged.commitlog damaged.zstf
says stderr "CML003"
says stderr "CML004"
expect 0 "$bin/hwtrace-validate" --level semantic damaged.zstf
expect 1 "$bin/hwtrace-validate" damaged.commitlog
says stdout "CML002"
expect 3 "$bin/hwtrace-recover" damaged.commitlog recovered.zstf
expect 0 "$bin/hwtrace-validate" --level semantic recovered.zstf

# A log is followed while a simulator writes it. Whole lines are shown, and what is known of the last instruction.
head -n 6 "$logs/spike.commitlog" >growing.commitlog
printf 'core   0: 3 0x00000000' >>growing.commitlog
: >followed
"$bin/hwtrace-dump" growing.commitlog --follow >followed 2>said &
follower=$!
shows() { [ "$(wc -l <followed)" -eq "$1" ]; }
wait_for "the first instructions are not shown" shows 2
printf '80000000 (0x30529073) c773_mtvec 0x0000000080000000\ncore   0: 3 0x0000000080000004 (0x4501)\n' >>growing.commitlog
wait_for "the appended instruction is not shown" shows 4
kill "$follower"
wait "$follower" || fail "exit $? of --follow: $(cat said)"
shows 5 || fail "the last instruction is not shown"

finish

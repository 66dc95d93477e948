# Tests names of addresses by ELF files (--elf) in the commands, with a hand-made file. tests/record_qemu/symbols.sh
# compares real programs with binutils.
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")" && pwd)
testdata=$(cd "$2" && pwd)
cd "$work" || exit 1
trace=$testdata/stf/valid/sum.zstf
dump() { "$bin/hwtrace-dump" "$@"; }

# --- mistakes that need no ELF file ---
expect 2 dump "$trace" --view flamegraph
says stderr 'requires --elf FILE'
expect 2 dump "$trace" --view instructions --elf program@0xz
says stderr "'0xz' is not an address"
expect 2 dump "$trace" --view instructions --elf @0x1000
if ! command -v python3 >/dev/null; then
    echo 'skipped: python3 is not installed'
    exit 77
fi
elf() { python3 "$tests/elf.py" "$@"; }
elf program 2 0x1000 sum:0x1000:0x34 handler:0x1100:0x14
dump "$trace" --view instructions --elf program >stdout 2>stderr
if grep -q 'libdw was missing' stderr; then
    expect 2 dump "$trace" --view instructions --elf program
    echo 'skipped: this build cannot read ELF files (Debian: libdw-dev)'
    exit 77
fi

# --- views ---
expect 0 dump "$trace" --view instructions --elf program --disasm off --range 985#:992#
says stdout '# sum+0x30'
says stdout '# handler+0x0'
expect 0 dump "$trace" --view instructions --elf program --disasm off
sed 's/ *# .*//' stdout >named
expect 0 dump "$trace" --view instructions --disasm off
same stdout named
expect 0 dump "$trace" --view instructions --elf program --format csv
is_data csv 'instructions with --elf'
head -1 stdout | grep -q ',physical_pc,physical_target,function,offset,source$' || fail "columns: $(head -1 stdout)"
[ "$(grep -c ',sum,0x' stdout)" = 1974 ] || fail 'sum does not have 1974 instructions'
expect 0 dump "$trace" --view instructions --elf program --format jsonl
is_data jsonl 'instructions with --elf'
says stdout '"function":"handler","offset":16}'
expect 0 dump "$trace" --view instructions --stf-physical on --format csv
head -1 stdout | grep -q ',physical_pc,physical_target$' || fail "columns without --elf: $(head -1 stdout)"
expect 0 dump "$trace" --view flamegraph --elf program
printf 'sum 1974\nsum;handler 10\n' >wanted
same stdout wanted
silent stderr
expect 0 dump "$trace" --view flamegraph --elf program --format csv
printf 'stack,instructions\nsum,1974\nsum;handler,10\n' >wanted
same stdout wanted
for form in json jsonl; do
    expect 0 dump "$trace" --view flamegraph --elf program --format $form
    is_data $form 'stacks'
    says stdout '"stack":"sum;handler","instructions":10'
done
expect 0 dump "$trace" --view flamegraph --elf program --range 980#:990#
printf 'sum 7\nsum;handler 3\n' >wanted
same stdout wanted
expect 0 dump "$trace" --view flamegraph --elf program --select from-pc=0x1100
expect 0 sh -c "'$bin/hwtrace-dump' - --view flamegraph --elf program <'$trace'"
says stdout 'sum;handler 10'
expect 0 dump "$trace" --view model --elf program
says stdout ' # handler+0x10'

# --- hwtrace-info ---
expect 0 "$bin/hwtrace-info" "$trace"
grep -v '^ *$' stdout >plain
expect 0 "$bin/hwtrace-info" "$trace" --elf program
grep -Eq '^    functions, of 2 +self +inclusive +calls$' stdout || fail 'hwtrace-info lists no functions'
grep -Eq '^    sum +1974 +1984 +0$' stdout || fail 'sum is wrong'
grep -Eq '^    handler +10 +10 +2$' stdout || fail 'handler is wrong'
grep -Eq '^    0x1010  sum\+0x10 ' stdout || fail 'hot pcs have no names'
expect 0 "$bin/hwtrace-info" "$trace" --elf program --format json
is_data json 'hwtrace-info with --elf'
says stdout '"function": "handler"'
expect 2 "$bin/hwtrace-info" "$trace" --elf program --quick
says stderr '--quick'
expect 0 "$bin/hwtrace-info" "$testdata/txlog/valid/bus.txlog" --elf program
says stderr '--elf has no effect'

# --- bases ---
elf moved 3 0x0 sum:0x0:0x34 handler:0x100:0x14
expect 0 dump "$trace" --view flamegraph --elf moved@0x1000
printf 'sum 1974\nsum;handler 10\n' >wanted
same stdout wanted
silent stderr
expect 0 dump "$trace" --view flamegraph --elf moved
says stderr 'the trace does not state where it was loaded'
# A comment of the trace states it.
"$bin/hwtrace-convert" -q "$trace" trace.jsonl
sed 's/copies and sums an array[^"]*/loaded moved at 0x1000/' trace.jsonl >loaded.jsonl
expect 0 dump loaded.jsonl --view flamegraph --elf moved
same stdout wanted
silent stderr
ln -s moved link.so
expect 0 dump loaded.jsonl --view flamegraph --elf link.so
same stdout wanted
sed 's/process 200 starts/loaded moved at 0x1000/' trace.jsonl >loaded.jsonl
expect 0 dump loaded.jsonl --view flamegraph --elf moved
same stdout wanted
# A name with @ needs a base.
cp program odd@name
expect 2 dump "$trace" --view flamegraph --elf odd@name
expect 0 dump "$trace" --view flamegraph --elf odd@name@0
same stdout wanted

# --- mistakes ---
expect 0 dump "$trace" --elf program
expect 2 dump "$trace" --view records --elf program
says stderr '--elf requires --view instructions'
expect 2 dump "$trace" --view model --elf program --format csv
expect 2 dump "$trace" --view flamegraph --elf program --elf program
says stderr 'overlaps that of program'
expect 5 dump "$trace" --view flamegraph --elf absent
expect 4 dump "$trace" --view flamegraph --elf "$trace"
says stderr 'is not an ELF file: expected 7f 45 4c 46'
expect 4 dump "$trace" --view flamegraph --elf /
expect 6 dump "$trace" --view flamegraph --elf program --max-schema 1
mkfifo pipe
expect 4 dump "$trace" --view flamegraph --elf pipe
expect 0 "$bin/hwtrace-convert" -q "$trace" out.jsonl --elf program
expect 0 dump "$testdata/txlog/valid/bus.txlog" --view flamegraph --elf program
says stderr 'the trace has no instructions'
head -c 4300 program >cut
expect 4 dump "$trace" --view flamegraph --elf cut
finish

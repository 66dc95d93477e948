# symbols.sh BIN SOURCE BUILD WORK CMAKE: records programs in QEMU and compares what --elf prints about them with nm,
# addr2line and objdump. The plugin is that of BUILD, or is built in WORK (plugin.sh).
source=$2 build=$3 folder=$4 cmake=$5
. "$source/tests/cli/lib.sh"
. "$source/tests/record_qemu/plugin.sh"
if ! command -v riscv64-linux-gnu-g++ >/dev/null || ! command -v python3 >/dev/null; then
    echo 'skipped: riscv64-linux-gnu-g++ or python3 is not installed (Debian: g++-riscv64-linux-gnu, python3)'
    exit 77
fi
cd "$work" || exit 1
riscv64-linux-gnu-g++ -O2 -g -static "$programs/functions.cc" -o program || {
    echo 'skipped: the C++ library for riscv64 is not installed (Debian: g++-riscv64-linux-gnu)'
    exit 77
}
dump() { "$bin/hwtrace-dump" "$@"; }
expect 2 dump "$source/testdata/stf/valid/sum.zstf" --view instructions --elf program@nowhere
says stderr "'nowhere' is not an address"
expect 0 dump "$source/testdata/stf/valid/sum.zstf" --view instructions --elf program
if grep -q 'libdw was missing' stderr; then
    echo 'skipped: this build cannot read ELF files (Debian: libdw-dev)'
    exit 77
fi

# --- a static program with debug information: functions and lines of all pcs ---
expect 0 record -o program.zstf -- ./program
expect 0 dump program.zstf --view instructions --elf program --format csv
is_data csv 'instructions with functions'
cp stdout program.csv
python3 "$programs/names.py" program.csv program 0 || fail 'names differ from those of nm and addr2line'
# Without --elf, nothing changes but the added columns.
expect 0 dump program.zstf --view instructions --format csv
cut -d , -f 1-3 stdout >plain
cut -d , -f 1-3 program.csv >named
same plain named
expect 0 dump program.zstf --view instructions --elf program
grep -q '# app::work(int)+0x0 functions.cc:' stdout || fail 'app::work is not named with its source line'
sed 's/ *# .*//' stdout >named
expect 0 dump program.zstf --view instructions
same stdout named
expect 0 dump program.zstf --view instructions --elf program --format jsonl
is_data jsonl 'instructions with functions'
says stdout '"function":"app::fib(int)","offset":0,"source":"'
# Compressed sections, and split debug information: the same lines.
for how in -gz -gsplit-dwarf '-gdwarf-4'; do
    riscv64-linux-gnu-g++ -O2 -g $how -static "$programs/functions.cc" -o other
    expect 0 dump program.zstf --view instructions --elf other --format csv
    same stdout program.csv
done

# --- call stacks: as objdump's mnemonics give them ---
riscv64-linux-gnu-strip -g program -o bare
expect 0 dump program.zstf --view flamegraph --elf bare
silent stderr
cp stdout folded
python3 "$programs/stacks.py" program.csv program folded || fail 'stacks differ'
grep -q 'main;app::dive(int);app::dive(int)' folded || fail 'recursion is not in the stacks'
grep -q 'main;.*app::count(int) ' folded || fail 'the signal handler is not in the stacks'
total=$(($(wc -l <program.csv) - 1))
[ "$(awk '{ sum += $NF } END { print sum }' folded)" = $total ] || fail "the stacks do not have $total instructions"
expect 0 dump program.zstf --view flamegraph --elf program
says stdout 'main;app::work(int);app::twice(int)_[i];app::square(int)_[i] '
[ "$(awk '{ sum += $NF } END { print sum }' stdout)" = $total ] || fail 'inlined calls change the sum'
for form in json jsonl csv; do
    expect 0 dump program.zstf --view flamegraph --elf program --format $form
    is_data $form 'the flamegraph'
done
expect 0 dump program.zstf --view flamegraph --elf program --range 1000#:1500#
[ "$(awk '{ sum += $NF } END { print sum }' stdout)" = 500 ] || fail 'the range is not respected'
"$bin/hwtrace-convert" -q program.zstf program.jsonl
expect 0 dump program.jsonl --view flamegraph --elf bare
same stdout folded

expect 0 dump program.jsonl --view model --elf program
grep -q 'instruction .* pc=0x[0-9a-f]* .*# app::fib(int)+0x0 functions.cc:' stdout || fail 'the view model names no functions'
expect 2 dump program.jsonl --view model --elf program --format csv

# --- functions of hwtrace-info ---
expect 0 "$bin/hwtrace-info" program.zstf --elf bare --format json
cp stdout info.json
python3 - program.csv folded info.json <<'END' || fail 'functions of hwtrace-info differ from the stacks'
import collections, csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
self = collections.Counter(row["function"] for row in rows)
fib = sum(now["function"] == "app::fib(int)" and int(now["offset"], 16) == 0 and int(last["encoding"], 16) & 0xFFF == 0xEF
          for last, now in zip(rows, rows[1:]))  # jal ra
inclusive = collections.Counter()
for line in open(sys.argv[2]):
    stack, count = line.rsplit(" ", 1)
    for name in set(stack.split(";")):
        inclusive[name] += int(count)
file = json.load(open(sys.argv[3]))["files"][0]
assert len(file["functions"]) == 64, len(file["functions"])
names = [function["function"] for function in file["functions"]]
for function in file["functions"]:
    name = function["function"]
    if name is None or names.count(name) > 1:
        continue
    assert function["self"] == self[name], (function, self[name])
    assert function["inclusive"] == inclusive[name], (function, inclusive[name])
calls = {function["function"]: function["calls"] for function in file["functions"]}
assert calls["app::fib(int)"] == fib > 100 and calls["app::work(int)"] == 2, calls
assert [f["self"] for f in file["functions"]] == sorted((f["self"] for f in file["functions"]), reverse=True)
assert all("offset" in pc for pc in file["profile"]["pcs"])
END
expect 0 "$bin/hwtrace-info" program.zstf --elf program
grep -Eq '^    app::fib\(int\) +[0-9]+ +[0-9]+ +[0-9]+$' stdout || fail 'app::fib is not in the text'
grep -Eq '^    0x[0-9a-f]+  app::Less::operator' stdout || fail 'hot pcs have no names'

# --- a position-independent program and its libraries: the trace states where they were loaded ---
riscv64-linux-gnu-g++ -O2 -g -pie -fPIE "$programs/functions.cc" -o pie
expect 0 record -o pie.zstf -- ./pie
expect 0 dump pie.zstf --view instructions --elf pie --format csv --disasm off
silent stderr
cp stdout pie.csv
base=$(dump pie.zstf --view records | sed -n 's/^COMMENT loaded pie at //p')
python3 "$programs/names.py" pie.csv pie "$base" || fail 'names of the position-independent program differ'
expect 0 dump pie.zstf --view instructions --elf "pie@$base" --format csv --disasm off
same stdout pie.csv
library=$(riscv64-linux-gnu-gcc -print-file-name=libc.so.6)
expect 0 dump pie.zstf --view flamegraph --elf pie --elf "$library"
silent stderr
grep -q 'main;.*app::fib(int);app::fib(int) ' stdout || fail 'the program is not in the stacks with libraries'
grep -q 'main;printf;' stdout || fail 'libc is not in the stacks'
cp pie other_name
expect 0 dump pie.zstf --view flamegraph --elf other_name
says stderr 'the trace does not state where it was loaded'
expect 0 sh -c "'$bin/hwtrace-dump' - --view flamegraph --elf pie <pie.zstf"
says stdout 'app::fib(int)'

# --- mistakes ---
expect 2 dump program.zstf --view flamegraph
says stderr 'requires --elf'
expect 2 dump program.zstf --view records --elf program
says stderr '--elf requires --view instructions or model or flamegraph'
expect 4 dump program.zstf --view flamegraph --elf program.zstf
says stderr 'is not an ELF file'
expect 5 dump program.zstf --view flamegraph --elf absent
expect 2 "$bin/hwtrace-info" program.zstf --quick --elf program
expect 2 dump program.zstf --view flamegraph --elf program --elf bare
says stderr 'overlaps that of program'
expect 0 dump "$(ls "$source"/testdata/ftr/valid/*.ftr | head -1)" --view flamegraph --elf program
says stderr 'the trace has no instructions'

# --- damaged debug information: an answer or an error, but no crash ---
python3 - program <<'END'
import random, re, subprocess, sys
data = open(sys.argv[1], "rb").read()
sections = subprocess.run(["riscv64-linux-gnu-objdump", "-h", sys.argv[1]], capture_output=True, text=True).stdout
places = [(int(offset, 16), int(size, 16)) for size, offset in
          re.findall(r"\.debug_\w+ +([0-9a-f]+) +[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+)", sections)]
random.seed(5)
for i in range(40):
    bytes_ = bytearray(data)
    for _ in range(1 + i % 8):
        offset, size = random.choice(places)
        bytes_[offset + random.randrange(size)] = random.randrange(256)
    open(f"damaged{i}", "wb").write(bytes_)
END
for file in damaged*; do
    timeout 60 "$bin/hwtrace-dump" program.zstf --view flamegraph --elf "$file" --range 50000#: >stdout 2>stderr
    status=$?
    case $status in
    0 | 4 | 6) ;;
    *) fail "$file: exit $status: $(head -3 stderr)" ;;
    esac
    rm "$file"
done
finish

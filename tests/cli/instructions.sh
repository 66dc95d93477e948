# Tests the view instructions: files, pipes, slices, damage, data, disassembly.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

expect 0 "$bin/hwtrace-dump" --list-views
grep -qE "^stf +instructions .*also json, jsonl, csv" stdout || fail "instructions are not listed as data"

expect 0 "$bin/hwtrace-dump" small.stf --view instructions --disasm off
silent stderr
cat >expected <<'END'
VERSION             1.6
GENERATOR           QEMU
GEN_VERSION         1.0.0
GEN_COMMENT         hand
ISA                 RISCV
INST_IEM            RV64
VLEN                0
FEATURES            0000000000080000
FORCE_PC            0000000080000000
PID                 00000000:00000000:00000000
INST32    1         0000000080000000                              00b60733
INST32    2         0000000080000004                              00b60733
END
same stdout expected

# The trace is read from a pipe, and the view is written into a pipe that is closed.
"$bin/hwtrace-dump" - --view instructions --disasm off <small.stf >piped || fail "exit $? from a pipe"
same piped expected
{ stf_header; stf_instructions 16; } >long.stf
"$bin/hwtrace-dump" long.stf --view instructions 2>talk | head -1 >first
silent talk
[ "$(cat first)" = "VERSION             1.6" ] || fail "the first line is $(cat first)"

# A slice counts positions from 0. Instructions keep their numbers.
expect 0 "$bin/hwtrace-dump" long.stf --view instructions --disasm off --range '60000#:60002#'
[ "$(grep -c '^INST32' stdout)" -eq 2 ] || fail "two instructions were wanted: $(tail -3 stdout)"
says stdout "INST32    60001     000000008003a980"
expect 0 "$bin/hwtrace-dump" long.stf --view instructions --range '65535#:'
[ "$(grep -c '^INST32' stdout)" -eq 1 ] || fail "one instruction was wanted: $(tail -3 stdout)"
expect 0 "$bin/hwtrace-dump" long.stf --view instructions --range '70000#:'
! grep -q '^INST32' stdout || fail "there is no such instruction"
expect 2 "$bin/hwtrace-dump" long.stf --view instructions --range 10us:20us
says stderr "takes positions such as 100#:200#"

# State in skipped chunks is unknown, and one note reports this.
expect 0 "$bin/hwtrace-dump" long.stf --view instructions --range '60000#:60002#' --disasm off
grep -v '^PID' stdout >expected_part
expect 0 "$bin/hwtrace-convert" long.stf long.zstf --stf-chunk 1000
expect 0 "$bin/hwtrace-dump" long.zstf --view instructions --range '60000#:60002#' --disasm off
[ "$(wc -l <stderr)" -eq 1 ] || fail "one note was wanted: $(cat stderr)"
says stderr "records before instruction 60001 were not read: the process is unknown until the trace states it again"
! grep -q "encoding mode" stderr || fail "nothing is disassembled"
says stdout "PID                 --------:--------:--------"
grep -v '^PID' stdout >part
same part expected_part
expect 0 "$bin/hwtrace-dump" long.zstf --view instructions --range '60000#:60002#'
if grep -q "add  *a4,a2,a1" stdout; then
    says stderr "disassembly uses the header's encoding mode"
fi
expect 0 "$bin/hwtrace-dump" long.zstf --view instructions --range '60000#:60002#' --format jsonl -q
silent stderr
says stdout '"process":null'
expect 0 "$bin/hwtrace-dump" long.zstf --view instructions --range '60000#:60002#' --stf-physical on
silent stderr
expect 0 "$bin/hwtrace-dump" long.zstf --view instructions --range '999#:1000#'
silent stderr

# Records before damage are printed, even if their instruction is damaged.
{ cat small.stf; printf '\074\001\000\000\000\000\000\000\000\004\000\000\000\001\016'; } >damaged.stf
expect 3 "$bin/hwtrace-dump" damaged.stf --view instructions --disasm off
says stderr "STF021"
head -12 stdout >whole
same whole expected
says stdout "NO_INST "
says stdout " MEM READ "
expect 0 "$bin/hwtrace-dump" damaged.stf --view instructions --allow-incomplete
expect 3 "$bin/hwtrace-dump" damaged.stf --view instructions --format jsonl
says stdout '"instruction":null'
# A slice that ends before the damage has no findings.
expect 0 "$bin/hwtrace-dump" damaged.stf --view instructions --range '#0:#2'
head -c 57 small.stf >cut.stf
expect 3 "$bin/hwtrace-dump" cut.stf --view instructions

# Data can be parsed in every form. If the corpus is present, a real trace is tested, too.
traces="small.stf"
[ -n "${HWTRACE_CORPUS:-}" ] && traces="$traces $HWTRACE_CORPUS/stf/bmi_pmp.bare.stf $HWTRACE_CORPUS/stf/made/all_rv64.zstf"
for trace in $traces; do
    for form in json jsonl csv; do
        expect 0 "$bin/hwtrace-dump" "$trace" --view instructions --format $form
        case $form in json | jsonl) says stdout '"schema":"hwtrace-stf-instructions/1","tool":"hwtrace-dump"' ;; esac
        if ! command -v python3 >/dev/null; then
            skip "no python3 to parse $form with"
            continue
        fi
        case $form in
        json) python3 -c "import json, sys; assert json.load(sys.stdin)['instructions'][1]['instruction'] == 2" <stdout ||
            fail "$trace is not JSON" ;;
        jsonl) python3 -c "import json, sys; [json.loads(line) for line in sys.stdin]" <stdout || fail "$trace: lines" ;;
        csv) python3 -c "import csv, sys; assert {len(row) for row in csv.reader(sys.stdin)} == {20}" <stdout ||
            fail "$trace: rows of different lengths" ;;
        esac
    done
done
expect 0 "$bin/hwtrace-dump" small.stf --view instructions --format jsonl --json-u64 string
says stdout '"pc":2147483652'

# --disasm belongs to this view, and has no effect in a build without a disassembler.
expect 0 "$bin/hwtrace-dump" small.stf --view instructions --disasm auto
silent stderr
if grep -q "add  *a4,a2,a1" stdout; then
    expect 0 "$bin/hwtrace-dump" small.stf --view instructions --format jsonl
    says stdout '"disassembly":"add a4,a2,a1"'
    expect 0 "$bin/hwtrace-dump" small.stf --view instructions --format jsonl --disasm off
    ! grep -q disassembly stdout || fail "--disasm off disassembles"
else
    same stdout expected
    skip "a build without disassembly"
fi
expect 2 "$bin/hwtrace-dump" small.stf --view instructions --disasm yes
expect 2 "$bin/hwtrace-dump" small.stf --view records --disasm off
says stderr "--disasm requires --view instructions"

finish

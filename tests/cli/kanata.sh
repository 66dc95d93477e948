# Tests Kanata logs with the binaries: to µScope and back, in gzip, through pipes, damaged, and as views.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# commands_of LOG: prints "cycle letter columns" per command, parsed independently of the binaries.
commands_of() {
    awk -F '\t' 'NR == 1 { cycle = 0; next }
        { sub(/\r$/, "") }
        $1 == "C=" { cycle = $2 + 0; next }
        $1 == "C" { cycle += $2; next }
        $1 ~ /^[ISERW]$/ { print cycle, $1, $2 + 0, $3 + 0, $4; next }
        $1 == "L" { text = $0; sub(/^L\t[^\t]*\t[^\t]*\t/, "", text); print cycle, "L", $2 + 0, $3 + 0, text; next }
        NF { print cycle, $0 }' "$1"
}

# there_and_back LOG: converts to µScope with a clock and back, through files and pipes. Commands and cycles must be the
# same.
there_and_back() {
    commands_of "$1" >wanted
    [ -s wanted ] || fail "$1 has no commands"
    expect 0 "$bin/hwtrace-convert" "$1" there.uscope --force --clock 2GHz --verify
    expect 0 "$bin/hwtrace-validate" there.uscope
    expect 0 "$bin/hwtrace-convert" there.uscope back.kanata --force --verify
    commands_of back.kanata >got
    same got wanted
    expect 0 "$bin/hwtrace-convert" back.kanata packed.kanata.gz --force
    gzip -t packed.kanata.gz || fail "packed.kanata.gz is not gzip"
    gzip -dc packed.kanata.gz >unpacked.kanata
    same unpacked.kanata back.kanata
    "$bin/hwtrace-convert" - - --to uscope --clock 2GHz -q <packed.kanata.gz | cat >piped.uscope
    same piped.uscope there.uscope
    "$bin/hwtrace-convert" - - --to kanata -q <piped.uscope | cat >piped.kanata
    same piped.kanata back.kanata
    "$bin/hwtrace-convert" - - --to kanata --kanata-container gz -q <there.uscope | gzip -dc | cmp -s - back.kanata ||
        fail "gzip to standard output"
}

# lines_at_offsets LOG COUNT: checks that there are COUNT findings, each at the offset of its line.
lines_at_offsets() {
    "$bin/hwtrace-validate" "$1" --max-findings 1000 --report jsonl=report >/dev/null 2>&1
    sed -n 's/.*"type":"finding".*"offset":\([0-9]*\),"length":[0-9]*,"where":"line \([0-9]*\)".*/\1 \2/p' report >places
    [ "$(wc -l <places)" -eq "$2" ] || fail "$1: $(wc -l <places) findings instead of $2"
    while read -r offset line; do
        tail -c "+$((offset + 1))" "$1" | head -n 1 >found
        sed -n "${line}p" "$1" | cmp -s - found || fail "$1: line $line is not at byte $offset"
    done <places
}

printf 'Kanata\t0004\nC=\t-2\nI\t0\t7\t0\nL\t0\t0\t80000000: add\\nx1\nS\t0\t0\tF\nC\t3\nS\t0\t1\tstl\nI\t1\t8\t1\n' >small.kanata
printf 'E\t0\t1\tstl\nE\t0\t0\tF\nS\t0\t0\tX\nW\t1\t0\t300\nC\t1\nR\t0\t9\t0\nL\t1\t2\ttwo\twords\nR\t1\t10\t1\nC\t5\n' >>small.kanata
there_and_back small.kanata
if [ -n "${HWTRACE_CORPUS:-}" ]; then
    for log in "$HWTRACE_CORPUS"/uscope/logs/*.log; do
        # The sample of the reference starts some instructions late. This is reported for the log and for the trace.
        there_and_back "$log"
    done
else
    skip "the logs of the corpus: HWTRACE_CORPUS is not set"
fi

# Findings have the right offsets, even after blank lines and carriage returns.
printf 'Kanata\t0003\r\n\r\n# a comment\nI\t0\t0\nC\t5\n\n\nC=\t2\n\303\274ber\n' >odd.kanata
printf 'R\t3\t0\t0\nI\t1\t0\t0\nS\t1\t0\tF\t\tmore\nI\t1\t0\t0\nS\t2\t0\tF\nR\t1\t0\t0\nL\t1\t0\ttext' >>odd.kanata
lines_at_offsets odd.kanata 11
for rule in 02 03 04 05 06 07 08 09 10 12 15; do
    grep -q "\"KAN0$rule\"" report || fail "no KAN0$rule: $(cat report)"
done
[ -z "${HWTRACE_CORPUS:-}" ] || lines_at_offsets "$HWTRACE_CORPUS/uscope/logs/kanata-sample-2.log" 34

# The commands before damage are converted, and the exit code reports the loss.
head -c "$(($(wc -c <small.kanata) - 10))" small.kanata >cut.kanata # behind the id of the last retirement
gzip -nc small.kanata | head -c 90 >cut.kanata.gz
gzip -nc small.kanata >damaged.kanata.gz
printf '\377\377\377\377' | dd of=damaged.kanata.gz bs=1 seek=$(($(wc -c <damaged.kanata.gz) - 8)) conv=notrunc 2>/dev/null
sed 's/^S.0.0.X$/S\tzero\t0\tX/' small.kanata >columns.kanata
for file in cut.kanata cut.kanata.gz damaged.kanata.gz columns.kanata; do
    expect 3 "$bin/hwtrace-convert" $file damaged.uscope --force
    says stderr "--allow-incomplete"
    expect 0 "$bin/hwtrace-convert" $file damaged.uscope --force --allow-incomplete
    expect 0 "$bin/hwtrace-validate" damaged.uscope
    expect 3 "$bin/hwtrace-convert" $file strict.uscope --strict
    absent strict.uscope
    expect 3 "$bin/hwtrace-dump" $file --view log
    says stdout "begin 0 simulator_id=7"
    expect 3 "$bin/hwtrace-info" $file
done
expect 3 "$bin/hwtrace-validate" cut.kanata
says stdout "KAN011"
expect 3 "$bin/hwtrace-validate" cut.kanata.gz
says stdout "KAN013"
expect 1 "$bin/hwtrace-validate" damaged.kanata.gz
says stdout "KAN014"
expect 1 "$bin/hwtrace-validate" columns.kanata
says stdout "KAN005"
printf 'Konata\t0004\n' >other.kanata
: >empty.kanata
for file in other.kanata empty.kanata; do
    expect 4 "$bin/hwtrace-convert" $file never.uscope --from kanata
    expect 4 "$bin/hwtrace-dump" $file --from kanata
    absent never.uscope
done
printf 'Kanata\t0004\nL\t0\t0\t%02000d\n' 0 >long.kanata
expect 6 "$bin/hwtrace-convert" long.kanata never.uscope --max-string 1K
says stderr "--max-string"
absent never.uscope

# Losses that follow from the schema are reported before anything is written.
awk 'BEGIN { print "Kanata\t0004"
    for (i = 0; i < 32769; ++i) printf "I\t%d\t0\t0\n", i
    for (i = 0; i < 256; ++i) printf "S\t0\t0\tstage%d\n", i }' >many.kanata
expect 0 "$bin/hwtrace-convert" many.kanata --explain --to uscope
says stderr "KAN016"
says stderr "(line 32770)"
says stderr "KAN017"
says stderr "(line 33026)"
expect 0 "$bin/hwtrace-info" many.kanata
grep -qE '^ +not_in_table +1$' stdout || fail "the instruction without a table is not reported"
there_and_back many.kanata

# An id that is used again names another instruction, which a selection of the first one does not show.
printf 'Kanata\t0004\nC=\t0\nI\t5\t0\t0\nL\t5\t0\t1000: first\nR\t5\t0\t0\nC\t1\nI\t5\t1\t0\nL\t5\t0\t2000: second\nR\t5\t1\t0\n' >reused.kanata
for life in 0 1; do
    expect 0 "$bin/hwtrace-dump" reused.kanata --view log --select retire_id=$life
    [ "$(grep -c 'retire 5' stdout)" -eq 1 ] || fail "not one life of the instruction: $(cat stdout)"
    says stdout "simulator_id=$life"
done
finish

# tests/tiers/cases.awk - reads the output of `ctest --verbose`. Prints a line for each case, "pass  NAME", "FAIL  NAME"
# or "skip  NAME: REASON", and a line for each program that has no cases or failed outside of its cases. Finally, prints
# the programs that took 20 seconds or more.
/^[0-9]+: (pass|FAIL|skip)  / {
    number = $1; sub(/:$/, "", number)
    cases[number]++
    if ($2 == "FAIL") failures[number]++
    line = $0; sub(/^[0-9]+: /, "", line); print line
}
/^[0-9]+: skipped: / {
    number = $1; sub(/:$/, "", number)
    reason[number] = $0; sub(/^[0-9]+: skipped: /, "", reason[number])
}
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
    number = $0; sub(/^.*#/, "", number); sub(/:.*$/, "", number)
    name = $0; sub(/^[^:]*: /, "", name); sub(/ .*$/, "", name)
    if ($0 ~ /\*\*\*Skipped/) print "skip  program " name (number in reason ? ": " reason[number] : "")
    else if ($0 !~ / Passed /) { if (!failures[number]) print "FAIL  program " name }
    else if (!cases[number]) print "pass  program " name
    seconds = $(NF - 1)
    if (seconds >= 20) slow = slow sprintf("time  %d s: %s\n", seconds, name)
}
END { printf "%s", slow }

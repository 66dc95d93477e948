# Tests the verdicts and reports of hwtrace-validate and the facts of hwtrace-info.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
stf_header >empty.stf
{ stf_header; stf_instructions 1; printf '\360\063'; } >cut.stf

expect 0 "$bin/hwtrace-validate" empty.stf
says stdout "empty.stf: warning GEN001 at byte "
says stdout "empty.stf: valid (0 errors, 1 warning, 0 notes; 0 records)"
expect 1 "$bin/hwtrace-validate" empty.stf --strict
says stdout "0 records); fails at level warning: GEN001"
expect 1 "$bin/hwtrace-validate" empty.stf --strict -q
[ "$(cat stdout)" = "empty.stf: valid (0 errors, 1 warning, 0 notes; 0 records); fails at level warning: GEN001" ] || fail "a quiet verdict does not state why it fails: $(cat stdout)"
expect 1 "$bin/hwtrace-validate" empty.stf --strict -q --max-findings 0
says stdout "0 records); fails at level warning: GEN001"
expect 1 "$bin/hwtrace-validate" empty.stf --fail-on warning
expect 1 "$bin/hwtrace-validate" empty.stf --rule GEN001=error
says stdout "invalid (1 error, "
expect 0 "$bin/hwtrace-validate" empty.stf --rule GEN001=off --strict
says stdout "valid (0 errors, 0 warnings, "
expect 0 "$bin/hwtrace-validate" empty.stf --rule GEN001=note --strict
expect 1 "$bin/hwtrace-validate" empty.stf --rule GEN001=note --fail-on note
expect 0 "$bin/hwtrace-validate" empty.stf -q
[ "$(wc -l <stdout)" -eq 1 ] || fail "quiet validation prints more than the verdict"

# A fault gives one annotation, whether a finding reports it or not (a missing file).
head -c 3 small.pccx >head.pccx
expect 3 "$bin/hwtrace-validate" --from pccx head.pccx --report github
[ "$(grep -c '^::error' stdout)" -eq 1 ] || fail "not one annotation for one fault: $(cat stdout)"
says stdout "title=PCX003"
echo other >other.pccx
expect 1 "$bin/hwtrace-validate" --from pccx other.pccx --report github
[ "$(grep -c '^::error' stdout)" -eq 1 ] || fail "not one annotation for one fault: $(cat stdout)"
says stdout "title=PCX001"
expect 5 "$bin/hwtrace-validate" missing.pccx --report github
[ "$(grep -c '^::error' stdout)" -eq 1 ] || fail "not one annotation for a missing file: $(cat stdout)"

# A rule cites the section of its format's README, with the folder.
expect 0 "$bin/hwtrace-validate" --list-rules --json
says stdout '"paragraph": "formats/kanata/README.md#'
! grep -q '"paragraph": "README' stdout || fail "a README without its folder: $(grep '"paragraph": "README' stdout | head -1)"

# A lower level finds less, and the verdict states the level.
expect 0 "$bin/hwtrace-validate" cut.stf --level quick
says stdout "records were not checked"
expect 3 "$bin/hwtrace-validate" cut.stf --level structure
expect 3 "$bin/hwtrace-validate" cut.stf --level structure --report json
says stdout '"level": "structure"'
expect 0 "$bin/hwtrace-validate" small.stf
expect 1 "$bin/hwtrace-validate" small.stf --level semantic
says stdout "error STF071"
expect 2 "$bin/hwtrace-validate" cut.stf --level deep

expect 3 "$bin/hwtrace-validate" cut.stf small.stf --report text --report json=report.json --report jsonl=report.jsonl
says stdout "cut.stf: incomplete"
says stdout "small.stf: valid"
cp report.json stdout
for text in '"schema": "hwtrace-validate/1"' '"tool": "hwtrace-validate"' '"version": "' '"verdict": "incomplete"' \
    '"verdict": "valid"' '"rule": "STF020"' '"offset": '; do
    says stdout "$text"
done
[ "$(grep -c '"type":"finding"' report.jsonl)" -eq 1 ] || fail "one finding does not have one line"
[ "$(grep -c '"type":"verdict"' report.jsonl)" -eq 2 ] || fail "not every file has a verdict"
expect 3 "$bin/hwtrace-validate" cut.stf --report json
says stdout '"file": "cut.stf"'
! grep -q '^cut.stf' stdout || fail "text and JSON are mixed"
expect 2 "$bin/hwtrace-validate" small.stf --report json=small.stf
"$bin/hwtrace-dump" small.stf >stdout || fail "a report replaced its input"

# If a rule has many findings, few are printed and all are counted.
{ stf_header; for _ in $(seq 30); do printf '\075\000\000\000\000\000\000\000\000'; done; stf_instructions 0; } >content.stf
expect 1 "$bin/hwtrace-validate" content.stf --max-findings 3
[ "$(grep -c 'error STF031' stdout)" -eq 3 ] || fail "--max-findings 3 shows $(grep -c 'error STF031' stdout)"
says stdout "content.stf: invalid (30 errors, "
# At most 12 lines of findings are printed, with an example of each rule. -v prints more, all are counted.
expect 1 "$bin/hwtrace-validate" content.stf
[ "$(grep -c ' at byte ' stdout)" -eq 12 ] || fail "$(grep -c ' at byte ' stdout) lines of findings"
grep -q 'content.stf: .*STF031.*; -v prints more' stdout || fail "the others are not counted: $(cat stdout)"
cut -d ' ' -f 3 stdout | grep -E '^[A-Z]{3}[0-9]{3}$' | sort -u >examples
expect 1 "$bin/hwtrace-validate" content.stf -v
[ "$(grep -c 'error STF031' stdout)" -eq 20 ] || fail "-v prints $(grep -c 'error STF031' stdout) findings"
says stdout "; --max-findings N prints more"
cut -d ' ' -f 3 stdout | grep -E '^[A-Z]{3}[0-9]{3}$' | sort -u >rules
same rules examples
expect 3 "$bin/hwtrace-info" content.stf
says stderr "; hwtrace-validate --max-findings N lists N of each rule"
[ "$(grep -c ' at byte ' stderr)" -le 12 ] || fail "info prints $(grep -c ' at byte ' stderr) findings"
says stderr "STF031: 25 more of these"
# An input that violates its format gives exit code 3, even if every record was converted.
expect 3 "$bin/hwtrace-convert" content.stf content.uscope
says stderr "the input violates its format"
rm content.uscope
expect 0 "$bin/hwtrace-convert" content.stf content.uscope --allow-incomplete --verify
# The restored trace violates its format as the first one did, so --verify refuses it.
expect 1 "$bin/hwtrace-convert" content.uscope back.stf --verify
says stderr "STF031"
absent back.stf
expect 0 "$bin/hwtrace-convert" content.uscope back.stf
expect 2 "$bin/hwtrace-convert" content.stf fresh.uscope --loss-report ./fresh.uscope
absent fresh.uscope
expect 0 "$bin/hwtrace-convert" content.uscope again.uscope --clock 2GHz
says stderr "--clock and --ipc have no effect"

expect 0 "$bin/hwtrace-info" small.stf --format json
says stdout '"version": "1.6"'
says stdout '"instructions": 2'
for text in '"schema": "hwtrace-info/1"' '"format": "stf"' '"instruction": 2' '"state": "complete"'; do
    says stdout "$text"
done
for text in '"total_record_count": 2' '"integer": 2' '"set": false'; do
    says stdout "$text"
done
! grep -q '"intervals"' stdout || fail "intervals are shown without a request"
expect 0 "$bin/hwtrace-info" small.stf --interval 1 --format json
[ "$(grep -c '"inst_count": 1' stdout)" -eq 2 ] || fail "two intervals of one instruction"
expect 2 "$bin/hwtrace-info" small.stf --interval 0
says stderr "--interval 0: takes a number of instructions, at least 1"
expect 2 "$bin/hwtrace-info" small.stf --interval 1 --quick
says stderr "--quick"
expect 0 "$bin/hwtrace-info" transactions.stf --interval 1
says stderr "--interval has no effect: the trace has no instructions"
expect 0 "$bin/hwtrace-info" small.stf
says stdout "non_user_count                             2"
expect 0 "$bin/hwtrace-info" small.stf --quick
! grep -q 'model.records' stdout || fail "--quick counted the records"
says stdout "not checked"

if [ -n "${HWTRACE_CORPUS-}" ] && [ -d "$HWTRACE_CORPUS/stf/made/corrupt" ]; then
    for file in "$HWTRACE_CORPUS"/stf/made/corrupt/*; do
        case $file in *.txt) continue ;; esac
        "$bin/hwtrace-validate" "$file" >stdout 2>stderr
        code=$?
        case $code in
        0 | 1 | 3 | 4 | 6) ;;
        *) fail "exit $code for $file" ;;
        esac
        [ $code -ne 1 ] || grep -q 'error [A-Z]*[0-9]* at byte [0-9]*' stdout || fail "no finding for $file"
    done
else
    skip "damaged files: HWTRACE_CORPUS is not set"
fi

# References in SARIF are valid: rule indices, artifact indices, and regions within the files. The test checks them for
# every file of testdata, and for each of these files cut and damaged.
if command -v python3 >/dev/null; then
    cat >sarif.py <<'PYTHON'
import copy, json, os, sys

def is_count(value):
    return type(value) is int and value >= 0

def complaint(document):
    """What is wrong with the report, or None."""
    if document.get("version") != "2.1.0" or len(document["runs"]) != 1:
        return "no single run of SARIF 2.1.0"
    run = document["runs"][0]
    rules, artifacts = run["tool"]["driver"]["rules"], run["artifacts"]
    if len({rule["id"] for rule in rules}) != len(rules):
        return "a rule stands twice"
    for artifact in artifacts:
        if not is_count(artifact.get("length", 0)):
            return f"length {artifact['length']!r}"
    used = {}
    for result in run["results"]:
        where = json.dumps(result)[:300]
        index = result["ruleIndex"]
        if not is_count(index) or index >= len(rules) or rules[index]["id"] != result["ruleId"]:
            return "ruleIndex: " + where
        if result["level"] not in ("note", "warning", "error"):
            return "level: " + where
        if len(result["locations"]) != 1:
            return "locations: " + where
        place = result["locations"][0]["physicalLocation"]
        location, region = place["artifactLocation"], place["region"]
        index = location["index"]
        if not is_count(index) or index >= len(artifacts) or artifacts[index]["location"]["uri"] != location["uri"]:
            return "artifact: " + where
        if not is_count(region["byteOffset"]) or not is_count(region["byteLength"]):
            return "region: " + where
        if region["byteOffset"] + region["byteLength"] > artifacts[index].get("length", 2**64):
            return "behind the end: " + where
        used[result["ruleId"]] = used.get(result["ruleId"], 0) + 1
    if used.keys() != {rule["id"] for rule in rules}:
        return "rules without results"
    totals = run["properties"]["totals"]
    if any(totals[rule] < count for rule, count in used.items()):
        return "totals"
    return None

def hurt(source, folder):
    """Of each small file of the folder: two that are cut, and one with a byte that is another."""
    for parent, _, names in os.walk(source):
        for name in names:
            path = os.path.join(parent, name)
            if name.endswith((".hex", ".md", ".txt")) or os.path.getsize(path) > 200000:
                continue
            with open(path, "rb") as file:
                data = bytearray(file.read())
            made = {"third": data[:len(data) // 3], "most": data[:len(data) * 9 // 10], "byte": bytearray(data)}
            if data:
                made["byte"][len(data) // 2] ^= 0x55
            target = os.path.join(folder, os.path.relpath(parent, source))
            for kind, content in made.items():
                os.makedirs(os.path.join(target, kind), exist_ok=True)
                with open(os.path.join(target, kind, name), "wb") as file:
                    file.write(content)

if sys.argv[1] == "hurt":
    hurt(sys.argv[2], sys.argv[3])
    sys.exit()
with open(sys.argv[1], encoding="utf-8") as text:
    report = json.load(text)
wrong = complaint(report)
if wrong:
    sys.exit(wrong)
run = report["runs"][0]
if len(run["results"]) < int(sys.argv[2]):
    sys.exit(f"only {len(run['results'])} results")
if not run["results"]:
    sys.exit()

# The check itself works: it refuses reports with errors.
def broken(change):
    other = copy.deepcopy(report)
    change(other["runs"][0]["results"][-1], other["runs"][0])
    return complaint(other)

def region(result):
    return result["locations"][0]["physicalLocation"]["region"]

changes = {
    "rule": lambda result, run: result.update(ruleIndex=len(run["tool"]["driver"]["rules"])),
    "other rule": lambda result, run: result.update(ruleId="AAA000"),
    "level": lambda result, run: result.update(level="fatal"),
    "negative": lambda result, run: region(result).update(byteOffset=-1),
    "text": lambda result, run: region(result).update(byteLength="1"),
    "behind": lambda result, run: region(result).update(byteLength=2**64),
    "artifact": lambda result, run: run["artifacts"][-1].update(length=-1),
    "total": lambda result, run: run["properties"]["totals"].update({result["ruleId"]: 0}),
}
for name, change in changes.items():
    if not broken(change):
        sys.exit(f"a report with a wrong {name} passes")
PYTHON
    python3 sarif.py hurt "$2" hurt || fail "testdata cannot be damaged"
    "$bin/hwtrace-validate" -q -r hurt "$2" --level semantic --report sarif=all.sarif >/dev/null 2>&1
    expect 0 python3 sarif.py all.sarif 200
    expect 5 "$bin/hwtrace-validate" -q cut.stf empty.stf head.pccx absent.stf --from stf --report sarif=some.sarif
    expect 0 python3 sarif.py some.sarif 1
    expect 0 "$bin/hwtrace-validate" -q small.stf --report sarif=clean.sarif
    expect 0 python3 sarif.py clean.sarif 0
else
    skip "no python3 to look into SARIF with"
fi
finish

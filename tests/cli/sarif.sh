# Checks SARIF reports with the schema of SARIF and with the validator of its authors. HWTRACE_SARIF_SCHEMA names the
# schema: `npm pack @microsoft/jest-sarif@1.0.0-beta.0` brings package/lib/schemas/sarif-2.1.0-rtm.5.json.
# HWTRACE_SARIF_TOOL names the validator: `npm install @microsoft/sarif-multitool` (96 MB) brings
# node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
if ! command -v python3 >/dev/null; then
    skip "there is no python3"
    exit 77
fi

# make_reports: writes reports with and without findings, faults and a baseline.
make_reports() {
    { stf_header; printf '\075\000\000\000\000\000\000\000\000'; stf_instructions 1; } >bad.stf
    { stf_header; stf_instructions 1; printf '\360\063'; } >cut.stf
    echo nothing >notes.txt
    printf 'Kanata\t0004\nI\t0\t0\t0\nS\t0\tzero\tF\n' >columns.kanata
    expect 0 "$bin/hwtrace-validate" small.stf small.pccx --report sarif=clean.sarif
    expect 1 "$bin/hwtrace-validate" bad.stf --report sarif=bad.sarif
    expect 3 "$bin/hwtrace-validate" cut.stf --report sarif=cut.sarif
    expect 1 "$bin/hwtrace-validate" columns.kanata --report sarif=lines.sarif
    expect 4 "$bin/hwtrace-validate" notes.txt --report sarif=unknown.sarif
    expect 5 "$bin/hwtrace-validate" absent.stf --report sarif=absent.sarif
    expect 5 "$bin/hwtrace-validate" small.stf bad.stf cut.stf notes.txt absent.stf --report sarif=all.sarif
    expect 0 "$bin/hwtrace-validate" bad.stf --write-baseline known.json
    expect 3 "$bin/hwtrace-validate" bad.stf cut.stf --baseline known.json --report sarif=new.sarif
    grep -q '"baselineState": "new"' new.sarif || fail "a report with a baseline does not mark new findings"
    "$bin/hwtrace-validate" -q -r "$1" --level semantic --report sarif=testdata.sarif >/dev/null 2>&1
}
reports="clean bad cut lines unknown absent all new testdata"
make_reports "$2"

# What GitHub requires of code scanning: regions with lines, and rules with readable titles.
cat >github.py <<'PYTHON'
import json, sys
def check(condition, what):
    if not condition:
        sys.exit(f"{sys.argv[1]}: {what}")
with open(sys.argv[1], encoding="utf-8") as text:
    run = json.load(text)["runs"][0]
for rule in run["tool"]["driver"]["rules"]:
    title = rule["shortDescription"]["text"]
    check(title[0] == title[0].upper() and title.endswith(".") and len(title) < 1024, f"title {title}")
    check(rule["fullDescription"]["text"] and rule["help"]["text"], f"descriptions of {rule['id']}")
    check(rule["name"].isalnum() and len(rule["name"]) <= 255, f"name {rule['name']}")
for result in run["results"]:
    title = run["tool"]["driver"]["rules"][result["ruleIndex"]]["shortDescription"]["text"]
    check(result["message"]["text"].startswith(title[:-1]), f"message {result['message']['text']}")
    check(result["locations"] and result["partialFingerprints"], "a result without a place or a fingerprint")
    region = result["locations"][0]["physicalLocation"]["region"]
    for key in ("startLine", "startColumn", "endLine", "endColumn"):
        check(type(region[key]) is int and region[key] >= 1, f"{key} of {region}")
    check(region["byteOffset"] >= 0 and region["byteLength"] >= 0, f"bytes of {region}")
lines = [result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in run["results"]]
check(sys.argv[2] == "any" or lines == json.loads(sys.argv[2]), f"lines {lines}")
PYTHON
for report in $reports; do
    expect 0 python3 github.py $report.sarif any
done
expect 0 python3 github.py lines.sarif '[3]'
expect 0 python3 github.py cut.sarif '[1]'

if [ -n "${HWTRACE_SARIF_SCHEMA-}" ] && python3 -c 'import jsonschema' 2>/dev/null; then
    cat >schema.py <<'PYTHON'
import json, jsonschema, sys
def load(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)
schema = load(sys.argv[1])
validator = jsonschema.validators.validator_for(schema)(schema)
for path in sys.argv[2:]:
    report = load(path)
    for error in validator.iter_errors(report):
        sys.exit(f"{path}: {list(error.path)}: {error.message[:300]}")
    for result in report["runs"][0]["results"][:1]:
        result["surprise"] = 1  # the check itself works
        if validator.is_valid(report):
            sys.exit("the schema takes an unknown property")
PYTHON
    set --
    for report in $reports; do
        set -- "$@" $report.sarif
    done
    expect 0 python3 schema.py "$HWTRACE_SARIF_SCHEMA" "$@"
else
    skip "HWTRACE_SARIF_SCHEMA does not name the schema of SARIF, or there is no jsonschema for python3"
fi
if [ -z "${HWTRACE_SARIF_TOOL-}" ]; then
    skip "HWTRACE_SARIF_TOOL does not name Sarif.Multitool (npm install @microsoft/sarif-multitool)"
    finish
fi

# The tool always exits with 0, and silently skips a report with a value that it cannot parse. So each report is
# checked without its informationUri: if the tool complains about that, it has read the report.
cat >change.py <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as text:
    report = json.load(text)
run = report["runs"][0]
run["tool"]["driver"].pop("informationUri", None)
result = run["results"][-1] if run["results"] else None
exec(sys.argv[3])
with open(sys.argv[2], "w", encoding="utf-8") as text:
    json.dump(report, text)
PYTHON
# analyse REPORT [CHANGE]: writes the output of the tool to $work/stdout.
analyse() {
    python3 change.py "$1" looked-at.sarif "${2-pass}" || fail "$1 cannot be changed: ${2-}"
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$HWTRACE_SARIF_TOOL" validate looked-at.sarif >stdout 2>&1 </dev/null
}
has_looked() { grep -q "warning SARIF2005: .*informationUri" stdout && grep -q "^Done. 1 files scanned" stdout; }
takes() {
    analyse "$1"
    has_looked || fail "$1: the tool has not looked: $(head -5 stdout)"
    ! grep -q ': error ' stdout || fail "$1: $(grep ': error ' stdout | head -2)"
}
# refuses REPORT CHANGE ERROR: checks that the changed report causes this error, or "silence" if the tool skips it.
refuses() {
    analyse "$1" "$2"
    if [ "$3" = silence ]; then
        ! has_looked || fail "the tool takes $2"
    else
        grep -q ": error $3" stdout || fail "the tool does not say $3 of $2: $(head -5 stdout)"
    fi
}

for report in $reports; do
    takes $report.sarif
done

refuses all.sarif 'result["surprise"] = 1' JSON1005
refuses all.sarif 'result["ruleIndex"] = 999' SARIF1009
refuses all.sarif 'result["locations"][0]["physicalLocation"]["region"]["byteOffset"] = -5' JSON1008
refuses all.sarif 'result["locations"][0]["physicalLocation"]["artifactLocation"]["index"] = 999' SARIF1009
refuses all.sarif 'result["message"] = "text"' JSON1001
refuses all.sarif 'del run["tool"]' JSON1002
refuses all.sarif 'report["version"] = "2.0.0"' JSON1019
refuses all.sarif 'result["level"] = "fatal"' silence
refuses all.sarif 'result["ruleIndex"] = "first"' silence
finish

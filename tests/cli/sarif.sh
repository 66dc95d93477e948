# Checks SARIF reports with the validator of its authors. HWTRACE_SARIF_TOOL names it: `npm install @microsoft/sarif-multitool`
# (96 MB) brings node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
if [ -z "${HWTRACE_SARIF_TOOL-}" ]; then
    skip "HWTRACE_SARIF_TOOL does not name Sarif.Multitool (npm install @microsoft/sarif-multitool)"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    skip "there is no python3"
    exit 77
fi

# The tool always exits with 0, and silently skips a report with a value that it cannot parse. So each report is checked
# without its informationUri. If the tool complains about the missing informationUri, it has read the report.
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

{ stf_header; printf '\075\000\000\000\000\000\000\000\000'; stf_instructions 1; } >bad.stf
{ stf_header; stf_instructions 1; printf '\360\063'; } >cut.stf
echo nothing >notes.txt
expect 0 "$bin/hwtrace-validate" small.stf small.pccx --report sarif=clean.sarif
takes clean.sarif
expect 1 "$bin/hwtrace-validate" bad.stf --report sarif=bad.sarif
takes bad.sarif
expect 3 "$bin/hwtrace-validate" cut.stf --report sarif=cut.sarif
takes cut.sarif
expect 4 "$bin/hwtrace-validate" notes.txt --report sarif=unknown.sarif
takes unknown.sarif
expect 5 "$bin/hwtrace-validate" absent.stf --report sarif=absent.sarif
takes absent.sarif
expect 5 "$bin/hwtrace-validate" small.stf bad.stf cut.stf notes.txt absent.stf --report sarif=all.sarif
takes all.sarif
expect 0 "$bin/hwtrace-validate" bad.stf --write-baseline known.json
expect 3 "$bin/hwtrace-validate" bad.stf cut.stf --baseline known.json --report sarif=new.sarif
grep -q '"baselineState": "new"' new.sarif || fail "a report with a baseline does not mark new findings"
takes new.sarif
"$bin/hwtrace-validate" -q -r "$2" --level semantic --report sarif=testdata.sarif >/dev/null 2>&1
takes testdata.sarif

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

# Tests hwtrace-validate with many files: folders, baselines, and the reports that CI servers read.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
data=$2
bad_record() { printf '\075\000\000\000\000\000\000\000\000'; }  # INST_MEM_CONTENT that belongs to no access

{ stf_header; stf_instructions 1; printf '\360\063'; } >cut.stf
{ stf_header; bad_record; bad_record; stf_instructions 1; } >bad.stf

# In folders, traces are checked in the order of their names. Other files are counted.
mkdir -p runs/b runs/a/deep none
cp small.stf runs/b/good.stf
cp cut.stf runs/a/deep/cut
cp bad.stf 'runs/a/50% & <more>.stf'
echo "no trace" >runs/notes.txt
echo "no trace" >none/notes.txt
expect 2 "$bin/hwtrace-validate" runs
says stderr "--recursive"
expect 1 "$bin/hwtrace-validate" --recursive runs
says stderr "3 files: 1 valid, 1 invalid, 1 incomplete, 0 not checked; 1 is not a trace"
grep -v ' at byte ' stdout | sed 's/ (.*//' >found
printf '%s\n' 'runs/a/50% & <more>.stf: invalid' 'runs/a/deep/cut: incomplete' 'runs/b/good.stf: valid' >wanted
same found wanted
expect 1 "$bin/hwtrace-validate" -r none
says stderr "no trace was found"
says stderr "0 files: 0 valid, 0 invalid, 0 incomplete, 0 not checked; 1 is not a trace"
for form in 'junit <error' 'github ::error' 'sarif toolExecutionNotifications'; do
    expect 1 "$bin/hwtrace-validate" -r none --report "${form% *}"
    says stdout "${form#* }"
done
expect 5 "$bin/hwtrace-validate" -r none small.stf absent.stf bad.stf runs/notes.txt -v
says stderr "none/notes.txt: is not a trace"
says stdout "absent.stf: not checked"
says stdout "GEN002"
expect 2 "$bin/hwtrace-validate" - -

# A folder that cannot be listed (here the path is too long) is reported by name. All other files are checked.
mkdir deep
cp small.stf deep
(
    name=$(printf 'd%.0s' $(seq 240))
    cd deep && for _ in $(seq 20); do mkdir "$name" && cd "$name" || exit; done
) 2>/dev/null
expect 5 "$bin/hwtrace-validate" -r deep cut.stf
says stdout "deep/small.stf: valid"
says stdout "dddd: not checked: cannot be listed: "
says stdout "cut.stf: incomplete"
rm -rf deep

# An empty file has no format. In a folder, its name makes it a trace that failed.
mkdir void
: >void/run.stf
: >void/notes
expect 4 "$bin/hwtrace-validate" -r void
says stdout "void/run.stf: error GEN002"
says stdout "found an empty file"
says stderr "1 is not a trace"
expect 4 "$bin/hwtrace-dump" void/run.stf
says stderr "but an empty file"
expect 2 "$bin/hwtrace-validate" ''
rm -r void

# Reports beside the traces are not traces, and the next run replaces them.
mkdir beside
cp small.stf beside
for _ in first second; do
    expect 0 "$bin/hwtrace-validate" -r beside --report text --report json=beside/r.json --report jsonl=beside/r.jsonl \
        --report junit=beside/r.xml --report sarif=beside/r.sarif --write-baseline beside/known.json
done
says stderr "5 are not traces"
expect 2 "$bin/hwtrace-validate" -r beside --report json=beside/small.stf
says stderr "the output is the input itself"
rm -r beside

# Checking several files at a time gives the same reports in the same order.
set -- -r runs absent.stf "$data" --report text --report sarif=jobs.sarif --report jsonl=jobs.jsonl -v
"$bin/hwtrace-validate" "$@" -j 1 >one 2>one.err
mv jobs.sarif one.sarif
mv jobs.jsonl one.jsonl
"$bin/hwtrace-validate" "$@" -j 8 >eight 2>eight.err
same one eight
same one.err eight.err
same one.sarif jobs.sarif
same one.jsonl jobs.jsonl

# A JUnit report has one suite per file. A suite has one case for the verdict and one per rule with findings.
expect 1 "$bin/hwtrace-validate" -r runs --report junit=runs.xml
cp runs.xml stdout
says stdout '<testsuites name="hwtrace-validate" tests="5" failures="4" errors="0" skipped="0">'
says stdout '<testsuite name="runs/a/50% &amp; &lt;more&gt;.stf" tests="2" failures="2" errors="0" skipped="0">'
says stdout '<testcase classname="runs/b/good.stf" name="verdict (full)"/>'
says stdout '(2x)'
expect 0 "$bin/hwtrace-validate" bad.stf --rule STF031=note --report junit
says stdout '<system-out>note: byte '
expect 5 "$bin/hwtrace-validate" absent.stf --report junit
says stdout '<error type="not checked" message="'
if command -v xmllint >/dev/null 2>&1; then
    expect 0 xmllint --noout runs.xml
else
    skip "JUnit as XML: there is no xmllint"
fi

# A SARIF report has the bytes of findings, the rules, and totals.
expect 5 "$bin/hwtrace-validate" -r runs absent.stf --max-findings 1 --report sarif=runs.sarif
cp runs.sarif stdout
for text in '"version": "2.1.0"' '"name": "hwtrace-validate"' '"id": "STF031"' '"ruleId": "STF031"' '"level": "error"' \
    '"uri": "runs/a/50%25%20%26%20%3Cmore%3E.stf"' '"byteOffset": 49' '"byteLength": 9' '"STF031": 2' \
    '"hwtraceFinding/v1": "' '"executionSuccessful": false' '"exitCode": 5' '"toolExecutionNotifications": ['; do
    says stdout "$text"
done
[ "$(grep -c '"ruleId": "STF031"' stdout)" -eq 1 ] || fail "--max-findings 1 does not hold for SARIF"

# The GitHub report prints annotations and escapes special characters.
cp bad.stf '50%,a:b.stf'
expect 1 "$bin/hwtrace-validate" '50%,a:b.stf' --report github --max-findings 1
says stdout '::error file=50%25%2Ca%3Ab.stf,title=STF031::50%25,a:b.stf: byte 49 '
says stdout '::error file=50%25%2Ca%3Ab.stf,title=STF031::1 more of these'
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' 'no object' >bad.jsonl
expect 1 "$bin/hwtrace-validate" bad.jsonl --report github
says stdout '::error file=bad.jsonl,line=2,title=JSL'
# A last line without an end may be cut: a warning.
for log in o3pipeview/valid/branch.o3pipeview:O3P007 txlog/valid/soc.txlog:TXL026 vcd/valid/small.vcd:VCD015; do
    file=cut.$(basename "${log%:*}")
    head -c -1 "$data/${log%:*}" >"$file"
    expect 0 "$bin/hwtrace-validate" "$file"
    says stdout "warning ${log#*:}"
    expect 1 "$bin/hwtrace-validate" --strict "$file"
done
# Formats that hwtrace only writes are not among those that were expected.
echo '<!DOCTYPE html>' >page.html
expect 4 "$bin/hwtrace-validate" page.html
! grep -q perfetto stdout || fail "a format that is only written is expected"
says stderr 'page.html: hwtrace writes report, but does not read it: give the trace that it was made of'
expect 4 "$bin/hwtrace-info" page.html
says stderr 'hwtrace writes report, but does not read it'
says stderr 'name its format with --from: '
expect 2 "$bin/hwtrace-info" --from perfeto small.stf
! grep -q 'did you mean perfetto' stderr || fail "--from suggests a format that is only written"

expect 2 "$bin/hwtrace-validate" small.stf --report junit --report sarif
says stderr "only one report"
for two in '--report sarif=./one.txt --report junit=one.txt' '--report json=one.txt --write-baseline one.txt' \
    '--report json --write-baseline -'; do
    expect 2 "$bin/hwtrace-validate" small.stf $two
    absent one.txt
done
expect 2 "$bin/hwtrace-validate" small.stf --report pdf
expect 2 "$bin/hwtrace-validate" small.stf --report sarif=
expect 0 "$bin/hwtrace-validate" small.stf --report text --report json=r.json --report jsonl=r.jsonl --report junit=r.xml \
    --report sarif=r.sarif --report github=r.txt

# In every form, findings that are not printed are counted.
expect 1 "$bin/hwtrace-validate" bad.stf --max-findings 0
says stdout "bad.stf: STF031: 2 more of these"
expect 1 "$bin/hwtrace-validate" bad.stf --max-findings 0 --report junit
says stdout 'failures="2"'
expect 1 "$bin/hwtrace-validate" bad.stf --max-findings 0 --rule STF031=warning --strict --report junit
says stdout '; fails at level warning: STF031'

# With a baseline, known findings do not fail, even if they moved. New findings fail, and missing ones are reported.
expect 0 "$bin/hwtrace-validate" bad.stf runs/a/deep/cut --write-baseline known.json
says stdout "bad.stf: invalid (2 errors"
cp known.json stdout
says stdout '"schema": "hwtrace-baseline/1"'
says stdout '"file": "bad.stf"'
says stdout '"file": "runs/a/deep/cut"'
says stdout '"count": 2'
expect 2 "$bin/hwtrace-validate" bad.stf --baseline known.json --report json=known.json
cp known.json before.json # if not everything was checked, known findings stay in the baseline
expect 5 "$bin/hwtrace-validate" bad.stf absent.stf --write-baseline known.json
says stderr "no baseline was written"
expect 1 "$bin/hwtrace-validate" -r none --write-baseline known.json
same known.json before.json
expect 0 "$bin/hwtrace-validate" bad.stf runs/a/deep/cut --write-baseline -
same stdout known.json
for form in junit github; do
    expect 0 "$bin/hwtrace-validate" bad.stf --write-baseline other.json --report $form
    ! grep -E '<failure|::error' stdout || fail "findings that become known fail in $form"
done
odd=$(printf 'odd\377.stf')
cp bad.stf "$odd"
expect 0 "$bin/hwtrace-validate" "$odd" --write-baseline odd.json
expect 0 "$bin/hwtrace-validate" "$odd" --baseline odd.json
rm "$odd"
expect 0 "$bin/hwtrace-validate" bad.stf runs/a/deep/cut --baseline known.json --strict
says stdout "bad.stf: invalid (2 known; 0 errors, 0 warnings, 0 notes; "
says stdout "runs/a/deep/cut: incomplete (1 known; 0 errors"
! grep -q STF031 stdout || fail "known findings are shown"
{ stf_header; stf_instructions 3; bad_record; stf_instructions 1; bad_record; stf_instructions 0; } >bad.stf
expect 0 "$bin/hwtrace-validate" bad.stf --baseline known.json
(cd runs && "$bin/hwtrace-validate" ../bad.stf --baseline ../known.json >/dev/null) || fail "from another folder, no finding is known"
bad_record >>bad.stf
stf_instructions 0 >>bad.stf
expect 1 "$bin/hwtrace-validate" bad.stf --baseline known.json --report text --report sarif=new.sarif
says stdout "bad.stf: invalid (2 known; 1 error, "
grep -q '"baselineState": "new"' new.sarif || fail "SARIF does not mark new findings"
{ stf_header; bad_record; stf_instructions 0; } >bad.stf
expect 0 "$bin/hwtrace-validate" bad.stf --baseline known.json --write-baseline known.json
says stderr "is listed more often than it was found (1 more)"
expect 0 "$bin/hwtrace-validate" small.stf bad.stf --level structure --baseline before.json --rule STF031=off
! grep -q "listed more often" stderr || fail "findings that were not checked for are reported as gone"
expect 0 "$bin/hwtrace-validate" bad.stf --baseline known.json
silent stderr
expect 3 "$bin/hwtrace-validate" cut.stf --baseline known.json
for text in '' '[]' '{"schema":"other"}' '{"schema":"hwtrace-baseline/1","files":[{"file":"x"}]}' \
    '{"schema":"hwtrace-baseline/1","files":[{"file":"x","findings":[{"rule":"A","fingerprint":"b","count":"1","example":""}]}]}'; do
    printf '%s' "$text" >wrong.json
    expect 2 "$bin/hwtrace-validate" small.stf --baseline wrong.json
    says stderr "--baseline wrong.json: "
done
expect 5 "$bin/hwtrace-validate" small.stf --baseline absent.json
for i in 1 2 3 4 5 6 7 8 9; do # more than fits into one piece of the file, and from a pipe
    for j in 1 2 3 4 5 6 7 8 9; do cp bad.stf "many$i$j.stf"; done
done
expect 0 "$bin/hwtrace-validate" many*.stf --write-baseline many.json
[ "$(wc -c <many.json)" -gt 8192 ] || fail "the baseline of many files is small"
expect 0 "$bin/hwtrace-validate" many*.stf --baseline many.json
cat many.json | "$bin/hwtrace-validate" many11.stf --baseline - >/dev/null || fail "a baseline is not read from a pipe"
rm many*.stf
printf '\002\377\377' >not.flux # known findings hide no later ones
expect 1 "$bin/hwtrace-validate" not.flux --from flux
expect 0 "$bin/hwtrace-validate" runs/notes.txt not.flux --write-baseline none.json
expect 0 "$bin/hwtrace-validate" runs/notes.txt not.flux --baseline none.json

# Accepted findings fail in no report.
expect 0 "$bin/hwtrace-validate" cut.stf --allow-incomplete --report junit
says stdout 'failures="0"'
expect 3 "$bin/hwtrace-validate" cut.stf --report junit
says stdout 'failures="2"'
expect 0 "$bin/hwtrace-validate" cut.stf --allow-incomplete --report github
says stdout '::warning '
expect 0 "$bin/hwtrace-validate" cut.stf --allow-incomplete --report sarif
says stdout '"level": "warning"'
! grep -A2 '"ruleIndex"' stdout | grep '"level": "error"' || fail "SARIF reports an accepted finding as an error"
expect 3 "$bin/hwtrace-validate" cut.stf --report github
says stdout '::error '
# A log whose last line is unterminated and lacks values was cut there.
head -c 1247 "$data/txlog/valid/bus.txlog" >torn.txlog
expect 3 "$bin/hwtrace-validate" torn.txlog
says stdout "TXL027"
# No command accepts a file without readable records, not even with --allow-incomplete.
head -c 3 small.stf >stub.stf
expect 3 "$bin/hwtrace-validate" stub.stf --allow-incomplete
says stdout "GEN001"
expect 4 "$bin/hwtrace-convert" stub.stf stub.uscope --allow-incomplete
# A baseline that has a cut after readable records does not accept such a file, either.
head -c 9000 "$data/stf/valid/sum.zstf" >grown.zstf
expect 0 "$bin/hwtrace-validate" grown.zstf --write-baseline grown.json
expect 0 "$bin/hwtrace-validate" grown.zstf --baseline grown.json
head -c 3000 "$data/stf/valid/sum.zstf" >grown.zstf
expect 3 "$bin/hwtrace-validate" grown.zstf --baseline grown.json
says stdout "(1 known; 0 errors, 1 warning, 0 notes; 0 records)"
expect 0 "$bin/hwtrace-validate" grown.zstf --write-baseline grown.json
expect 0 "$bin/hwtrace-validate" grown.zstf --baseline grown.json
expect 3 "$bin/hwtrace-validate" stub.stf --allow-incomplete --report github
says stdout "::error"

# A dangling link is a trace that was not checked.
mkdir -p links
cp small.stf links/
ln -s gone.stf links/core.stf
expect 5 "$bin/hwtrace-validate" -r links
says stderr "links/core.stf: "
rm -r links
expect 2 "$bin/hwtrace-validate" bad.stf --write-baseline bad.stf

# The commands that the page of hwtrace-validate shows for CI work, and so does the job in README.md.
cp -r runs traces
PATH="$bin:$PATH"
page=$data/../apps/validate/README.md
grep -o 'hwtrace-validate --recursive traces .*' "$page" | sed 's/ *#.*//; s/ || .*//' >commands
[ "$(wc -l <commands)" -eq 5 ] || fail "the page has other commands: $(cat commands)"
while read -r line; do
    case $line in *baseline*) wanted_status=0 ;; *) wanted_status=1 ;; esac
    # shellcheck disable=SC2086 # words
    expect $wanted_status $line
done <commands
for file in traces.sarif traces.xml traces.json traces/known.json; do
    [ -s "$file" ] || fail "the page's commands make no $file"
done

first_yaml() { awk '/^```yaml$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$1"; }
first_yaml "$page" >job
first_yaml "$data/../README.md" >short_job
[ -s job ] && same job short_job

# The script of the page works for each possible exit code.
sed -n '/^## Shell scripts/,/^## /{/^status=0$/,/^```$/{/^```$/!p}}' "$page" >script
grep -q '^esac$' script || fail "the page's script was not found: $(head -3 script)"
script_ends() { # script_ends STATUS FILE: where there is one trace, FILE
    rm -rf traces
    mkdir traces
    cp "$2" traces/
    expect "$1" sh ./script
}
script_ends 0 small.stf
says stdout "all traces are valid"
script_ends 0 cut.stf
says stdout "some end early"
script_ends 1 bad.stf

if "${PYTHON:-/usr/bin/python3}" -c 'import yaml' 2>/dev/null; then
    cat >jobs.py <<'PYTHON'
import re, sys, yaml
with open(sys.argv[1], encoding="utf-8") as text:
    github, _, gitlab = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", text.read(), re.M | re.S)]
steps = github["jobs"]["traces"]["steps"]
assert [sorted(step)[-1] for step in steps] == ["uses", "run", "with"], steps
assert steps[2]["with"]["sarif_file"] in steps[1]["run"] and steps[2]["if"] == "always()"
assert gitlab["traces"]["artifacts"]["reports"]["junit"] in gitlab["traces"]["script"][0]
PYTHON
    expect 0 "${PYTHON:-/usr/bin/python3}" jobs.py "$page"
else
    skip "the page's jobs as YAML: there is no yaml for Python (Debian: python3-yaml)"
fi
finish

# Tests with an independent validator that printed JSON matches its JSON Schema.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
sources=$2/..
python=
for candidate in /usr/bin/python3 python3; do
    "$candidate" -c 'import jsonschema' >/dev/null 2>&1 && python=$candidate && break
done
if [ -z "$python" ]; then
    skip "JSON against its schemas: there is no jsonschema for Python (Debian: python3-jsonschema)"
    exit 77
fi
cat >check.py <<'PYTHON'
import json, sys
from jsonschema.validators import validator_for
name, _, part = sys.argv[1].partition("#")
with open(name) as text:
    schema = json.load(text)
if part:  # its message about a part of the document
    schema = {**schema, "$ref": "#" + part}
    for word in ("type", "required", "additionalProperties"):
        schema.pop(word)
kind = validator_for(schema)
kind.check_schema(schema)
validator = kind(schema)
lines = sys.argv[2] == "lines"
count = 0
for name in sys.argv[3:]:
    with open(name, encoding="utf-8") as text:
        for document in text if lines else [text.read()]:
            count += 1
            for error in validator.iter_errors(json.loads(document)):
                print(f"{name}: {error.message} at {list(error.absolute_path)}")
                sys.exit(1)
if count == 0:
    sys.exit("nothing was checked")
PYTHON
fits() {
    schema=$1
    shift
    expect 0 "$python" check.py "$sources/$schema" "$@"
    [ ! -s stdout ] || fail "$schema: $(head -2 stdout)"
}
# misfits SCHEMA TEXT: checks that the schema refuses the text.
misfits() {
    printf '%s' "$2" >wrong.json
    expect 1 "$python" check.py "$sources/$1" document wrong.json
    says stdout "wrong.json: "
}

{ stf_header; printf '\075\000\000\000\000\000\000\000\000'; stf_instructions 1; } >bad.stf
{ stf_header; stf_instructions 1; printf '\360\063'; } >cut.stf
echo nothing >notes.txt
printf 'O3PipeView:decode:1000\n' >fetchless.o3pipeview # rules have letters and a digit in their names: O3P
expect 5 "$bin/hwtrace-validate" small.stf bad.stf cut.stf fetchless.o3pipeview notes.txt absent.stf small.pccx --report json=all.json
grep -q '"O3P' all.json || fail "no rule of O3PipeView in the report"
expect 0 "$bin/hwtrace-validate" small.stf bad.stf cut.stf fetchless.o3pipeview notes.txt small.pccx --write-baseline known.json
expect 5 "$bin/hwtrace-validate" small.stf bad.stf cut.stf notes.txt absent.stf --baseline known.json --json-u64 string \
    --report json=known-all.json
fits libs/cli/schemas/validate.schema.json document all.json known-all.json
misfits libs/cli/schemas/validate.schema.json '{"schema":"hwtrace-validate/1","tool":"hwtrace-validate","version":"0"}'
fits libs/cli/schemas/baseline.schema.json document known.json
misfits libs/cli/schemas/baseline.schema.json '{"schema":"hwtrace-baseline/2"}'

# What hwtrace-info prints about every kind of trace, and the summary of hwtrace-diff.
data=$sources/testdata
expect 0 "$bin/hwtrace-info" --format json --reuse "$data"/stf/valid/sum.zstf "$data"/pccx/valid/npu.pccx "$data"/ftr/valid/soc.ftr \
    "$data"/txlog/valid/bus.txlog "$data"/kanata/valid/pipeline.kanata "$data"/o3pipeview/valid/branch.o3pipeview "$data"/jsonl/valid/everything.jsonl
cp stdout info.json
expect 0 "$bin/hwtrace-info" --format json --json-u64 string --quick small.stf
cp stdout quick.json
fits libs/cli/schemas/info.schema.json document info.json quick.json
misfits libs/cli/schemas/info.schema.json '{"schema":"hwtrace-info/1","tool":"hwtrace-info","version":"0","files":[{"file":"a"}]}'
expect 1 "$bin/hwtrace-diff" --summary --format json "$data"/ftr/valid/soc.ftr "$data"/txlog/valid/bus.txlog
cp stdout summary.json
fits libs/cli/schemas/diff-summary.schema.json document summary.json
misfits libs/cli/schemas/diff-summary.schema.json '{"schema":"hwtrace-diff-summary/1","tool":"hwtrace-diff"}'

lines=libs/cli/schemas/validate.schema.json#/\$defs/line
expect 5 "$bin/hwtrace-validate" small.stf bad.stf cut.stf notes.txt absent.stf small.pccx --report jsonl=all.jsonl
expect 5 "$bin/hwtrace-validate" small.stf bad.stf cut.stf notes.txt absent.stf --baseline known.json --json-u64 string \
    --report jsonl=known-all.jsonl
fits "$lines" lines all.jsonl known-all.jsonl
for type in finding verdict; do
    grep -q "\"type\":\"$type\"" all.jsonl || fail "no line of all.jsonl is a $type"
done
grep '"known":[1-9]' known-all.jsonl >stdout || fail "no line of known-all.jsonl marks known findings"
misfits "$lines" '{"type":"finding","file":"a.stf","rule":"STF020","severity":"error","title":"cut","offset":1}'
misfits "$lines" '{"type":"finding","file":"a.stf","rule":"STF020","severity":"fatal","title":"cut","offset":1,"length":1}'
misfits "$lines" '{"type":"finding","file":"a.stf","rule":"STF020","severity":"error","title":"cut","offset":1,"length":1,"more":1}'
misfits "$lines" '{"type":"end"}'
misfits "$lines" "$(tr '\n' ' ' <all.json)"
if [ -n "${HWTRACE_CORPUS-}" ] && [ -d "$HWTRACE_CORPUS" ]; then
    "$bin/hwtrace-validate" -q -r "$HWTRACE_CORPUS" --level semantic --report json=corpus.json --report jsonl=corpus.jsonl 2>/dev/null
    fits libs/cli/schemas/validate.schema.json document corpus.json
    fits "$lines" lines corpus.jsonl
else
    skip "the reports of the corpus: HWTRACE_CORPUS is not set"
fi

printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":"12ns","duration":"3ns","track":"core0.dma","bytes":64}' >script.jsonl # a simple line, made exact below
"$bin/hwtrace-dump" script.jsonl --view model --format jsonl >dumped.jsonl || fail "script.jsonl cannot be dumped"
"$bin/hwtrace-convert" "$2/jsonl/valid/sum_small.jsonl.gz" sum.jsonl -q || fail "sum_small.jsonl.gz cannot be converted"
fits formats/jsonl/hwtrace-jsonl.schema.json lines dumped.jsonl sum.jsonl "$2"/jsonl/valid/everything.jsonl \
    "$2"/jsonl/valid/instructions.jsonl "$2"/jsonl/valid/bus.jsonl
misfits formats/jsonl/hwtrace-jsonl.schema.json '{"type":"event","time":1,"track":"e","track_id":0}'
finish

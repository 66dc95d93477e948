# Lines of JSON on the command line: what a script prints becomes a trace, and a dump is one.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
data=$2/jsonl
schema=$2/../formats/jsonl/hwtrace-jsonl.schema.json

printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":"12ns","duration":"3ns","track":"core0.dma","bytes":64}' |
    "$bin/hwtrace-convert" - run.uscope -q || fail "a script's lines are not converted"
expect 0 "$bin/hwtrace-convert" run.uscope - --to jsonl --jsonl-raise on -q
says stdout '"type":"interval","time":12000,"scope":"core0","track":"dma","track_id":0,"duration":3000,"attributes":{"bytes":64}}'

# A dump of the model is a trace.
expect 0 "$bin/hwtrace-dump" run.uscope --view model --format jsonl
cp stdout run.jsonl
expect 0 "$bin/hwtrace-convert" run.jsonl again.uscope
expect 0 "$bin/hwtrace-convert" run.uscope own.uscope
same again.uscope own.uscope
expect 0 "$bin/hwtrace-convert" run.uscope packed.jsonl.gz --verify
gzip -t packed.jsonl.gz || fail "packed.jsonl.gz is no gzip"

# A track by itself has typed columns.
expect 0 "$bin/hwtrace-dump" "$data/valid/script.jsonl" --view model --format csv --select track=fill
printf 'time:ns,duration:ns,line:pointer,by:enum,words:u64\n14,6,4096,core0,1;2\n' | cmp -s - stdout || fail "columns of a stream: $(cat stdout)"
expect 0 "$bin/hwtrace-dump" "$data/valid/script.jsonl" --view model --format csv --select track=dma
printf 'time:ps,duration:ps,bytes:i64,last:bool\n20000,2500,64,\n21000,0,4096,true\n' | cmp -s - stdout || fail "columns of attributes: $(cat stdout)"
expect 0 "$bin/hwtrace-dump" "$data/valid/script.jsonl" --view model --format csv --select track=retire
printf 'time:ps,pc:u64,op:text,cycles:i64\n12000,2147483648,addi,1\n13000,2147483652,lw,3\n' | cmp -s - stdout || fail "columns of events: $(cat stdout)"

# Without a head, only --from tells what it is.
printf '%s\n' '{"time":1,"track":"e","a":1}' >bare.txt
expect 4 "$bin/hwtrace-dump" bare.txt
expect 0 "$bin/hwtrace-dump" bare.txt --from jsonl --view model
says stdout '1 event e a=1'

if python3 -c 'import jsonschema' 2>/dev/null; then
    "$bin/hwtrace-convert" "$data/valid/sum_small.jsonl.gz" sum.jsonl -q
    cat >check.py <<'P'
import json, sys, jsonschema
check = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
for name in sys.argv[2:]:
    for number, line in enumerate(open(name, encoding="utf-8"), 1):
        for error in check.iter_errors(json.loads(line)):
            sys.exit(f"{name}:{number}: {line[:120]}: {error.message[:200]}")
P
    python3 check.py "$schema" "$data/valid/everything.jsonl" "$data/valid/instructions.jsonl" "$data/valid/bus.jsonl" run.jsonl sum.jsonl ||
        fail "the JSON Schema does not describe what is written"
    printf '%s\n' '{"type":"event","time":1,"track":"e","track_id":0}' >wrong.jsonl
    python3 check.py "$schema" wrong.jsonl 2>/dev/null && fail "the JSON Schema takes anything"
else
    skip "no python3-jsonschema to check the JSON Schema with"
fi
finish

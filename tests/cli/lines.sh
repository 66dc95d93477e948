# Tests JSON lines: the output of a script is a trace, and so is a dump.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
data=$2/jsonl

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
gzip -t packed.jsonl.gz || fail "packed.jsonl.gz is not gzip"

# In a compressed file, the range of a finding covers all bytes read so far. The message states the offset in the
# decompressed data.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":"12ns","track":"a"}' '{"time":}' '{"time":"13ns","track":"a"}' | gzip -c >broken.jsonl.gz
expect 1 "$bin/hwtrace-validate" broken.jsonl.gz --report json
says stdout "\"offset\": 0"
says stdout "\"length\": $(wc -c <broken.jsonl.gz),"
says stdout '"inner_offset": '

# Metadata that cannot be unknown keys of a pccx header is dropped and reported. An empty object is not reported.
unknown_keys() { # unknown_keys JSON_TEXT: writes a trace that has JSON_TEXT as a fact
    printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' "{\"type\":\"metadata\",\"key\":\"pccx.unknown_keys\",\"value\":\"$1\"}" \
        '{"time":1,"duration":2,"track":"core0.DMA_READ"}' >keys.jsonl
    expect 3 "$bin/hwtrace-convert" keys.jsonl keys.pccx --force
}
deepest=$(printf '%063d' 0 | sed 's/0/[/g')$(printf '%063d' 0 | sed 's/0/]/g') # in an object: as deep as --max-depth
for wrong in "{\\\"deep\\\":[$deepest]}" ' ' '\t\n' '[1]' '{\"a\":}' '{}\u0000}' '{\"arch\":{}}'; do
    unknown_keys "$wrong"
    says stderr "metadata-dropped pccx.unknown_keys, 1 time"
    expect 0 "$bin/hwtrace-validate" keys.pccx
done
for right in "{\\\"deep\\\":$deepest}" '{}' '{ }' '{\"a\":1}' '{\"a\":{\"arch\":[1]}}'; do
    unknown_keys "$right"
    grep -q metadata-dropped stderr && fail "'$right' is lost"
    expect 0 "$bin/hwtrace-validate" keys.pccx
done

# The default view reports lines that are no records.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":1}' >no_track.jsonl
expect 3 "$bin/hwtrace-dump" no_track.jsonl
says stdout '2 @29 {"time":1}'
says stderr 'error JSL007 at byte 29 (line 2)'
says stderr 'not everything could be read; --allow-incomplete accepts this'
expect 0 "$bin/hwtrace-dump" no_track.jsonl --allow-incomplete

# A time without a unit on a track whose times have units is read with a warning.
printf '%s\n' '{"schema":"hwtrace-jsonl/1"}' '{"time":"8ns","track":"a"}' '{"time":9,"track":"a"}' >units.jsonl
expect 0 "$bin/hwtrace-validate" units.jsonl
says stdout 'warning JSL025 at byte 56 (line 3)'
expect 1 "$bin/hwtrace-validate" units.jsonl --strict

# A trace with more names than a µScope file can hold cannot be converted; the request was right.
awk 'BEGIN { print "{\"schema\":\"hwtrace-jsonl/1\"}"; for (i = 0; i < 30000; i++) printf "{\"time\":%d,\"track\":\"t%d\",\"v\":1}\n", i, i }' >names.jsonl
expect 4 "$bin/hwtrace-convert" names.jsonl names.uscope
says stderr "exceed the 65535 bytes of µScope's string pool; leave out tracks with --select"
test ! -e names.uscope || fail "a refused conversion leaves a file"
expect 0 "$bin/hwtrace-convert" names.jsonl names.uscope --select track=t7

# A single track has typed columns.
expect 0 "$bin/hwtrace-dump" "$data/valid/script.jsonl" --view model --format csv --select track=fill
printf 'time:ns,duration:ns,line:pointer,by:enum,words:u64\n14,6,4096,core0,1;2\n' | cmp -s - stdout || fail "columns of a stream: $(cat stdout)"
expect 0 "$bin/hwtrace-dump" "$data/valid/script.jsonl" --view model --format csv --select track=dma
printf 'time:ps,duration:ps,bytes:i64,last:bool\n20000,2500,64,\n21000,0,4096,true\n' | cmp -s - stdout || fail "columns of attributes: $(cat stdout)"
expect 0 "$bin/hwtrace-dump" "$data/valid/script.jsonl" --view model --format csv --select track=retire
printf 'time:ps,pc:u64,op:text,cycles:i64\n12000,2147483648,addi,1\n13000,2147483652,lw,3\n' | cmp -s - stdout || fail "columns of events: $(cat stdout)"

# A trace without a head needs --from.
printf '%s\n' '{"time":1,"track":"e","a":1}' >bare.txt
expect 4 "$bin/hwtrace-dump" bare.txt
expect 0 "$bin/hwtrace-dump" bare.txt --from jsonl --view model
says stdout '1 event e a=1'

finish

# Tests conversions of flux streams by what the targets say: the marks that lead back to flux are not enough.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1

# hex DIGITS: writes bytes.
hex() {
    rest=$(printf %s "$1" | tr -d ' \n')
    while [ -n "$rest" ]; do
        byte=${rest%"${rest#??}"}
        rest=${rest#??}
        printf "\\$(printf %03o "0x$byte")"
    done
}

# model FILE: prints the model. records FILE: prints its records only.
model() { "$bin/hwtrace-dump" "$1" --view model || fail "cannot dump $1"; }
records() { model "$1" | grep '^[0-9]'; }

# returns FILE TARGET...: checks that FILE is the same after a conversion to each target and back, and that the
# conversion verifies itself.
returns() {
    file=$1
    shift
    model "$file" >wanted
    for target; do
        expect 0 "$bin/hwtrace-convert" "$file" "there.$target" --to "$target" --verify -f
        expect 0 "$bin/hwtrace-convert" "there.$target" back.flux -f
        model back.flux >found
        cmp -s wanted found || fail "$file after $target: $(diff wanted found | head -4)"
    done
}
# shows FILE PATTERN: checks that a record in the model of FILE matches PATTERN.
shows() { records "$1" | grep -q -e "$2" || fail "no record of $1 matches '$2': $(records "$1" | head -3)"; }

all="flux uscope ftr pccx jsonl"
head='0001 666c7578 06 00 0174 00 00 09 8020'
open='0020 00 026e73 00 00' # domain ns, from 0
close='0021 00 010a'        # at 10

# Labels of array elements with a display format (x: hexadecimal) are no members named 0, 1, ...
hex "$head 0011 01 00 03636c6b 00 09 00 $open
     0031 01 00 00 0178 00 08 3c64663d4865783e 0031 01 01 00 0179 00 00 08 57 02 0105 0106 $close" >index.flux
returns index.flux $all
expect 0 "$bin/hwtrace-dump" back.flux --view entries
says stdout 'label=x type=unknown descriptor="<df=Hex>"'
says stdout 'label=y type=unknown'

# Two members with the same label: the enum belongs to the second one.
hex "$head 0011 01 00 03636c6b 00 07 00 $open
     0031 01 00 00 0461646472 04 00 0031 01 01 00 0461646472 07 00 0030 01 09 027264 00 0030 01 09 027772 01
     08 41 01070101 $close" >namesakes.flux
shows namesakes.flux 'addr#1=wr'
returns namesakes.flux $all
expect 0 "$bin/hwtrace-dump" there.flux --view entries
says stdout 'member=1 label=addr type="enum of the member"'
says stdout 'of=9 label=wr value=1'
says stdout 'bytes=01070101'

# Two members of one label and one type keep their values apart.
hex "$head 0011 01 00 03636c6b 00 07 00 $open
     0031 01 00 00 0461646472 03 00 0031 01 01 00 0461646472 03 00 08 8101 00030105 01030106 $close" >twins.flux
shows twins.flux 'addr=5 addr#1=6'
returns twins.flux $all

# An empty array or struct of a struct is not an absent one.
hex '0001666c75780600026e730000088020001101000173000700002000026e7300000031010000026964030000310101000368
     6964c30000310103000373756209000031010a0402693007000031010b0402693104000031010c040269320c000031010d04
     0269330b000031010e040269340a000031010f040269350d00003101100402693606000031011104026937010008a1080003
     0001c3000309390a0701010b04040000c03f0c1c09020000803f000000400d1b060201ff022c010e0a0502010101020f0d06
     02017802797910060109110101740a0a910a0003010101c301ff0309460a0701020b040800000000000004400c2c19030000
     00000000f03f000000000000004000000000000008400d2b0a020600000000000101ff0e0a01000f0d010010060011010000
     21000164' >empty.flux
shows empty.flux 'sub.i3=-1 sub.i4.empty=1 sub.i5.empty=1 sub.i6='
returns empty.flux $all
records empty.flux | sed 's/ sub.i4.empty=1//' >without
records there.jsonl | cmp -s - without && fail "a diff does not see the empty array"
expect 3 "$bin/hwtrace-convert" empty.flux old.flux --flux-version 4 -f
says stderr 'lost: field-dropped s, 15 times'
hex "$head 0011 01 00 03636c6b 00 07 00 $open 0031 01 00 00 0173 09 00 0031 01 01 01 0161 0b 00
     08 31 000900 0a 01 71 000904 010b0100 $close" >empty_struct.flux
shows empty_struct.flux '^0 .* s.empty=1$'
shows empty_struct.flux '^1 .* s.a.empty=1$'
returns empty_struct.flux $all
cat >list.jsonl <<'END'
{"schema": "hwtrace-jsonl/1"}
{"type": "track", "name": "d", "scope": "top", "kind": "interval", "time": "ns", "fields": {"words": "u64[]"}}
{"time": 5, "duration": 10, "track": "top.d", "words": []}
{"time": 6, "duration": 10, "track": "top.d"}
END
shows list.jsonl '^5 .* words.empty=1$'
shows list.jsonl '^6 .* duration=10$'

# A value without a change lasts until the recording closes, unless the trace is a slice.
for target in ftr txlog pccx; do
    "$bin/hwtrace-convert" index.flux close.$target --to $target --allow-loss -q -f
    shows close.$target '^0 interval .* duration=10\(000\)\? '
done
expect 0 "$bin/hwtrace-convert" index.flux slice.ftr --range 0ns:5ns -q
shows slice.ftr '^0 interval .* duration=0 '

# Labels of values above 255 stand in the tables and events of µScope.
hex "$head 0011 01 00 0173 00 01 00 0011 02 00 0161 00 08 00 $open
     0030 01 00 0462757379 e807 0030 02 00 0462757379 e807
     08 22 e803 0a 01 12 07 10 52 0107 02e803 $close" >labels.flux
returns labels.flux flux ftr pccx jsonl uscope
shows there.uscope 's\[0\].value="busy"'
shows there.uscope 's\[0\].value.number=7'
shows there.uscope 'a.value value="busy" value.number=1000'
shows there.uscope 'a.value value="" value.number=7'

# A stream states times in ns, so durations are in ns too, although a tick of the source lasts 4 ns.
cat >clock.jsonl <<'END'
{"schema": "hwtrace-jsonl/1"}
{"type": "track", "name": "dma", "scope": "npu.core0", "kind": "interval", "time": "4ns", "fields": {"wait": "time"}}
{"type": "track", "name": "n", "scope": "npu.core0", "kind": "event", "time": "4ns", "fields": {"left": "time"}}
{"time": 1, "duration": 10, "track": "npu.core0.dma", "wait": 3}
{"time": 5, "track": "npu.core0.n", "left": 6}
END
expect 0 "$bin/hwtrace-convert" clock.jsonl clock.flux --verify
shows clock.flux '^4 .* duration=40 wait=12$'
shows clock.flux '^20 .* left=24$'
expect 0 "$bin/hwtrace-convert" clock.flux clock_back.jsonl --jsonl-raise on
records clock.jsonl >wanted
records clock_back.jsonl >found
same wanted found
sed '$d; s/"duration": 10/"duration": 9223372036854775807/' clock.jsonl >long.jsonl
expect 3 "$bin/hwtrace-convert" long.jsonl long.flux
says stderr 'lost: time-rounded dma'

if [ -n "${HWTRACE_CORPUS:-}" ] && [ -d "$HWTRACE_CORPUS/adversary" ]; then
    for name in flux_index.recTr dupmember0.flux dupmember1.flux; do
        cp "$HWTRACE_CORPUS/adversary/$name" "$name" && returns "$name" $all
    done
else
    skip "streams of the corpus: HWTRACE_CORPUS is not set"
fi
finish

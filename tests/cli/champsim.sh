# Tests ChampSim traces with the binaries: a decoder of our own in Python reads every record and classifies branches by
# ChampSim's rules; registers are those of a disassembler; compression, harts, refusals, slices.
. "$(dirname "$0")/lib.sh"
cli=$(cd "$(dirname "$0")" && pwd)
stf=$2/stf/valid
cd "$work" || exit 1
if ! command -v python3 >/dev/null; then
    echo 'skipped: python3 is not installed'
    exit 77
fi
champsim() { python3 "$cli/champsim.py" "$@"; }
model() { "$bin/hwtrace-dump" "$1" --view model --format jsonl; }

# --- each record of each layout ---
for trace in "$stf/sum.zstf" "$stf/sum_small.stf" "$stf/sum_small.stf.xz"; do
    model "$trace" >model.jsonl
    expect 0 "$bin/hwtrace-convert" "$trace" plain.champsim -f -v
    says stderr 'field-dropped instruction encodings'
    champsim records model.jsonl plain.champsim >counts || fail "$trace: plain"
    expect 0 "$bin/hwtrace-convert" "$trace" flags.champsim -f --champsim-branches flags
    champsim records model.jsonl flags.champsim --branches flags >flags || fail "$trace: flags"
    same counts flags
    expect 0 "$bin/hwtrace-convert" "$trace" cloud.champsim -f --champsim-layout cloudsuite
    champsim records model.jsonl cloud.champsim --layout cloudsuite >cloud || fail "$trace: cloudsuite"
    same counts cloud
done
model "$stf/sum.zstf" >model.jsonl
expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" plain.champsim -f

# --- each type of branch ---
{
    printf '{"schema":"hwtrace-jsonl/1"}\n{"type":"scope","id":0,"name":"/"}\n'
    printf '{"type":"track","id":0,"kind":"hart","name":"core0","scope":0,"time":{"base":"ordinal"}}\n'
    number=0
    # jal ra, jalr a0, c.jalr a0, jalr t0 through ra, ret, c.jr ra, jr a0, c.jr a0, j, c.j, jal gp, beq, c.beqz, addi
    for encoding in 16777455 327911 38146 33511 32871 32898 327783 34050 16777327 40961 16777711 11864163 49425 19; do
        for taken in '' ',"target":64'; do
            printf '{"type":"instruction","time":%d,"track_id":0,"pc":%d,"encoding":%d,"size":%d%s}\n' $number $((4 * number)) $encoding \
                $((encoding % 4 == 3 ? 4 : 2)) "$taken"
            number=$((number + 1))
        done
    done
} >branches.jsonl
model branches.jsonl >branches.model
for form in registers flags; do
    expect 0 "$bin/hwtrace-convert" branches.jsonl branches.champsim -f --champsim-branches $form
    champsim records branches.model branches.champsim --branches $form >counts || fail "branches: $form"
    grep -qx '28 call=2 conditional=4 indirect_call=6 indirect_jump=4 jump=6 no_branch=2 return=4' counts || fail "branches: $(cat counts)"
done

# --- compression, by extension and by option; standard output; any number of threads ---
expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" packed.champsimtrace.xz
xz -dc packed.champsimtrace.xz >unpacked && same unpacked plain.champsim
expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" packed.champsim.gz
gzip -dc packed.champsim.gz >unpacked && same unpacked plain.champsim
expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" packed.trace.xz --to champsim
same packed.trace.xz packed.champsimtrace.xz
expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" other.champsimtrace --champsim-container xz -j 3
same other.champsimtrace packed.champsimtrace.xz
"$bin/hwtrace-convert" - - --to champsim -q <"$stf/sum.zstf" >piped.champsim
same piped.champsim plain.champsim
expect 2 "$bin/hwtrace-convert" "$stf/sum.zstf" other.champsim.zst
expect 2 "$bin/hwtrace-convert" "$stf/sum.zstf" other.champsim --champsim-container zst

# --- from other formats: a trace made from STF, and a core model's own ---
for there in there.uscope there.ftr there.flux there.jsonl; do
    expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" $there --allow-loss --clock 1GHz
    expect 0 "$bin/hwtrace-convert" $there back.champsim -f
    same back.champsim plain.champsim
done
expect 0 "$bin/hwtrace-convert" "$stf/sum.zstf" --range 100#:250# slice.champsim
tail -c +6401 plain.champsim | head -c 9600 >wanted
same slice.champsim wanted
expect 3 "$bin/hwtrace-convert" "$stf/sum.zstf" strict.champsim --strict
absent strict.champsim

# --- refusals ---
expect 4 "$bin/hwtrace-convert" "$2/uscope/valid/queue.uscope" none.champsim
says stderr 'nothing in this trace can be written as champsim: it has no instructions'
absent none.champsim
expect 4 "$bin/hwtrace-dump" plain.champsim
for one in 0 1; do
    printf '{"type":"scope","id":%d,"name":"core%d","parent":0}\n' $((one + 1)) $one
    printf '{"type":"track","id":%d,"kind":"hart","name":"core%d","scope":%d,"time":{"base":"ordinal"}}\n' $one $one $((one + 1))
done >cores
{
    printf '{"schema":"hwtrace-jsonl/1"}\n{"type":"scope","id":0,"name":"/"}\n'
    cat cores
    printf '{"type":"instruction","time":%d,"track_id":%d,"pc":%d,"encoding":32871,"size":4}\n' 0 0 4096 0 1 8192 1 1 12288
} >two.jsonl
expect 4 "$bin/hwtrace-convert" two.jsonl two.champsim
says stderr 'holds the instructions of one hart, but this trace has 2: 0 (/core0), 1 (/core1); choose one with --champsim-hart'
absent two.champsim
expect 0 "$bin/hwtrace-convert" two.jsonl two.champsim --champsim-hart 1
says stderr 'kind-dropped instructions of other harts, 1 time'
[ "$(wc -c <two.champsim)" -eq 128 ] || fail "hart 1 has $(wc -c <two.champsim) bytes"
expect 4 "$bin/hwtrace-convert" two.jsonl third.champsim --champsim-hart 2
says stderr 'this trace has no hart 2'

# --- the registers of all instructions of libraries, and of extensions, as objdump prints them ---
# registers_of OBJECT XLEN
registers_of() {
    $cross-objdump -d -M no-aliases,numeric "$1" >listing
    champsim lines listing "$2" >lines.jsonl
    expect 0 "$bin/hwtrace-convert" lines.jsonl lines.champsim -f -q --champsim-layout cloudsuite
    champsim registers listing lines.champsim "$2" || fail "$1: registers"
}
cross=riscv64-linux-gnu
if command -v $cross-objdump >/dev/null && command -v $cross-as >/dev/null; then
    $cross-as -march=rv64gqc_zba_zbb_zbc_zbs_zfh --defsym WIDE=1 "$cli/champsim.s" -o wide.o || fail 'RV64 is not assembled'
    registers_of wide.o rv64
    $cross-as -march=rv32gc_zba_zbb_zbc_zbs_zfh "$cli/champsim.s" -o narrow.o || fail 'RV32 is not assembled'
    registers_of narrow.o rv32
    for library in libc libm; do
        path=/usr/$cross/lib/$library.so.6
        if [ -e $path ]; then
            registers_of $path rv64
        else
            skip "registers of $library: it is not installed for riscv64 (Debian: libc6-dev-riscv64-cross)"
        fi
    done
else
    skip 'registers: binutils for riscv64 are not installed (Debian: binutils-riscv64-linux-gnu)'
fi
finish

# Tests VCD and FST with the programs that use them: fst2vcd of GTKWave, and the simulators Icarus Verilog, Verilator and
# GHDL. Every change that a simulator dumps is read, and every change that hwtrace writes is read by fst2vcd.
. "$(dirname "$0")/lib.sh"
data=$(cd "$2" && pwd)
bin=$(cd "$bin" && pwd)
cd "$work" || exit 1

has() { command -v "$1" >/dev/null || { skip "$1 is not installed"; return 1; }; }

# count_changes VCD [DUMPED]: prints how many changes a VCD file has, once for each variable of a code. Events inside
# $dumpvars and its like count if DUMPED is 1: fst2vcd puts those of the first time there, which happened if hwtrace
# wrote the file.
count_changes() {
    tr '\r\t' '  ' <"$1" | awk -v dumped="${2:-0}" '
        { for (i = 1; i <= NF; i++) take($i) }
        function take(word) {
            if (part > 0) {                         # words of $var: type, size, code
                if (part == 1) type = word
                if (part == 3) { variables[word]++; if (type == "event") events[word]++ }
                part = part == 3 ? 0 : part + 1
            } else if (skipped) {
                skipped = word != "$end"
            } else if (word == "$var") {
                part = 1
            } else if (!body) {
                body = word == "$enddefinitions"
            } else if (word == "$comment" || word == "$attrbegin") {
                skipped = 1
            } else if (valued) {                    # the code behind a vector, a real or a string
                count += variables[word]
                valued = 0
            } else if (word ~ /^[bBrRsS]/) {
                valued = 1
            } else if (word ~ /^[01xXzZuUwWlLhH-]./) {
                code = substr(word, 2)
                count += variables[code]
                if (word !~ /^1/ || (dumping && !dumped)) count -= events[code]
            } else if (word ~ /^\$dump/) {
                dumping = 1
            } else if (word == "$end" || word ~ /^#/) {
                dumping = 0
            }
        }
        END { print count + 0 }'
}
# changes FILE: prints the changes of a file, sorted: the order within a time has no meaning.
changes() { "$bin/hwtrace-dump" "$1" --allow-incomplete 2>/dev/null | tail -n +2 | LC_ALL=C sort; }
count_read() { "$bin/hwtrace-dump" "$1" --allow-incomplete --format csv 2>/dev/null | tail -n +2 | wc -l; }
# counts_agree FILE VCD: checks that hwtrace reads as many changes from FILE as VCD has.
counts_agree() {
    read=$(count_read "$1")
    dumped=0
    case $1 in *.fst) ! head -c 400 "$1" | grep -qa hwtrace || dumped=1 ;; esac
    stated=$(count_changes "$2" $dumped)
    [ "$read" -eq "$stated" ] || fail "$1: $read changes were read, $2 has $stated"
}
# rounded: rounds reals, because fst2vcd prints 16 digits; drops what has no value at time 0, because fst2vcd turns
# events of that time into initial values.
rounded() { awk 'NF == 2 && $1 == 0 { next } { if ($NF ~ /^-?[0-9]+\.[0-9]/) $NF = sprintf("%.12g", $NF); print }' | LC_ALL=C sort; }
# same_changes A B [FILTER]: checks that two files have the same changes.
same_changes() {
    changes "$1" | ${3:-cat} >changes.1
    changes "$2" | ${3:-cat} >changes.2
    [ -s changes.1 ] || fail "$1 has no changes"
    cmp -s changes.1 changes.2 || fail "$1 and $2 differ: $(diff changes.1 changes.2 | head -3)"
}
# converted FROM TO
converted() { expect 0 "$bin/hwtrace-convert" "$1" "$2" -q -f; }

# hwtrace's own round trips
for vcd in "$data"/vcd/valid/*.vcd; do
    counts_agree "$vcd" "$vcd"
    converted "$vcd" a.fst
    converted a.fst b.vcd
    same_changes "$vcd" a.fst
    same_changes "$vcd" b.vcd
    converted "$vcd" c.fst
    same a.fst c.fst
done

# Standard output gets FST through a spool, and VCD directly. A pipe is read.
"$bin/hwtrace-convert" "$data/vcd/valid/small.vcd" - --to fst -q >out.fst || fail "FST to standard output"
"$bin/hwtrace-convert" - out.vcd -q <"$data/vcd/valid/small.vcd" || fail "VCD from a pipe"
same_changes out.fst out.vcd

same_changes out.fst "$data/vcd/valid/small.vcd"
"$bin/hwtrace-dump" - <out.fst >dump.pipe || fail "FST from a pipe"
"$bin/hwtrace-dump" out.fst >dump.file
same dump.pipe dump.file

# A full disk is an error, also for the temporary file.
if [ -w /dev/full ]; then
    for format in vcd fst; do
        "$bin/hwtrace-convert" "$data/ftr/valid/soc.ftr" - --to "$format" -q >/dev/full 2>stderr
        [ $? -eq 5 ] || fail "$format to a full disk: $(cat stderr)"
    done
fi

# Signals become records of transactions, or are refused; nothing crashes.
for format in ftr txlog pccx stf; do
    for vcd in "$data"/vcd/valid/*.vcd; do
        "$bin/hwtrace-convert" "$vcd" "signals.$format" -q -f >stdout 2>stderr
        code=$?
        case $format.$code in
            *.0|*.3) expect 0 "$bin/hwtrace-validate" "signals.$format" -q ;;
            stf.4) says stderr "neither instructions nor intervals" ;;
            *) fail "$vcd as $format: exit code $code: $(cat stderr)" ;;
        esac
    done
done

# Other programs open a waveform without changes.
printf '$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end\n' >unchanged.vcd
converted unchanged.vcd unchanged.fst
if has fst2vcd; then
    fst2vcd unchanged.fst >theirs.vcd 2>stderr || fail "fst2vcd does not open an FST file without changes"
    grep -q 'var wire 1 ! a ' theirs.vcd || fail "the variable without changes is lost"
fi

# A range ends before the end of its source.
printf '$timescale 1 ns $end $var wire 1 ! a $end $enddefinitions $end\n#5 1!\n#10 0!\n#1000\n' >whole.vcd
expect 0 "$bin/hwtrace-convert" whole.vcd part.vcd --range 0ns:7ns -q
[ "$(tail -n 1 part.vcd)" = '1!' ] || fail "a range ends at $(tail -n 1 part.vcd)"
converted whole.vcd again.vcd
[ "$(tail -n 1 again.vcd)" = '#1000' ] || fail "the end is lost: $(tail -n 1 again.vcd)"

# The last instruction has a width, in a slice and in the whole trace.
expect 0 "$bin/hwtrace-convert" small.stf slice.vcd --range '0#:1#' -q
[ "$(tail -n 1 slice.vcd)" = '#1' ] || fail "a slice of instructions ends at $(tail -n 1 slice.vcd)"
converted small.stf whole.vcd
[ "$(tail -n 1 whole.vcd)" = '#2' ] || fail "a trace of instructions ends at $(tail -n 1 whole.vcd)"

# An empty file is refused, not converted to nothing.
: >empty.vcd
expect 4 "$bin/hwtrace-convert" empty.vcd empty.fst
absent empty.fst

# A signal trace keeps its changes through FST.
converted "$data/vcd/valid/small.vcd" small.flux
converted small.flux through.fst
converted through.fst through.flux
for trace in small through; do
    "$bin/hwtrace-dump" "$trace.flux" --view samples --format csv 2>/dev/null | LC_ALL=C sort >"$trace.samples"
done
[ -s small.samples ] || fail "no samples"
same small.samples through.samples

if has fst2vcd; then
    traces="stf/valid/sum_small.stf ftr/valid/soc.ftr uscope/valid/queue.uscope kanata/valid/pipeline.kanata
            txlog/valid/bus.txlog jsonl/valid/everything.jsonl pccx/valid/npu.pccx vcd/valid/kinds.vcd"
    for trace in $traces; do
        converted "$data/$trace" ours.vcd
        converted "$data/$trace" ours.fst
        fst2vcd ours.fst >theirs.vcd 2>/dev/null || fail "fst2vcd does not read the FST file of $trace"
        same_changes ours.vcd theirs.vcd rounded
    done
fi

if has fst2vcd && [ -d "${HWTRACE_CORPUS:-}/waveform" ]; then
    for vcd in "$HWTRACE_CORPUS"/waveform/*.vcd; do
        counts_agree "$vcd" "$vcd"
        fst2vcd "${vcd%.vcd}.fst" >theirs.vcd 2>/dev/null
        counts_agree "${vcd%.vcd}.fst" theirs.vcd
        converted "$vcd" ours.fst
        converted ours.fst again.vcd
        converted "$vcd" ours.vcd
        same_changes "$vcd" ours.fst
        same_changes ours.vcd again.vcd
    done
fi

cat >design.v <<'END'
`timescale 1ns/100ps
module child(input clk, input [7:0] in, output reg [7:0] out);
    always @(posedge clk) out <= in + 8'd1;
endmodule
module top;
    reg clk = 0;
    reg [7:0] count;
    reg [99:0] wide = 0;
    reg [3:0] \odd+name = 4'bz;
    integer number = -3;
    real level = 0.5;
    event tick;
    wire [7:0] next;
    child child(clk, count, next);
    always #5 clk = !clk;
    initial begin
        $dumpfile("icarus.dump");
        $dumpvars(0, top);
        #2 count = 8'b0000_1xz1;
        #30 $dumpoff;
        #30 $dumpon;
        #400 $finish;
    end
    always @(posedge clk) begin
        count <= next;
        wide <= (wide << 7) | 100'd5;
        number = number * 3;
        level = level * -1.25;
        -> tick;
    end
endmodule
END
if has iverilog && has vvp; then
    iverilog -o design.vvp design.v || fail "iverilog does not compile the design"
    vvp design.vvp >/dev/null && mv icarus.dump icarus.vcd
    counts_agree icarus.vcd icarus.vcd
    if has fst2vcd; then
        vvp design.vvp -fst >/dev/null && mv icarus.dump icarus.fst
        fst2vcd icarus.fst >theirs.vcd 2>/dev/null
        counts_agree icarus.fst theirs.vcd
        same_changes icarus.fst theirs.vcd rounded
        # The state of an event at the start is dumped in VCD and FST, but nothing happens.
        cat >once.v <<'END'
module top;
    event tick;
    reg a = 0;
    initial begin
        #3 $dumpfile("once.dump");
        $dumpvars(0, top);
        #5 a = 1;
        #5 -> tick;
        #5 $finish;
    end
endmodule
END
        iverilog -o once.vvp once.v && vvp once.vvp >/dev/null && mv once.dump once.vcd
        vvp once.vvp -fst >/dev/null && mv once.dump once.fst
        same_changes once.vcd once.fst
        [ "$(changes once.fst | grep tick)" = "13 top.tick" ] || fail "once.fst: $(changes once.fst | grep tick)"
    fi
fi

cat >counter.v <<'END'
module counter(input clk, output reg [31:0] count, output reg [69:0] wide);
    logic signed [7:0] low;
    real level;
    typedef enum logic [1:0] {idle, busy, done} state_t;
    state_t state;
    int number;
    always @(posedge clk) begin
        count <= count + 3;
        wide <= {wide[68:0], count[1]};
        low <= low - 5;
        level <= level + 0.3;
        number <= number - 7;
        case (state)
            idle: state <= busy;
            busy: state <= done;
            default: state <= idle;
        endcase
    end
endmodule
END
cat >main.cpp <<'END'
#include "Vcounter.h"
#include TRACE_HEADER
int main() {
    Verilated::traceEverOn(true);
    Vcounter top;
    TRACE_CLASS trace;
    top.trace(&trace, 9);
    trace.open(TRACE_FILE);
    for (int i = 0; i < 200; ++i) {
        top.clk = i & 1;
        top.eval();
        trace.dump(static_cast<vluint64_t>(i) * 10);
    }
    trace.close();
}
END
# simulate NAME OPTION CLASS: runs Verilator with a kind of trace.
simulate() {
    verilator -Wno-fatal --sv --cc --exe --build $2 --Mdir "build.$1" -CFLAGS \
        "-O0 -DTRACE_HEADER='\"verilated_$1_c.h\"' -DTRACE_CLASS=$3 -DTRACE_FILE='\"verilator.$1\"'" counter.v main.cpp \
        >verilator.log 2>&1 && "build.$1/Vcounter"
}
if has verilator; then
    if simulate vcd --trace VerilatedVcdC; then
        counts_agree verilator.vcd verilator.vcd
    else
        fail "Verilator does not write VCD: $(tail -2 verilator.log)"
    fi
    if has fst2vcd && simulate fst --trace-fst VerilatedFstC; then
        fst2vcd verilator.fst >theirs.vcd 2>/dev/null
        counts_agree verilator.fst theirs.vcd
    fi
fi

cat >blinker.vhdl <<'END'
library ieee;
use ieee.std_logic_1164.all;
entity blinker is end;
architecture test of blinker is
    type state_t is (idle, busy, done);
    signal clk : std_logic := 'U';
    signal bus_lines : std_logic_vector(3 downto 0) := "UX-Z";
    signal count : integer := 0;
    signal level : real := 0.1;
    signal state : state_t := idle;
begin
    process begin
        for i in 1 to 20 loop
            clk <= '0'; wait for 5 ns;
            clk <= '1'; wait for 5 ns;
            count <= count - 3;
            level <= level * 1.5;
            bus_lines <= bus_lines(2 downto 0) & 'H';
            if state = idle then state <= busy; else state <= idle; end if;
        end loop;
        wait;
    end process;
end;
END
if has ghdl; then
    if ghdl -a blinker.vhdl && ghdl -e blinker && ghdl -r blinker --vcd=ghdl.vcd --fst=ghdl.fst >/dev/null; then
        counts_agree ghdl.vcd ghdl.vcd
        if has fst2vcd; then
            fst2vcd ghdl.fst >theirs.vcd 2>/dev/null
            counts_agree ghdl.fst theirs.vcd
        fi
    else
        fail "GHDL does not run the design"
    fi
fi

finish

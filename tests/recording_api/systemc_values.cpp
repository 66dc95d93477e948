// Records values of SystemC types, and parts of them, as attributes: systemc_values FILE
#define SC_INCLUDE_FX
#include <cstdio>
#include <hwtrace/recording_systemc.hpp>
#include <systemc>

namespace recording = hwtrace::recording;

struct Probe : sc_core::sc_module {
    explicit Probe(const sc_core::sc_module_name& module) : sc_module(module) {}
    sc_core::sc_in<int> level{"level"};
    sc_core::sc_in<bool> ready{"ready"};
    sc_core::sc_out<bool> output{"output"};
};

int sc_main(int argc, char** argv) {
    if (argc != 2) return 2;
    const sc_dt::sc_uint<16> address = 0xabcd;
    sc_dt::sc_int<16> offset = -2;
    sc_dt::sc_biguint<100> line = 0x1234;
    line[99] = true;
    const sc_dt::sc_bigint<80> sum = -1;
    const sc_dt::sc_bv<8> mask("10110001");
    sc_dt::sc_lv<8> bus("1X0Z0001");
    sc_core::sc_signal<int> level("level", 5);
    sc_core::sc_signal<bool> ready("ready", true);
    sc_core::sc_buffer<sc_dt::sc_lv<4>> state("state", sc_dt::sc_lv<4>("01XZ"));
    Probe probe("probe");
    probe.level.bind(level);
    probe.ready.bind(ready);
    probe.output.bind(ready);
    try {
        recording::Database db(argv[1], recording::kernel_time());
        const recording::Stream stream = db.stream("values");
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        stream.generator("integers")
            .begin()
            .record("range", address.range(15, 8))
            .record("call", address(3, 0))
            .record("bit", address[3])
            .record("signed_range", offset.range(7, 0))
            .record("signed_bit", offset[0])
            .record("concatenated", (address, offset))
            .record("parts", (offset.range(7, 0), offset[0]))
            .end();
        stream.generator("wide")
            .begin()
            .record("range", line.range(15, 4))
            .record("whole", line.range(99, 0))
            .record("bit", line[99])
            .record("signed_range", sum.range(71, 0))
            .record("signed_bit", sum[79])
            .record("concatenated", (line.range(15, 0), offset))
            .record("wider", (line, offset))
            .end();
        stream.generator("vectors")
            .begin()
            .record("range", mask.range(3, 0))
            .record("bit", mask[7])
            .record("concatenated", (mask, mask.range(1, 0)))
            .record("logic_range", bus.range(7, 4))
            .record("logic_bit", bus[6])
            .record("mixed", (mask, bus))
            .end();
        const sc_dt::sc_fixed<8, 4> gain = 1.5;
        stream.generator("fixed").begin().record("gain", gain).record("product", gain * gain).end();
        stream.generator("signals")
            .begin()
            .record("level", level)
            .record("ready", ready)
            .record("state", state)
            .record("input", probe.level)
            .record("input_ready", probe.ready)
            .record("output", probe.output)
            .end();
        db.close();
    } catch (const recording::Error& error) {
        std::fprintf(stderr, "systemc_values: %s\n", error.what());
        return 1;
    }
    return 0;
}

// Records the writes to a memory of a SystemC model, at any time resolution: systemc_memory FILE VALUE UNIT
#define SC_INCLUDE_FX
#include <cstdio>
#include <cstdlib>
#include <hwtrace/recording_systemc.hpp>
#include <string>
#include <systemc>

namespace recording = hwtrace::recording;

struct Memory : sc_core::sc_module {
    SC_HAS_PROCESS(Memory);
    Memory(const sc_core::sc_module_name& module, recording::Database& db)
        : sc_module(module),
          writes_(db.stream(name(), "memory").generator<sc_dt::sc_uint<32>, sc_dt::sc_lv<4>>("write", "addr", "ack")) {
        SC_THREAD(run);
    }

private:
    void run() {
        const sc_core::sc_time second(1, sc_core::SC_SEC);
        wait(3 * second);
        auto write = writes_.begin(0x80);
        write.record("data", sc_dt::sc_biguint<72>(5)).record("latency", 4 * second);
        wait(2 * second);
        write.end_at(recording::ticks(sc_core::sc_time_stamp() + 2 * second), sc_dt::sc_lv<4>("01XZ"));
        auto next = writes_.begin();
        next.record("gain", sc_dt::sc_fixed<8, 4>(-1.5)).record("offset", sc_dt::sc_int<5>(-3));
        wait(sc_core::sc_get_time_resolution());
        next.end();
    }

    recording::Generator<sc_dt::sc_uint<32>, sc_dt::sc_lv<4>> writes_;
};

int sc_main(int argc, char** argv) {
    if (argc != 4) return 2;
    for (int unit = sc_core::SC_FS; unit <= sc_core::SC_SEC; ++unit)
        if (std::string(argv[3]) == std::to_string(unit))
            sc_core::sc_set_time_resolution(std::atof(argv[2]), static_cast<sc_core::sc_time_unit>(unit));
    try {
        recording::Database db(argv[1], recording::kernel_time());
        const Memory memory("memory", db);
        sc_core::sc_start();
        db.close();
    } catch (const recording::Error& error) {
        std::fprintf(stderr, "systemc_memory: %s\n", error.what());
        return 1;
    }
    return 0;
}

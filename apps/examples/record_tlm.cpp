// Records the TLM-2.0 transactions between an initiator and a memory of a SystemC model: record_tlm FILE
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <hwtrace/recording_tlm.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdio>
#include <cstring>

struct Cpu : sc_core::sc_module {
    SC_HAS_PROCESS(Cpu);
    explicit Cpu(const sc_core::sc_module_name& module) : sc_module(module) { SC_THREAD(run); }

    void run() {
        std::array<unsigned char, 4> data{1, 2, 3, 4};
        for (unsigned i = 0; i < 100; ++i) {
            tlm::tlm_generic_payload payload;
            payload.set_command(i % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            payload.set_address(4 * (i / 2));
            payload.set_data_ptr(data.data());
            payload.set_data_length(data.size());
            payload.set_streaming_width(data.size());
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->b_transport(payload, delay);
            wait(delay);
        }
    }

    tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};
};

struct Memory : sc_core::sc_module {
    explicit Memory(const sc_core::sc_module_name& module) : sc_module(module) {
        socket.register_b_transport(this, &Memory::access);
    }

    void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        unsigned char* const place = bytes.data() + payload.get_address() % (bytes.size() / 2);
        if (payload.is_write()) std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += sc_core::sc_time(10, sc_core::SC_NS);
    }

    tlm_utils::simple_target_socket<Memory> socket{"socket"};
    std::array<unsigned char, 1024> bytes{};
};

int sc_main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "record_tlm FILE\n"), 2;
    namespace recording = hwtrace::recording;
    try {
        recording::Database db(argv[1], recording::kernel_time());
        Cpu cpu("cpu");
        Memory memory("memory");
        recording::TlmRecorder<> bus("bus", db);  // between the two
        cpu.socket.bind(bus.target_socket);
        bus.initiator_socket.bind(memory.socket);
        sc_core::sc_start();
        db.close();
        return db.losses().empty() ? 0 : 3;
    } catch (const recording::Error& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}

// A SystemC model of bus.sv: the same requests at the same times, through TLM sockets that record.
//     bus_model REQUESTS FILE
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <hwtrace/recording_tlm.hpp>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using Word = std::uint32_t;
using sc_core::SC_PS;
using sc_core::sc_time;

const sc_time cycle(10'000, SC_PS), first_edge(5'000, SC_PS);

struct Request {
    unsigned gap;
    bool write;
    Word address;
};

/// Reads the file that bus.sv reads with $readmemh.
std::vector<Request> read_requests(const char* path) {
    std::vector<Request> requests;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("//", 0) == 0 || line.empty()) continue;
        const auto word = static_cast<Word>(std::stoul(line, nullptr, 16));
        requests.push_back({word >> 24, (word >> 20 & 1) != 0, word & 0xFFFFF});
    }
    return requests;
}

struct Master : sc_core::sc_module {
    SC_HAS_PROCESS(Master);
    Master(const sc_core::sc_module_name& module, std::vector<Request> list)
        : sc_module(module), requests(std::move(list)) {
        SC_THREAD(run);
    }

    void run() {
        wait(first_edge);
        for (std::size_t id = 0; id < requests.size(); ++id) {
            const Request& request = requests[id];
            wait(cycle * (1 + request.gap));
            Word data = request.write ? request.address * 3 + static_cast<Word>(id) : 0;
            tlm::tlm_generic_payload payload;
            payload.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            payload.set_address(request.address);
            payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
            payload.set_data_length(sizeof data);
            payload.set_streaming_width(sizeof data);
            sc_time delay = sc_core::SC_ZERO_TIME;
            socket->b_transport(payload, delay);
            wait(delay);
        }
    }

    tlm_utils::simple_initiator_socket<Master> socket{"socket"};
    std::vector<Request> requests;
};

struct Memory : sc_core::sc_module {
    explicit Memory(const sc_core::sc_module_name& module) : sc_module(module) {
        socket.register_b_transport(this, &Memory::access);
    }

    void access(tlm::tlm_generic_payload& payload, sc_time& delay) {
        const auto address = static_cast<Word>(payload.get_address());
        Word& word = words[address / 4 % words.size()];
        if (payload.is_write()) std::memcpy(&word, payload.get_data_ptr(), sizeof word);
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &word, sizeof word);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        const unsigned latency = payload.is_write() ? 1 : (address >> 6 & 3) == 3 ? 7 : 3;
        delay += cycle * (2 + latency);  // two edges pass between the two sides
    }

    tlm_utils::simple_target_socket<Memory> socket{"socket"};
    std::array<Word, 256> words{};
};

int sc_main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "bus_model REQUESTS FILE\n"), 2;
    namespace recording = hwtrace::recording;
    try {
        recording::Database db(argv[2], recording::kernel_time());
        Master master("master", read_requests(argv[1]));
        Memory memory("memory");
        recording::TlmRecorder<> bus("bus", db);  // between the two
        master.socket.bind(bus.target_socket);
        bus.initiator_socket.bind(memory.socket);
        sc_core::sc_start();
        db.close();
        return db.losses().empty() ? 0 : 3;
    } catch (const recording::Error& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}

// Records TLM-2.0 transactions of two initiators and a memory: systemc_tlm FILE
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <hwtrace/recording_tlm.hpp>
#include <systemc>
#include <tlm>

namespace recording = hwtrace::recording;

namespace {

const sc_core::sc_time one_ns(1, sc_core::SC_NS);

/// Checks a condition of the model; a recorder must not change what the modules see.
void expect(bool condition, const char* what) {
    if (!condition) SC_REPORT_ERROR("systemc_tlm", what);
}

struct Payload : tlm::tlm_generic_payload {
    Payload(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned int size) {
        set_command(command);
        set_address(address);
        set_data_ptr(data);
        set_data_length(size);
        set_streaming_width(size);
        set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
};

/// A memory that answers blocking calls in 10 ns, and nonblocking requests in phases of 2, 5 and 3 ns. Any number of
/// requests may be under way.
template <typename Socket>
struct Memory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    template <typename... Arguments>
    explicit Memory(const sc_core::sc_module_name& module, Arguments&... arguments)
        : sc_module(module), socket("socket", arguments...), queue("queue", this, &Memory::phase_due) {
        socket.bind(*this);
    }
    void access(tlm::tlm_generic_payload& payload) {
        const auto address = payload.get_address();
        if (address + payload.get_data_length() > bytes.size())
            return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        if (payload.is_write()) std::memcpy(&bytes[address], payload.get_data_ptr(), payload.get_data_length());
        if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &bytes[address], payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
        access(payload);
        delay += 10 * one_ns;
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
        if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
            payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
            delay += one_ns;
            return tlm::TLM_COMPLETED;
        }
        queue.notify(payload, phase, delay + 7 * one_ns);
        phase = tlm::END_REQ;
        delay += 2 * one_ns;
        return tlm::TLM_UPDATED;
    }
    void phase_due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase&) {
        access(payload);
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        expect(socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED, "the response is accepted");
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) override {
        dmi.set_dmi_ptr(bytes.data());
        return true;
    }
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override {
        access(payload);
        return payload.get_data_length();
    }

    Socket socket;
    tlm_utils::peq_with_cb_and_phase<Memory> queue;
    std::array<unsigned char, 256> bytes{};
};

/// An initiator whose own socket records. It makes blocking calls.
struct Cpu : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    recording::RecordingInitiatorSocket<> socket;

    SC_HAS_PROCESS(Cpu);
    Cpu(const sc_core::sc_module_name& module, recording::Database& db) : sc_module(module), socket("socket", db) {
        socket.bind(*this);
        SC_THREAD(run);
    }

private:
    void run() {
        std::array<unsigned char, 20> data{1, 2, 3, 4};
        std::array<unsigned char, 2> enable{0xFF, 0};
        sc_core::sc_time delay = one_ns;
        Payload write(tlm::TLM_WRITE_COMMAND, 0x10, data.data(), 4);
        write.set_byte_enable_ptr(enable.data());
        write.set_byte_enable_length(2);
        socket->b_transport(write, delay);
        expect(delay == 11 * one_ns && write.is_response_ok(), "the write is answered");
        wait(delay);
        delay = sc_core::SC_ZERO_TIME;
        Payload read(tlm::TLM_READ_COMMAND, 0x10, data.data(), data.size());
        socket->b_transport(read, delay);
        wait(delay);
        Payload beyond(tlm::TLM_READ_COMMAND, 0x1000, data.data(), 4);
        socket->b_transport(beyond, delay = sc_core::SC_ZERO_TIME);
        expect(beyond.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE, "the address is refused");
        tlm::tlm_dmi dmi;
        expect(socket->get_direct_mem_ptr(read, dmi) && dmi.get_dmi_ptr() != nullptr, "the memory grants DMI");
        expect(socket->transport_dbg(read) == data.size(), "the memory answers debug calls");
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// An initiator with a plain socket. It makes nonblocking calls, two of them at the same time.
struct Dma : sc_core::sc_module {
    SC_HAS_PROCESS(Dma);
    explicit Dma(const sc_core::sc_module_name& module) : sc_module(module), queue("queue", this, &Dma::phase_due) {
        socket.register_nb_transport_bw(this, &Dma::nb_transport_bw);
        SC_THREAD(run);
    }
    void run() {
        std::array<unsigned char, 4> out{0xA, 0xB, 0xC, 0xD}, in{};
        Payload write(tlm::TLM_WRITE_COMMAND, 0x20, out.data(), 4), read(tlm::TLM_READ_COMMAND, 0x20, in.data(), 4);
        wait(100 * one_ns);
        request(write, tlm::TLM_UPDATED);
        wait(3 * one_ns);
        request(read, tlm::TLM_UPDATED);
        wait(20 * one_ns);
        expect(in == out, "the read returns what was written");
        Payload ignore(tlm::TLM_IGNORE_COMMAND, 0, nullptr, 0);
        request(ignore, tlm::TLM_COMPLETED);
    }
    void request(tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum answer) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        expect(socket->nb_transport_fw(payload, phase, delay) == answer, "the request is answered");
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        queue.notify(payload, phase, delay + 3 * one_ns);
        return tlm::TLM_ACCEPTED;
    }
    void phase_due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase&) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        expect(socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED, "the end is the last call");
    }

    tlm_utils::simple_initiator_socket<Dma> socket{"socket"};
    tlm_utils::peq_with_cb_and_phase<Dma> queue;
};

}  // namespace

int sc_main(int argc, char** argv) {
    if (argc != 2) return 2;
    try {
        recording::Database db(argv[1], recording::kernel_time());
        Cpu cpu("cpu", db);
        Memory<tlm::tlm_target_socket<>> ram("ram");
        cpu.socket.bind(ram.socket);

        Dma dma("dma");
        recording::TlmRecorder<> tap("tap", db);
        Memory<recording::RecordingTargetSocket<>> buffer("buffer", db);
        dma.socket.bind(tap.target_socket);
        tap.initiator_socket.bind(buffer.socket);
        sc_core::sc_start();

        std::array<unsigned char, 2> data{1, 2};
        const Payload payload(tlm::TLM_WRITE_COMMAND, 0x30, data.data(), data.size());
        db.stream("own").generator("payload").begin().record("trans", payload).end();
        db.close();
    } catch (const recording::Error& error) {
        std::fprintf(stderr, "systemc_tlm: %s\n", error.what());
        return 1;
    }
    return 0;
}

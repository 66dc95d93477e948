// hwtrace/recording_tlm.hpp - records TLM-2.0 transactions: by sockets that record what passes through them, or by a
// module between two bound sockets.
//
//     hwtrace::recording::Database db("run.ftr", hwtrace::recording::kernel_time());
//     hwtrace::recording::RecordingInitiatorSocket<> socket{"socket", db};    // instead of a tlm_initiator_socket
//
//     hwtrace::recording::TlmRecorder<> tap{"tap", db};                       // for sockets of any kind
//     cpu.socket.bind(tap.target_socket);
//     tap.initiator_socket.bind(memory.socket);
//
// Blocking calls become transactions of the stream "<name>_bl", nonblocking transactions those of "<name>_nb_timed",
// and single nonblocking calls those of "<name>_nb". Times include the annotated delays. All calls are forwarded
// unchanged; DMI and debug calls are not recorded. Any number of transactions may be under way.
//
// The database must have kernel_time() and must outlive the sockets. Only the kernel's thread may use them.
#ifndef HWTRACE_RECORDING_TLM_HPP
#define HWTRACE_RECORDING_TLM_HPP

#include <hwtrace/recording_systemc.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tlm>
#include <type_traits>
#include <utility>

namespace hwtrace::recording {

struct TlmOptions {
    /// The data and the byte enables of a payload are recorded up to this many bytes; 0: not at all. Each distinct text
    /// stays in memory as long as the recording exists.
    std::size_t data_bytes = 16;
    /// Records each nonblocking call with its phases, in addition to the transaction.
    bool calls = true;
};

namespace detail {

/// Bytes in the order of their addresses, as hexadecimal digits. "..." follows if some are left out.
inline void describe_bytes(Fields& fields, std::string_view name, const unsigned char* bytes, std::size_t size,
                           std::size_t limit) {
    if (bytes == nullptr || size == 0 || limit == 0) return;
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr unsigned nibble = 4, mask = 15;
    std::string text;
    for (std::size_t i = 0; i < std::min(size, limit); ++i)
        text.append({digits[bytes[i] >> nibble], digits[bytes[i] & mask]});
    if (size > limit) text += "...";
    fields(name, text);
}

inline std::string_view name_of_command(tlm::tlm_command command) noexcept {
    switch (command) {
        case tlm::TLM_READ_COMMAND:
            return "TLM_READ_COMMAND";
        case tlm::TLM_WRITE_COMMAND:
            return "TLM_WRITE_COMMAND";
        case tlm::TLM_IGNORE_COMMAND:
            break;
    }
    return "TLM_IGNORE_COMMAND";
}

/// What the initiator sets in a payload.
struct TlmRequest {
    const tlm::tlm_generic_payload& payload;
    std::size_t data_bytes;
    void describe(Fields& fields) const {
        fields("address", static_cast<std::uint64_t>(payload.get_address()));
        fields("cmd", name_of_command(payload.get_command()));
        fields("data_length", payload.get_data_length())("streaming_width", payload.get_streaming_width());
        if (payload.get_byte_enable_ptr() != nullptr) {
            fields("byte_enable_length", payload.get_byte_enable_length());
            describe_bytes(fields, "byte_enable", payload.get_byte_enable_ptr(), payload.get_byte_enable_length(),
                           data_bytes);
        }
        if (payload.is_write())
            describe_bytes(fields, "data", payload.get_data_ptr(), payload.get_data_length(), data_bytes);
    }
};

/// What the target sets in a payload.
struct TlmResponse {
    const tlm::tlm_generic_payload& payload;
    std::size_t data_bytes;
    void describe(Fields& fields) const {
        fields("response_status", payload.get_response_string());
        if (payload.is_read() && payload.is_response_ok())
            describe_bytes(fields, "data", payload.get_data_ptr(), payload.get_data_length(), data_bytes);
    }
};

/// A stream of transactions with a generator for each command.
struct TlmCommands {
    TlmCommands(Database& db, const std::string& name, std::string_view kind)
        : stream(db.stream(name, kind)),
          read(stream.generator<TlmRequest>("read", "trans")),
          write(stream.generator<TlmRequest>("write", "trans")),
          ignore(stream.generator<TlmRequest>("ignore", "trans")) {}
    Transaction begin(const tlm::tlm_generic_payload& payload, Time time, std::size_t data_bytes) const {
        const auto& generator = payload.is_read() ? read : payload.is_write() ? write : ignore;
        return generator.begin_at(time, TlmRequest{payload, data_bytes});
    }
    Stream stream;
    Generator<TlmRequest> read, write, ignore;
};

/// Records the calls of both directions and forwards them.
template <typename Types>
class TlmCalls : public tlm::tlm_fw_transport_if<Types>, public tlm::tlm_bw_transport_if<Types> {
public:
    using Forward = tlm::tlm_fw_transport_if<Types>;
    using Backward = tlm::tlm_bw_transport_if<Types>;
    using Payload = typename Types::tlm_payload_type;
    using Phase = typename Types::tlm_phase_type;
    static_assert(std::is_base_of_v<tlm::tlm_generic_payload, Payload>, "the payload must be a tlm_generic_payload");

    TlmCalls(std::string name, Database& db, TlmOptions options, std::function<Forward*()> target,
             std::function<Backward*()> initiator)
        : name_(std::move(name)),
          db_(db),
          options_(options),
          target_(std::move(target)),
          initiator_(std::move(initiator)) {}

    void b_transport(Payload& payload, sc_core::sc_time& delay) override {
        if (!blocking_) blocking_.emplace(db_, name_ + "_bl", "[TLM][base-protocol][b][timed]");
        Transaction transaction = blocking_->begin(payload, at(delay), options_.data_bytes);
        transaction.record("delay", delay);
        target_()->b_transport(payload, delay);
        transaction.record("trans", TlmResponse{payload, options_.data_bytes});
        transaction.record("delay[return_path]", delay).end_at(at(delay));
    }
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, Phase& phase, sc_core::sc_time& delay) override {
        return pass(&Nonblocking::fw, payload, phase, delay,
                    [&] { return target_()->nb_transport_fw(payload, phase, delay); });
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, Phase& phase, sc_core::sc_time& delay) override {
        return pass(&Nonblocking::bw, payload, phase, delay,
                    [&] { return initiator_()->nb_transport_bw(payload, phase, delay); });
    }
    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
        return target_()->get_direct_mem_ptr(payload, dmi);
    }
    unsigned int transport_dbg(Payload& payload) override { return target_()->transport_dbg(payload); }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
        initiator_()->invalidate_direct_mem_ptr(first, last);
    }

private:
    /// The streams of nonblocking transactions.
    struct Nonblocking {
        Nonblocking(Database& db, const std::string& name, bool calls)
            : commands(db, name + "_nb_timed", "[TLM][base-protocol][nb][timed]"),
              request(commands.stream.generator("request")),
              response(commands.stream.generator("response")),
              parent(db.relation("PARENT_CHILD")),
              previous(db.relation("PREDECESSOR_SUCCESSOR")) {
            if (!calls) return;
            const Stream stream = db.stream(name + "_nb", "[TLM][base-protocol][nb]");
            fw = stream.generator("fw");
            bw = stream.generator("bw");
        }
        TlmCommands commands;
        Generator<> request, response, fw, bw;
        Relation parent, previous;
    };
    /// A nonblocking transaction that is under way.
    struct Open {
        Transaction whole;
        Transaction part;  ///< its request or response
        Transaction call;  ///< its latest call
        Time latest = 0;   ///< the time of its latest phase
    };
    /// Keeps a payload during a call in which its owner may release it.
    class Held {
    public:
        explicit Held(tlm::tlm_generic_payload& payload) : payload_(payload.has_mm() ? &payload : nullptr) {
            if (payload_ != nullptr) payload_->acquire();
        }
        ~Held() {
            if (payload_ != nullptr) payload_->release();
        }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;

    private:
        tlm::tlm_generic_payload* payload_;
    };

    static Time at(const sc_core::sc_time& delay) { return ticks(sc_core::sc_time_stamp() + delay); }
    static std::string name_of_phase(const Phase& phase) {
        std::ostringstream name;
        name << phase;
        return name.str();
    }

    template <typename Forwarding>
    tlm::tlm_sync_enum pass(Generator<> Nonblocking::*way, Payload& payload, Phase& phase, sc_core::sc_time& delay,
                            Forwarding forward) {
        const Held held(payload);
        if (!nonblocking_) nonblocking_.emplace(db_, name_, options_.calls);
        see(payload, phase, delay);
        Transaction call = ((*nonblocking_).*way).begin_at(at(sc_core::SC_ZERO_TIME));
        if (call.id() != 0) call.record("tlm_phase", name_of_phase(phase)).record("delay", delay);
        const bool is_last = phase == tlm::END_RESP;
        if (const auto found = open_.find(&payload); found != open_.end()) {
            call.relate(nonblocking_->parent, found->second.whole);
            call.relate(nonblocking_->previous, found->second.call);
            found->second.call = call;
            if (is_last) finish(found);
        }
        const tlm::tlm_sync_enum sync = forward();
        constexpr std::string_view names[] = {"TLM_ACCEPTED", "TLM_UPDATED", "TLM_COMPLETED"};
        call.record("tlm_sync", names[sync]);
        if (sync != tlm::TLM_ACCEPTED) call.record("delay[return_path]", delay);
        if (sync == tlm::TLM_UPDATED && call.id() != 0) call.record("tlm_phase[return_path]", name_of_phase(phase));
        call.end_at(at(sc_core::SC_ZERO_TIME));
        if (!is_last) follow(sync, payload, phase, delay, way == &Nonblocking::fw);
        return sync;
    }
    /// Records what the return of a call says.
    void follow(tlm::tlm_sync_enum sync, const Payload& payload, const Phase& phase, const sc_core::sc_time& delay,
                bool by_target) {
        if (sync == tlm::TLM_UPDATED) see(payload, phase, delay);
        const auto found = open_.find(&payload);
        if (found == open_.end()) return;
        if (sync == tlm::TLM_COMPLETED) complete(found->second, payload, at(delay), by_target);
        if (sync == tlm::TLM_COMPLETED || (sync == tlm::TLM_UPDATED && phase == tlm::END_RESP)) finish(found);
    }

    /// Records that a transaction enters a phase.
    void see(const Payload& payload, const Phase& phase, const sc_core::sc_time& delay) {
        if (phase == tlm::BEGIN_REQ) {
            if (const auto found = open_.find(&payload); found != open_.end()) finish(found);
            Open& open = open_[&payload];
            open.latest = at(delay);
            open.whole = nonblocking_->commands.begin(payload, open.latest, options_.data_bytes);
            begin_part(open, nonblocking_->request);
        }
        const auto found = open_.find(&payload);
        if (found == open_.end() || phase == tlm::BEGIN_REQ) return;
        Open& open = found->second;
        open.latest = std::max(open.latest, at(delay));
        if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP || phase == tlm::END_RESP) end_part(open);
        if (phase != tlm::BEGIN_RESP) return;
        // Here the data of a read are valid. At the end, their owner may have reused them.
        open.whole.record("trans", TlmResponse{payload, options_.data_bytes});
        begin_part(open, nonblocking_->response);
    }
    /// Records that a transaction ends without further phases. A target may do so before any response.
    void complete(Open& open, const Payload& payload, Time time, bool by_target) {
        open.latest = std::max(open.latest, time);
        if (by_target) open.whole.record("trans", TlmResponse{payload, options_.data_bytes});
    }
    void begin_part(Open& open, const Generator<>& generator) {
        open.part = generator.begin_at(open.latest);
        open.part.relate(nonblocking_->parent, open.whole);
    }
    static void end_part(Open& open) { std::exchange(open.part, {}).end_at(open.latest); }
    void finish(typename std::map<const Payload*, Open>::iterator found) {
        end_part(found->second);
        found->second.whole.end_at(found->second.latest);
        open_.erase(found);
    }

    const std::string name_;
    Database& db_;
    const TlmOptions options_;
    const std::function<Forward*()> target_;
    const std::function<Backward*()> initiator_;
    std::optional<TlmCommands> blocking_;  ///< empty before the first call, so that no stream remains unused
    std::optional<Nonblocking> nonblocking_;
    std::map<const Payload*, Open> open_;
};

}  // namespace detail

/// Records all attributes of a payload under their names: transaction.record("trans", payload).
inline void describe(Fields& fields, const tlm::tlm_generic_payload& payload) {
    detail::TlmRequest{payload, TlmOptions().data_bytes}.describe(fields);
    detail::TlmResponse{payload, TlmOptions().data_bytes}.describe(fields);
}

/// A tlm_initiator_socket that records the calls that its module makes, and those that the module receives.
template <unsigned int buswidth = 32, typename Types = tlm::tlm_base_protocol_types>
class RecordingInitiatorSocket : public tlm::tlm_initiator_socket<buswidth, Types> {
    using Base = tlm::tlm_initiator_socket<buswidth, Types>;
    using Calls = detail::TlmCalls<Types>;

public:
    RecordingInitiatorSocket(const char* name, Database& db, TlmOptions options = {})
        : Base(name),
          calls_(
              this->name(), db, options, [this] { return Base::operator->(); }, [this] { return module_; }) {}

    using Base::bind;
    void bind(typename Calls::Backward& module) override {
        module_ = &module;
        Base::bind(static_cast<typename Calls::Backward&>(calls_));
    }
    typename Calls::Forward* operator->() { return &calls_; }

private:
    typename Calls::Backward* module_ = nullptr;
    Calls calls_;
};

/// A tlm_target_socket that records the calls that its module receives, and those that the module makes.
template <unsigned int buswidth = 32, typename Types = tlm::tlm_base_protocol_types>
class RecordingTargetSocket : public tlm::tlm_target_socket<buswidth, Types> {
    using Base = tlm::tlm_target_socket<buswidth, Types>;
    using Calls = detail::TlmCalls<Types>;

public:
    RecordingTargetSocket(const char* name, Database& db, TlmOptions options = {})
        : Base(name),
          calls_(
              this->name(), db, options, [this] { return module_; }, [this] { return Base::operator->(); }) {}

    using Base::bind;
    void bind(typename Calls::Forward& module) override {
        module_ = &module;
        Base::bind(static_cast<typename Calls::Forward&>(calls_));
    }
    typename Calls::Backward* operator->() { return &calls_; }

private:
    typename Calls::Forward* module_ = nullptr;
    Calls calls_;
};

/// A module between an initiator and a target that records what passes through it. The sockets of both may be of any
/// kind.
template <unsigned int buswidth = 32, typename Types = tlm::tlm_base_protocol_types>
class TlmRecorder : public sc_core::sc_module {
public:
    tlm::tlm_target_socket<buswidth, Types> target_socket{"target_socket"};           ///< for the initiator
    tlm::tlm_initiator_socket<buswidth, Types> initiator_socket{"initiator_socket"};  ///< for the target

    TlmRecorder(const sc_core::sc_module_name& module, Database& db, TlmOptions options = {})
        : sc_module(module),
          calls_(
              name(), db, options, [this] { return initiator_socket.operator->(); },
              [this] { return target_socket.operator->(); }) {
        target_socket.bind(static_cast<typename Calls::Forward&>(calls_));
        initiator_socket.bind(static_cast<typename Calls::Backward&>(calls_));
    }

private:
    using Calls = detail::TlmCalls<Types>;
    Calls calls_;
};

}  // namespace hwtrace::recording

#endif

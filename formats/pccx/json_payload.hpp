// formats/pccx/json_payload.hpp - reads the JSON payload of the first generation, event by event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/limits.hpp"
#include "payload.hpp"

namespace hwtrace::pccx {

/// Parses `{"total_cycles":U,"events":[{…},…]}` (formats/pccx/README.md#json-payload). Holds one event at a time.
class JsonPayload {
public:
    JsonPayload(PayloadBytes& bytes, const Limits& limits) : bytes_(bytes), limits_(limits) {}

    struct Fault {
        std::uint64_t offset = 0;
        std::string expected, got;
        bool at_end = false;  ///< the payload ended too early
    };
    struct Event {
        std::uint64_t offset = 0;
        std::uint32_t core = 0;
        std::uint64_t start = 0, duration = 0;
        std::string type;
        std::optional<std::string> name;
    };

    /// Reads up to the first event.
    void begin();
    /// Returns the next event; nullptr at the end or after a fault. The result is valid until the next call.
    const Event* next();

    /// The state of reading between two events.
    struct Progress {
        bool is_first_event = true;
        std::uint64_t unknown_keys = 0;
        std::optional<std::uint64_t> total_cycles{};
    };
    /// Returns the progress between two events; nullopt elsewhere.
    std::optional<Progress> progress() const noexcept {
        if (place_ != Place::events || fault_) return std::nullopt;
        return Progress{first_event_, unknown_keys_, total_cycles_};
    }
    /// Continues between two events, where the bytes are, instead of calling begin().
    void go_on(const Progress& progress) noexcept {
        place_ = Place::events;
        first_member_ = false;
        had_events_ = true;
        first_event_ = progress.is_first_event;
        unknown_keys_ = progress.unknown_keys;
        total_cycles_ = progress.total_cycles;
    }

    std::optional<std::uint64_t> total_cycles() const noexcept { return total_cycles_; }
    /// Returns and clears the last fault. If later events can still be read, next() continues with them.
    std::optional<Fault> take_fault();
    /// Returns the number of unknown keys found so far.
    std::uint64_t unknown_keys() const noexcept { return unknown_keys_; }
    /// Returns true if anything but white space follows.
    bool has_more() { return bytes_.ensure(1) && (peek(), bytes_.ensure(1)); }

private:
    enum class Place : std::uint8_t { members, events, ended };

    char peek();
    bool expect(char c, std::string_view what);
    std::string_view value(std::string_view what);
    void read_members();
    bool take_event(std::string_view text, std::uint64_t at);
    void fault(std::uint64_t at, std::string_view expected, std::string got, bool at_end = false);

    PayloadBytes& bytes_;
    const Limits& limits_;
    Place place_ = Place::members;
    bool first_member_ = true, first_event_ = true, had_events_ = false;
    std::optional<std::uint64_t> total_cycles_;
    std::optional<Fault> fault_;
    std::uint64_t unknown_keys_ = 0;
    Event event_;
};

}  // namespace hwtrace::pccx

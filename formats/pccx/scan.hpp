// formats/pccx/scan.hpp - the one tolerant walk over a .pccx file that reading, dumping and validating share.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "header.hpp"
#include "io/input.hpp"
#include "json_payload.hpp"
#include "model/name_table.hpp"
#include "payload.hpp"
#include "rules.hpp"

namespace hwtrace::pccx {

/// The names of event types that a file has, numbered as they are met.
class EventTypes {
public:
    explicit EventTypes(const Limits& limits) : limits_(limits) {}

    /// The number of the type of that name. Equal names have the same number.
    std::uint32_t number(std::string_view name) {
        const Recent& recent = recent_[place(name)];
        if (same(recent.name, name)) [[likely]]
            return recent.number;
        return find(name);
    }
    /// The number of the flat type with that id; "UNKNOWN_<id>" where it has no name.
    std::uint32_t number_of_flat(std::uint32_t id) {
        if (id < flat_.size() && flat_[id] != unmet) [[likely]]
            return flat_[id];
        return find_flat(id);
    }
    const std::string& name(std::uint32_t number) const { return names_.names()[number]; }
    std::size_t size() const noexcept { return names_.names().size(); }

private:
    static constexpr std::uint32_t unmet = 0xFFFF'FFFF;
    struct Recent {
        std::string_view name;
        std::uint32_t number = unmet;
    };
    /// Where a name is looked for first: types of about the same length and last letter share a place.
    static std::size_t place(std::string_view name) noexcept {
        return name.empty() ? 0 : (name.size() * 4 + static_cast<unsigned char>(name.back())) % recent_places;
    }
    /// Names are short: comparing them eight bytes at a time beats a call.
    static bool same(std::string_view a, std::string_view b) noexcept {
        if (a.size() != b.size() || a.data() == nullptr) return false;
        constexpr std::size_t word = sizeof(std::uint64_t);
        if (a.size() < word) return a == b;
        const auto differ = [&](std::size_t at) {
            std::uint64_t x = 0;
            std::uint64_t y = 0;
            std::memcpy(&x, a.data() + at, word);
            std::memcpy(&y, b.data() + at, word);
            return x != y;
        };
        for (std::size_t at = 0; at + word <= a.size(); at += word)
            if (differ(at)) return false;
        return !differ(a.size() - word);
    }
    std::uint32_t find(std::string_view name);
    std::uint32_t find_flat(std::uint32_t id);

    static constexpr std::size_t recent_places = 64;
    const Limits& limits_;
    NameTable names_;
    std::uint64_t name_bytes_ = 0;
    std::array<Recent, recent_places> recent_{};
    std::array<std::uint32_t, event_types.size()> flat_{unmet, unmet, unmet, unmet, unmet, unmet, unmet};
};

/// What one core did.
struct Event {
    std::uint32_t core = 0;
    std::uint64_t start = 0;     ///< cycle
    std::uint64_t duration = 0;  ///< cycles
    std::uint32_t type = 0;      ///< number in Scan::types()
    bool has_name = false;
    std::string_view name;  ///< of the API call; valid until the next event
};

class Scan {
public:
    /// Reads prefix and header. Throws Failure::input, after the finding, when they are of no use. The arguments
    /// outlive the scan.
    Scan(Input& input, const Settings& settings, Findings& findings);

    const Header& header() const noexcept { return header_; }
    Layout layout() const noexcept { return layout_; }
    const EventTypes& types() const noexcept { return types_; }
    /// The payload's own statement of the trace's length in cycles; none in flatbuf. Known from the beginning, but for
    /// a JSON payload that states it behind its events.
    std::optional<std::uint64_t> total_cycles() const noexcept { return total_cycles_; }
    /// The payload's own statement of how many events it has; bincode only.
    std::optional<std::uint64_t> stated_events() const noexcept { return stated_events_; }

    /// The next event; false at the end, when everything that the whole file tells has been reported.
    bool next(Event& event);
    /// The next piece of an opaque payload; empty at its end.
    std::span<const std::byte> next_bytes();

    /// Goes to the end of the payload, whatever it holds, to check it.
    void skip() {
        if (!ended_) end();
    }

    std::uint64_t position() const noexcept { return bytes_->offset(); }
    Facts facts() const;

private:
    /// A fault that many events may have: reported once, with their number.
    struct Tally {
        Check check;
        std::uint64_t count = 0;
        Finding first{};
    };

    void read_prefix();
    void open_payload();
    bool next_bincode(Event& event);
    bool next_flat(Event& event);
    bool next_json(Event& event);
    /// Ends the events, with a finding.
    bool stop(Check check, std::uint64_t offset, std::string expected, std::string got);
    bool events_missing(std::uint64_t at);
    /// Whether check_event has something to say.
    bool is_odd(const Event& event) const noexcept {
        const std::uint64_t event_end = event.start + event.duration;
        return event_end < event.start || event_end > cycles_ || event.core >= cores_ || event.type >= known_types_ ||
               (layout_ == Layout::flatbuf && (event.start < last_start_ || event.core == trailer_magic));
    }
    void check_event(const Event& event);
    void check_text(std::string_view text, std::uint64_t at);
    template <typename Describe>
    void tally(Check check, const Event& event, Describe&& describe);
    void end();
    void report(Check check, ByteRange at, std::string expected, std::string got, std::string where = {});

    Input& input_;
    const Limits limits_;
    Findings& findings_;
    Header header_;
    std::uint64_t file_size_ = 0;
    std::uint64_t payload_begin_ = 0, payload_end_ = 0;  ///< as far as the file has it
    bool whole_ = true;                                  ///< the file has all of the payload
    Layout layout_ = Layout::opaque;
    std::unique_ptr<PayloadBytes> bytes_;
    unsigned jobs_;
    std::optional<BackgroundChecksum> background_;
    EventTypes types_{limits_};
    std::optional<std::uint64_t> total_cycles_, stated_events_;
    Trailer trailer_;
    std::optional<EventNames> names_;
    std::string flat_name_;  ///< of the event that was read last
    std::optional<JsonPayload> json_;

    std::uint64_t events_ = 0;
    std::uint64_t last_start_ = 0;
    std::uint64_t cycles_ = 0;       ///< by the header; the greatest number where it states none
    std::uint64_t cores_ = 0;        ///< likewise
    std::uint32_t known_types_ = 0;  ///< of types_, that have been looked at
    std::vector<Tally> tallies_;
    std::optional<std::uint64_t> named_event_;  ///< that a name was given to last
    std::uint64_t event_at_ = 0;
    bool broken_ = false;  ///< the payload could not be read to its end
    bool ended_ = false;
    enum class Checksum : std::uint8_t { none, unchecked, right, wrong } checksum_ = Checksum::none;
};

}  // namespace hwtrace::pccx

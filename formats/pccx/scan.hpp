// formats/pccx/scan.hpp - the tolerant parser of a .pccx file, shared by reader, view and validation.
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
#include "event_search.hpp"
#include "header.hpp"
#include "io/input.hpp"
#include "json_payload.hpp"
#include "model/name_table.hpp"
#include "payload.hpp"
#include "rules.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::pccx {

/// The event types of a file, numbered in order of appearance.
class EventTypes {
public:
    explicit EventTypes(const Limits& limits) : limits_(limits) {}

    static constexpr std::uint32_t unmet = 0xFFFF'FFFF;

    /// Returns the number of the type `name`. Equal names have equal numbers.
    std::uint32_t number(std::string_view name) {
        const std::uint32_t known = find(name);
        return known != unmet ? known : add(name);
    }
    /// Returns the number of the type `name`, or `unmet` if it has none yet.
    std::uint32_t find(std::string_view name) {
        const Recent& recent = recent_[place(name)];
        if (same(recent.name, name)) [[likely]]
            return recent.number;
        return find_rare(name);
    }
    /// Returns the number of the type that flatbuf stores as `id`. Unknown ids get the name "UNKNOWN_<id>".
    std::uint32_t number_of_flat(std::uint32_t id) {
        if (id < flat_.size() && flat_[id] != unmet) [[likely]]
            return flat_[id];
        return find_flat(id);
    }
    const std::string& name(std::uint32_t number) const { return names_.names()[number]; }
    std::size_t size() const noexcept { return names_.names().size(); }

private:
    struct Recent {
        std::string_view name;
        std::uint32_t number = unmet;
    };
    /// Returns the cache index of a name. It depends on the length and the last letter.
    static std::size_t place(std::string_view name) noexcept {
        return name.empty() ? 0 : (name.size() * 4 + static_cast<unsigned char>(name.back())) % recent_places;
    }
    /// Returns true if the names are equal. Compares eight bytes at a time, which beats a function call for short
    /// names.
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
    std::uint32_t find_rare(std::string_view name);
    std::uint32_t add(std::string_view name);
    std::uint32_t find_flat(std::uint32_t id);

    static constexpr std::size_t recent_places = 64;
    const Limits& limits_;
    NameTable names_;
    std::uint64_t name_bytes_ = 0;
    std::array<Recent, recent_places> recent_{};
    std::array<std::uint32_t, event_types.size()> flat_{unmet, unmet, unmet, unmet, unmet, unmet, unmet};
};

/// An activity of a core.
struct Event {
    std::uint32_t core = 0;
    std::uint64_t start = 0;     ///< in cycles
    std::uint64_t duration = 0;  ///< in cycles
    std::uint32_t type = 0;      ///< number in Scan::types()
    bool has_name = false;
    std::string_view name;  ///< name of the API call; valid until the next event
};

/// Parses a file into events. Checks the rules and reports findings.
class Scan {
public:
    /// Reads prefix and header. If they are unusable, reports a finding and throws Failure::input. All arguments must
    /// outlive the scan.
    Scan(Input& input, const Settings& settings, Findings& findings);

    const Header& header() const noexcept { return header_; }
    Layout layout() const noexcept { return layout_; }
    const EventTypes& types() const noexcept { return types_; }
    /// Returns the length of the trace in cycles, as the payload states it. Returns nullopt for flatbuf. A JSON payload
    /// may state the length after the events; until then it is unknown.
    std::optional<std::uint64_t> total_cycles() const noexcept { return total_cycles_; }
    /// Returns the number of events, as the payload states it; only for bincode.
    std::optional<std::uint64_t> stated_events() const noexcept { return stated_events_; }

    /// Reads the next event. Returns false at the end, after reporting all findings.
    bool next(Event& event);
    /// Returns the next bytes of an opaque payload; empty at the end.
    std::span<const std::byte> next_bytes();

    /// Skips to the end of the payload and reports the remaining findings.
    void skip() {
        if (!ended_) end();
    }

    /// Appends the place before the next event. Returns false and appends nothing if there is none.
    bool save_place(Appender& out) const;
    /// Continues where another scan of the same file called save_place(). Returns false and changes nothing if the file
    /// lacks this place. Throws Truncated or Failure::input if the bytes are wrong. The checksum is taken for right.
    bool restore_place(Cursor& in);
    /// Appends the place of the name table, which takes time to find; see Resumable::save_survey().
    void save_survey(Appender& out) const;

    std::uint64_t position() const noexcept { return bytes_->offset(); }
    Facts facts() const;

private:
    /// A fault that many events may share. It is reported once, with the number of events.
    struct Tally {
        Check check;
        std::uint64_t count = 0;
        Finding first{};
    };

    void read_prefix();
    void open_payload(const Settings& settings);
    std::optional<Trailer> surveyed_trailer(const Settings& settings) const;
    /// The reason why an event cannot be read.
    struct Fault {
        Check check = Check::events_missing;
        std::uint64_t offset = 0;
        std::string expected, got;
        bool may_be_cut = false;  ///< if the file is cut, the event may be whole in the original
    };
    /// Returns the beginning of `text`, quoted and escaped for a message.
    static std::string shown(std::string_view text);
    bool next_bincode(Event& event);
    bool expects_bincode() const;
    std::uint64_t parse_bincode(Event& event);
    bool is_usual(const Event& event) const;
    bool has_damaged_core(const Event& event);
    bool is_damaged(const Event& event, std::uint64_t size);
    bool is_honest(std::uint64_t text_at, std::uint64_t length, bool is_type) const;
    void number_type(Event& event);
    void learn(std::string type, std::uint32_t number);
    EventForm form(std::uint64_t cores) const { return EventForm(layout_, cores, own_types_); }
    bool resume(Fault fault);
    Fault missing(std::uint64_t at) const;
    std::optional<std::uint64_t> next_known_event(std::uint64_t from);
    bool next_flat(Event& event);
    /// Returns the number by which the name table refers to the event at event_at_.
    std::uint64_t flat_number() const noexcept { return (event_at_ - payload_begin_) / flat_event_size; }
    bool next_json(Event& event);
    /// Reports a finding after which no more events can be read. Returns false.
    bool stop(Check check, std::uint64_t offset, std::string expected, std::string got);
    /// Returns true if check_event() may report something.
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
    std::uint64_t payload_begin_ = 0, payload_end_ = 0;  ///< not beyond the end of the file
    bool whole_ = true;                                  ///< the file contains the whole payload
    Layout layout_ = Layout::opaque;
    std::unique_ptr<PayloadBytes> bytes_;
    unsigned jobs_;
    std::optional<BackgroundChecksum> background_;
    EventTypes types_{limits_};
    std::optional<std::uint64_t> total_cycles_, stated_events_;
    Fault fault_;                         ///< the reason why the last event cannot be read
    bool resumed_ = false;                ///< damaged bytes were skipped, so that the number of events left is unknown
    std::optional<bool> sound_;           ///< see holds_whole_events(); none: not examined yet
    std::optional<bool> changed_;         ///< the checksum of the payload is wrong; none: not computed yet
    std::uint64_t trusted_cores_ = 0;     ///< core numbers below this are plausible
    std::string_view type_;               ///< type of the last event; valid as long as its bytes
    std::vector<bool> known_type_;        ///< by number in types_: a known type, or one of own_types_
    std::vector<std::string> own_types_;  ///< types that an event had which another event followed
    std::optional<std::uint64_t> next_known_ = 0;  ///< the last result of next_known_event()
    Trailer trailer_;
    std::optional<EventNames> names_;
    std::string flat_name_;  ///< name of the last event
    std::optional<JsonPayload> json_;

    std::uint64_t events_ = 0;
    std::uint64_t last_start_ = 0;
    std::uint64_t cycles_ = 0;       ///< trace.cycles; the maximum value if missing or 0
    std::uint64_t cores_ = 0;        ///< trace.cores; the maximum value if missing or 0
    std::uint32_t known_types_ = 0;  ///< number of entries of types_ that have been checked
    std::vector<Tally> tallies_;
    std::optional<std::uint64_t> named_event_;  ///< last event with a name
    std::uint64_t event_at_ = 0;
    bool broken_ = false;  ///< the payload cannot be read to its end
    bool ended_ = false;
    enum class Checksum : std::uint8_t { none, unchecked, right, wrong } checksum_ = Checksum::none;
};

}  // namespace hwtrace::pccx

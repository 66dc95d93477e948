// pipeline/passage.hpp - what a lowering takes along: how a source's events, notes, native records and tables go on in
// its target, which has events and tables only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The strings of one schema as strings of another; each is looked up once.
class TextTranslation {
public:
    /// Both outlive the translation.
    TextTranslation(const Schema& from, Schema& to) : from_(from), to_(to) {}
    StringId operator()(StringId id) {
        if (id < translated_.size() && translated_[id] != none) [[likely]]
            return translated_[id];
        return look_up(id);
    }

private:
    StringId look_up(StringId id);

    const Schema& from_;
    Schema& to_;
    std::vector<StringId> translated_;  // by id in from_
};

/// Which of the fields are text; empty when none is.
std::vector<bool> text_fields(std::span<const Field> fields);
/// Whether only the format of that name understands the track: it is called "<format>.…".
bool belongs_to(const Track& track, std::string_view format) noexcept;
/// True when the track's only field is a text of that name, as in an event that stands for a note.
bool has_only_text(const Track& track, std::string_view name) noexcept;

/// The bytes that append_hex_digits() made digits of; a digit without its pair is left out.
void append_bytes_of_hex(std::string_view digits, std::vector<std::byte>& bytes);

/// The way of every track of a source through a lowering. Called for the tracks in order, skip() or declare() for each.
/// An event stays an event of the same name; one with repeated fields gets a field that counts its rows, and each row
/// is an event "<name>.row" behind it. A relation becomes an event of the same fields, a note one with the text as its
/// only field, a native record one with its bytes in hexadecimal. A storage stays what it is.
class TrackMaps {
public:
    /// `source` and `target` outlive this object.
    TrackMaps(const Schema& source, Schema& target) : target_(target), translate_(source, target) {}

    /// The records of the next source track take no passage.
    void skip() { track_maps_.emplace_back(); }
    /// Declares in the target what the next source track becomes, in picoseconds, in scope `scope` of the target.
    void declare(const Track& track, ScopeId scope);

    /// Appends what becomes of `record`, at `time`, in flags not the first of a frame; false when it takes no passage.
    bool pass(const Batch& in, const Record& record, Tick time, Batch& out);

    StringId translated(StringId id) { return translate_(id); }

private:
    struct TrackMap {
        enum class Way : std::uint8_t { skipped, event, event_with_rows, note, native, storage } way = Way::skipped;
        TrackId target = none;
        TrackId row = none;
        std::uint32_t fixed = 0;            ///< leading cells that are not repeated
        std::uint32_t row_width = 0;        ///< cells of one row
        std::vector<bool> text;             ///< which fields are text, when any is
        std::vector<bool> text_properties;  ///< of a storage
    };
    void translate(const TrackMap& track_map, std::size_t first_field, std::span<std::uint64_t> cells);
    void pass_rows(const Batch& in, const Record& record, const TrackMap& track_map, Tick time, Batch& out);
    void pass_operation(const Batch& in, const Record& record, const TrackMap& track_map, Tick time, Batch& out);

    Schema& target_;
    TextTranslation translate_;
    std::vector<TrackMap> track_maps_;  // by source track
    std::string hex_;                   // reused
};

}  // namespace hwtrace

// convert/track_map.hpp - carries events, notes, native records and storages of a source through a lowering to a
// target with events and storages only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Translates string ids of one schema to another schema. Looks up each string once.
class TextTranslation {
public:
    /// Both schemas must outlive this object.
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

/// Returns one value per field: true for strings. The result is empty if no field is a string.
std::vector<bool> text_fields(std::span<const Field> fields);
/// Returns true if the track's only field is a string with this name, as in an event that represents a note.
bool has_only_text(const Track& track, std::string_view name) noexcept;

/// Appends the bytes that append_hex_digits() wrote as digits. Ignores an unpaired last digit.
void append_bytes_of_hex(std::string_view digits, std::vector<std::byte>& bytes);

/// Maps all tracks of a source. Call skip() or declare() for every track in order. An event keeps its name. An event
/// with repeated fields gets a field that counts its rows, and each row follows as an event "<name>.row". A relation
/// becomes an event with the same fields. A note becomes an event with the text as its only field, a native record an
/// event with its bytes in hexadecimal. A storage stays a storage.
class TrackMaps {
public:
    /// `source` and `target` must outlive this object.
    TrackMaps(const Schema& source, Schema& target) : target_(target), translate_(source, target) {}

    /// Drops the records of the next source track.
    void skip() { track_maps_.emplace_back(); }
    /// Declares the target track for the next source track, in picoseconds, in scope `scope` of the target.
    void declare(const Track& track, ScopeId scope);

    /// Appends the records for `record` at `time`, without record_first_of_frame. Returns false if its track was
    /// skipped.
    bool pass(const Batch& in, const Record& record, Tick time, Batch& out);
    /// Does the same, but keeps record_first_of_frame.
    bool pass_with_frame(const Batch& in, const Record& record, Tick time, Batch& out);

    StringId translated(StringId id) { return translate_(id); }

private:
    struct TrackMap {
        enum class Way : std::uint8_t { skipped, event, event_with_rows, note, native, storage } way = Way::skipped;
        TrackId target = none;
        TrackId row = none;
        std::uint32_t fixed = 0;            ///< number of leading cells that are not repeated
        std::uint32_t row_width = 0;        ///< cells of one row
        std::vector<bool> text;             ///< which fields are strings; empty if none is
        std::vector<bool> text_properties;  ///< the same for properties of a storage
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

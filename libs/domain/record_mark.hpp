// domain/record_mark.hpp - the mark of a trace whose records were made into signals: the tracks of the source, and the
// signals that were made from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// The order of the source's records, and whether the target keeps it.
enum class RecordOrder : std::uint8_t {
    by_time,          ///< times never decrease, and the target keeps the order
    by_time_counted,  ///< times never decrease, but the target reorders records
    any,
};

/// The contents of the mark (conventions::record_source), besides the source's tracks.
struct RecordMark {
    std::string_view format;  ///< name of the target format
    RecordOrder order = RecordOrder::by_time;
    std::vector<bool> passes = {};  ///< by track: true if it was not made into a signal; empty: all were

    /// Returns true if each made signal has a last member that counts records.
    bool counts() const noexcept { return order != RecordOrder::by_time; }
    /// Returns true if the track is in the trace as it was in the source.
    bool passes_on(std::size_t track) const noexcept { return track < passes.size() && passes[track]; }

    /// Returns the text of the mark for the clocks, scopes, enums and tracks of `objects`.
    std::string text(const Schema& objects) const;
    /// Parses the mark of `schema`, which must outlive the result, and declares its objects in `objects`, which must be
    /// empty. Returns nullopt if the mark is missing or invalid.
    static std::optional<RecordMark> read(const Schema& schema, Schema& objects);
};

/// Returns the members that precede the members for a track's fields.
std::vector<Field> first_members(const Track& track);

/// Returns the members of the structure that holds a track's records, except the record count. Declares the enums of
/// instructions in `schema` unless it is null.
std::vector<Field> members_of(const Track& track, Schema* schema);

/// Returns the signal for the records of a track. With `counts`, its last member counts records. Declares the enums of
/// instructions in `schema` unless it is null.
Track signal_of(const Track& track, bool counts, Schema* schema);

/// Returns one value per signal of a trace, in order: true if the mark states that the signal was made from other
/// records.
std::vector<bool> signals_of_records(const Schema& schema);

/// The tracks that a mark states, and the signals that were made from them.
struct MarkedTracks {
    RecordMark mark;
    Schema objects;              ///< the clocks, scopes, enums and tracks of the source
    std::vector<Track> signals;  ///< by track: its signal, without enums; the track itself if it was passed on

    /// Reads the mark of `schema`. Returns nullopt if the mark is missing or invalid.
    static std::optional<MarkedTracks> of(const Schema& schema);
};

}  // namespace hwtrace

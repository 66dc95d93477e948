// codec/chosen_records.hpp - the records of a file that belong to a slice, for views that read the file themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/reader.hpp"
#include "codec/settings.hpp"

namespace hwtrace {

/// A set of record indexes that grows by need: one bit per record of the file.
class ChosenRecords {
public:
    ChosenRecords() = default;
    /// Reads `whole` to the end of the slice in Settings::part, which must be set, and stores which records the slice
    /// has. Records are numbered from 0 as `whole` delivers them.
    ChosenRecords(Reader& whole, const Settings& settings);

    /// Adds a record. Throws Failure::limit if the set would exceed Limits::block.
    void add(std::uint64_t record, const Limits& limits);
    /// Returns true if the slice has the record.
    bool has(std::uint64_t record) const noexcept { return record < records_.size() && records_[record]; }
    /// Returns true for a track of `whole` of which the slice has records, and for others of the same kind, scope and
    /// name.
    bool has_track(TrackId track) const noexcept { return track < tracks_.size() && tracks_[track]; }
    /// Returns the number of the record behind the last one of the slice.
    std::uint64_t end() const noexcept { return records_.size(); }

private:
    void add_tracks(const Schema& whole, const Schema& part, const std::vector<bool>& met);

    std::vector<bool> records_;
    std::vector<bool> tracks_;
};

}  // namespace hwtrace

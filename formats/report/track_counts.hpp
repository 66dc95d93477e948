// formats/report/track_counts.hpp - the records of each kind and of each track.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "json_stream.hpp"
#include "model/record.hpp"
#include "model/record_kinds.hpp"
#include "model/schema.hpp"
#include "time_scale.hpp"

namespace hwtrace::report {

class TrackCounts {
public:
    explicit TrackCounts(const Schema& schema) : schema_(schema), tracks_(schema.tracks().size()) {}

    void add(const Record& record) {
        ++kinds_[static_cast<std::size_t>(record.kind)];
        Count& count = tracks_[record.track];
        if (count.records++ == 0) count.first = count.last = record.time;
        if (record.time < count.first) count.first = record.time;
        if (record.time > count.last) count.last = record.time;
    }
    std::uint64_t of(TrackId track) const noexcept { return tracks_[track].records; }
    /// Writes the members "records", "kinds", "scopes", "tracks" and "tracks_omitted".
    void write(JsonStream& json) const;

private:
    struct Count {
        std::uint64_t records = 0;
        Tick first = 0, last = 0;
    };

    const Schema& schema_;
    std::array<std::uint64_t, 10> kinds_{};  ///< by Kind
    std::vector<Count> tracks_;
};

}  // namespace hwtrace::report

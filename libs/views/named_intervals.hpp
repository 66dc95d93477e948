// views/named_intervals.hpp - the durations of intervals by their names, such as API calls or bus commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "domain/length_summary.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

struct DurationsByName {
    /// The intervals of a name, on all tracks of a type (name of the track).
    struct OfName {
        TrackId type_track = none;  ///< the track of the type that was used first
        std::string type, name;
        LengthSummary durations;
    };
    std::vector<OfName> names;  ///< by type in order of declaration; the names with the longest total first
    std::uint64_t omitted = 0;  ///< intervals of names beyond the first 256

    static constexpr std::size_t most_names = 256;
};

/// Measures the durations in one pass and in bounded memory; see name_field_of().
class NamedIntervalMeter {
public:
    /// `schema` and `histograms` must outlive the meter. The schema may grow.
    NamedIntervalMeter(const Schema& schema, HistogramBudget& histograms) : schema_(schema), histograms_(histograms) {}

    void add(const Batch& batch);
    /// Appends the statistics of a shard.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. `schema`, that of the whole trace, gets the texts of the names.
    void add(StateIn& in, Schema& schema);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept {
        return omitted_ == 0 ? std::string_view() : "there are more than 256 of them";
    }
    /// Returns nullopt if no interval has a name.
    std::optional<DurationsByName> result() const;

private:
    static constexpr std::size_t most_names = DurationsByName::most_names;

    struct OfTrack {
        std::size_t fields = 0;      // the number of fields that are known
        std::uint32_t field = none;  // the name of an interval
        std::uint32_t type = none;   // index in types_
        std::uint64_t latest = 0;    // the name of the latest interval, and its durations
        LengthMeter* durations = nullptr;
    };

    /// Tracks of one name whose intervals have names of one type, and of one enum.
    struct OfType {
        TrackId track = none;        // the first one of them
        std::uint32_t field = none;  // its field with the name
    };

    /// Looks for the field with the name, if the track has new fields.
    void learn(OfTrack& of_track, TrackId track);
    std::uint32_t type_of(TrackId track, std::uint32_t field);
    LengthMeter* durations_of(const std::pair<std::uint32_t, std::uint64_t>& key);

    const Schema& schema_;
    HistogramBudget& histograms_;
    std::vector<OfTrack> tracks_;
    std::vector<OfType> types_;
    std::map<std::tuple<std::string, Type, EnumId>, std::uint32_t> numbers_;  // indexes in types_
    std::map<std::pair<std::uint32_t, std::uint64_t>, LengthMeter> names_;    // by type and cell of the name
    std::uint64_t omitted_ = 0;
};

}  // namespace hwtrace

// compare/correspondence.hpp - the corresponding tracks of two traces, and a common unit for their times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/interval_time.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The indexes of the two traces of a comparison.
inline constexpr std::array<std::size_t, 2> both_sides{0, 1};

/// Parts of traces that are not compared (--ignore).
struct Ignored {
    bool metadata = false, schema = false, time = false, order = false;
    std::vector<std::string> keys;            ///< patterns of metadata keys
    std::vector<std::string> scopes, tracks;  ///< patterns of names and paths
    std::vector<std::string> fields;          ///< patterns of names of fields, attributes and instruction parts
    std::vector<Kind> kinds;

    bool has_kind(Kind kind) const noexcept;
    bool has_field(std::string_view name) const noexcept;
    bool has_key(std::string_view key) const noexcept;
};

/// Parses "metadata", "metadata=GLOB", "schema", "time", "order", "native", "scope=GLOB", "track=GLOB", "field=GLOB"
/// and "kind=KIND". Throws Failure::usage for anything else.
Ignored parse_ignored(std::span<const std::string> texts);

/// Returns the names of the record parts, besides fields and registers, that `field=GLOB` can ignore on tracks of this
/// kind.
std::span<const std::string_view> parts_of(Track::Kind kind) noexcept;

/// A track of one or both traces. Tracks of the same kind, path and name correspond. If a trace has several such
/// tracks, the nth track corresponds to the nth track of the other trace.
struct CommonTrack {
    Track::Kind kind = Track::Kind::event_type;
    std::string path;                           ///< "root/core0/fetch"
    std::array<TrackId, 2> ids{none, none};     ///< track ids in the two traces
    bool ignored = false;                       ///< the track's records are not compared
    bool comparable = false;                    ///< the times of both tracks have a common unit, or no unit
    std::array<std::uint64_t, 2> factor{1, 1};  ///< ticks of the common unit per tick of each trace
    WideTick tolerance = 0;                     ///< in the common unit

    bool in_both() const noexcept { return ids[0] != none && ids[1] != none; }
};

/// Maps tracks and names of both traces to common ids. The first trace has index 0, the second one 1.
class Correspondence {
public:
    struct Options {
        std::uint64_t tolerance_ps = 0;
        std::optional<std::uint64_t> period_ps{};  ///< length of a cycle, if the trace does not state it
        bool relations_have_time = true;           ///< false: relations have no time; their times are not compared
    };

    /// `ignored` must outlive this object.
    Correspondence(const Ignored& ignored, Options options) : ignored_(ignored), options_(options) {}

    /// Sets the schemas that the next calls refer to. They must stay valid until read() is called again or this object
    /// is destroyed. If a trace is read again, its schema must declare the same objects.
    void read(const Schema& first, const Schema& second) noexcept { schemas_ = {&first, &second}; }
    const Schema& schema(std::size_t side) const noexcept { return *schemas_[side]; }

    /// Returns the common id of a track.
    std::uint32_t number_of(std::size_t side, TrackId track) {
        if (track < numbers_[side].size()) [[likely]]
            return numbers_[side][track];
        return declare(side, track);
    }
    const CommonTrack& track(std::uint32_t number) const noexcept { return tracks_[number]; }
    const std::vector<CommonTrack>& tracks() const noexcept { return tracks_; }

    /// Returns the common id of a name.
    std::uint32_t name(std::string_view name);
    const std::string& name(std::uint32_t number) const noexcept { return names_[number]; }

    const Ignored& ignored() const noexcept { return ignored_; }
    /// Notes that an ignored kind, or an ignored part of an instruction, has occurred.
    void meet(Kind kind) { met_.kinds.push_back(kind); }
    void meet_field(std::string name) { met_.fields.push_back(std::move(name)); }
    /// Returns the ignored items that occur in neither trace, in the syntax of parse_ignored(): "track=nosuch". The
    /// result never contains "metadata", "schema", "time", "order" or "native". Call it after both traces were read.
    std::vector<std::string> unmet() const;

private:
    std::uint32_t declare(std::size_t side, TrackId track);
    bool is_ignored(const Schema& schema, const Track& track, std::string_view path) const;
    void relate_times(CommonTrack& common) const;
    std::optional<Ratio> tick_of(std::size_t side, const Track& track) const;

    const Ignored& ignored_;
    Ignored met_;  // ignored items that occurred in the records
    Options options_;
    std::array<const Schema*, 2> schemas_{};
    std::array<std::vector<std::uint32_t>, 2> numbers_;  // by TrackId
    std::vector<CommonTrack> tracks_;
    HashMap<std::string, std::uint32_t> by_key_;
    std::array<HashMap<std::string, std::uint32_t>, 2> occurrences_;
    std::vector<std::string> names_;
    HashMap<std::string, std::uint32_t> by_name_;
};

}  // namespace hwtrace

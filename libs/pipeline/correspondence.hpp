// pipeline/correspondence.hpp - which tracks of two traces are the same, and how their times compare.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/interval_time.hpp"

namespace hwtrace {

/// The traces of a comparison by their numbers.
inline constexpr std::array<std::size_t, 2> both_sides{0, 1};

/// What of two traces is not compared (--ignore).
struct Ignored {
    bool metadata = false, schema = false, time = false, order = false;
    std::vector<std::string> keys;            ///< patterns of metadata keys
    std::vector<std::string> scopes, tracks;  ///< patterns of names and paths
    std::vector<std::string> fields;          ///< patterns of fields, attributes and parts of instructions
    std::vector<Kind> kinds;

    bool has_kind(Kind kind) const noexcept;
    bool has_field(std::string_view name) const noexcept;
    bool has_key(std::string_view key) const noexcept;
};

/// One of "metadata", "metadata=GLOB", "schema", "time", "order", "native", "scope=GLOB", "track=GLOB", "field=GLOB",
/// "kind=KIND" each. Throws Failure::usage for anything else.
Ignored parse_ignored(std::span<const std::string> texts);

/// The names by which `field=GLOB` knows what is compared of records on such tracks, besides fields and registers.
std::span<const std::string_view> parts_of(Track::Kind kind) noexcept;

/// A track that one trace has, or both have: the same kind, path and name. Of several such tracks of one trace, the
/// first is that of the first.
struct CommonTrack {
    Track::Kind kind = Track::Kind::event_type;
    std::string path;                           ///< "root/core0/fetch"
    std::array<TrackId, 2> ids{none, none};     ///< in the two traces
    bool ignored = false;                       ///< its records are not compared
    bool comparable = false;                    ///< times of both are of one unit, or of none
    std::array<std::uint64_t, 2> factor{1, 1};  ///< ticks of the two in a common unit
    WideTick tolerance = 0;                     ///< in the common unit

    bool in_both() const noexcept { return ids[0] != none && ids[1] != none; }
};

/// The first trace is 0, the second one 1.
class Correspondence {
public:
    struct Options {
        std::uint64_t tolerance_ps = 0;
        std::optional<std::uint64_t> period_ps{};  ///< of cycles that do not say how long they are
        bool relations_have_time = true;           ///< false: theirs is that of the record before them
    };

    /// `ignored` outlives this object.
    Correspondence(const Ignored& ignored, Options options) : ignored_(ignored), options_(options) {}

    /// The schemas that tracks are of from now on; they outlive this object, or the next call of this. Those of a
    /// trace that is read again declare the same.
    void read(const Schema& first, const Schema& second) noexcept { schemas_ = {&first, &second}; }
    const Schema& schema(std::size_t side) const noexcept { return *schemas_[side]; }

    /// The number of what the track of that trace is in both.
    std::uint32_t number_of(std::size_t side, TrackId track) {
        if (track < numbers_[side].size()) [[likely]]
            return numbers_[side][track];
        return declare(side, track);
    }
    const CommonTrack& track(std::uint32_t number) const noexcept { return tracks_[number]; }
    const std::vector<CommonTrack>& tracks() const noexcept { return tracks_; }

    /// The number of a name, the same for both.
    std::uint32_t name(std::string_view name);
    const std::string& name(std::uint32_t number) const noexcept { return names_[number]; }

    const Ignored& ignored() const noexcept { return ignored_; }
    /// Of what only records tell: a kind, or a part of an instruction, that is ignored was there.
    void meet(Kind kind) { met_.kinds.push_back(kind); }
    void meet_field(std::string name) { met_.fields.push_back(std::move(name)); }
    /// Of what is ignored, that which neither trace has, as parse_ignored() takes it: "track=nosuch". The general words
    /// (metadata, schema, time, order, native) are never among them. When both have been read.
    std::vector<std::string> unmet() const;

private:
    std::uint32_t declare(std::size_t side, TrackId track);
    bool is_ignored(const Schema& schema, const Track& track, std::string_view path) const;
    void relate_times(CommonTrack& common) const;
    std::optional<Ratio> tick_of(std::size_t side, const Track& track) const;

    const Ignored& ignored_;
    Ignored met_;  // of what records tell
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

#include "compare/correspondence.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "domain/conventions.hpp"
#include "domain/durations.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "select/criteria.hpp"

namespace hwtrace {

namespace {

__extension__ using Wide = unsigned __int128;

bool fits_any(const std::vector<std::string>& patterns, std::string_view text) noexcept {
    return std::ranges::any_of(patterns, [&](const std::string& pattern) { return fits_pattern(text, pattern); });
}

[[noreturn]] void reject(std::string_view text) {
    fail(Failure::usage, "--ignore " + std::string(text) +
                             ": expected metadata, metadata=KEY, schema, time, order, native, scope=NAME, track=NAME, "
                             "field=NAME or kind=KIND; * stands for any characters");
}

}  // namespace

std::span<const std::string_view> parts_of(Track::Kind kind) noexcept {
    static constexpr std::array<std::string_view, 8> of_instructions{"pc",    "encoding", "size", "target",
                                                                     "order", "invalid",  "read", "write"};
    static constexpr std::array<std::string_view, 1> of_intervals{"duration"};
    static constexpr std::array<std::string_view, 1> of_signals{"mark"};
    switch (kind) {
        case Track::Kind::hart:
            return of_instructions;
        case Track::Kind::stream:
            return of_intervals;
        case Track::Kind::signal:
            return of_signals;
        case Track::Kind::event_type:
        case Track::Kind::storage:
        case Track::Kind::relation_type:
        case Track::Kind::notes:
        case Track::Kind::native:
            break;
    }
    return {};
}

bool Ignored::has_kind(Kind kind) const noexcept {
    return std::ranges::find(kinds, kind) != kinds.end();
}

bool Ignored::has_field(std::string_view name) const noexcept {
    return fits_any(fields, name);
}

bool Ignored::has_key(std::string_view key) const noexcept {
    return metadata || fits_any(keys, key);
}

Ignored parse_ignored(std::span<const std::string> texts) {
    Ignored ignored;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string key = text.substr(0, equals);
        if (equals == std::string::npos) {
            if (key == "metadata")
                ignored.metadata = true;
            else if (key == "schema")
                ignored.schema = true;
            else if (key == "time")
                ignored.time = true;
            else if (key == "order")
                ignored.order = true;
            else if (key == "native")
                ignored.kinds.push_back(Kind::native);
            else
                reject(text);
            continue;
        }
        const std::string value = text.substr(equals + 1);
        if (value.empty()) reject(text);
        if (key == "metadata")
            ignored.keys.push_back(value);
        else if (key == "scope")
            ignored.scopes.push_back(value);
        else if (key == "track")
            ignored.tracks.push_back(value);
        else if (key == "field")
            ignored.fields.push_back(value);
        else if (key == "kind") {
            const std::vector<Kind> kinds = parse_criteria(text).records.kinds;
            ignored.kinds.insert(ignored.kinds.end(), kinds.begin(), kinds.end());
        } else {
            reject(text);
        }
    }
    return ignored;
}

std::uint32_t Correspondence::name(std::string_view name) {
    const auto [at, is_new] = by_name_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.emplace_back(name);
    return at->second;
}

std::uint32_t Correspondence::declare(std::size_t side, TrackId id) {
    const Schema& schema = *schemas_[side];
    while (numbers_[side].size() <= id) {
        const auto next = static_cast<TrackId>(numbers_[side].size());
        const Track& track = schema.tracks()[next];
        const std::string path = name_in(path_of(schema, track.scope), track.name);
        std::string key(name_of(track.kind));
        key.append(" ").append(path);
        const std::uint32_t occurrence = occurrences_[side][key]++;
        key.append(1, '\0').append(std::to_string(occurrence));
        const auto [at, is_new] = by_key_.try_emplace(key, static_cast<std::uint32_t>(tracks_.size()));
        if (is_new) {
            CommonTrack& common = tracks_.emplace_back();
            common.kind = track.kind;
            common.path = path;
            common.ignored = is_ignored(schema, track, path);
        }
        CommonTrack& common = tracks_[at->second];
        common.ids[side] = next;
        if (common.in_both()) relate_times(common);
        numbers_[side].push_back(at->second);
    }
    return numbers_[side][id];
}

bool Correspondence::is_ignored(const Schema& schema, const Track& track, std::string_view path) const {
    if (fits_any(ignored_.tracks, track.name) || fits_any(ignored_.tracks, path)) return true;
    return any_upwards(schema, track.scope, [&](ScopeId up) {
        return fits_any(ignored_.scopes, schema.scopes()[up].name) || fits_any(ignored_.scopes, path_of(schema, up));
    });
}

std::vector<std::string> Correspondence::unmet() const {
    Ignored met = met_;
    for (const Schema* const schema : schemas_) {
        for (const Metadata& fact : schema->metadata())
            met.keys.push_back(fact.key);
        for (ScopeId id = 0; id < schema->scopes().size(); ++id) {
            met.scopes.push_back(schema->scopes()[id].name);
            met.scopes.push_back(path_of(*schema, id));
        }
        for (const Track& track : schema->tracks()) {
            met.tracks.push_back(track.name);
            met.tracks.push_back(name_in(path_of(*schema, track.scope), track.name));
            for (const std::string_view part : parts_of(track.kind))
                met.fields.emplace_back(part);
            for (const auto* const fields : {&track.fields, &track.properties})
                for (const Field& field : *fields)
                    met.fields.push_back(field.name);
        }
    }
    std::vector<std::string> left;
    const auto look = [&](std::string_view key, const std::vector<std::string>& patterns,
                          const std::vector<std::string>& names) {
        for (const std::string& pattern : patterns)
            if (std::ranges::none_of(names, [&](const std::string& name) { return fits_pattern(name, pattern); }))
                left.push_back(std::string(key).append("=").append(pattern));
    };
    look("metadata", ignored_.keys, met.keys);
    look("scope", ignored_.scopes, met.scopes);
    look("track", ignored_.tracks, met.tracks);
    look("field", ignored_.fields, met.fields);
    for (const Kind kind : ignored_.kinds)
        if (kind != Kind::native && !met.has_kind(kind)) left.push_back(std::string("kind=").append(name_of(kind)));
    return left;
}

std::optional<Ratio> Correspondence::tick_of(std::size_t side, const Track& track) const {
    if (has_duration(track.time)) return Ratio{track.time.num, track.time.den}.reduced();
    if (track.time.kind != TimeBase::Kind::cycles) return std::nullopt;
    std::uint64_t period = period_of(*schemas_[side], track.scope);
    if (period == 0) period = options_.period_ps.value_or(0);
    if (period == 0) return std::nullopt;
    return Ratio{period, picoseconds_per_second}.reduced();
}

void Correspondence::relate_times(CommonTrack& common) const {
    const std::array<const Track*, 2> tracks{&schemas_[0]->tracks()[common.ids[0]],
                                             &schemas_[1]->tracks()[common.ids[1]]};
    common.comparable = false;
    // Positions of instructions, and of records between them, are not compared: one missing instruction would shift all
    // later ones.
    const auto is_position = [&](std::size_t side) {
        return tracks[side]->time.kind == TimeBase::Kind::ordinal &&
               std::ranges::any_of(schemas_[side]->tracks(),
                                   [](const Track& track) { return track.kind == Track::Kind::hart; });
    };
    if (is_position(0) && is_position(1)) return;
    if (common.kind == Track::Kind::relation_type && !options_.relations_have_time) return;
    std::array<std::optional<Ratio>, 2> ticks{tick_of(0, *tracks[0]), tick_of(1, *tracks[1])};
    // One trace may have cycles of unknown length, while the other was rescaled from cycles to time. The period of the
    // rescaling is then also the cycle length of the first trace.
    for (const std::size_t side : both_sides) {
        const std::size_t other = 1 - side;
        if (ticks[side] || !ticks[other] || schemas_[other]->metadata(conventions::rescaled) == nullptr) continue;
        if (tracks[side]->time.kind != TimeBase::Kind::cycles) continue;
        const std::uint64_t period = period_of(*schemas_[other], tracks[other]->scope);
        if (period != 0) ticks[side] = Ratio{period, picoseconds_per_second}.reduced();
    }
    if (!ticks[0] && !ticks[1]) {
        common.comparable = tracks[0]->time.kind == tracks[1]->time.kind;
        return;
    }
    if (!ticks[0] || !ticks[1]) return;
    // The common unit is 1/(least common multiple of both denominators) seconds.
    const std::uint64_t divisor = std::gcd(ticks[0]->den, ticks[1]->den);
    constexpr Wide most = Wide{1} << 62;  // the product with a start time of up to 2^64 fits in 128 bits
    const Wide unit = static_cast<Wide>(ticks[0]->den / divisor) * ticks[1]->den;
    for (const std::size_t side : both_sides) {
        const Wide ratio = ticks[1 - side]->den / divisor;
        if (ratio > most / ticks[side]->num) return;
        common.factor[side] = static_cast<std::uint64_t>(ratio * ticks[side]->num);
    }
    if (options_.tolerance_ps != 0) {
        if (unit > most) return;
        const Wide tolerance = unit / picoseconds_per_second * options_.tolerance_ps +
                               unit % picoseconds_per_second * options_.tolerance_ps / picoseconds_per_second;
        common.tolerance = static_cast<WideTick>(tolerance);
    }
    common.comparable = true;
}

}  // namespace hwtrace

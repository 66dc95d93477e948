#include "declarations.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "domain/conventions.hpp"
#include "domain/durations.hpp"
#include "domain/interval_identity.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "model/hash.hpp"
#include "statement.hpp"

namespace hwtrace::txlog {

namespace {

namespace names = conventions;

constexpr std::uint64_t femtoseconds_per_second = 1'000'000'000'000'000;
constexpr TimeBase femtosecond_base{TimeBase::Kind::seconds, 1, femtoseconds_per_second};
/// The time base that is assumed if the length of a tick is unknown.
constexpr TimeBase assumed_base{TimeBase::Kind::seconds, 1, 1'000'000'000};
/// The name of the stream for generators without a scope.
constexpr std::string_view stray_stream = "trace";
/// The most begin attributes, and the most end attributes, that a generator declares. Every transaction has a line for
/// each of them, even if it lacks the attribute. Further attributes are recorded ones, which take no space if missing.
constexpr std::size_t most_declared = 128;

/// Returns the length of a tick in units of 1 / `per_second` seconds.
Ratio scale_of(const TimeBase& base, std::uint64_t per_second) {
    const Ratio seconds = Ratio{base.num, base.den}.reduced();
    const std::uint64_t common = std::gcd(per_second, seconds.den);
    Ratio scale{0, seconds.den / common};
    if (__builtin_mul_overflow(seconds.num, per_second / common, &scale.num))
        fail(Failure::input, "a tick of this trace is too long for a transaction log");
    return scale;
}

/// Returns the path of a nested scope: "a.b.c".
std::string dotted_path(const Schema& schema, ScopeId id) {
    std::string path;
    any_upwards(schema, id, [&](ScopeId up) {
        const std::string& name = schema.scopes()[up].name;
        path = up == id && path.empty() ? name : name + '.' + path;
        return false;
    });
    return path;
}

/// Returns true if every wanted object has an id and no id occurs twice.
template <typename Range, typename Wanted>
bool have_own_numbers(const Range& range, Wanted&& wanted) {
    HashSet<std::uint64_t> seen;
    return std::all_of(range.begin(), range.end(), [&](const auto& object) {
        return !wanted(object) || (object.native_id && seen.insert(*object.native_id).second);
    });
}

class Declaring {
public:
    Declaring(const Schema& schema, const Lose& lose) : schema_(schema), lose_(lose) {}

    Declarations take() {
        for (const Metadata& fact : schema_.metadata())
            if (fact.key != names::ftr_epoch || fact.value != names::ftr_no_epoch)
                lose_(Loss::metadata_dropped, fact.key, std::string_view(fact.value).substr(0, 80));
        for (const Clock& clock : schema_.clocks())
            lose_(Loss::part_dropped, clock.name, "a log has no clocks");
        for (const Enum& enumeration : schema_.enums())
            lose_(Loss::part_dropped, enumeration.name, "a log stores labels without their values");
        const auto streams = [](const Track& track) { return track.kind == Track::Kind::stream; };
        made_.has_ids = std::all_of(schema_.tracks().begin(), schema_.tracks().end(),
                                    [&](const Track& track) { return !streams(track) || states_numbers(track); });
        choose_unit();
        declare_streams();
        const bool own_numbers = have_own_numbers(schema_.tracks(), streams);
        for (const Track& track : schema_.tracks()) {
            DeclaredTrack& declared = made_.tracks.emplace_back();
            if (track.kind == Track::Kind::stream) {
                declared.id = own_numbers ? *track.native_id : free_number();
                declare_generator(track, declared);
            } else if (track.kind == Track::Kind::relation_type) {
                declare_relation(track, declared);
            }
        }
        return std::move(made_);
    }

private:
    bool is_written(const Track& track) const noexcept {
        return track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type;
    }

    void choose_unit() {
        std::vector<TimeBase> bases;
        for (const Track& track : schema_.tracks()) {
            const TimeBase base = has_duration(track.time) ? track.time : assumed_base;
            made_.is_clock_assumed = made_.is_clock_assumed || (is_written(track) && !has_duration(track.time));
            const auto known = std::find(bases.begin(), bases.end(), base);
            track_scales_.push_back(static_cast<std::uint32_t>(known - bases.begin()));
            if (known != bases.end()) continue;
            bases.push_back(base);
            if (scale_of(base, picoseconds_per_second).den != 1) made_.exponent = femtoseconds;
        }
        const std::uint64_t per_second =
            made_.exponent == femtoseconds ? femtoseconds_per_second : picoseconds_per_second;
        for (const TimeBase& base : bases)
            made_.scales.push_back(scale_of(base, per_second));
        std::string other;
        made_.is_in_femtoseconds = !schema_.tracks().empty();
        for (const Track& track : schema_.tracks()) {
            if (!is_written(track)) continue;
            made_.is_in_femtoseconds = made_.is_in_femtoseconds && track.time == femtosecond_base;
            if (track.time != picoseconds && other.empty()) other = track.name;
        }
        if (!other.empty() && !made_.is_in_femtoseconds)
            lose_(Loss::part_dropped, timescale, "the ticks of " + other + ": a log is read in picoseconds");
    }

    /// Marks an id as used. New ids start after the largest used id.
    void take(std::uint64_t number) {
        taken_.insert(number);
        if (number != std::numeric_limits<std::uint64_t>::max()) next_number_ = std::max(next_number_, number + 1);
    }
    std::uint64_t free_number() {
        while (taken_.contains(next_number_))
            ++next_number_;
        return next_number_++;
    }

    std::string name(std::string_view given, NameOf what) {
        std::string written = written_name(given, what);
        if (written != given) lose_(Loss::name_changed, given, "it is written as " + written);
        return written;
    }

    void declare_streams() {
        std::vector<bool> used(schema_.scopes().size());
        bool any_stray = false;
        for (const Track& track : schema_.tracks()) {
            if (track.kind == Track::Kind::relation_type && track.scope < used.size())
                lose_(Loss::scope_flattened, track.name, "relations belong to no stream");
            if (track.kind != Track::Kind::stream) continue;
            if (track.scope < used.size())
                used[track.scope] = true;
            else
                any_stray = true;
        }
        for (ScopeId id = 0; id < used.size(); ++id)
            used[id] = used[id] || schema_.scopes()[id].native_id || !schema_.scopes()[id].protocol.empty();
        ScopeId at = 0;
        const bool own_numbers =
            have_own_numbers(schema_.scopes(), [&](const Scope&) { return static_cast<bool>(used[at++]); });
        stream_numbers_.assign(used.size(), 0);
        for (ScopeId id = 0; id < used.size(); ++id) {
            const Scope& scope = schema_.scopes()[id];
            if (!used[id]) {
                lose_(Loss::scope_flattened, scope.name, "a scope without transactions is not a stream");
                continue;
            }
            if (scope.parent != none) lose_(Loss::scope_flattened, scope.name, "streams cannot be nested");
            if (scope.protocol == no_kind)
                lose_(Loss::name_changed, scope.protocol, "a log uses this kind for streams without a kind");
            stream_numbers_[id] = own_numbers ? *scope.native_id : next_number_;
            take(stream_numbers_[id]);
            made_.streams.push_back(
                {stream_numbers_[id], name(dotted_path(schema_, id), NameOf::stream_or_generator),
                 scope.protocol.empty() ? std::string(no_kind) : name(scope.protocol, NameOf::stream_or_generator)});
        }
        if (!any_stray && !made_.streams.empty()) return;
        stray_ = free_number();
        made_.streams.push_back({stray_, std::string(stray_stream), std::string(no_kind)});
        lose_(Loss::scope_flattened, Subject::general(stray_stream),
              "a log starts with a stream, and every generator belongs to one");
    }

    void declare_generator(const Track& track, DeclaredTrack& declared) {
        const auto id = static_cast<std::size_t>(&declared - made_.tracks.data());
        declared.stream = track.scope < stream_numbers_.size() ? stream_numbers_[track.scope] : stray_;
        declared.name = name(track.name, NameOf::stream_or_generator);
        declared.scale = track_scales_[id];
        for (std::uint32_t number = 0; number < track.fields.size(); ++number) {
            const Field& field = track.fields[number];
            Column& column = declared.columns.emplace_back();
            column.type = &transaction_type_of(field.type);
            if (made_.has_ids && number == 0) continue;
            column.name = name(field.name, NameOf::attribute_or_relation);
            if (field.name.empty())
                column.name = no_name;
            else if (field.name == no_name)
                lose_(Loss::name_changed, field.name, "a log uses this name for attributes without a name");
            if (field.type == Type::time) column.type = &transaction_type_of(Type::text);
            column.phase = place(field.phase, number, declared);
            if (column.type->type != field.type)
                lose_(Loss::type_changed, track.name,
                      std::string(field.name).append(" becomes ").append(column.type->name));
            else if (field.phase == Phase::unknown)
                lose_(Loss::type_changed, track.name,
                      std::string(field.name)
                          .append(column.phase == Phase::begin ? " becomes a begin attribute"
                                                               : " becomes a recorded attribute"));
            else if (field.phase != column.phase)
                lose_(Loss::type_changed, track.name,
                      std::string(field.name)
                          .append(" becomes a recorded attribute: the generator declares ")
                          .append(std::to_string(most_declared))
                          .append(" others"));
            else if (field.repeated)
                lose_(Loss::type_changed, track.name,
                      std::string(field.name).append(" is a list: a log does not mark lists"));
        }
        if (!made_.has_ids) lose_(Loss::type_changed, track.name, "its transactions get ids");
    }

    /// Adds a begin or end attribute to the generator if it has room, and returns the attribute's phase in the log.
    static Phase place(Phase phase, std::uint32_t number, DeclaredTrack& declared) {
        if (phase == Phase::record) return phase;
        std::vector<std::uint32_t>& fields = phase == Phase::end ? declared.end : declared.begin;
        if (fields.size() == most_declared) return Phase::record;
        fields.push_back(number);
        return phase == Phase::end ? phase : Phase::begin;
    }

    void declare_relation(const Track& track, DeclaredTrack& declared) {
        const auto id = static_cast<std::size_t>(&declared - made_.tracks.data());
        declared.name = name(track.name, NameOf::attribute_or_relation);
        declared.scale = track_scales_[id];
        for (std::size_t number = 2; number < track.fields.size(); ++number)
            lose_(Loss::field_dropped, track.name, track.fields[number].name);
    }

    const Schema& schema_;
    const Lose& lose_;
    Declarations made_;
    std::vector<std::uint32_t> track_scales_;
    std::vector<std::uint64_t> stream_numbers_;  // by scope
    HashSet<std::uint64_t> taken_;               // ids of streams
    std::uint64_t next_number_ = 1, stray_ = 0;
};

}  // namespace

std::string written_name(std::string_view name, NameOf what) {
    std::string written(name);
    for (char& c : written) {
        const bool is_blank = c == ' ' || c == '\t';
        if (c == '"') c = '\'';
        if (c == '\n' || c == '\r' || (is_blank && what == NameOf::attribute_or_relation)) c = '_';
    }
    return written;
}

Declarations declare(const Schema& schema, const Lose& lose) {
    return Declaring(schema, lose).take();
}

}  // namespace hwtrace::txlog

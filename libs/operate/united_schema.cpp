#include "operate/united_schema.hpp"

#include <algorithm>
#include <utility>

#include "io/error.hpp"

namespace hwtrace {

namespace {

/// Returns the id of an object that `is_equal` accepts and that no id in `taken` names: `preferred` if possible, or
/// else the first one, or `none`.
template <typename Objects, typename IsEqual>
std::uint32_t equal_object(const Objects& objects, std::size_t preferred, const std::vector<bool>& taken,
                           IsEqual&& is_equal) {
    const auto fits = [&](std::size_t id) { return !(id < taken.size() && taken[id]) && is_equal(objects[id]); };
    if (preferred < objects.size() && fits(preferred)) return static_cast<std::uint32_t>(preferred);
    for (std::size_t id = 0; id < objects.size(); ++id)
        if (fits(id)) return static_cast<std::uint32_t>(id);
    return none;
}

/// Marks an id as taken and returns it.
std::uint32_t take(std::uint32_t id, std::vector<bool>& taken) {
    if (id >= taken.size()) taken.resize(id + std::size_t{1});
    taken[id] = true;
    return id;
}

bool has_growing_fields(const Track& track) noexcept {
    return track.kind == Track::Kind::stream || track.kind == Track::Kind::signal;
}

}  // namespace

/// Receives the additions to the source.
struct UnitedSchema::Uniting {
    UnitedSchema& to;

    void clock(ClockId id) {
        const Clock& clock = to.source_.clocks()[id];
        const ClockId same =
            equal_object(to.target_.clocks(), id, to.clocks_taken_, [&](const Clock& other) { return other == clock; });
        to.clocks_.push_back(take(same != none ? same : to.target_.declare(clock), to.clocks_taken_));
    }
    void scope(ScopeId id) {
        Scope scope = to.source_.scopes()[id];
        if (scope.parent != none) scope.parent = to.scopes_[scope.parent];
        if (scope.clock != none) scope.clock = to.clocks_[scope.clock];
        const ScopeId same =
            equal_object(to.target_.scopes(), id, to.scopes_taken_, [&](const Scope& other) { return other == scope; });
        to.scopes_.push_back(take(same != none ? same : to.target_.declare(std::move(scope)), to.scopes_taken_));
    }
    void enumeration(EnumId id) {
        const Enum& source = to.source_.enums()[id];
        const EnumId same = equal_object(to.target_.enums(), id, to.enums_taken_,
                                         [&](const Enum& other) { return other.name == source.name; });
        to.enums_.push_back(take(same != none ? same : to.target_.declare(source), to.enums_taken_));
        for (std::size_t index = 0; same != none && index < source.values.size(); ++index)
            label(id, index);
    }
    void label(EnumId id, std::size_t index) {
        const EnumValue& value = to.source_.enums()[id].values[index];
        const EnumId target = to.enums_[id];
        if (to.target_.label(target, value.value) == nullptr) to.target_.add_label(target, value);
    }
    void track(TrackId id) {
        Track track = to.source_.tracks()[id];
        if (track.scope != none) track.scope = to.scopes_[track.scope];
        for (Field& field : track.fields)
            field = translated(field);
        for (Field& field : track.properties)
            field = translated(field);
        const bool grows = has_growing_fields(track);
        const auto is_equal = [&](const Track& other) {
            const bool same_fields = grows || other.fields == track.fields;
            return same_fields && other.kind == track.kind && other.scope == track.scope && other.name == track.name &&
                   other.time == track.time && other.properties == track.properties && other.slots == track.slots &&
                   other.sparse == track.sparse && other.buffer == track.buffer && other.native_id == track.native_id;
        };
        TargetTrack target{equal_object(to.target_.tracks(), id, to.tracks_taken_, is_equal)};
        if (target.id == none) check_time(track);
        const std::size_t fields = track.fields.size();
        const bool is_new = target.id == none;
        if (is_new) target.id = to.target_.declare(std::move(track));
        take(target.id, to.tracks_taken_);
        to.tracks_.push_back(std::move(target));
        for (std::uint32_t field = 0; field < fields; ++field)
            if (grows && !is_new)
                attribute(id, field);
            else
                to.tracks_.back().fields.push_back(field);
    }
    /// Throws Failure::input if the target has the track in another unit of time. A log states times in the finest unit
    /// that one of them needs, so the shards of a log may have different units.
    void check_time(const Track& track) const {
        for (const Track& other : to.target_.tracks())
            if (other.kind == track.kind && other.scope == track.scope && other.name == track.name &&
                other.native_id == track.native_id && other.time != track.time)
                fail(Failure::input, "a shard counts the times of track '" + track.name +
                                         "' in another unit than the shards before it, so they cannot be put together");
    }
    void attribute(TrackId id, std::uint32_t index) {
        TargetTrack& track = to.tracks_[id];
        const Field field = translated(to.source_.tracks()[id].fields[index]);
        std::uint32_t target = equal_object(to.target_.tracks()[track.id].fields, index, track.taken,
                                            [&](const Field& other) { return other == field; });
        if (target == none) target = to.target_.add_attribute(track.id, field);
        track.fields.push_back(take(target, track.taken));
        track.renumbers = track.renumbers || target != index;
    }
    /// Keeps the first trace's value of a fact. The n-th fact with a key is the n-th one with this key in the target.
    void metadata(std::size_t entry) {
        const auto& facts = to.source_.metadata();
        const auto& known = to.target_.metadata();
        const Metadata& fact = facts[entry];
        if (to.place_ != Place::first) {
            const auto is_key = [&](const Metadata& other) { return other.key == fact.key; };
            const auto before =
                std::count_if(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(entry), is_key);
            if (std::count_if(known.begin(), known.end(), is_key) > before) return;
        }
        to.target_.describe(fact.key, fact.value);
    }

    Field translated(Field field) const {
        if (field.enumeration != none) field.enumeration = to.enums_[field.enumeration];
        return field;
    }
};

UnitedSchema::UnitedSchema(const Schema& source, Schema& target, Place place)
    : source_(source), target_(target), news_(source), copies_(source, target), place_(place) {
    follow(Batch{});
}

void UnitedSchema::follow(const Batch& batch) {
    for (; strings_ < source_.string_count(); ++strings_) {
        const std::string_view text = source_.text(static_cast<StringId>(strings_));
        if (place_ == Place::first && target_.find_text(text) != none)
            target_.append(text);  // keeps the ids of the first shard
        else
            target_.intern(text);
    }
    news_.report(batch, Uniting{*this});
}

Record& UnitedSchema::copy(const Batch& in, const Record& record, Batch& out) {
    const TargetTrack& track = tracks_[record.track];
    Record& copied = copies_.copy(in, record, track.id, out);
    if (track.renumbers)
        for (Attribute& attribute : out.mutable_attributes(copied))
            attribute.field = track.fields[attribute.field];
    return copied;
}

}  // namespace hwtrace

#include "model/schema.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace {

namespace {

constexpr std::size_t few_labels = 16;  ///< enums with up to this many labels are searched linearly

template <typename T>
std::uint32_t append_to(std::deque<T>& table, T object) {
    table.push_back(std::move(object));
    return static_cast<std::uint32_t>(table.size() - 1);
}

}  // namespace

std::string_view name_of(Type type) noexcept {
    switch (type) {
        case Type::u8:
            return "u8";
        case Type::u16:
            return "u16";
        case Type::u32:
            return "u32";
        case Type::u64:
            return "u64";
        case Type::i8:
            return "i8";
        case Type::i16:
            return "i16";
        case Type::i32:
            return "i32";
        case Type::i64:
            return "i64";
        case Type::f32:
            return "f32";
        case Type::f64:
            return "f64";
        case Type::boolean:
            return "bool";
        case Type::enumeration:
            return "enum";
        case Type::text:
            return "text";
        case Type::label:
            return "label";
        case Type::bits:
            return "bits";
        case Type::logic:
            return "logic";
        case Type::fixed:
            return "fixed";
        case Type::ufixed:
            return "ufixed";
        case Type::pointer:
            return "pointer";
        case Type::time:
            return "time";
        case Type::blob:
            return "blob";
    }
    return "?";
}

std::string_view name_of(Phase phase) noexcept {
    switch (phase) {
        case Phase::unknown:
            return {};
        case Phase::begin:
            return "begin";
        case Phase::record:
            return "record";
        case Phase::end:
            return "end";
    }
    return "?";
}

std::string_view name_of(Track::Kind kind) noexcept {
    switch (kind) {
        case Track::Kind::event_type:
            return "event";
        case Track::Kind::storage:
            return "storage";
        case Track::Kind::signal:
            return "signal";
        case Track::Kind::stream:
            return "stream";
        case Track::Kind::relation_type:
            return "relation";
        case Track::Kind::hart:
            return "hart";
        case Track::Kind::notes:
            return "notes";
        case Track::Kind::native:
            return "native";
    }
    return "?";
}

const std::string* Enum::label(std::uint64_t value) const noexcept {
    const auto found = std::find_if(values.begin(), values.end(), [&](const EnumValue& v) { return v.value == value; });
    return found == values.end() ? nullptr : &found->name;
}

Track make_track(Track::Kind kind, ScopeId scope, std::string_view name, TimeBase time, std::vector<Field> fields) {
    Track track;
    track.kind = kind;
    track.scope = scope;
    track.name = name;
    track.time = time;
    track.fields = std::move(fields);
    return track;
}

namespace {

/// Returns true for tracks whose repeated fields must come last: rows of events and relations, attributes of intervals.
bool has_lists_last(Track::Kind kind) noexcept {
    return kind == Track::Kind::event_type || kind == Track::Kind::relation_type || kind == Track::Kind::stream;
}

}  // namespace

std::size_t Track::fixed_fields() const noexcept {
    std::size_t count = fields.size();
    while (count > 0 && fields[count - 1].repeated)
        --count;
    return count;
}

ScopeId Schema::declare(Scope scope) {
    return append_to(scopes_, std::move(scope));
}
ClockId Schema::declare(Clock clock) {
    return append_to(clocks_, std::move(clock));
}
EnumId Schema::declare(Enum enumeration) {
    const EnumId id = append_to(enums_, std::move(enumeration));
    const std::vector<EnumValue>& values = enums_[id].values;
    if (values.size() > few_labels) {
        LabelPlaces& places = label_places_[id];
        for (std::size_t i = 0; i < values.size(); ++i)
            places.try_emplace(values[i].value, i);
    }
    return id;
}
TrackId Schema::declare(Track track) {
    if (has_lists_last(track.kind)) {
        const auto first_list = std::ranges::find(track.fields, true, &Field::repeated);
        std::for_each(first_list, track.fields.end(), [](Field& field) { field.repeated = true; });
    }
    return append_to(tracks_, std::move(track));
}

void Schema::add_label(EnumId enumeration, EnumValue label) {
    std::vector<EnumValue>& values = enums_.at(enumeration).values;
    values.push_back(std::move(label));
    added_labels_.push_back({enumeration, values.size() - 1});
    if (values.size() <= few_labels) return;
    LabelPlaces& places = label_places_[enumeration];
    for (std::size_t i = places.empty() ? 0 : values.size() - 1; i < values.size(); ++i)
        places.try_emplace(values[i].value, i);
}

const std::string* Schema::label(EnumId enumeration, std::uint64_t value) const noexcept {
    if (enumeration >= enums_.size()) return nullptr;
    const Enum& labels = enums_[enumeration];
    if (labels.values.size() <= few_labels) return labels.label(value);
    const LabelPlaces& places = label_places_.find(enumeration)->second;
    const auto found = places.find(value);
    return found == places.end() ? nullptr : &labels.values[found->second].name;
}

std::uint32_t Schema::add_attribute(TrackId track, Field attribute) {
    std::vector<Field>& fields = tracks_.at(track).fields;
    const bool behind_list = has_lists_last(tracks_[track].kind) && !fields.empty() && fields.back().repeated;
    fields.push_back(std::move(attribute));
    fields.back().repeated = fields.back().repeated || behind_list;
    const auto index = static_cast<std::uint32_t>(fields.size() - 1);
    added_attributes_.push_back({track, index});
    return index;
}

void Schema::describe(std::string key, std::string value) {
    metadata_.push_back({std::move(key), std::move(value)});
}

StringId Schema::intern(std::string_view text) {
    return string_index_.add(text, strings_);
}

void Schema::intern(std::span<const std::string_view> texts, std::vector<StringId>& ids) {
    ids.clear();
    string_index_.add(texts, strings_, ids);
}

StringId Schema::find_text(std::string_view text) const noexcept {
    return string_index_.find(text, strings_);
}

StringId Schema::append(std::string_view text) {
    return string_index_.append(text, strings_);
}

const std::string* Schema::metadata(std::string_view key) const noexcept {
    const auto found =
        std::find_if(metadata_.begin(), metadata_.end(), [&](const Metadata& entry) { return entry.key == key; });
    return found == metadata_.end() ? nullptr : &found->value;
}

TrackId Schema::find_track(Track::Kind kind, std::string_view name) const noexcept {
    const auto found = std::find_if(tracks_.begin(), tracks_.end(),
                                    [&](const Track& track) { return track.kind == kind && track.name == name; });
    return found == tracks_.end() ? none : static_cast<TrackId>(found - tracks_.begin());
}

}  // namespace hwtrace

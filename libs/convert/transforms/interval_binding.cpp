#include "convert/transforms/interval_binding.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "convert/transforms/interval_lowering.hpp"
#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::size_t own_fields = IntervalLowering::own_fields;
constexpr std::size_t tables_a_unit = 3;  // active, busy, not_shown

bool is_field(const Track& track, std::size_t at, std::string_view name, Type type) noexcept {
    return at < track.fields.size() && track.fields[at].name == name && track.fields[at].type == type;
}

/// Returns true if the first field is the number of an interval. Marks of earlier versions name it `id` in all streams.
bool begins_with_number(const Track& track) noexcept {
    return is_field(track, 0, names::interval_id, Type::u64) || is_field(track, 0, names::interval_number, Type::u64);
}

std::size_t attributes_in(const Track& begin) noexcept {
    return begin.fields.size() - own_fields - masks_in(begin);
}

bool is_begin(const Track& track) noexcept {
    if (!begins_with_number(track) || !is_field(track, 1, names::interval_begin, Type::u64) ||
        !is_field(track, 2, names::interval_duration, Type::u64))
        return false;
    const std::size_t masks = masks_in(track);
    const std::size_t attributes = attributes_in(track);
    if (attributes > IntervalLowering::most_attributes || IntervalLowering::masks_for(attributes) != masks)
        return false;
    return masks == 0 || is_field(track, own_fields, names::interval_attributes, Type::u64);
}

bool belongs_to(const Track& track, const Track& begin, std::string_view suffix, std::size_t fields) {
    return track.fields.size() == fields && begins_with_number(track) && track.fields[0].name == begin.fields[0].name &&
           track.scope == begin.scope && track.name == begin.name + std::string(suffix);
}

bool is_end_of(const Track& end, const Track& begin) {
    const bool has_ids = begin.fields[0].name == names::interval_number;
    return belongs_to(end, begin, names::end_suffix, has_ids ? 2 : 1) &&
           (!has_ids || is_field(end, 1, names::interval_id, Type::u64));
}

bool is_order_of(const Track& order, const Track& begin) {
    return belongs_to(order, begin, names::order_suffix, 2) && is_field(order, 1, names::attribute_order, Type::text);
}

bool is_again_of(const Track& again, const Track& begin) {
    return belongs_to(again, begin, names::again_suffix, 4) && is_field(again, 1, names::attribute_index, Type::u32) &&
           is_field(again, 2, names::attribute_value, Type::u64) &&
           is_field(again, 3, names::attribute_text, Type::text);
}

bool is_list_of(const Track& list, const Track& begin) {
    return list.fields.size() == 2 && belongs_to(list, begin, "." + list.fields[1].name, 2);
}

/// Returns true if an attribute of the type in the mark is stored in an event field of this type.
bool is_shown_as(const IntervalMark::Attribute& fact, const Field& field) noexcept {
    return !fact.type || field.type == event_type(*fact.type);
}

/// Returns true if the facts fit the track's fields, or if there are no facts. The track must have `more` further
/// fields.
bool facts_fit(std::span<const IntervalMark::Attribute> facts, const Track& track, std::size_t more) noexcept {
    if (facts.empty()) return true;
    if (facts.size() + more != track.fields.size()) return false;
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (!is_shown_as(facts[i], track.fields[i])) return false;
    return true;
}

/// Returns true if track `rows` has the rows of track `event`. The last field of `event` must be the number of rows.
/// `facts` describes the fields of both tracks.
bool are_rows_of(const Track& rows, const Track& event, std::uint64_t fields,
                 std::span<const IntervalMark::Attribute> facts) {
    if (rows.fields.size() != fields || rows.scope != event.scope ||
        rows.name != event.name + std::string(names::row_suffix) || event.fields.empty() ||
        !is_field(event, event.fields.size() - 1, names::rows, Type::u32))
        return false;
    const std::size_t fixed = event.fields.size() - 1;
    if (facts.empty()) return true;
    return facts.size() == fixed + fields && (fixed == 0 || facts_fit(facts.first(fixed), event, 1)) &&
           facts_fit(facts.subspan(fixed), rows, 0);
}

bool fits(const Track& track, Track::Kind source_kind) noexcept {
    switch (source_kind) {
        case Track::Kind::stream:
            return is_begin(track);
        case Track::Kind::notes:
            return has_only_text(track, names::note_text);
        case Track::Kind::native:
            return has_only_text(track, names::native_hex);
        default:
            return true;
    }
}

/// Assigns the tracks of the lowered schema to the source's tracks, in the order of declaration.
class Binder {
public:
    Binder(const Schema& lowered, IntervalMark mark)
        : lowered_(lowered), binding_{std::move(mark), {}, {}, {}, {}, {}} {
        for (TrackId id = 0; id < lowered.tracks().size(); ++id) {
            if (lowered.tracks()[id].kind == Track::Kind::storage) storages_.push_back(id);
            if (lowered.tracks()[id].kind == Track::Kind::event_type) events_.push_back(id);
        }
        const std::size_t count = binding_.mark.tracks.size();
        binding_.first.assign(count, none);
        binding_.second.assign(count, none);
        binding_.order.assign(count, none);
        binding_.lists.resize(count);
    }

    std::optional<IntervalBinding> run() && {
        for (std::size_t i = 0; i < binding_.mark.tracks.size(); ++i) {
            const IntervalMark::SourceTrack& track = binding_.mark.tracks[i];
            if (track.kept && track.kind != Track::Kind::storage && !bind_events(i, track)) return std::nullopt;
        }
        if (!bind_tables() || !bind_storages()) return std::nullopt;
        return std::move(binding_);
    }

private:
    std::size_t events_left() const noexcept { return events_.size() - next_event_; }
    /// Returns the next event that has no source yet. Requires events_left().
    const Track& next_event() const { return lowered_.tracks()[events_[next_event_]]; }

    /// Binds the events of source track `i`. Returns false if they do not fit.
    bool bind_events(std::size_t i, const IntervalMark::SourceTrack& track) {
        if (events_left() == 0) return false;
        binding_.first[i] = events_[next_event_++];
        const Track& first = lowered_.tracks()[binding_.first[i]];
        if (!fits(first, track.kind) ||
            (track.positioned &&
             (first.fields.empty() || !is_field(first, first.fields.size() - 1, names::position, Type::u64))))
            return false;
        if (track.kind == Track::Kind::event_type && track.lists != 0) {
            if (events_left() == 0 || !are_rows_of(next_event(), first, track.lists, track.attributes)) return false;
            binding_.second[i] = events_[next_event_++];
            return true;
        }
        if (track.kind == Track::Kind::stream) return bind_stream(i, track, first);
        return facts_fit(track.attributes, first, track.positioned ? 1 : 0);
    }

    /// Binds the events that follow `first`, the begin event of a stream.
    bool bind_stream(std::size_t i, const IntervalMark::SourceTrack& track, const Track& first) {
        if (events_left() == 0 || !is_end_of(next_event(), first)) return false;
        binding_.second[i] = events_[next_event_++];
        if (track.has_phases()) {
            if (events_left() < 2 || !is_order_of(next_event(), first) ||
                !is_again_of(lowered_.tracks()[events_[next_event_ + 1]], first))
                return false;
            binding_.order[i] = events_[next_event_];
            next_event_ += 2;
        }
        const std::size_t fixed = attributes_in(first);
        if (!track.attributes.empty() && track.attributes.size() != fixed + track.lists) return false;
        for (std::size_t k = 0; k < std::min(fixed, track.attributes.size()); ++k)
            if (!is_shown_as(track.attributes[k], first.fields[own_fields + masks_in(first) + k])) return false;
        if (track.lists > events_left()) return false;
        for (std::uint64_t left = track.lists; left != 0; --left) {
            const Track& list = next_event();
            if (!is_list_of(list, first)) return false;
            if (!track.attributes.empty() &&
                !is_shown_as(track.attributes[fixed + binding_.lists[i].size()], list.fields[1]))
                return false;
            binding_.lists[i].push_back(events_[next_event_++]);
        }
        units_.insert(first.scope);
        return true;
    }

    /// Binds the storages that the lowering added for each scope with streams.
    bool bind_tables() {
        constexpr std::string_view table_names[tables_a_unit] = {names::active, names::busy, names::not_shown};
        const std::size_t count = units_.size() * tables_a_unit;
        if (count > storages_.size()) return false;
        for (std::size_t i = 0; i < count; ++i) {
            if (lowered_.tracks()[storages_[i]].name != table_names[i % tables_a_unit]) return false;
            binding_.tables.push_back(storages_[i]);
        }
        return true;
    }

    /// Binds the storages of the source, which follow the added ones.
    bool bind_storages() {
        std::size_t next = binding_.tables.size();
        for (std::size_t i = 0; i < binding_.mark.tracks.size(); ++i) {
            const IntervalMark::SourceTrack& track = binding_.mark.tracks[i];
            if (!track.kept || track.kind != Track::Kind::storage) continue;
            if (next == storages_.size()) return false;
            binding_.first[i] = storages_[next++];
            if (!facts_fit(track.attributes, lowered_.tracks()[binding_.first[i]], 0)) return false;
        }
        return true;
    }

    const Schema& lowered_;
    IntervalBinding binding_;
    std::vector<TrackId> storages_, events_;
    std::size_t next_event_ = 0;
    std::set<ScopeId> units_;  ///< scopes with streams
};

}  // namespace

std::size_t masks_in(const Track& begin) noexcept {
    constexpr std::size_t with_mask = IntervalLowering::mask_bits + 1;
    return (begin.fields.size() - own_fields + with_mask - 1) / with_mask;
}

void restore_attribute(const IntervalMark::Attribute& fact, Field& field) {
    if (fact.type) field.type = *fact.type;
    field.phase = fact.phase;
    if (fact.renamed) field.name.erase(std::min(field.name.rfind('.'), field.name.size()));
}

std::optional<IntervalBinding> bind_intervals(const Schema& lowered) {
    const std::string* mark = lowered.metadata(names::lowered);
    const std::string* source = lowered.metadata(names::interval_source);
    if (mark == nullptr || *mark != names::lowered_intervals || source == nullptr) return std::nullopt;
    // The limit bounds the number of dropped tracks, which `lowered` does not have. No real trace has so many.
    constexpr std::size_t most_not_kept = 1u << 16;
    std::optional<IntervalMark> facts = IntervalMark::parse(*source, lowered.tracks().size() + most_not_kept);
    if (!facts || facts->clocks > lowered.clocks().size() || (facts->root_added && lowered.scopes().empty()))
        return std::nullopt;
    // The target may have dropped enums, which changes only the fields that used them.
    facts->enums = std::min<std::uint64_t>(facts->enums, lowered.enums().size());
    if (!facts->scope_ids.empty() && facts->scope_ids.size() != lowered.scopes().size() - (facts->root_added ? 1 : 0))
        return std::nullopt;
    return Binder(lowered, std::move(*facts)).run();
}

std::vector<TrackId> begin_events(const Schema& lowered) {
    std::optional<IntervalBinding> binding = bind_intervals(lowered);
    if (!binding) return {};
    for (std::size_t i = 0; i < binding->first.size(); ++i)
        if (binding->mark.tracks[i].kind != Track::Kind::stream) binding->first[i] = none;
    return std::move(binding->first);
}

}  // namespace hwtrace

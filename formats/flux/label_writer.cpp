#include "label_writer.hpp"

#include <utility>

#include "stream_facts.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

namespace {

/// Returns the ids of unused strings. These strings keep their ids from the source.
std::set<std::uint64_t> numbers_of_unused(const TracePlan& trace, std::uint64_t item, std::uint64_t use) {
    std::set<std::uint64_t> numbers;
    for (const ItemPlan& plan : trace.items)
        for (const LabelFact& label : plan.labels)
            if (plan.id == item && label.use == use) numbers.insert(label.value);
    return numbers;
}

}  // namespace

void LabelWriter::enter_section() {
    texts_.clear();
    relabels_ = relabels_ || labels_in_ring_;
}

void LabelWriter::forget_labels() {
    relabels_ = labels_in_ring_ = false;
    labels_written_.clear();
    labels_.clear();
    for (TrackPlan& track : plan_.tracks)
        for (FieldPlan& field : track.fields)
            field.labelled = false;
}

void LabelWriter::append_first_labels(TrackPlan& track) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (FieldPlan& field : track.fields)
        if (seen.insert({field.item, field.member}).second) append_labels(track, field);
}

void LabelWriter::append_labels(const TrackPlan& track, FieldPlan& field) {
    field.labelled = true;
    if (field.labels == none || field.labels >= schema_.enums().size()) return;
    if (!labels_written_.insert({track.trace, field.item, field.labels_of, field.labels}).second) return;
    const TracePlan& trace = plan_.traces[track.trace];
    auto& known = labels_[{track.trace, field.item, field.labels_of}];
    for (const EnumValue& value : schema_.enums()[field.labels].values) {
        const auto [place, is_new] = known.emplace(value.value, value.name);
        if (!is_new && place->second == value.name) continue;
        place->second = value.name;
        append_label(trace, field.item, field.labels_of, value.name, value.value);
    }
}

void LabelWriter::append_label(const TracePlan& trace, std::uint64_t item, std::uint64_t domain, std::string_view label,
                               std::uint64_t value) {
    if (!entries_.append_label(trace, item, domain, label, value)) return;
    labels_in_ring_ = labels_in_ring_ || (entries_.ring() != nullptr && (domain == 0 || domain >= of_member));
}

std::uint64_t LabelWriter::number_of(const TrackPlan& track, std::uint64_t item, EnumDomain domain,
                                     std::uint64_t cell) {
    const auto use = static_cast<std::uint64_t>(domain);
    const auto [texts, is_first] = texts_.try_emplace({track.trace, item, use});
    Texts& known = texts->second;
    const TracePlan& trace = plan_.traces[track.trace];
    if (is_first) known.taken = numbers_of_unused(trace, item, use);
    const auto [place, is_new] = known.numbers.try_emplace(static_cast<StringId>(cell), 0);
    if (!is_new) return place->second;
    while (known.taken.contains(++known.last))
        continue;
    place->second = known.last;
    append_label(trace, item, use, schema_.text(static_cast<StringId>(cell)), known.last);
    return known.last;
}

std::size_t LabelWriter::room_of_text(const TrackPlan& track, std::uint64_t item, EnumDomain domain,
                                      std::uint64_t cell) const {
    const auto known = texts_.find({track.trace, item, static_cast<std::uint64_t>(domain)});
    const auto text = static_cast<StringId>(cell);
    if (known != texts_.end() && known->second.numbers.contains(text)) return 0;
    return EntryWriter::room_of_label(item, schema_.text(text)) + EntryWriter::room_of_switch;
}

}  // namespace hwtrace::flux

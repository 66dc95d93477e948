#include "operate/lowered_numbers.hpp"

#include "domain/conventions.hpp"

namespace hwtrace {

namespace names = conventions;

LoweredNumbers::Meaning LoweredNumbers::meaning_of(const Track& track) const {
    const auto& fields = track.fields;
    if (track.kind != Track::Kind::event_type || fields.empty() || schema_.metadata(names::interval_source) == nullptr)
        return Meaning::other;
    const bool is_begin = fields.size() >= 3 &&
                          (fields[0].name == names::interval_id || fields[0].name == names::interval_number) &&
                          fields[1].name == names::interval_begin && fields[2].name == names::interval_duration;
    if (is_begin) return Meaning::begin;
    return fields.back().name == names::position && fields.back().type == Type::u64 ? Meaning::positioned
                                                                                    : Meaning::other;
}

bool LoweredNumbers::follow(const Batch& batch, const Record& record, TrackId track) {
    while (meanings_.size() < schema_.tracks().size())
        meanings_.push_back(meaning_of(schema_.tracks()[meanings_.size()]));
    if (record.kind != Kind::event || meanings_[track] == Meaning::other) return true;
    if (meanings_[track] == Meaning::positioned) return batch.cells(record).back() >= before_;
    ++intervals_;
    if (batch.cells(record).front() != 0) return true;
    const bool starts_again = has_first_;
    has_first_ = true;
    return !starts_again;
}

}  // namespace hwtrace

#include "verification.hpp"

#include <algorithm>

#include "checkpoint.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::uscope {

namespace {

std::uint64_t first_period(const Schema& schema) {
    return schema.clocks().empty() ? 0 : schema.clocks().front().period_ps;
}

}  // namespace

Verification::Verification(const Schema& schema, const Preamble& preamble, const Limits& limits, Findings& findings)
    : schema_(schema),
      findings_(findings),
      storages_count_(preamble.storages),
      summary_(schema, first_period(schema)),
      instruction_(find_instruction_field(schema)),
      protocols_(schema, preamble, findings) {
    check_limit(StateTable::bytes_needed(schema), limits.block, "the state of all storages", "--max-block");
    state_ = StateTable(schema);
    for (const Enum& enumeration : schema.enums()) {
        std::bitset<256>& known = enums_.emplace_back();
        for (const EnumValue& value : enumeration.values)
            known.set(value.value & 0xFF);
    }
    for (TrackId id = 0; id < preamble.storages; ++id) {
        const Track& track = schema.tracks()[id];
        storages_.push_back({track.slots, static_cast<std::uint32_t>(track.fields.size()),
                             static_cast<std::uint32_t>(track.properties.size()), enum_of_.size(), unused_bits_.size(),
                             summary_.counter_of(id), protocols_.table_of(id)});
        add_enums(schema, track.fields);
        add_widths(track.fields);
        add_widths(track.properties);
    }
    first_event_field_ = enum_of_.size();
    for (std::size_t i = 0; i < preamble.events; ++i)
        add_enums(schema, schema.tracks()[preamble.storages + i].fields);
    check_schema(preamble);
}

void Verification::check_schema(const Preamble& preamble) {
    if (preamble.config_at && preamble.checkpoint_interval == 0)
        report(findings_, Check::checkpoint_interval, {*preamble.config_at, 8}, "a time between checkpoints", "0");
    for (TrackId id = 0; id < preamble.storages; ++id)
        if (const Track& track = schema_.tracks()[id]; track.buffer && !track.sparse)
            report(findings_, Check::dense_buffer, {preamble.track_offsets[id], storage_header_size},
                   "flags 3 (sparse, buffer)", "2", {"storage " + track.name, {}, {}});
}

void Verification::add_widths(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
        const std::size_t width = slot_width(field.type);
        unused_bits_.push_back(width >= 8 ? 0 : ~std::uint64_t{0} << (8 * width));
    }
}

void Verification::add_enums(const Schema& schema, const std::vector<Field>& fields) {
    for (const Field& field : fields) {
        const bool known = field.type == Type::enumeration && field.enumeration < schema.enums().size();
        enum_of_.push_back(known ? static_cast<std::int32_t>(field.enumeration) : -1);
    }
}

Place Verification::place() const {
    Place place;
    place.where = "segment " + std::to_string(number_);
    return place;
}

void Verification::begin_segment(std::size_t number, std::uint64_t offset, const SegmentHeader& header,
                                 std::span<const std::byte> checkpoint) {
    number_ = number;
    offset_ = offset;
    header_ = header;
    checkpoint_.assign(checkpoint.begin(), checkpoint.end());
    const std::optional<CheckpointFault> fault = check_checkpoint(checkpoint_, schema_, storages_count_);
    checkpoint_usable_ = !fault;
    if (fault)
        report(findings_, Check::checkpoint_structure, offset + segment_header_size + fault->offset, fault->expected,
               fault->got, place());
    check_state_before();
}

void Verification::check_state_before() {
    starts_right_ = false;
    if (!checkpoint_usable_) return;
    if (!state_known_) {  // frames were lost: trust the checkpoint
        if (dialect_ == Dialect::end) return;
        load_checkpoint(checkpoint_, storages_count_, state_);
        state_known_ = true;
        starts_right_ = true;
        return;
    }
    const std::optional<std::size_t> difference = first_difference(checkpoint_, state_, storages_count_);
    starts_right_ = !difference;
    if (dialect_ == Dialect::start && difference) different(*difference);
}

void Verification::check_state_after() {
    if (!checkpoint_usable_) return;
    if (!state_known_) {
        if (dialect_ == Dialect::end) {
            load_checkpoint(checkpoint_, storages_count_, state_);
            state_known_ = true;
        }
        return;
    }
    if (dialect_ == Dialect::start || (dialect_ == Dialect::undecided && any_damage_)) return;
    const std::optional<std::size_t> difference = first_difference(checkpoint_, state_, storages_count_);
    if (dialect_ == Dialect::end) {
        if (difference) different(*difference);
        return;
    }
    if (starts_right_ && difference) dialect_ = Dialect::start;
    if (!starts_right_ && difference) different(*difference);
    if (!starts_right_ && !difference) {
        dialect_ = Dialect::end;
        report(findings_, Check::end_checkpoints, {offset_ + segment_header_size, checkpoint_.size()},
               "the state before the segment", "the state after it", place());
    }
}

void Verification::different(std::size_t storage) {
    report(findings_, Check::checkpoint_state, {offset_ + segment_header_size, checkpoint_.size()},
           "the replayed state", "another state in storage " + schema_.tracks()[storage].name, place());
}

void Verification::end_segment(bool whole) {
    end_frame();
    slots_.end_segment(segment(), place());
    enum_values_.end_segment(segment(), place());
    forms_.report(findings_, Check::mixed_ops, segment(), place(),
                  "operations of one form in each frame, compact if all fit", "other frame", "other frames");
    reserved_.report(findings_, Check::reserved, segment(), place(), "reserved bytes 0", "item with other bytes",
                     "items with other bytes");
    wide_values_.report(findings_, Check::wide_value, segment(), place(), "values that fit their fields", "other value",
                        "other values");
    protocols_.end_segment(segment(), place());
    if (!whole) {
        any_damage_ = true;
        lose_state();
    }
    check_state_after();
}

void Verification::finish(const SectionTable& sections, const std::optional<SummaryTotals>& totals, bool all_read) {
    slots_.report(findings_, Check::slot_range, "slots below num_slots", "operation on another slot",
                  "operations on other slots");
    enum_values_.report(findings_, Check::enum_value, "values of the enum", "other value", "other values");
    protocols_.finish(segment(), place());
    const SectionPlace* summary = sections.find(Section::counter_summary);
    if (totals && summary != nullptr && all_read && !any_damage_) check_summary(*totals, summary->offset);
}

void Verification::check_summary(const SummaryTotals& totals, std::uint64_t offset) {
    if (totals.has_instructions && instruction_.storage != none && totals.instructions != summary_.instructions())
        report(findings_, Check::summary_totals, {offset + 12, 8}, counted(summary_.instructions(), "instruction"),
               std::to_string(totals.instructions));
    for (const SummaryTotals::Counter& counter : totals.counters) {
        const std::uint32_t number = counter.storage < storages_count_ ? summary_.counter_of(counter.storage) : none;
        const std::string name = "counter " + counter.name;
        if (number == none)
            report(findings_, Check::summary_totals, offset, name + " in a counter's storage",
                   "storage " + std::to_string(counter.storage));
        else if (summary_.total(number) != counter.sum)
            report(findings_, Check::summary_totals, offset, name + ": " + std::to_string(summary_.total(number)),
                   std::to_string(counter.sum));
    }
}

std::string_view Verification::dialect() const noexcept {
    return dialect_ == Dialect::start ? "start" : dialect_ == Dialect::end ? "end" : "unknown";
}

}  // namespace hwtrace::uscope

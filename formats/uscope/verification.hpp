// formats/uscope/verification.hpp - the checks that only validation makes: replayed state, summary, encoding of items.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "index.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "preamble.hpp"
#include "protocol_check.hpp"
#include "rules.hpp"
#include "summary.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// Checks a file item by item. Each fault is reported once per segment, with the number of items.
class Verification {
public:
    Verification(const Schema& schema, const Preamble& preamble, const Limits& limits, Findings& findings);

    void begin_segment(std::size_t number, std::uint64_t offset, const SegmentHeader& header,
                       std::span<const std::byte> checkpoint);
    /// `inner` is the offset of the frame in the decompressed frames.
    void begin_frame(std::uint64_t time, std::uint64_t inner) {
        end_frame();
        frame_ = inner;
        summary_.begin_frame(time);
    }
    void op(Tag tag, Action action, std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value,
            std::uint64_t inner) {
        has_wide_ = has_wide_ || tag == Tag::wide_op;
        has_compact_ = has_compact_ || tag == Tag::compact_op;
        if (tag == Tag::wide_op && (value > 0xFFFF || storage > 0xFF)) needs_wide_ = true;
        if (storage >= storages_.size()) return;
        const Storage& plan = storages_[storage];
        if (action != Action::set_property && slot >= plan.slots) slots_.count(inner);
        switch (action) {
            case Action::set:
                state_.set(storage, slot, field, value);
                if (field < plan.fields) {
                    check_enum(plan.first_field + field, value, inner);
                    check_width(plan.first_width + field, value, inner);
                }
                if (plan.table != none) protocols_.set(plan.table, slot, field, value, inner);
                if (storage == instruction_.storage && field == instruction_.field) summary_.instruction();
                return;
            case Action::clear:
                state_.clear(storage, slot);
                if (plan.table != none) protocols_.clear(plan.table, slot);
                return;
            case Action::add:
                state_.add(storage, slot, field, value);
                if (plan.counter != none && slot == 0 && field == 0) summary_.add(plan.counter, value);
                return;
            case Action::set_property:
                state_.set_property(storage, field, value);
                if (field < plan.properties) check_width(plan.first_width + plan.fields + field, value, inner);
                return;
        }
    }
    /// Checks the value of an enum field. `field` is an index into the fields of all storages, followed by the fields
    /// of all events.
    void check_enum(std::size_t field, std::uint64_t value, std::uint64_t inner) {
        if (const std::int32_t set = enum_of_[field]; set >= 0 && !enums_[static_cast<std::size_t>(set)][value & 0xFF])
            enum_values_.count(inner);
    }
    std::size_t first_event_field() const noexcept { return first_event_field_; }
    /// Checks an event. `type` is its number in the file; `cells` are as in the model.
    void event(std::size_t type, std::span<const std::uint64_t> cells, std::uint64_t inner) {
        protocols_.event(type, cells, inner);
    }
    void reserved_bits(std::uint64_t inner) { reserved_.count(inner); }

    /// `whole`: all frames of the segment were read.
    void end_segment(bool whole);
    /// Registers a segment that could not be read.
    void skip_segment() noexcept { lose_state(); }
    /// Checks the summary's totals at the end of the file.
    void finish(const SectionTable& sections, const std::optional<SummaryTotals>& totals, bool all_read);

    /// Returns which state checkpoints hold: "start", "end" or "unknown".
    std::string_view dialect() const noexcept;

private:
    struct Storage {
        std::uint32_t slots = 0, fields = 0, properties = 0;
        std::size_t first_field = 0;  ///< index in enum_of_
        std::size_t first_width = 0;  ///< index in unused_bits_; properties follow the fields
        std::uint32_t counter = none;
        std::uint32_t table = none;  ///< index of the table in protocols_
    };
    enum class Dialect : std::uint8_t { undecided, start, end };

    /// Marks the state as unknown until the next checkpoint, because frames were lost.
    void lose_state() noexcept {
        state_known_ = false;
        protocols_.lose();
    }
    void end_frame() {
        if (has_wide_ && (has_compact_ || !needs_wide_)) forms_.count(frame_);
        has_wide_ = has_compact_ = needs_wide_ = false;
    }
    void add_enums(const Schema& schema, const std::vector<Field>& fields);
    void add_widths(const std::vector<Field>& fields);
    /// Counts values wider than their field. Sign-extended values are accepted.
    void check_width(std::size_t field, std::uint64_t value, std::uint64_t inner) {
        const std::uint64_t unused = unused_bits_[field];
        if ((value & unused) != 0 && (value & unused) != unused) wide_values_.count(inner);
    }
    void check_schema(const Preamble& preamble);
    void check_state_before();
    void check_state_after();
    void different(std::size_t storage);
    void check_summary(const SummaryTotals& totals, std::uint64_t offset);
    Place place() const;
    ByteRange segment() const noexcept { return {offset_, header_.total_size()}; }

    const Schema& schema_;
    Findings& findings_;
    std::size_t storages_count_;
    StateTable state_;
    SummaryBuilder summary_;
    InstructionField instruction_;
    std::vector<Storage> storages_;
    std::vector<std::bitset<256>> enums_;
    std::vector<std::int32_t> enum_of_;  // by field: fields of storages, then fields of events; -1: no enum
    std::size_t first_event_field_ = 0;
    std::vector<std::uint64_t> unused_bits_;  // by field and property of storages: the bits above its width
    ProtocolCheck protocols_;

    std::size_t number_ = 0;
    std::uint64_t offset_ = 0;
    SegmentHeader header_;
    std::vector<std::byte> checkpoint_;
    bool checkpoint_usable_ = false;
    bool starts_right_ = false;  // the segment's checkpoint equals the state before it
    bool state_known_ = true;
    bool any_damage_ = false;
    Dialect dialect_ = Dialect::undecided;

    bool has_wide_ = false, has_compact_ = false, needs_wide_ = false;  // the kinds of operations in the current frame
    std::uint64_t frame_ = 0;
    FileTally slots_, enum_values_;
    Tally forms_, reserved_, wide_values_;
};

}  // namespace hwtrace::uscope

#include "operate/restated_records.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "domain/record_mark.hpp"
#include "domain/schema_text.hpp"
#include "io/error.hpp"
#include "select/restated_storages.hpp"

namespace hwtrace {

namespace {

/// Compares two records of one schema, except their times and flags.
bool state_same(const Batch& a, const Record& x, const Batch& b, const Record& y) {
    if (x.kind != y.kind || x.track != y.track || x.field != y.field || x.value != y.value) return false;
    if (is_property(x) != is_property(y)) return false;
    if (x.kind == Kind::change) return std::ranges::equal(a.attributes(x), b.attributes(y));
    if (x.kind == Kind::event) return std::ranges::equal(a.cells(x), b.cells(y));
    return x.ref == y.ref;
}

bool same_operand(const Batch& a, const Operand& x, const Batch& b, const Operand& y) {
    return x.number == y.number && x.register_class == y.register_class && x.role == y.role && x.value == y.value &&
           std::ranges::equal(a.cells(x.words), b.cells(y.words));
}

}  // namespace

RestatedRecords::RestatedRecords(const Schema& schema, const Limits& limits)
    : schema_(schema), limits_(limits), hart_(schema, limits), signals_(limits) {}

void RestatedRecords::meet_tracks() {
    hart_.meet_tracks();
    for (; met_ < schema_.tracks().size(); ++met_) {
        const Track& track = schema_.tracks()[met_];
        has_hart_ = has_hart_ || track.kind == Track::Kind::hart;
        if (track.kind == Track::Kind::storage && !std::exchange(has_storages_, true)) {
            check_limit(StateTable::bytes_needed(schema_), limits_.block, "the state of all storages", "--max-block");
            storages_ = StateTable(schema_);
        }
        if (track.kind != Track::Kind::signal) continue;
        if (met_signals_ == 0) of_records_ = signals_of_records(schema_);
        const bool holds = met_signals_ >= of_records_.size() || !of_records_[met_signals_];
        ++met_signals_;
        if (holds) signals_.meet(static_cast<TrackId>(met_), track.time);
    }
}

bool RestatedRecords::any() {
    meet_tracks();
    return has_hart_ || has_storages_ || signals_.any();
}

void RestatedRecords::begin_shard(std::string name) {
    name_ = std::move(name);
    begins_ = has_records_;
    knows_ = false;
    expected_.clear();
    dropped_ = 0;
}

void RestatedRecords::learn(const Batch& batch, const Record& record) {
    if (schema_.tracks().size() != met_) meet_tracks();
    has_records_ = has_records_ || !has_hart_ || record.kind == Kind::instruction;
    if (has_hart_)
        hart_.learn(batch, record, HartState::Fate::left_out);
    else if (record.kind == Kind::change)
        signals_.follow(batch, record);
    else if (has_storages_)
        storages_.apply(record);
}

/// Determines what the shard restates before its first own record. `first` is the shard's first record; its time is
/// that of the restated storages.
void RestatedRecords::expect(const Record& first) {
    knows_ = true;
    if (has_storages_) restate_storages(schema_, storages_, {}, first.time, limits_, expected_);
    HeldSignals signals = signals_;
    if (signals.any()) signals.restate_all(schema_.tracks()[first.track].time, first.time, expected_);
}

void RestatedRecords::pass(const Batch& in, const Record& record, Batch& out) {
    if (schema_.tracks().size() != met_) meet_tracks();
    if (begins_ && has_hart_) {
        group_.copy(in, record, record.track);
        if (record.kind == Kind::instruction) drop_from_group(out);
        return;
    }
    if (begins_) {
        if (!knows_) expect(record);
        if (dropped_ < expected_.records().size()) {
            const Record& expected = expected_.records()[dropped_++];
            if (!state_same(in, record, expected_, expected))
                refuse("the state of " + schema_.tracks()[expected.track].name);
            return;
        }
        begins_ = false;
    }
    learn(out, out.copy(in, record, record.track));
}

void RestatedRecords::end_shard(Batch& out) {
    if (begins_ && knows_ && dropped_ < expected_.records().size())
        refuse("the state of " + schema_.tracks()[expected_.records()[dropped_].track].name);
    begins_ = false;
    for (const Record& record : group_.records())
        learn(out, out.copy(group_, record, record.track));
    group_.clear();
}

/// Returns, by record of group_, whether the shard only restates it: the first records that are equal to `expected`.
std::vector<bool> RestatedRecords::restated_events(const Batch& expected) const {
    const auto records = group_.records();
    std::vector<bool> restated(records.size());
    for (const Record& one : expected.records()) {
        const bool is_mode = one.track == hart_.trap();
        std::size_t at = 0;
        while (at < records.size() &&
               (restated[at] || records[at].track != one.track || (is_mode && !hart_.mode_change(group_, records[at]))))
            ++at;
        if (at == records.size() || !state_same(group_, records[at], expected, one))
            refuse(schema_.tracks()[one.track].name);
        restated[at] = true;
    }
    return restated;
}

/// Writes the first group of instructions without the records and operands that the shard only restates.
void RestatedRecords::drop_from_group(Batch& out) {
    begins_ = false;
    const auto records = group_.records();
    const Record& last = records.back();
    const Instruction& whole = group_.instruction(last);
    HartState state = hart_;
    Batch expected;
    for (std::size_t which = 0; which < conventions::in_force.size(); ++which)
        state.restate_event(which, last.time, expected);
    state.restate_pc(last.time, last.value, expected);
    const std::size_t registers = state.restate_registers({}, expected);
    state.restate_walks(last.time, expected);
    std::optional<std::uint64_t> change;
    for (const Record& record : records)
        if (!change) change = state.mode_change(group_, record);
    state.restate_mode(last.time, change, expected);

    const std::vector<bool> restated = restated_events(expected);
    const auto operands = group_.operands(whole);
    const auto wanted = expected.open_operand_list();
    for (std::size_t i = 0; i < registers; ++i)
        if (i >= operands.size() || !same_operand(group_, operands[i], expected, wanted[i])) refuse("a register");
    std::vector<Part> order;
    std::size_t record = 0, operand = 0;
    for (const Part part : group_.order(whole)) {
        if (part == Part::record && record < restated.size() && restated[record++]) continue;
        if (part == Part::operand && operand++ < registers) continue;
        order.push_back(part);
    }
    for (std::size_t i = 0; i + 1 < records.size(); ++i)
        if (!restated[i]) learn(out, out.copy(group_, records[i], records[i].track));
    Record& made = out.copy(group_, last, last.track);
    Instruction& kept = out.mutable_instruction(made);
    kept.operands.first += static_cast<std::uint32_t>(registers);
    kept.operands.count -= static_cast<std::uint32_t>(registers);
    if (!order.empty()) out.set_order(kept, order);
    learn(out, made);
    group_.clear();
}

void RestatedRecords::refuse(std::string_view what) const {
    throw NotContinued(std::string(name_)
                           .append(": does not continue the shards before it: it does not restate ")
                           .append(what)
                           .append(" as they leave it"));
}

}  // namespace hwtrace

#include "select/hart_selection.hpp"

#include <limits>
#include <string>
#include <utility>

#include "domain/conventions.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace names = conventions;

namespace {

[[noreturn]] void refuse(std::string_view track, std::string_view why) {
    std::string message = "instructions cannot be sliced: track '";
    message.append(track).append("' ").append(why);
    fail(Failure::usage, message);
}

/// Adds the feature bit "register state" if "operand values" is set, because a slice states registers after each gap.
std::string with_register_state(const Metadata& fact) {
    const std::string& value = fact.value;
    const auto features = fact.key == names::features ? parse_hexadecimal(value) : std::nullopt;
    if (!features || (*features & names::feature_operand_values) == 0) return value;
    return hexadecimal_text(*features | names::feature_register_state, 16);
}

}  // namespace

HartSelection::HartSelection(const Schema& source, const Range& range, const SelectionOptions& options)
    : source_(source),
      range_(range),
      options_(options),
      windows_(source, range, options.period_ps),
      match_(source, options.instructions.fields, options.period_ps),
      state_(source, options.limits),
      learns_always_(options.instructions.any()) {
    if (options.earlier == Earlier::restated || options.earlier == Earlier::occupied) {
        const bool leaves_gaps = range.begin != 0 || options.instructions.any();
        derived_.emplace(source, nullptr, leaves_gaps ? with_register_state : DerivedSchema::Restates());
    }
    in_region_ = !options.instructions.has_begin();
    meet_tracks();
}

void HartSelection::meet_tracks() {
    for (; met_ < source_.tracks().size(); ++met_) {
        const Track& track = source_.tracks()[met_];
        if (track.kind == Track::Kind::hart) {
            if (hart_ != none)
                refuse(track.name, "is a second hart; divide the trace with hwtrace-split --by hart first");
            hart_ = static_cast<TrackId>(met_);
            counts_ = track.time == ordinals;
        }
        if (restates() && (track.kind == Track::Kind::signal || track.kind == Track::Kind::storage))
            refuse(track.name, "holds signals or tables beside instructions, which cannot be sliced yet");
    }
    state_.meet_tracks();
    windows_.meet_tracks();
}

std::optional<Stage::Entry> HartSelection::entry() {
    // A selection that depends on earlier instructions has to read them.
    const bool needs_earlier = options_.earlier != Earlier::left_out || options_.instructions.needs_earlier();
    if (needs_earlier || range_.unit != Range::Unit::record || range_.begin == 0) return std::nullopt;
    if (range_.begin > static_cast<std::uint64_t>(std::numeric_limits<Tick>::max())) return std::nullopt;
    for (const Track& track : source_.tracks())
        if (track.time != ordinals) return std::nullopt;
    return Entry{static_cast<Tick>(range_.begin), nullptr};
}

bool HartSelection::past() const {
    if (range_.unit == Range::Unit::record && range_.end && position_ >= *range_.end) return true;
    return region_over_ || (behind_ && entered_);
}

std::optional<Stage::LeftOut> HartSelection::left_out() const {
    if (options_.instructions.needs_earlier() || range_.begin == 0 || hart_ == none) return std::nullopt;
    if (range_.unit == Range::Unit::record) return LeftOut{false, range_.begin, 0};
    if (!windows_.is_comparable(hart_)) return std::nullopt;
    return LeftOut{true, 0, windows_.begin_tick(hart_)};
}

bool HartSelection::save_state(Appender& out) const {
    if (!held_.empty() || loose_ || shown_ != 0) return false;
    out.le(position_);
    out.le(static_cast<std::uint8_t>(gap_ ? 1 : 0));
    state_.save(out);
    return true;
}

void HartSelection::restore_state(Cursor& in, const AddText&) {
    position_ = in.le<std::uint64_t>();
    gap_ = in.le<std::uint8_t>() != 0;
    state_.restore(in);
}

Place HartSelection::place_of(const Batch& batch, const Record& record) const {
    if (range_.unit != Range::Unit::record) return windows_.place_of(batch, record);
    return place_of_position(range_, counts_ ? static_cast<std::uint64_t>(record.time) : position_);
}

void HartSelection::apply(const Batch& in, Batch& out) {
    if (source_.tracks().size() != met_) meet_tracks();
    if (derived_) derived_->follow(in);
    const auto records = in.records();
    if (entered_ && position_ == 0 && !records.empty()) position_ = static_cast<std::uint64_t>(records.front().time);
    std::size_t first = 0;
    for (std::size_t at = 0; at < records.size(); ++at) {
        if (records[at].kind != Kind::instruction) continue;
        take(in, first, at, out);
        first = at + 1;
    }
    for (; first < records.size(); ++first)
        held_.copy(in, records[first], records[first].track);
    if (held_.records().size() >= longest_run) pass_held_strangers(held_.records().back().time, out);
    while (held_.records().size() >= longest_run)
        show_loose(longest_run, out);
}

bool HartSelection::takes_whole(const Batch& in) {
    const auto records = in.records();
    const bool is_waiting = gap_ || loose_ || !held_.empty() || (entered_ && position_ == 0);
    if (is_waiting || restates() || learns_always_ || range_.unit != Range::Unit::record || records.empty() ||
        records.back().kind != Kind::instruction || source_.tracks().size() != met_)
        return false;
    std::uint64_t position = position_, instructions = 0;
    for (const Record& record : records) {
        const bool is_instruction = record.kind == Kind::instruction;
        if (counts_) position = static_cast<std::uint64_t>(record.time);
        if ((counts_ || is_instruction) && place_of_position(range_, position) != Place::inside) return false;
        if (!is_instruction) continue;
        ++position;
        ++instructions;
    }
    position_ = position;
    shown_ += instructions;
    return true;
}

bool HartSelection::finish(Batch& out) {
    if (held_.empty()) return false;
    pass_held_strangers(held_.records().back().time, out);
    show_loose(held_.records().size(), out);
    return false;
}

/// Passes on a record of a lost instruction with its time. If state is restated, drops the record: its time may be
/// renumbered, and the state that it sets is not followed.
void HartSelection::pass_stranger(const Batch& from, const Record& record, Batch& out) {
    if (!restates() && place_of(from, record) == Place::inside) pass(from, record, record.time, out);
}

/// Passes on held records whose time differs from `time`.
void HartSelection::pass_held_strangers(Tick time, Batch& out) {
    if (!counts_ || held_.empty() || held_.records().front().time == time) return;
    Batch own;
    for (const Record& record : held_.records()) {
        if (record.time == time)
            own.copy(held_, record, record.track);
        else
            pass_stranger(held_, record, out);
    }
    held_ = std::move(own);
}

/// Passes on records that precede the instruction `at` and have another time than this instruction. Returns the index
/// of the first record of the instruction's group.
std::size_t HartSelection::pass_strangers(const Batch& in, std::size_t first, std::size_t at, Batch& out) {
    const Tick time = in.records()[at].time;
    pass_held_strangers(time, out);
    for (; first < at && in.records()[first].time != time; ++first)
        pass_stranger(in, in.records()[first], out);
    return first;
}

/// Counts an instruction as lost if the records that were written without their instruction have another time than
/// `time`. The lost instruction keeps its position, so that no other instruction gets its records. Must be called
/// before a record at `time` is written.
void HartSelection::end_loose(Tick time) {
    if (!loose_) return;
    if (*loose_ != time) ++lost_;
    loose_.reset();
}

/// Returns true if the instruction is selected. Must be called for every instruction in order.
bool HartSelection::is_wanted(const Batch& batch, const Record& record) {
    const InstructionCriteria& wanted = options_.instructions;
    const bool in_mode = !wanted.mode || state_.mode() == *wanted.mode;
    const std::uint64_t opcode = batch.instruction(record).encoding;
    const auto is = [&](const std::optional<std::uint64_t>& code, const std::optional<std::uint64_t>& pc) {
        return (code && *code == opcode) || (pc && *pc == record.value);
    };
    if (!in_region_ && is(wanted.from_opcode, wanted.from_pc)) in_region_ = true;
    const bool in_region = in_region_;
    if (in_region_ && is(wanted.to_opcode, wanted.to_pc)) {
        in_region_ = false;
        region_over_ = !wanted.has_begin();
    }
    return in_mode && in_region && (!match_.any() || match_.fits(batch, record));
}

/// Writes or drops the instruction `at` of `in` with its group: the held records, and the records of `in` from `first`
/// on.
void HartSelection::take(const Batch& in, std::size_t first, std::size_t at, Batch& out) {
    const Record& record = in.records()[at];
    const Place place = place_of(in, record);
    behind_ = behind_ || place == Place::behind;
    if (counts_) {
        position_ = static_cast<std::uint64_t>(record.time);
        first = pass_strangers(in, first, at, out);
        end_loose(record.time);
    }
    ++position_;
    if ((!learns_always_ || is_wanted(in, record)) && place == Place::inside) {
        show(in, first, at, out);
        return;
    }
    gap_ = true;
    if (learns_always_ || place == Place::before) {
        for (const Record& earlier : held_.records())
            learn(held_, earlier, HartState::Fate::left_out);
        for (std::size_t i = first; i <= at; ++i)
            learn(in, in.records()[i], HartState::Fate::left_out);
    }
    held_.clear();
}

void HartSelection::learn(const Batch& in, const Record& record, HartState::Fate fate) {
    const bool needs_mode = options_.earlier != Earlier::left_out || options_.instructions.mode;
    if (restates() || (needs_mode && record.track == state_.trap())) state_.learn(in, record, fate);
}

Tick HartSelection::time_of(const Record& record) const noexcept {
    const bool counts = renumbers() && source_.tracks()[record.track].time.kind == TimeBase::Kind::ordinal;
    return counts ? static_cast<Tick>(shown_ + lost_) : record.time;
}

void HartSelection::pass(const Batch& from, const Record& record, Tick time, Batch& out) {
    out.copy(from, record, record.track).time = time;
}

/// Returns true if the record changes to a mode whose instructions are left out.
bool HartSelection::leaves_part(const Batch& from, const Record& record) const noexcept {
    return restates() && options_.instructions.mode && state_.leaves_mode(from, record, *options_.instructions.mode);
}

/// Returns true for a change to a mode whose instructions are left out, and for records that only state the target of
/// such a change.
bool HartSelection::is_hidden(const Batch& from, const Record& record) {
    if (!restates() || !options_.instructions.mode) return false;
    if (leaves_part(from, record)) {
        has_hidden_ = true;
        return true;
    }
    if (record.kind != Kind::event) return false;
    if (record.track == state_.trap()) ++open_traps_;
    if (record.track != state_.trap_target()) return false;
    if (open_traps_ == 0) return has_hidden_;
    --open_traps_;
    return false;
}

/// Examines the group of an instruction that follows a gap. State that the group contains is not restated, except the
/// mode, because the group may change it.
void HartSelection::begin_restating(const Group& group) {
    own_.fill(false);
    own_mode_change_.reset();
    for (std::size_t i = 0; i < group.size(); ++i) {
        const auto [from, record] = group[i];
        if (record->kind != Kind::event) continue;
        if (const auto which = state_.in_force(record->track)) own_[*which] = !range_.is_shard;
        if (record->track == state_.resumption()) own_[own_pc] = !range_.is_shard;
        // The initial mode can be stated only for the very first instruction.
        if (shown_ != 0 || leaves_part(*from, *record)) continue;
        if (const auto id = state_.mode_change(*from, *record); id && !own_mode_change_) own_mode_change_ = id;
    }
    restated_ = Restated::nothing;
}

/// Restates everything up to `last` that was not restated yet.
void HartSelection::restate(Restated last, const Group& group, Tick time, Batch& out) {
    while (restated_ < last) {
        restated_ = static_cast<Restated>(static_cast<unsigned>(restated_) + 1);
        const auto place = static_cast<std::size_t>(restated_) - static_cast<std::size_t>(Restated::in_force);
        switch (restated_) {
            case Restated::nothing:
                break;
            case Restated::in_force:
            case Restated::last_in_force:
                if (!own_[place] && state_.restate_event(place, time, out)) order_.push_back(Part::record);
                break;
            case Restated::pc:
                if (!own_[own_pc] && state_.restate_pc(time, group.instruction().value, out))
                    order_.push_back(Part::record);
                break;
            case Restated::registers: {
                const Instruction& instruction = group.in.instruction(group.instruction());
                const auto own = range_.is_shard ? std::span<const Operand>() : group.in.operands(instruction);
                order_.insert(order_.end(), state_.restate_registers(own, out), Part::operand);
                break;
            }
            case Restated::walks:
                order_.insert(order_.end(), state_.restate_walks(time, out), Part::record);
                break;
            case Restated::mode:
                if (state_.restate_mode(time, own_mode_change_, out)) order_.push_back(Part::record);
                break;
        }
    }
}

/// Returns the last kind of state to restate before a separate record, so that the group keeps its usual order.
HartSelection::Restated HartSelection::restated_before(const Record& record) const noexcept {
    if (record.kind == Kind::note) return Restated::nothing;
    if (record.kind != Kind::event) return Restated::walks;
    if (const auto which = state_.in_force(record.track))
        return static_cast<Restated>(static_cast<std::size_t>(Restated::in_force) + *which);
    if (record.track == state_.resumption()) return Restated::pc;
    if (record.track >= state_.trap()) return Restated::mode;
    return record.track >= state_.walk() ? Restated::walks : Restated::registers;
}

HartSelection::Restated HartSelection::restated_before(Part part) noexcept {
    if (part == Part::target) return Restated::pc;
    return part == Part::operand ? Restated::registers : Restated::walks;
}

/// Writes a separate record of the group, unless it is hidden (see is_hidden). Returns false if the record is hidden.
bool HartSelection::show_separate(const Batch& from, const Record& record, Batch& out) {
    const bool hidden = is_hidden(from, record);
    if (!hidden) pass(from, record, time_of(record), out);
    if (learns_always_) learn(from, record, hidden ? HartState::Fate::left_out : HartState::Fate::shown);
    return !hidden;
}

void HartSelection::show(const Batch& in, std::size_t first, std::size_t at, Batch& out) {
    const Group group{held_, in, first, at};
    const Record& record = group.instruction();
    const Instruction& instruction = in.instruction(record);
    const Tick time = time_of(record);
    open_traps_ = 0;
    has_hidden_ = false;
    const bool restated = gap_ && restates();
    if (restated) begin_restating(group);
    const auto restate_before = [&](Restated last) {
        if (restated) restate(last, group, time, out);
    };

    order_.clear();
    if (gap_ && options_.earlier == Earlier::counted && state_.restate_mode(time, std::nullopt, out)) {
        Record& mode = out.mutable_records().back();
        mode.flags = static_cast<std::uint8_t>(mode.flags | record_restated);
        order_.push_back(Part::record);
    }
    std::size_t next = 0;
    for (const Part part : in.order(instruction)) {
        if (part != Part::record) {
            restate_before(restated_before(part));
        } else if (next < group.size()) {
            const auto [from, separate] = group[next++];
            restate_before(restated_before(*separate));
            if (!show_separate(*from, *separate, out)) continue;
        }
        order_.push_back(part);
    }
    for (; next < group.size(); ++next) {
        const auto [from, separate] = group[next];
        restate_before(restated_before(*separate));
        show_separate(*from, *separate, out);
    }
    restate_before(Restated::mode);
    held_.clear();
    pass(in, record, time, out);
    if (instruction.order.count != 0) out.set_order(out.mutable_instruction(out.records().back()), order_);
    if (learns_always_) learn(in, record, HartState::Fate::shown);
    gap_ = false;
    ++shown_;
}

/// Handles the first `count` held records before their instruction has arrived: writes them if they are selected, and
/// removes them from held_.
void HartSelection::show_loose(std::size_t count, Batch& out) {
    const auto records = held_.records();
    const bool inside = place_of(held_, records.front()) == Place::inside && in_region_ && !match_.any() &&
                        (!options_.instructions.mode || state_.mode() == *options_.instructions.mode);
    if (inside && counts_) {
        end_loose(records.front().time);
        loose_ = records.front().time;
    }
    Batch rest;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (i >= count) {
            rest.copy(held_, records[i], records[i].track);
            continue;
        }
        if (inside) pass(held_, records[i], time_of(records[i]), out);
        learn(held_, records[i], inside ? HartState::Fate::shown : HartState::Fate::left_out);
    }
    held_ = std::move(rest);
}

}  // namespace hwtrace

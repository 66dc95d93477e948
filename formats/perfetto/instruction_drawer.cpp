#include "instruction_drawer.hpp"

#include <utility>

#include "domain/durations.hpp"
#include "io/number_text.hpp"

namespace hwtrace::perfetto {
namespace {

/// Counters state numbers a window of so many instructions.
constexpr std::uint64_t window_instructions = 1024;

}  // namespace

void InstructionDrawer::add_counters(Hart& hart, const Track& track) {
    const std::string a_window = " per " + std::to_string(window_instructions) + " instructions";
    hart.loads = to_.drawing.add({Row::Kind::integers, hart.group, "loads" + a_window});
    hart.stores = to_.drawing.add({Row::Kind::integers, hart.group, "stores" + a_window});
    hart.branches = to_.drawing.add({Row::Kind::integers, hart.group, "taken branches" + a_window});
    if (track.time.kind != TimeBase::Kind::ordinal)
        hart.rate = to_.drawing.add(
            {Row::Kind::reals, hart.group,
             track.time.kind == TimeBase::Kind::cycles ? "instructions per cycle" : "instructions per tick"});
}

void InstructionDrawer::draw(const Batch& batch, const Record& record) {
    Hart& hart = harts_[record.track];
    const Track& track = to_.schema.tracks()[record.track];
    const Instruction& instruction = batch.instruction(record);
    if (hart.group == root_row) {
        hart.group = to_.add_row(Row::Kind::group, track);
        hart.window_begin = record.time;
    }
    const Tick time = to_.reach(to_.times.at(record.track, record.time));
    const bool follows_gap = track.time.kind == TimeBase::Kind::ordinal && time != hart.end;
    const bool is_elsewhere = record.value != hart.next_pc;  // as after an interrupt
    if (hart.run.instructions != 0 && (is_elsewhere || follows_gap)) draw_run(hart);
    hart.end = to_.reach(std::max(time, to_.times.end(record.track, record.time, 1)));
    hart.few.add(track, record, instruction, time, hart.end);
    Counts now{1, 0, 0, instruction.has_target ? std::uint64_t{1} : 0};
    for (const Access& access : batch.accesses(instruction))
        ++(access.type == AccessType::write ? now.stores : now.loads);
    if (functions_)
        functions_->draw(batch, record, {hart.group, time, hart.end});
    else
        extend_run(hart, record.value, time, now);
    if (hart.loads == root_row) add_counters(hart, track);
    hart.window += now;
    hart.next_pc = record.value + instruction.size;
    if (instruction.has_target && !functions_) draw_run(hart);
    if (hart.window.instructions == window_instructions) {
        draw_window(hart, record.track);
        hart.window_begin = record.time;
    }
}

void InstructionDrawer::extend_run(Hart& hart, std::uint64_t pc, Tick begin, const Counts& now) {
    if (hart.runs == root_row) hart.runs = to_.drawing.add({Row::Kind::slices, hart.group, "code"});
    if (hart.run.instructions == 0) {
        hart.pc = pc;
        hart.begin = begin;
    }
    hart.run += now;
}

void InstructionDrawer::draw_run(Hart& hart) {
    to_.arguments.clear();
    to_.arguments.add_address("pc", hart.pc);
    to_.arguments.add("instructions", hart.run.instructions);
    if (hart.run.loads != 0) to_.arguments.add("loads", hart.run.loads);
    if (hart.run.stores != 0) to_.arguments.add("stores", hart.run.stores);
    const std::string label = hexadecimal_text(hart.pc);
    Slice slice;
    slice.row = hart.runs;
    slice.begin = hart.begin;
    slice.end = hart.end;
    slice.label.text = label;
    slice.arguments = to_.arguments.list();
    to_.drawing.slice(slice);
    hart.run = {};
}

void InstructionDrawer::draw_window(Hart& hart, TrackId track) {
    const Counts counts = std::exchange(hart.window, {});
    const Tick begin = to_.times.at(track, hart.window_begin);
    to_.drawing.count(hart.loads, begin, static_cast<std::int64_t>(counts.loads));
    to_.drawing.count(hart.stores, begin, static_cast<std::int64_t>(counts.stores));
    to_.drawing.count(hart.branches, begin, static_cast<std::int64_t>(counts.branches));
    if (hart.rate == root_row) return;
    const double ticks = static_cast<double>(hart.end - begin);
    if (ticks > 0) to_.drawing.count(hart.rate, begin, static_cast<double>(counts.instructions) / ticks);
}

void InstructionDrawer::draw_few(const Hart& hart) {
    if (hart.few.all().empty()) return;
    const RowId row = to_.drawing.add({Row::Kind::slices, hart.group, "instructions"});
    for (const ShownInstruction& instruction : hart.few.all()) {
        to_.arguments.clear();
        if (instruction.position) to_.arguments.add("position", *instruction.position);
        to_.arguments.add_address("pc", instruction.pc);
        to_.arguments.add_address("encoding", instruction.encoding);
        const std::string label = instruction.label();
        Slice slice;
        slice.row = row;
        slice.begin = instruction.begin;
        slice.end = instruction.end;
        slice.label.text = label;
        slice.arguments = to_.arguments.list();
        to_.drawing.slice(slice);
    }
}

void InstructionDrawer::finish() {
    for (TrackId track = 0; track < harts_.size(); ++track) {
        Hart& hart = harts_[track];
        if (hart.run.instructions != 0) draw_run(hart);
        if (hart.window.instructions != 0) draw_window(hart, track);
        draw_few(hart);
    }
    if (functions_) functions_->finish();
}

}  // namespace hwtrace::perfetto

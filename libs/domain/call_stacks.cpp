#include "domain/call_stacks.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/number_list.hpp"
#include "domain/traps.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

CallStacks::CallStacks(const Schema& schema, std::shared_ptr<const Symbols> symbols)
    : schema_(schema), symbols_(std::move(symbols)) {
    const auto states = [&](std::string_view key, std::string_view value) {
        const std::string* const stated = schema.metadata(key);
        return stated != nullptr && *stated == value;
    };
    if (states(conventions::isa, "1"))
        isa_ = states(conventions::instruction_mode, "1") ? CallStack::Isa::rv32 : CallStack::Isa::rv64;
    if (const std::string* const features = schema.metadata(conventions::features))
        wide_events_ = (parse_hexadecimal(*features).value_or(0) & conventions::feature_wide_events) != 0;
    if (const std::string* const process = schema.metadata(conventions::process_id)) {
        const std::vector<std::uint64_t> numbers = numbers_of(*process);
        if (numbers.size() == 3) {
            first_.number = numbers[0];
            first_.process = numbers[1];
            first_.thread = numbers[2];
        }
    }
    meet_tracks();
}

void CallStacks::meet_tracks() {
    harts_.resize(std::max(harts_.size(), schema_.scopes().size() + 1), first_);
    while (tracks_.size() < schema_.tracks().size()) {
        const auto id = static_cast<TrackId>(tracks_.size());
        const Track& track = schema_.tracks()[id];
        TrackState& state = tracks_.emplace_back();
        state.scope = track.scope == none ? 0 : track.scope + 1;
        if (track.kind == Track::Kind::hart) harts_[state.scope].tracks.push_back(id);
        if (track.name == conventions::process_id) state.role = Role::process;
        if (track.name == conventions::trap) state.role = Role::trap;
    }
}

void CallStacks::lose() {
    for (const auto& entry : entries_)
        entry->stack.lose();
}

std::size_t CallStacks::find(TrackId track) {
    const Hart& hart = harts_[tracks_[track].scope];
    const Thread thread{track, hart.number, hart.process, hart.thread};
    const auto known = threads_.find(thread);
    if (known != threads_.end()) return known->second;
    if (entries_.size() == most_threads)
        fail(Failure::limit,
             "the trace has more than " + std::to_string(most_threads) +
                 " threads, and each needs a call stack; leave out --elf, or take a slice of the trace");
    entries_.push_back(std::make_unique<Entry>(Entry{thread, CallStack(*symbols_, isa_)}));
    return threads_[thread] = entries_.size() - 1;
}

std::size_t CallStacks::step(const Record& record, const Instruction& instruction) {
    if (record.track >= tracks_.size()) meet_tracks();
    TrackState& track = tracks_[record.track];
    if (track.current == unknown) track.current = find(record.track);
    CallStack& stack = entries_[track.current]->stack;
    stack.step({record.value, instruction.encoding, instruction.target, instruction.size, instruction.has_target});
    if (Hart& hart = harts_[track.scope]; hart.traps) [[unlikely]] {
        stack.trap();
        hart.traps = false;
    }
    return track.current;
}

void CallStacks::learn(const Record& record, const Batch& batch) {
    if (record.track >= tracks_.size()) meet_tracks();
    const TrackState& track = tracks_[record.track];
    if (track.role == Role::other) return;
    Hart& hart = harts_[track.scope];
    const std::span<const std::uint64_t> cells = batch.cells(record);
    if (track.role == Role::process && cells.size() >= 3) {
        hart.number = cells[0];
        hart.process = cells[1];
        hart.thread = cells[2];
        for (const TrackId instructions : hart.tracks)
            tracks_[instructions].current = unknown;
    } else if (track.role == Role::trap && !cells.empty() && (record.flags & record_restated) == 0) {
        const std::uint64_t id = traps::wide_id(cells[0], wide_events_);
        if (traps::kind_of(id) != traps::Kind::mode_change) hart.traps = true;
    }
}

}  // namespace hwtrace

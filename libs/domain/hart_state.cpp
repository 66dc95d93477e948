#include "domain/hart_state.hpp"

#include <algorithm>
#include <utility>

#include "domain/number_list.hpp"

namespace hwtrace {

namespace names = conventions;

namespace {

std::uint64_t bytes_of(std::span<const std::uint64_t> words) noexcept {
    return words.size_bytes();
}

}  // namespace

void HartState::meet_tracks() {
    for (; met_ < schema_.tracks().size(); ++met_) {
        const Track& track = schema_.tracks()[met_];
        if (track.kind != Track::Kind::event_type) continue;
        const auto id = static_cast<TrackId>(met_);
        if (track.name == names::resumption) resumption_ = id;
        if (track.name == names::page_walk) walk_ = id;
        if (track.name == names::trap_target) trap_target_ = id;
        if (track.name == names::trap) trap_ = mode_event_.track = id;
        const auto place = std::find(names::in_force.begin(), names::in_force.end(), track.name);
        if (place == names::in_force.end()) continue;
        Event& event = events_[static_cast<std::size_t>(place - names::in_force.begin())];
        event.track = id;
        if (const std::string* const header = schema_.metadata(track.name)) event.told = numbers_of(*header);
    }
}

void HartState::learn(const Batch& batch, const Record& record, Fate fate) {
    if (record.kind == Kind::instruction) {
        const auto operands = batch.operands(batch.instruction(record));
        if (operands.empty() && group_walks_.empty()) return;
        // An instruction reads its registers before it writes any, so the order of the operands does not matter.
        for (const Operand& operand : operands)
            if (operand.role != OperandRole::destination) learn(batch, operand, fate);
        // The walks of the group belong to the address space in which the instruction ran.
        settle_walks();
        for (const Operand& operand : operands)
            if (operand.role == OperandRole::destination) learn(batch, operand, fate);
        return;
    }
    if (record.kind != Kind::event) return;
    const auto cells = batch.cells(record);
    if (record.track == trap_) {
        if (!mode_change(batch, record)) return;
        mode_ = cells[1];
        mode_event_.learn(cells, fate);
        return;
    }
    if (record.track == walk_) {
        if (group_walks_.size() == most_walks) settle_walks();
        if (cells.size() >= 3) group_walks_.push_back({0, fate == Fate::shown, {cells.begin(), cells.end()}});
        return;
    }
    for (Event& event : events_)
        if (event.track == record.track) event.learn(cells, fate);
}

void HartState::settle_walks() {
    for (Walk& walk : group_walks_)
        learn_walk(std::move(walk));
    group_walks_.clear();
}

void HartState::learn_walk(Walk&& walk) {
    const std::uint64_t page = std::max<std::uint64_t>(walk.cells[2], 1);
    walk.number = next_walk_++;
    Walk& known = walks_[Page{space(), walk.cells[0] / page * page}];
    walk_bytes_ += bytes_of(walk.cells) - bytes_of(known.cells);
    known = std::move(walk);
    if (walks_.size() > 4 * most_walks) forget_old_walks(2 * most_walks);
    if (vector_bytes_ + walk_bytes_ > most_bytes_) forget_old_walks(walks_.size() / 2);
}

void HartState::forget_old_walks(std::size_t kept) {
    if (walks_.size() <= kept) return;
    std::vector<std::uint64_t> numbers;
    for (const auto& [page, walk] : walks_)
        numbers.push_back(walk.number);
    const auto oldest = numbers.end() - static_cast<std::ptrdiff_t>(kept);
    if (kept != 0) std::nth_element(numbers.begin(), oldest, numbers.end());
    const std::uint64_t from = kept == 0 ? next_walk_ : *oldest;
    std::erase_if(walks_, [&](const auto& entry) {
        const bool old = entry.second.number < from;
        if (old) walk_bytes_ -= bytes_of(entry.second.cells);
        return old;
    });
}

bool HartState::leaves_mode(const Batch& batch, const Record& record, std::uint64_t mode) const noexcept {
    return mode_change(batch, record) && batch.cells(record)[1] != mode;
}

std::optional<std::uint64_t> HartState::mode_change(const Batch& batch, const Record& record) const noexcept {
    if (record.track != trap_ || record.kind != Kind::event) return std::nullopt;
    const auto cells = batch.cells(record);
    if (cells.size() < 2 || !names::is_mode_change(cells[0])) return std::nullopt;
    return cells[0];
}

/// Returns the register's index in `registers_`. Returns nullopt for invalid registers and for the pc, which is no
/// separate state.
std::optional<std::size_t> HartState::place_of(const Operand& operand) noexcept {
    const std::size_t number = operand.number;
    switch (operand.register_class) {
        case RegisterClass::integer:
            return number < registers_of_class ? std::optional(number) : std::nullopt;
        case RegisterClass::floating:
            return number < registers_of_class ? std::optional(registers_of_class + number) : std::nullopt;
        case RegisterClass::vector:
            return number < registers_of_class ? std::optional(2 * registers_of_class + number) : std::nullopt;
        case RegisterClass::csr:
            return number < csrs ? std::optional(3 * registers_of_class + number) : std::nullopt;
    }
    return std::nullopt;
}

void HartState::learn(const Batch& batch, const Operand& operand, Fate fate) {
    const std::optional<std::size_t> place = place_of(operand);
    if (!place) return;
    Register& known = registers_[*place];
    bool is_new = !known.known || known.value != operand.value;
    if (operand.register_class == RegisterClass::vector) {
        const auto words = batch.cells(operand.words);
        std::vector<std::uint64_t>& last = vectors_[operand.number];
        is_new = is_new || !std::equal(words.begin(), words.end(), last.begin(), last.end());
        const std::uint64_t bytes = vector_bytes_ - bytes_of(last) + bytes_of(words);
        check_limit(bytes, most_bytes_, "the state of vector registers before a slice", "--max-record");
        vector_bytes_ = bytes;
        last.assign(words.begin(), words.end());
    }
    known.value = operand.value;
    known.known = true;
    if (fate == Fate::shown) {
        known.told = true;
    } else if (is_new) {
        known.told = false;
        untold_.push_back(static_cast<std::uint16_t>(*place));
        if (untold_.size() > 4 * register_count) {
            std::sort(untold_.begin(), untold_.end());
            untold_.erase(std::unique(untold_.begin(), untold_.end()), untold_.end());
        }
    }
}

std::optional<std::size_t> HartState::in_force(TrackId track) const noexcept {
    for (std::size_t which = 0; which < events_.size(); ++which)
        if (events_[which].track == track) return which;
    return std::nullopt;
}

bool HartState::restate_event(std::size_t which, Tick time, Batch& out) {
    return events_[which].restate(time, out);
}

bool HartState::restate_pc(Tick time, std::uint64_t pc, Batch& out) {
    if (resumption_ == none) return false;
    out.event(resumption_, time, std::span(&pc, 1));
    return true;
}

std::size_t HartState::restate_walks(Tick time, Batch& out) {
    if (walk_ == none) return 0;
    forget_old_walks(most_walks);
    std::vector<Walk*> wanted;  // in the order of the walks
    for (auto& [page, walk] : walks_)
        if (page.space == space() && !walk.told) wanted.push_back(&walk);
    std::sort(wanted.begin(), wanted.end(), [](const Walk* a, const Walk* b) { return a->number < b->number; });
    for (Walk* const walk : wanted) {
        out.event(walk_, time, walk->cells);
        walk->told = true;
    }
    return wanted.size();
}

bool HartState::restate_mode(Tick time, std::optional<std::uint64_t> own_change, Batch& out) {
    if (trap_ == none) return false;
    if (own_change && mode_event_.now.empty()) mode_event_.now = {*own_change, mode_};
    return mode_event_.restate(time, out);
}

std::size_t HartState::restate_registers(std::span<const Operand> own, Batch& out) {
    for (const Operand& operand : own)
        if (const auto place = place_of(operand); place && operand.role == OperandRole::state)
            registers_[*place].told = true;
    std::sort(untold_.begin(), untold_.end());
    std::size_t restated = 0;
    for (const std::uint16_t place : untold_) {
        Register& known = registers_[place];
        if (known.told) continue;
        known.told = true;
        ++restated;
        const std::size_t class_number = std::min<std::size_t>(place / registers_of_class, 3);
        const auto number = static_cast<std::uint16_t>(place - class_number * registers_of_class);
        const auto register_class = static_cast<RegisterClass>(class_number);
        if (register_class == RegisterClass::vector)
            out.vector_operand(number, OperandRole::state, vectors_[number]);
        else
            out.operand(number, register_class, OperandRole::state, known.value);
    }
    untold_.clear();
    return restated;
}

}  // namespace hwtrace

#include "timeline.hpp"

#include <algorithm>

namespace hwtrace::o3pipeview {

void Underway::plan(Tick cycle) noexcept {
    const Instruction& i = instruction;
    count = next = 0;
    // Inserts in order of time; the sequence is nearly sorted.
    const auto add = [&](Tick tick, Step step) {
        std::size_t at = count++;
        for (; at > 0 && places[at - 1].tick > tick; --at)
            places[at] = places[at - 1];
        places[at] = {tick, step};
    };
    add(i.fetch(), Step::fetch);
    for (std::size_t stage = 1; stage < stage_count; ++stage)
        if (i.ticks[stage] != 0) add(i.ticks[stage], static_cast<Step>(stage));
    const Tick last = i.last();
    Tick leave = last + cycle;  // both are at most most_ticks
    if (i.store != 0) {
        // The store waits since the latest stage that is not after its completion.
        Tick begin = i.fetch();
        for (const Tick tick : i.ticks)
            if (tick > begin && tick <= i.store) begin = tick;
        add(begin, Step::store_begins);
        const Tick retired = i.ticks[index_of(Stage::retire)];
        if (i.is_retired() && retired == last && i.store > leave) add(leave, Step::retire_ends);
        add(i.store, Step::store_ends);
        leave = std::max(leave, i.store);
    }
    add(leave, Step::leave);
}

namespace {

/// Returns the index of a free element of `pool`, and appends one if there is none.
template <typename Element>
std::uint32_t take(std::vector<Element>& pool, std::vector<std::uint32_t>& free) {
    if (free.empty()) {
        pool.emplace_back();
        return static_cast<std::uint32_t>(pool.size() - 1);
    }
    const std::uint32_t index = free.back();
    free.pop_back();
    return index;
}

}  // namespace

bool Timeline::add(const Instruction& instruction) {
    ++read_;
    if (started_ && instruction.fetch() < now_) {
        ++entered_;
        return false;
    }
    const std::uint32_t index = take(instructions_, free_instructions_);
    instructions_[index] = instruction;
    waiting_.push_back({instruction.fetch(), instruction.seq, read_, instruction.core, index});
    std::push_heap(waiting_.begin(), waiting_.end(), Later{});
    return true;
}

/// Moves the instruction that is fetched next into the pipeline.
void Timeline::enter(Tick cycle) {
    std::pop_heap(waiting_.begin(), waiting_.end(), Later{});
    Key key = waiting_.back();
    waiting_.pop_back();
    needed_ = std::max(needed_, static_cast<std::size_t>(key.number - std::min(key.number, entered_)));
    ++entered_;
    free_instructions_.push_back(key.index);
    if (underway_.size() >= most_underway) {
        left_out_.push_back(instructions_[key.index]);
        return;
    }
    const std::uint32_t index = take(pool_, free_);
    pool_[index].instruction = instructions_[key.index];
    pool_[index].plan(cycle);
    key.index = index;
    underway_.push_back(key);
    std::push_heap(underway_.begin(), underway_.end(), Later{});
}

Underway* Timeline::give(Underway::Place& place) {
    if (underway_.empty()) return nullptr;
    Underway& first = pool_[underway_.front().index];
    place = first.places[first.next++];
    now_ = place.tick;
    started_ = gave_ = true;
    return &first;
}

/// Moves the instruction of the last step to its next step.
void Timeline::finish_step() {
    if (!gave_) return;
    gave_ = false;
    Key key = underway_.front();
    const Underway& first = pool_[key.index];
    if (first.next == first.count) {
        free_.push_back(key.index);
        std::pop_heap(underway_.begin(), underway_.end(), Later{});
        underway_.pop_back();
        return;
    }
    key.tick = first.places[first.next].tick;
    // Sinks the key from the top of the heap.
    std::size_t at = 0;
    const std::size_t size = underway_.size();
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && underway_[child + 1].precedes(underway_[child])) ++child;
        if (!underway_[child].precedes(key)) break;
        underway_[at] = underway_[child];
        at = child;
    }
    underway_[at] = key;
}

}  // namespace hwtrace::o3pipeview

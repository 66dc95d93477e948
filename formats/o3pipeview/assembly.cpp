#include "assembly.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace::o3pipeview {

std::uint32_t Assembly::begin(Tick time) {
    std::uint32_t index = 0;
    if (free_.empty()) {
        index = static_cast<std::uint32_t>(pool_.size());
        pool_.emplace_back();
    } else {
        index = free_.back();
        free_.pop_back();
        std::string label = std::move(pool_[index].label);  // keeps its capacity
        label.clear();
        pool_[index] = {};
        pool_[index].label = std::move(label);
    }
    Assembled& begun = pool_[index];
    begun.begun = time;
    begun.number = ++count_;
    begun_.push_back({begun.number, index});
    // An old incomplete instruction must not keep later ones.
    if (begun_.size() > 4 * most_complete && begun_.size() > 2 * pool_.size())
        std::erase_if(begun_, [this](const Begun& other) {
            return pool_[other.index].number != other.number || pool_[other.index].is_done;
        });
    return index;
}

void Assembly::complete(std::uint32_t index) {
    Assembled& done = pool_[index];
    done.is_done = true;
    complete_.push_back({done.instruction.fetch(), done.instruction.seq, done.number, done.instruction.core, index});
    std::push_heap(complete_.begin(), complete_.end(), Later{});
}

std::optional<std::uint32_t> Assembly::oldest() {
    while (!begun_.empty()) {
        const Begun first = begun_.front();
        if (pool_[first.index].number == first.number && !pool_[first.index].is_done) return first.index;
        begun_.pop_front();
    }
    return std::nullopt;
}

Assembled* Assembly::next(Tick now) {
    if (complete_.empty()) return nullptr;
    const Key first = complete_.front();
    if (complete_.size() <= most_complete) {
        const std::optional<std::uint32_t> incomplete = oldest();
        if (first.fetch >= (incomplete ? std::min(now, pool_[*incomplete].begun) : now)) return nullptr;
    }
    std::pop_heap(complete_.begin(), complete_.end(), Later{});
    complete_.pop_back();
    free_.push_back(first.index);
    return &pool_[first.index];
}

}  // namespace hwtrace::o3pipeview

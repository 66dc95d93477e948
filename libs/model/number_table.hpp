// model/number_table.hpp - from numbers that a file chose (ids, keys) to indexes: by place where they are dense.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Holds an index for each of a set of numbers. Memory is proportional to how many there are, whatever they are.
class NumberTable {
public:
    /// The index of `number`, or hwtrace::none.
    std::uint32_t find(std::uint64_t number) const {
        if (number < dense_.size()) [[likely]]
            return dense_[static_cast<std::size_t>(number)];
        return find_sparse(number);
    }
    /// `number` has that index from now on.
    void set(std::uint64_t number, std::uint32_t index) {
        ++count_;
        if (number < dense_.size()) {
            dense_[static_cast<std::size_t>(number)] = index;
            return;
        }
        if (number < std::max<std::uint64_t>(smallest, 4 * count_)) {
            grow(static_cast<std::size_t>(number) + 1);
            dense_[static_cast<std::size_t>(number)] = index;
            return;
        }
        sparse_[number] = index;
    }

private:
    static constexpr std::uint64_t smallest = 1024;

    void grow(std::size_t size) {
        const std::size_t before = dense_.size();
        dense_.resize(std::max(size, 2 * before), none);
        if (sparse_.empty()) return;
        for (auto at = sparse_.begin(); at != sparse_.end();) {  // what was far is near now
            if (at->first >= dense_.size()) {
                ++at;
                continue;
            }
            dense_[static_cast<std::size_t>(at->first)] = at->second;
            at = sparse_.erase(at);
        }
    }
    std::uint32_t find_sparse(std::uint64_t number) const {
        if (sparse_.empty()) return none;
        const auto found = sparse_.find(number);
        return found == sparse_.end() ? none : found->second;
    }

    std::vector<std::uint32_t> dense_;
    HashMap<std::uint64_t, std::uint32_t> sparse_;
    std::uint64_t count_ = 0;
};

}  // namespace hwtrace

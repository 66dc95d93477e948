// model/number_table.hpp - maps arbitrary ids and keys of a file to indexes; stores dense ranges as an array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A map from numbers to indexes. The memory use depends on the number of entries, not on their values.
class NumberTable {
public:
    /// Returns the index of `number`, or hwtrace::none if none was assigned.
    std::uint32_t find(std::uint64_t number) const {
        if (number < dense_.size()) [[likely]]
            return dense_[static_cast<std::size_t>(number)];
        return find_sparse(number);
    }
    /// Assigns `index` to `number`.
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
        for (auto at = sparse_.begin(); at != sparse_.end();) {  // numbers that were too large for dense_ may fit now
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

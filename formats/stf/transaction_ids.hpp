// formats/stf/transaction_ids.hpp - which transactions there have been.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hwtrace::stf {

/// Ids that ascend, kept as runs without gaps.
class TransactionIds {
public:
    /// False where `id` does not ascend, or more than `most_runs` would have to be kept: then contains() is not to be
    /// asked any more.
    bool add(std::uint64_t id, std::uint64_t most_runs) {
        if (!runs_.empty() && id <= runs_.back().last) return false;
        if (!runs_.empty() && id - 1 == runs_.back().last) {
            runs_.back().last = id;
            return true;
        }
        if (runs_.size() >= most_runs) return false;
        runs_.push_back({id, id});
        return true;
    }
    bool contains(std::uint64_t id) const {
        const auto run =
            std::lower_bound(runs_.begin(), runs_.end(), id, [](const Run& r, std::uint64_t i) { return r.last < i; });
        return run != runs_.end() && run->first <= id;
    }

private:
    struct Run {
        std::uint64_t first, last;
    };
    std::vector<Run> runs_;
};

}  // namespace hwtrace::stf

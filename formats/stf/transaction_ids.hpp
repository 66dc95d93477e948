// formats/stf/transaction_ids.hpp - a set of transaction ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hwtrace::stf {

/// A set of ascending ids, stored as runs of consecutive ids.
class TransactionIds {
public:
    /// Adds an id. Returns false if `id` is not above all earlier ids, or if the set would need more than `most_runs`
    /// runs. Do not call contains() after a result of false.
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

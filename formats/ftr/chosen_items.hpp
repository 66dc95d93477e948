// formats/ftr/chosen_items.hpp - the transactions and relations of a file that belong to a slice.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/settings.hpp"
#include "io/input.hpp"
#include "model/hash.hpp"

namespace hwtrace::ftr {

/// A set of the items that belong to the slice in Settings::part. Filled by a separate pass over the file.
class ChosenItems {
public:
    /// Throws the same exceptions as a reader. Findings are not reported.
    ChosenItems(Input& input, const Settings& settings);

    /// Returns true if the slice has the item. Items are numbered from 0 in file order.
    bool has(std::uint64_t item) const noexcept { return item < items_.size() && items_[item]; }
    /// Returns the number of items examined. No later item belongs to the slice.
    std::uint64_t looked_at() const noexcept { return looked_at_; }
    /// Returns true if the slice has the generator, with or without transactions.
    bool has_generator(std::uint64_t number) const { return generators_.contains(number); }

private:
    void choose(std::uint64_t item);

    std::vector<bool> items_;
    std::uint64_t looked_at_ = 0;
    HashSet<std::uint64_t> generators_;
};

}  // namespace hwtrace::ftr

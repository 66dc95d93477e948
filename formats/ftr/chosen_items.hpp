// formats/ftr/chosen_items.hpp - which transactions and relations of a file are in a part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/settings.hpp"
#include "io/input.hpp"
#include "model/hash.hpp"

namespace hwtrace::ftr {

/// What Settings::part leaves of a file, by a reading of its own: a bit for each item.
class ChosenItems {
public:
    /// Throws as that reading does; what it finds is not told.
    ChosenItems(Input& input, const Settings& settings);

    /// The item of that number in the order of the file, from 0.
    bool has(std::uint64_t item) const noexcept { return item < items_.size() && items_[item]; }
    /// How many items of the file were looked at: behind them the part has none.
    std::uint64_t looked_at() const noexcept { return looked_at_; }
    /// Whether the part has the generator of that number, with transactions or without.
    bool has_generator(std::uint64_t number) const { return generators_.contains(number); }

private:
    void choose(std::uint64_t item);

    std::vector<bool> items_;
    std::uint64_t looked_at_ = 0;
    HashSet<std::uint64_t> generators_;
};

}  // namespace hwtrace::ftr

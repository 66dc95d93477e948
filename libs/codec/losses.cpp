#include "codec/losses.hpp"

#include <algorithm>

namespace hwtrace {

std::string_view name_of(Loss loss) noexcept {
    switch (loss) {
        case Loss::kind_dropped:
            return "kind-dropped";
        case Loss::field_dropped:
            return "field-dropped";
        case Loss::value_narrowed:
            return "value-narrowed";
        case Loss::type_changed:
            return "type-changed";
        case Loss::time_rounded:
            return "time-rounded";
        case Loss::order_changed:
            return "order-changed";
        case Loss::name_changed:
            return "name-changed";
        case Loss::scope_flattened:
            return "scope-flattened";
        case Loss::metadata_dropped:
            return "metadata-dropped";
        case Loss::native_dropped:
            return "native-dropped";
        case Loss::relation_dropped:
            return "relation-dropped";
        case Loss::part_dropped:
            return "part-dropped";
    }
    return "?";
}

void Losses::add(const Key& key, const Entry& entry) {
    Entry& sum = entries_[key];
    if (sum.count == 0 || (sum.count == sum.unused && entry.count != entry.unused)) sum.first = entry.first;
    sum.count += entry.count;
    sum.is_general = sum.is_general || entry.is_general;
    sum.unused += entry.unused;
}

void Losses::assume(std::string text) {
    if (std::find(assumptions_.begin(), assumptions_.end(), text) == assumptions_.end())
        assumptions_.push_back(std::move(text));
}

void Losses::warn(std::string text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(std::move(text));
}

}  // namespace hwtrace

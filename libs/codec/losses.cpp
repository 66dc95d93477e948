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
    if (sum.count == 0 || (sum.count == sum.unused && entry.count != entry.unused)) {
        sum.first = entry.first;
        sum.step = entry.step;
    }
    sum.count += entry.count;
    sum.is_general = sum.is_general || entry.is_general;
    sum.unused += entry.unused;
}

void Losses::merge(const Losses& behind) {
    for (const auto& [key, entry] : behind.entries_) {
        if (entry.count == 0) continue;
        const auto own = entries_.find(key);
        if (own == entries_.end()) {
            entries_.emplace(key, entry);
            continue;
        }
        Entry& sum = own->second;
        const bool is_used = sum.count != sum.unused;
        const bool is_used_behind = entry.count != entry.unused;
        if (is_used != is_used_behind ? is_used_behind : entry.step < sum.step) {
            sum.first = entry.first;
            sum.step = entry.step;
        }
        sum.count += entry.count;
        sum.is_general = sum.is_general || entry.is_general;
        sum.unused += entry.unused;
    }
    assumptions_.merge(behind.assumptions_);
    warnings_.merge(behind.warnings_);
}

void Losses::assume(std::string text) {
    assumptions_.add(std::move(text), step_);
}

void Losses::warn(std::string text) {
    warnings_.add(std::move(text), step_);
}

void Losses::Remarks::add(std::string text, std::uint64_t step) {
    if (std::ranges::find(texts, text) != texts.end()) return;
    texts.push_back(std::move(text));
    steps.push_back(step);
}

void Losses::Remarks::merge(const Remarks& behind) {
    Remarks all;
    std::size_t i = 0;
    for (std::size_t j = 0; j < behind.texts.size(); ++j) {
        for (; i < texts.size() && steps[i] <= behind.steps[j]; ++i)
            all.add(std::move(texts[i]), steps[i]);
        all.add(behind.texts[j], behind.steps[j]);
    }
    for (; i < texts.size(); ++i)
        all.add(std::move(texts[i]), steps[i]);
    *this = std::move(all);
}

}  // namespace hwtrace

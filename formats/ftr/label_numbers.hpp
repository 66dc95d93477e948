// formats/ftr/label_numbers.hpp - maps the values of an enumeration to the dictionary keys of their labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dictionary_writer.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Finds the labels that FTR stores instead of enumeration values. A label identifies its value only if no other value
/// has it. A number that replaces a missing label never identifies its value. The enumeration may grow between two
/// calls.
class LabelNumbers {
public:
    struct Label {
        std::uint32_t number = none;  ///< key in the dictionary; none: not looked up yet
        bool leads_back = false;
    };

    /// Returns the label of `value`.
    Label of(std::uint64_t value, const Enum& enumeration, DictionaryWriter& dictionary) {
        if (value < dense_.size() && dense_[value].number != none) [[likely]]
            return dense_[value];
        return look_up(value, enumeration, dictionary);
    }

private:
    static constexpr std::uint64_t most_dense = 4096;

    Label look_up(std::uint64_t value, const Enum& enumeration, DictionaryWriter& dictionary) {
        take_new(enumeration, dictionary);
        if (const auto known = labels_.find(value); known != labels_.end()) return known->second;
        return {static_cast<std::uint32_t>(dictionary.number_of_name(std::to_string(value))), false};
    }

    void take_new(const Enum& enumeration, DictionaryWriter& dictionary) {
        for (; taken_ < enumeration.values.size(); ++taken_) {
            const EnumValue& entry = enumeration.values[taken_];
            const bool alone = names_.insert(entry.name).second;
            const Label label{static_cast<std::uint32_t>(dictionary.number_of_name(entry.name)), alone};
            const bool fresh = labels_.try_emplace(entry.value, label).second;
            if (!fresh || entry.value >= most_dense) continue;
            if (entry.value >= dense_.size()) dense_.resize(entry.value + 1);
            dense_[entry.value] = label;
        }
    }

    std::size_t taken_ = 0;  ///< number of values of the enumeration that were added so far
    HashSet<std::string> names_;
    std::vector<Label> dense_;
    HashMap<std::uint64_t, Label> labels_;
};

}  // namespace hwtrace::ftr

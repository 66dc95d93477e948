// formats/ftr/label_numbers.hpp - the values of an enumeration as numbers of their labels in the dictionary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dictionary_writer.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// FTR has labels in place of values. A label that two values share, and the decimal number of a value that has none,
/// do not lead back to the value. Labels may be added between two calls.
class LabelNumbers {
public:
    struct Label {
        std::uint32_t number = none;  ///< in the dictionary; none: it has not been looked up
        bool leads_back = false;
    };

    /// The label of `value`.
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

    std::size_t taken_ = 0;  ///< of the enumeration's values
    HashSet<std::string> names_;
    std::vector<Label> dense_;
    HashMap<std::uint64_t, Label> labels_;
};

}  // namespace hwtrace::ftr

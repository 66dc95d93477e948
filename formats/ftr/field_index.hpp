// formats/ftr/field_index.hpp - attributes of a track by what tells them apart in a file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/hash.hpp"
#include "model/schema.hpp"
#include "model/transaction_types.hpp"

namespace hwtrace::ftr {

/// Finds them by name, phase and type of value, whatever their number.
class FieldIndex {
public:
    /// Takes those of `fields` from the one at `begin` on that it does not have yet.
    void follow(const std::vector<Field>& fields, std::size_t begin = 0) {
        for (std::size_t i = std::max(next_, begin); i < fields.size(); ++i)
            first_.try_emplace(key_of(fields[i]), static_cast<std::uint32_t>(i));
        next_ = fields.size();
    }
    /// The first that is stored as `field` is; hwtrace::none: there is none.
    std::uint32_t find(const Field& field) const {
        const auto found = first_.find(key_of(field));
        return found == first_.end() ? none : found->second;
    }

private:
    static std::string key_of(const Field& field) {
        const Phase phase = field.phase == Phase::unknown ? Phase::begin : field.phase;
        std::string key{static_cast<char>(phase), static_cast<char>(transaction_type_of(field.type).number)};
        return key.append(field.name);
    }

    HashMap<std::string, std::uint32_t> first_;
    std::size_t next_ = 0;
};

}  // namespace hwtrace::ftr

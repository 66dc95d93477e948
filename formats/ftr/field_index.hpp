// formats/ftr/field_index.hpp - finds the attributes of a track by name, phase and type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "domain/transaction_types.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Maps name, phase and value type to the index of a field.
class FieldIndex {
public:
    /// Adds the fields that were appended since the last call. Skips fields before index `begin`.
    void follow(const std::vector<Field>& fields, std::size_t begin = 0) {
        for (std::size_t i = std::max(next_, begin); i < fields.size(); ++i)
            first_.try_emplace(key_of(fields[i]), static_cast<std::uint32_t>(i));
        next_ = fields.size();
    }
    /// Returns the index of the first field that is stored like `field`, or hwtrace::none.
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

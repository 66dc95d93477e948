// codec/field_keys.hpp - the JSON member names of a track's fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/name_table.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The JSON member names of a track's fields. The name of a field is used if it is UTF-8 and unique. Otherwise @ and
/// the phase, or # and the index, are appended.
class FieldKeys {
public:
    /// Assigns keys to fields that were appended since the last call.
    void extend(const std::vector<Field>& fields);
    std::size_t size() const noexcept { return keys_.names().size(); }
    const std::string& operator[](std::size_t field) const { return keys_.names()[field]; }
    /// Returns the index of the field with this key, or `none`.
    std::uint32_t find(std::string_view key) const noexcept { return keys_.find(key); }

private:
    NameTable keys_;
};

}  // namespace hwtrace

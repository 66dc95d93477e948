// model/name_table.hpp - assigns indexes to names in order of appearance.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"
#include "model/text_index.hpp"

namespace hwtrace {

/// A table of names. A short name takes 40 bytes, plus its entry in the index. Adding a million names must take less
/// than a second.
class NameTable {
public:
    /// Returns the index of `name`, or hwtrace::none if the table does not contain it.
    std::uint32_t find(std::string_view name) const noexcept { return index_.find(name, names_); }
    /// Returns the index of `name`. Appends `name` if it is new.
    std::uint32_t add(std::string_view name) { return index_.add(name, names_); }
    /// Returns the names by index. Adding a name invalidates references to names.
    const std::vector<std::string>& names() const noexcept { return names_; }

private:
    static_assert(TextIndex::absent == none);

    std::vector<std::string> names_;
    TextIndex index_;
};

}  // namespace hwtrace

// formats/ftr/dictionary.hpp - the strings of a file by key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/number_table.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

class Dictionary {
public:
    /// One definition of a key.
    struct Entry {
        std::uint64_t key = 0;
        std::uint64_t chunk = 0;  ///< offset of the chunk that defines the key
        std::uint64_t begin = 0, size = 0;
        std::uint32_t name = none;  ///< id shared by equal names; see name_number()
    };

    explicit Dictionary(const Limits& limits) : limits_(limits) {}

    /// Defines or redefines `key`. Returns the earlier definition, or null. Throws Failure::limit.
    const Entry* define(std::uint64_t key, std::string_view text, std::uint64_t chunk);

    /// Returns all definitions in file order, including replaced ones.
    const std::vector<Entry>& entries() const noexcept { return entries_; }
    std::string_view text(const Entry& entry) const noexcept {
        return std::string_view(text_).substr(static_cast<std::size_t>(entry.begin),
                                              static_cast<std::size_t>(entry.size));
    }
    /// Returns the current definition of `key`, or null.
    Entry* find(std::uint64_t key) {
        const std::uint32_t index = by_key_.find(key);
        return index == none ? nullptr : &entries_[index];
    }
    /// Returns the value that use() stored for the key, or none.
    StringId used(std::uint64_t key) const {
        if (key < used_.size() && used_[static_cast<std::size_t>(key)] != none) [[likely]]
            return used_[static_cast<std::size_t>(key)];
        const std::uint32_t index = by_key_.find(key);
        return index == none ? none : values_[index];
    }
    /// Stores the value that used() returns for the key of `entry`.
    void use(const Entry& entry, StringId value);
    /// Returns an id that is the same for equal strings. Must be called after all definitions.
    std::uint32_t name_number(Entry& entry);
    /// Returns the string of `key` as a name, or "text KEY" if the key is undefined.
    std::string name(std::uint64_t key);

private:
    const Limits& limits_;
    std::string text_;
    std::vector<Entry> entries_;
    std::vector<StringId> values_;  // by entry
    std::vector<StringId> used_;    // by key, for small keys: saves a look-up; none: see values_
    NumberTable by_key_;
    HashMap<std::string_view, std::uint32_t> names_;
};

}  // namespace hwtrace::ftr

// formats/ftr/dictionary.hpp - the texts of a file by their keys.
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
    /// One definition.
    struct Entry {
        std::uint64_t key = 0;
        std::uint64_t chunk = 0;  ///< offset of the chunk that defines it
        std::uint64_t begin = 0, size = 0;
        std::uint32_t name = none;  ///< a number of its text, of one that has been used as a name
    };

    explicit Dictionary(const Limits& limits) : limits_(limits) {}

    /// Defines `key`, also anew. Throws Failure::limit. Returns what was defined before, or null.
    const Entry* define(std::uint64_t key, std::string_view text, std::uint64_t chunk);

    /// Every definition in the order of the file, those that were replaced among them.
    const std::vector<Entry>& entries() const noexcept { return entries_; }
    std::string_view text(const Entry& entry) const noexcept {
        return std::string_view(text_).substr(static_cast<std::size_t>(entry.begin),
                                              static_cast<std::size_t>(entry.size));
    }
    /// What counts for `key`, or null.
    Entry* find(std::uint64_t key) {
        const std::uint32_t index = by_key_.find(key);
        return index == none ? nullptr : &entries_[index];
    }
    /// The value of a text that has been used before; none for others.
    StringId used(std::uint64_t key) const {
        const std::uint32_t index = by_key_.find(key);
        return index == none ? none : values_[index];
    }
    /// Says what used() answers from now on for the key of `entry`.
    void use(const Entry& entry, StringId value) {
        values_[static_cast<std::size_t>(&entry - entries_.data())] = value;
    }
    /// A number that equal texts share. Once everything is defined.
    std::uint32_t name_number(Entry& entry);
    /// The key's text as a name: "text 99" where it has none.
    std::string name(std::uint64_t key);

private:
    const Limits& limits_;
    std::string text_;
    std::vector<Entry> entries_;
    std::vector<StringId> values_;  // by entry
    NumberTable by_key_;
    HashMap<std::string_view, std::uint32_t> names_;
};

}  // namespace hwtrace::ftr

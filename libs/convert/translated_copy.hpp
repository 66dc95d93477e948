// convert/translated_copy.hpp - copies records to a schema with other string ids.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convert/track_map.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Copies records between schemas in which scopes, clocks and enums have the same ids.
class TranslatedCopy {
public:
    /// Both schemas must outlive this object and may grow.
    TranslatedCopy(const Schema& from, Schema& to) : from_(from), to_(to), translate_(from, to) {}

    /// Appends a copy of `record` on track `target`, which must have the same fields.
    Record& copy(const Batch& in, const Record& record, TrackId target, Batch& out);
    /// Returns the id of the string in the target.
    StringId text(StringId id) { return translate_(id); }
    /// Returns the cell in the target. Strings get their new ids.
    std::uint64_t cell(const Field& field, std::uint64_t value) {
        return holds_text(field.type) ? translate_(static_cast<StringId>(value)) : value;
    }
    /// Does the same, but replaces bytes by a string of their hexadecimal digits.
    std::uint64_t cell_with_digits(const Field& field, std::uint64_t value);
    /// Returns the hexadecimal digits of the bytes as a string of the target.
    StringId digits_of(std::span<const std::byte> bytes);
    /// Undoes cell_with_digits().
    std::uint64_t cell_of_digits(const Field& field, std::uint64_t value);

private:
    const Schema& from_;
    Schema& to_;
    TextTranslation translate_;
    std::string digits_;            // reused
    std::vector<std::byte> bytes_;  // reused
};

}  // namespace hwtrace

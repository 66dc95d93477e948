// pipeline/translated_copy.hpp - records as they are, for a schema that has texts by other ids.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

/// Copies records between schemas whose scopes, clocks and enumerations have the same ids.
class TranslatedCopy {
public:
    /// Both outlive this object and may grow.
    TranslatedCopy(const Schema& from, Schema& to) : from_(from), to_(to), translate_(from, to) {}

    /// Appends `record`, on the track `target`, whose fields are its own.
    Record& copy(const Batch& in, const Record& record, TrackId target, Batch& out);
    /// A cell of a field: texts get their new ids.
    std::uint64_t cell(const Field& field, std::uint64_t value) {
        return holds_text(field.type) ? translate_(static_cast<StringId>(value)) : value;
    }
    /// The same of a field that holds no bytes there, but their hexadecimal digits as text.
    std::uint64_t cell_with_digits(const Field& field, std::uint64_t value);
    /// Bytes as the text of their hexadecimal digits.
    StringId digits_of(std::span<const std::byte> bytes);
    /// The way back from there.
    std::uint64_t cell_of_digits(const Field& field, std::uint64_t value);

private:
    const Schema& from_;
    Schema& to_;
    TextTranslation translate_;
    std::string digits_;            // reused
    std::vector<std::byte> bytes_;  // reused
};

}  // namespace hwtrace

#include "convert/translated_copy.hpp"

#include <algorithm>

#include "io/hex_digits.hpp"

namespace hwtrace {

Record& TranslatedCopy::copy(const Batch& in, const Record& record, TrackId target, Batch& out) {
    Record& copied = out.copy(in, record, target);
    const Track& track = from_.tracks()[record.track];
    const std::vector<Field>& fields = track.fields;
    switch (record.kind) {
        case Kind::event:
        case Kind::relation: {
            const std::size_t fixed = track.fixed_fields();
            const std::span<std::uint64_t> cells = out.mutable_cells(copied);
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::size_t at =
                    i < fixed ? i : fixed + (i - fixed) % std::max(fields.size() - fixed, std::size_t{1});
                if (at < fields.size()) cells[i] = cell(fields[at], cells[i]);
            }
            break;
        }
        case Kind::set: {
            const bool property = is_property(record);
            const std::vector<Field>& columns = property ? track.properties : fields;
            if (record.field < columns.size()) copied.value = cell(columns[record.field], record.value);
            break;
        }
        case Kind::interval:
        case Kind::change:
            for (Attribute& attribute : out.mutable_attributes(copied))
                if (attribute.field < fields.size()) attribute.value = cell(fields[attribute.field], attribute.value);
            break;
        case Kind::clear:
        case Kind::add:
        case Kind::instruction:
        case Kind::note:
        case Kind::native:
            break;
    }
    return copied;
}

std::uint64_t TranslatedCopy::cell_with_digits(const Field& field, std::uint64_t value) {
    if (field.type != Type::blob) return cell(field, value);
    return digits_of(std::as_bytes(std::span(from_.text(static_cast<StringId>(value)))));
}

StringId TranslatedCopy::digits_of(std::span<const std::byte> bytes) {
    digits_.clear();
    append_hex_digits(bytes, digits_);
    return to_.intern(digits_);
}

std::uint64_t TranslatedCopy::cell_of_digits(const Field& field, std::uint64_t value) {
    if (field.type != Type::blob) return cell(field, value);
    bytes_.clear();
    append_bytes_of_hex(from_.text(static_cast<StringId>(value)), bytes_);
    return to_.intern({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}

}  // namespace hwtrace

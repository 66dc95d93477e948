#include "hwtrace/record_view.hpp"

#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

namespace {

/// Returns the field of the cell at `index`. The trailing repeated fields form rows.
const Field& field_of_cell(const Track& track, std::size_t index) {
    const std::size_t fixed = track.fixed_fields();
    if (index < fixed) return track.fields[index];
    return track.fields[fixed + (index - fixed) % (track.fields.size() - fixed)];
}

}  // namespace

std::string FieldValue::text() const {
    if (holds_text(field->type)) return std::string(schema->text(static_cast<StringId>(cell)));
    if (field->type == Type::enumeration)
        if (const std::string* const label = schema->label(field->enumeration, cell)) return *label;
    constexpr std::size_t longest_number = 64;
    TextOutput out(-1, longest_number);
    append_value(*schema, *field, cell, out);
    return std::string(out.text());
}

std::string RecordView::path() const {
    return name_in(path_of(*schema_, track().scope), track().name);
}

std::size_t RecordView::size() const noexcept {
    switch (kind()) {
        case Kind::event:
        case Kind::relation:
        case Kind::interval:
        case Kind::change:
            return record_->count;
        case Kind::set:
        case Kind::add:
            return 1;
        case Kind::clear:
        case Kind::instruction:
        case Kind::note:
        case Kind::native:
            break;
    }
    return 0;
}

FieldValue RecordView::operator[](std::size_t index) const {
    const Track& in = track();
    switch (kind()) {
        case Kind::interval:
        case Kind::change: {
            const Attribute& attribute = batch_->attributes(*record_)[index];
            return {schema_, &in.fields[attribute.field], attribute.value};
        }
        case Kind::set:
        case Kind::add:
            return {schema_, &(is_property(*record_) ? in.properties : in.fields)[record_->field], record_->value};
        default:
            return {schema_, &field_of_cell(in, index), batch_->cells(*record_)[index]};
    }
}

std::optional<FieldValue> RecordView::find(std::string_view name) const {
    for (const FieldValue value : *this)
        if (value.name() == name) return value;
    return std::nullopt;
}

}  // namespace hwtrace

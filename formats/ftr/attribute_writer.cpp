#include "attribute_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "digits.hpp"
#include "domain/transaction_types.hpp"
#include "timescale.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();

Element element_of(Phase phase) noexcept {
    switch (phase) {
        case Phase::unknown:
        case Phase::begin:
            return Element::begin;
        case Phase::record:
            return Element::record;
        case Phase::end:
            return Element::end;
    }
    return Element::begin;
}

}  // namespace

AttributeWriter::Form AttributeWriter::form_of(const Field& field) noexcept {
    switch (field.type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::pointer:
            return Form::natural;
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            return Form::integer;
        case Type::f32:
            return Form::single;
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return Form::floating;
        case Type::boolean:
            return Form::boolean;
        case Type::enumeration:
            return Form::label;
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::blob:
            return Form::text;
        case Type::time:
            return Form::time;
    }
    return Form::natural;
}

/// Prepares the bytes before the values of a field.
void AttributeWriter::prepare(Columns& columns, const Record& record, std::uint32_t index) {
    const Track& track = schema_.tracks()[record.track];
    const Field& field = track.fields.at(index);
    if (index >= columns.codes.size()) columns.codes.resize(track.fields.size());
    Code& code = columns.codes[index];
    std::array<std::byte, 4 * longest_head> front;
    std::byte* at = heads_.put(front.data(), Major::tag, static_cast<std::uint64_t>(element_of(field.phase)));
    at = heads_.put(at, Major::array, 3);
    at = heads_.put(at, dictionary_.number_of_name(field.name));
    at = heads_.put(at, transaction_type_of(field.type).number);
    code.size = static_cast<std::uint8_t>(at - front.data());  // at most 1 + 1 + 9 + 1
    std::copy_n(front.begin(), code.size, code.front.begin());
    code.form = form_of(field);
    std::uint32_t& last = columns.last_met[static_cast<std::size_t>(field.phase)];
    columns.met_in_another_order = columns.met_in_another_order || index < last;
    last = index;
    columns.fields.follow(track.fields, columns.states_numbers ? 1 : 0);  // the id is not an attribute in a file
    if (columns.fields.find(field) < index)
        losses_.count(Loss::type_changed, field_name(record, index), [&] {
            return "at " + std::to_string(record.time) + ": another attribute of that name is stored in the same form";
        });
    if (columns.states_numbers && index == 0)
        losses_.count(Loss::type_changed, track.name,
                      [&] { return "the interval at " + std::to_string(record.time) + " has two ids"; });
}

std::byte* AttributeWriter::put_number(std::byte* at, const Record& record, const Attribute& attribute) {
    Field number = schema_.tracks()[record.track].fields[attribute.field];
    number.type = Type::u64;
    losses_.count(Loss::type_changed, field_name(record, attribute.field), [&] {
        return "at " + std::to_string(record.time) + ": a boolean of " + std::to_string(attribute.value) +
               " is stored as a number";
    });
    at = heads_.put(at, Major::tag, static_cast<std::uint64_t>(element_of(number.phase)));
    at = heads_.put(at, Major::array, 3);
    at = heads_.put(at, dictionary_.number_of_name(number.name));
    at = heads_.put(at, transaction_type_of(number.type).number);
    return heads_.put(at, attribute.value);
}

bool AttributeWriter::is_exact(std::uint64_t bits) noexcept {
    return binary64_of(nearest_binary32(bits)) == bits;
}

std::byte* AttributeWriter::append_other_double(std::byte* at, std::uint64_t bits, const Record& record,
                                                std::uint32_t field) {
    const std::uint32_t single = nearest_binary32(bits);
    const std::uint64_t rest = bits - binary64_of(single);
    at = Heads::append_binary32(at, single);
    if (rest == 0) return at;
    if (doubles_ == Doubles::binary32) {
        count_narrowed(record, field);
        return at;
    }
    return put_mark(at, static_cast<std::int64_t>(rest));
}

std::byte* AttributeWriter::put_mark(std::byte* at, std::int64_t digits) {
    at = heads_.put(at, Major::tag, static_cast<std::uint64_t>(Element::record));
    at = heads_.put(at, Major::array, 3);
    if (!digits_key_) digits_key_ = dictionary_.number_of_name(digits_name);
    at = heads_.put(at, *digits_key_);
    at = heads_.put(at, static_cast<std::uint64_t>(Value::integer));
    return heads_.write_signed(at, digits);
}

/// Returns true if the attributes of a field look like marks in a file.
bool AttributeWriter::is_namesake(const Field& field) noexcept {
    return field.phase == Phase::record && form_of(field) == Form::integer && field.name == digits_name;
}

void AttributeWriter::look_at_fields(Columns& columns, const Track& track) {
    for (; columns.known_fields < track.fields.size(); ++columns.known_fields) {
        const Field& field = track.fields[columns.known_fields];
        columns.has_doubles = columns.has_doubles || is_double(field.type);
        columns.has_namesakes = columns.has_namesakes || is_namesake(field);
    }
}

AttributeWriter::Marks AttributeWriter::empty_marks(const Track& track, std::span<const Attribute> attributes) {
    Marks marks;
    for (std::size_t index = 0; index < attributes.size(); ++index) {
        met_namesakes_ = met_namesakes_ || is_namesake(track.fields[attributes[index].field]);
        if (needs_empty_mark(track, attributes, index)) ++marks.count;
    }
    marks.has_empty = marks.count != 0;
    return marks;
}

bool AttributeWriter::needs_empty_mark(const Track& track, std::span<const Attribute> attributes,
                                       std::size_t index) const noexcept {
    if (doubles_ != Doubles::marked || index == 0 || !is_namesake(track.fields[attributes[index].field])) return false;
    const Attribute& before = attributes[index - 1];
    const Type type = track.fields[before.field].type;
    return type == Type::f32 || (is_double(type) && is_exact(before.value));
}

std::uint64_t AttributeWriter::label(const Record& record, const Attribute& attribute) {
    const EnumId id = schema_.tracks()[record.track].fields[attribute.field].enumeration;
    const bool known = id < schema_.enums().size();
    const std::size_t slot = known ? id + std::size_t{1} : 0;
    if (slot >= labels_.size()) labels_.resize(slot + 1);
    const LabelNumbers::Label found =
        labels_[slot].of(attribute.value, known ? schema_.enums()[id] : without_labels_, dictionary_);
    if (!found.leads_back)
        losses_.count(Loss::type_changed, field_name(record, attribute.field), [&] {
            return "at " + std::to_string(record.time) + ": no label identifies the value " +
                   std::to_string(attribute.value);
        });
    return found.number;
}

std::uint64_t AttributeWriter::time(const Columns& columns, const Record& record, const Attribute& attribute) {
    if (columns.ticks == Ratio{1, 1}) return attribute.value;
    bool exact = true;
    const std::uint64_t ticks = whole_ticks(attribute.value, columns.ticks, greatest, exact);
    if (!exact)
        losses_.count(Loss::time_rounded, field_name(record, attribute.field),
                      [&] { return "at " + std::to_string(record.time); });
    return ticks;
}

std::string AttributeWriter::field_name(const Record& record, std::uint32_t field) const {
    const Track& track = schema_.tracks()[record.track];
    return track.name + '.' + track.fields[field].name;
}

void AttributeWriter::count_narrowed(const Record& record, std::uint32_t field) {
    losses_.count(Loss::value_narrowed, field_name(record, field),
                  [&] { return "at " + std::to_string(record.time) + ": the number is not exact in binary32"; });
}

}  // namespace hwtrace::ftr

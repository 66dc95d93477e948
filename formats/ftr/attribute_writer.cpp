#include "attribute_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "model/transaction_types.hpp"
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

std::byte* AttributeWriter::append_other_double(std::byte* at, std::uint64_t bits, const Record& record,
                                                std::uint32_t field) {
    if (doubles_ == Doubles::binary64) return Heads::append_binary64(at, bits);
    const auto value = std::bit_cast<double>(bits);
    constexpr double largest = std::numeric_limits<float>::max();
    if (std::isnan(value)) {
        // A quiet NaN whose low 29 bits are zero converts to binary32 exactly. Every other NaN would lose bits or
        // become quiet.
        constexpr std::uint64_t quiet = std::uint64_t{1} << 51, lower = (std::uint64_t{1} << 29) - 1;
        const auto single = static_cast<std::uint32_t>((bits >> 63 << 31) | 0x7F80'0000u | (bits >> 29 & 0x7F'FFFFu));
        if ((bits & quiet) != 0 && (bits & lower) == 0) return Heads::append_binary32(at, single);
        if (doubles_ == Doubles::smallest) return Heads::append_binary64(at, bits);
        count_narrowed(record, field);
        return Heads::append_binary32(at, single | 0x40'0000u);
    }
    const float nearest = std::fabs(value) <= largest ? static_cast<float>(value)
                                                      : std::copysign(std::numeric_limits<float>::infinity(),
                                                                      std::signbit(value) ? -1.0f : 1.0f);
    if (static_cast<double>(nearest) != value) [[unlikely]] {
        if (doubles_ == Doubles::smallest) return Heads::append_binary64(at, bits);
        count_narrowed(record, field);
    }
    return Heads::append_binary32(at, std::bit_cast<std::uint32_t>(nearest));
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

#include "value_writer.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "encode.hpp"
#include "io/cursor.hpp"

namespace hwtrace::flux {

namespace {

constexpr unsigned single_bytes = 4, real_bytes = 8;
constexpr unsigned width_32 = 1, width_64 = 2, width_big = 3;
constexpr unsigned array_kind = 1, event_array_kind = 2;

std::uint8_t state_of(char character) noexcept {
    const std::size_t state = logic_states.find(character);
    return static_cast<std::uint8_t>(state == std::string_view::npos ? logic_states.size() - 1 : state);
}

void append_header(Appender& out, std::uint64_t size, unsigned nibble) {
    out.leb128(size << size_shift | nibble);
}

void append_integer(Appender& out, std::uint64_t value, bool is_signed, Nibble nibble) {
    const unsigned size = is_signed ? signed_size(value) : unsigned_size(value);
    append_header(out, size, static_cast<unsigned>(nibble));
    append_number(out, value, size);
}

/// Returns the size in bytes of a number stored as a member or array element.
unsigned size_of(const FieldPlan& field, std::uint64_t value) {
    switch (field.as) {
        case As::single:
            return single_bytes;
        case As::real:
            return real_bytes;
        case As::integer:
            return signed_size(value);
        default:
            return unsigned_size(value);
    }
}

/// Returns true if a reader would take these bytes for a number in a member of this type.
bool reads_as_number(MemberType type, std::span<const std::byte> bytes) noexcept {
    if (type != MemberType::integer) return unsigned_value(bytes).has_value();
    const bool negative = !bytes.empty() && (std::to_integer<unsigned>(bytes.back()) & 0x80u) != 0;
    return signed_value(bytes).has_value() || (!negative && unsigned_value(bytes).has_value());
}

/// Appends the number and the type of a member, and the size of its value.
void append_member_head(const FieldPlan& field, std::uint8_t type, std::uint64_t size, Appender& out) {
    out.leb128(field.member);
    out.le(type);
    out.leb128(size);
}

bool is_number(As as) noexcept {
    return as != As::text && as != As::bytes && as != As::states && as != As::raw;
}

}  // namespace

void append_sample_value(Appender& out, Nibble nibble, std::span<const std::byte> bytes) {
    append_header(out, bytes.size(), static_cast<unsigned>(nibble));
    out.bytes(bytes);
}

std::span<const std::byte> ValueWriter::text(const Attribute& value) const {
    return as_bytes(schema_.text(static_cast<StringId>(value.value)));
}

void ValueWriter::append_single(const TrackPlan& track, const Attribute& value, Appender& out) {
    const FieldPlan& field = track.fields[value.field];
    const bool is_event = track.type == SignalType::event;
    switch (field.as) {
        case As::integer:
            return append_integer(out, value.value, true, is_event ? Nibble::event : Nibble::value);
        case As::natural:
            return append_integer(out, value.value, false, Nibble::value);
        case As::event:
            return append_integer(out, value.value, false, is_event ? Nibble::event : Nibble::value);
        case As::single:
            append_header(out, single_bytes, static_cast<unsigned>(Nibble::array_32));
            return append_number(out, value.value, single_bytes);
        case As::real:
            append_header(out, real_bytes, static_cast<unsigned>(Nibble::array_64));
            return append_number(out, value.value, real_bytes);
        case As::text:
            return append_sample_value(out, Nibble::value, text(value));
        case As::bytes:
            return append_sample_value(out, is_event ? Nibble::event : Nibble::value, text(value));
        case As::raw:
            return append_sample_value(out, static_cast<Nibble>(field.nibble), text(value));
        case As::vector:
            return append_vector(value.value, field.width, out);
        case As::states:
            return append_states(schema_.text(static_cast<StringId>(value.value)), out);
    }
}

// --- vectors: equal leading states are stored only once ---

void ValueWriter::append_vector(std::uint64_t bits, std::uint32_t states, Appender& out) {
    constexpr std::uint32_t widest = 64;
    const bool fill = states == 0 || (bits >> (std::min(states, widest) - 1) & 1) != 0;
    const std::uint64_t all = states >= widest ? ~std::uint64_t{0} : (std::uint64_t{1} << states) - 1;
    const std::uint64_t differs = (fill ? ~bits : bits) & all;
    if (differs == 0) return append_header(out, 0, static_cast<unsigned>(fill ? Nibble::array_32 : Nibble::value));
    const auto kept = static_cast<unsigned>(std::bit_width(differs));
    const unsigned size = kept / 8 + 1;
    append_header(out, size, static_cast<unsigned>(Nibble::array_64));
    const std::uint64_t filled = fill ? bits | ~all : bits & all;
    for (unsigned i = size; i > 0; --i) {
        const unsigned shift = 8 * (i - 1);
        out.le(static_cast<std::uint8_t>(shift >= widest ? (fill ? 0xFF : 0) : filled >> shift));
    }
}

void ValueWriter::append_states(std::string_view states, Appender& out) {
    const char fill = states.empty() ? '0' : states.front();
    const std::size_t first = std::min(states.find_first_not_of(fill), states.size());
    std::uint8_t largest = state_of(fill);
    for (const char state : states.substr(first))
        largest = std::max(largest, state_of(state));
    if (first == states.size() && largest <= 1)
        return append_header(out, 0, static_cast<unsigned>(largest == 1 ? Nibble::array_32 : Nibble::value));
    const unsigned bits = largest <= 1 ? 1 : largest <= 3 ? 2 : 4;
    const Nibble nibble = bits == 1 ? Nibble::array_64 : bits == 2 ? Nibble::logic_4 : Nibble::array_64_dynamic;
    const std::size_t kept = states.size() - first, size = kept * bits / 8 + 1;
    append_header(out, size, static_cast<unsigned>(nibble));
    const std::size_t stored = size * 8 / bits;
    unsigned byte = 0;
    for (std::size_t i = 0; i < stored; ++i) {
        const std::size_t filled = stored - kept;
        byte = byte << bits | state_of(i < filled ? fill : states[first + i - filled]);
        if ((i + 1) * bits % 8 == 0) out.le(static_cast<std::uint8_t>(byte));
    }
}

// --- arrays and structs ---

/// Appends an array element. Texts and integers are preceded by their length, floats are not.
void ValueWriter::element(const FieldPlan& field, const Attribute& value, Appender& out) {
    if (field.as == As::single || field.as == As::real)
        return append_number(out, value.value, size_of(field, value.value));
    if (!is_number(field.as)) {
        out.leb128(text(value).size());
        return out.bytes(text(value));
    }
    const unsigned size = size_of(field, value.value);
    out.leb128(size);
    append_number(out, value.value, size);
}

unsigned ValueWriter::width_of(const TrackPlan& track, std::span<const Attribute> values) const {
    unsigned width = width_32;
    for (const Attribute& value : values) {
        const FieldPlan& field = track.fields[value.field];
        if (field.as == As::real) return width_64;
        if (field.as == As::single) return width_32;
        if (field.as == As::bytes) return width_big;
        const unsigned size = field.as == As::integer ? signed_size(value.value) : unsigned_size(value.value);
        width = std::max(width, size <= single_bytes ? width_32 : size <= real_bytes ? width_64 : width_big);
    }
    return width;
}

void ValueWriter::append_array(const TrackPlan& track, std::span<const Attribute> values, Appender& out) {
    value_.clear();
    for (const Attribute& value : values)
        element(track.fields[value.field], value, value_);
    unsigned nibble = array_kind;
    if (track.type == SignalType::event_array)
        nibble = event_array_kind;
    else if (track.type != SignalType::text_array)
        nibble = width_of(track, values) << 2 | array_kind;
    append_sample_value(out, static_cast<Nibble>(nibble), value_.span());
}

void ValueWriter::close_structs(std::size_t depth) {
    while (depth_ > depth) {
        const Appender& inner = levels_[depth_];
        Appender& outer = levels_[depth_ - 1];
        outer.leb128(open_[depth_ - 1]);
        outer.le(stored_member_type(layout_, static_cast<std::uint8_t>(MemberType::structure)));
        outer.leb128(inner.size());
        outer.bytes(inner.span());
        --depth_;
    }
}

/// Opens the structs around a member and closes all others.
void ValueWriter::open_structs(const FieldPlan& field) {
    std::size_t same = 0;
    while (same < depth_ && same < field.in.size() && open_[same] == field.in[same])
        ++same;
    close_structs(same);
    for (; depth_ < field.in.size(); ++depth_) {
        if (levels_.size() < depth_ + 2) levels_.resize(depth_ + 2);
        if (open_.size() < depth_ + 1) open_.resize(depth_ + 1);
        levels_[depth_ + 1].clear();
        open_[depth_] = field.in[depth_];
    }
}

void ValueWriter::append_struct(const TrackPlan& track, std::span<const Attribute> values, Appender& out) {
    if (levels_.empty()) levels_.resize(1);
    levels_.front().clear();
    depth_ = 0;
    layout_ = track.layout;
    while (!values.empty()) {
        std::size_t count = 1;  // number of elements of an array
        while (count < values.size() && values[count].field == values.front().field)
            ++count;
        if (track.fields[values.front().field].type < MemberType::enumeration_array) count = 1;
        append_member(track, values.first(count));
        values = values.subspan(count);
    }
    close_structs(0);
    append_sample_value(out, Nibble::value, levels_.front().span());
}

void ValueWriter::append_member(const TrackPlan& track, std::span<const Attribute> values) {
    const FieldPlan& field = track.fields[values.front().field];
    open_structs(field);
    Appender& out = levels_[depth_];
    const auto with_modifiers = [&](MemberType of) {
        return static_cast<std::uint8_t>(static_cast<unsigned>(of) | field.modifiers);
    };
    const bool is_array = field.type >= MemberType::enumeration_array;
    if (field.is_empty) {
        out.leb128(field.member);
        out.le(stored_member_type(layout_, with_modifiers(field.type)));
        out.leb128(is_array ? 1 : 0);
        if (is_array) out.leb128(0);
        return;
    }
    // A reader reads integers up to `greatest` as signed. If the field is unsigned, it was an enumeration in the
    // source.
    constexpr std::uint64_t greatest = std::numeric_limits<std::int64_t>::max();
    const bool is_enumerated = field.enumerated && std::ranges::any_of(values, [&](const Attribute& value) {
                                   return value.value <= greatest;
                               });
    auto type = with_modifiers(!is_enumerated ? field.type
                               : is_array     ? MemberType::enumeration_array
                                              : MemberType::own_enumeration);
    if (field.type < MemberType::enumeration_array && is_number(field.as)) {
        const std::uint64_t value = values.front().value;
        const unsigned size = size_of(field, value);
        append_member_head(field, stored_member_type(layout_, type), size, out);
        return append_number(out, value, size);
    }
    const bool is_number_there =
        field.type != MemberType::binary && field.as == As::bytes && field.type < MemberType::enumeration_array;
    if (is_number_there && reads_as_number(field.type, text(values.front()))) type = with_modifiers(MemberType::binary);
    std::span<const std::byte> value;
    if (is_array) {
        if ((field.type == MemberType::integer_array && !is_enumerated) || field.type == MemberType::floating_array)
            type = static_cast<std::uint8_t>(type | width_of(track, values) << member_array_shift);
        value_.clear();
        value_.leb128(values.size());
        for (const Attribute& one : values)
            element(field, one, value_);
        value = value_.span();
    } else {
        value = text(values.front());
    }
    append_member_head(field, stored_member_type(layout_, type), value.size(), out);
    out.bytes(value);
}

}  // namespace hwtrace::flux

// The values of samples: numbers, texts, arrays, structs and vectors.
#include "values.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t single_size = 4, real_size = 8;
/// A vector with at most `free_fill` fill states does not count against the limit. The sum of all larger fills is
/// limited. `free_kept_fill` is the same for fill states in interned strings.
constexpr std::uint64_t free_fill = 4096, free_kept_fill = 512;

/// Returns the number of states per byte of a vector.
constexpr unsigned states_per_byte(Nibble nibble) noexcept {
    return nibble == Nibble::array_64 ? 8 : nibble == Nibble::logic_4 ? 4 : 2;
}

/// Returns the type of the struct member whose elements are like the elements of an array signal.
constexpr MemberType as_member(SignalType type) noexcept {
    switch (type) {
        case SignalType::event_array:
            return MemberType::enumeration_array;
        case SignalType::integer_array:
            return MemberType::integer_array;
        case SignalType::floating_array:
            return MemberType::floating_array;
        default:
            return MemberType::text_array;
    }
}

/// Returns true if version 4 may have stored an unsigned value: the top bit is set and the size is a power of
/// two.
constexpr bool may_be_unsigned(std::span<const std::byte> bytes) noexcept {
    return std::has_single_bit(bytes.size()) && (std::to_integer<unsigned>(bytes.back()) & 0x80u) != 0;
}

/// Returns the bits of a vector. Its leftmost bit fills the missing bits.
std::uint64_t bits_of(std::span<const std::byte> bytes) noexcept {
    const bool fill = (std::to_integer<unsigned>(bytes.front()) & 0x80u) != 0;
    std::uint64_t bits = fill ? ~std::uint64_t{0} : 0;
    for (const std::byte byte : bytes)
        bits = bits << 8 | std::to_integer<std::uint64_t>(byte);
    return bits;
}

}  // namespace

// --- single values ---

void Values::put(Item& item, std::uint64_t owner, Cell cell, std::uint64_t value, bool repeated) {
    attributes_.push_back({field_of(item, owner, cell, repeated), value});
}

void Values::blob(Item& item, std::uint64_t owner, Cell cell, std::span<const std::byte> bytes, bool repeated) {
    put(item, owner, cell, text(bytes), repeated);
}

void Values::integer(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated) {
    const auto value = signed_value(bytes);
    if (!value) {
        const auto natural_value =
            (std::to_integer<unsigned>(bytes.back()) & 0x80u) == 0 ? unsigned_value(bytes) : std::nullopt;
        if (natural_value) return put(item, owner, Cell::natural, *natural_value, repeated);
        return blob(item, owner, Cell::blob, bytes, repeated);
    }
    if (!signed_integers_ && *value < 0 && may_be_unsigned(bytes) && (check_ || !item.reported_sign)) {
        item.reported_sign = true;
        report(item, Check::sign_ambiguous, "a sign byte", counted(bytes.size(), "byte") + " with the top bit set");
    }
    put(item, owner, Cell::integer, static_cast<std::uint64_t>(*value), repeated);
}

void Values::natural(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated) {
    const auto value = unsigned_value(bytes);
    if (!value) return blob(item, owner, Cell::blob, bytes, repeated);
    put(item, owner, item.has_labels(owner) ? Cell::enumeration : Cell::natural, *value, repeated);
}

bool Values::floating(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated) {
    if (bytes.size() == single_size)
        put(item, owner, Cell::single, load_le<std::uint32_t>(bytes.data()), repeated);
    else if (bytes.size() == real_size)
        put(item, owner, Cell::real, load_le<std::uint64_t>(bytes.data()), repeated);
    else
        return false;
    return true;
}

void Values::text_value(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated) {
    if (check_ && !is_utf8(as_text(bytes)))
        report(item, Check::not_utf8, "UTF-8", counted(bytes.size(), "byte") + " of another encoding");
    put(item, owner, Cell::text, text(bytes), repeated);
}

bool Values::quick_float(Item& item, Nibble nibble, std::span<const std::byte> bytes, Attribute& value) {
    if (nibble == Nibble::array_64 && bytes.size() == real_size) {
        value.value = load_le<std::uint64_t>(bytes.data());
        return item.uses.is_next(key_of(0, Cell::real), value.field);
    }
    if (nibble == Nibble::array_32 && bytes.size() == single_size) {
        value.value = load_le<std::uint32_t>(bytes.data());
        return item.uses.is_next(key_of(0, Cell::single), value.field);
    }
    return false;
}

bool Values::quick_vector(Item& item, Nibble nibble, std::span<const std::byte> bytes, Attribute& value) {
    const std::uint64_t all = ~std::uint64_t{0} >> (widest_vector - item.width);
    const bool none_stored = bytes.empty();
    if (nibble == Nibble::array_64 && !none_stored)
        value.value = bits_of(bytes) & all;
    else if (none_stored && (nibble == Nibble::value || nibble == Nibble::array_32))
        value.value = nibble == Nibble::array_32 ? all : 0;
    else
        return false;
    return item.uses.is_next(key_of(0, Cell::vector), value.field);
}

std::span<const Attribute> Values::all(Item& item, const Entry& entry) {
    attributes_.clear();
    const Definition& definition = item.definition;
    const bool is_signal = definition.form == Definition::Form::signal || definition.form == Definition::Form::part;
    if (!is_signal || !scalar(item, entry)) {
        attributes_.clear();
        const auto nibble = static_cast<Nibble>(entry.nibble);
        const bool big = (definition.type == SignalType::floating || definition.type == SignalType::floating_array) &&
                         (nibble == Nibble::array_big || nibble == Nibble::array_big_dynamic);
        if (big)
            report(item, Check::big_float, "a float of 4 or 8 bytes", counted(entry.bytes.size(), "byte"));
        else if (is_signal && definition.type != SignalType::unknown)
            report(item, Check::value_form, "a value of type " + std::string(name_of(definition.type)),
                   counted(entry.bytes.size(), "byte") + " of kind " + std::to_string(entry.nibble));
        const auto cell = static_cast<Cell>(static_cast<unsigned>(Cell::raw) + entry.nibble);
        blob(item, 0, cell, entry.bytes);
    }
    return {attributes_.data(), attributes_.size()};
}

/// Converts a value according to the type of its signal. Returns false if the value does not fit the type.
bool Values::scalar(Item& item, const Entry& entry) {
    const auto nibble = static_cast<Nibble>(entry.nibble);
    switch (item.definition.type) {
        case SignalType::event:
            if (nibble != Nibble::event) return false;
            natural(item, 0, entry.bytes);
            return true;
        case SignalType::integer:
            if (nibble != Nibble::value) return false;
            integer(item, 0, entry.bytes);
            return true;
        case SignalType::floating:
            if (nibble != Nibble::array_32 && nibble != Nibble::array_64) return false;
            if ((nibble == Nibble::array_32) != (entry.bytes.size() == single_size)) return false;
            return floating(item, 0, entry.bytes);
        case SignalType::text:
            if (nibble != Nibble::value) return false;
            text_value(item, 0, entry.bytes);
            return true;
        case SignalType::binary:
            if (nibble != Nibble::value) return false;
            blob(item, 0, Cell::blob, entry.bytes);
            return true;
        case SignalType::structure:
            return nibble == Nibble::value && members(item, entry.bytes, 0);
        case SignalType::logic:
            return logic(item, entry);
        case SignalType::event_array:
        case SignalType::integer_array:
        case SignalType::floating_array:
        case SignalType::text_array:
            break;
        case SignalType::unknown:
            return false;
    }
    const MemberType type = as_member(item.definition.type);
    const unsigned kind = entry.nibble & 3u, width = entry.nibble >> 2;
    constexpr unsigned counted_kind = 3;
    const unsigned fixed_kind = type == MemberType::enumeration_array ? 2 : 1;
    const bool has_width = type == MemberType::integer_array || type == MemberType::floating_array;
    if ((kind != fixed_kind && kind != counted_kind) || (width != 0) != has_width) return false;
    return array(item, 0, type, width, kind == counted_kind, entry.bytes);
}

// --- arrays and structs ---

bool Values::array(Item& item, std::uint64_t owner, MemberType type, unsigned width, bool counted_elements,
                   std::span<const std::byte> bytes) {
    constexpr unsigned single_width = 1, real_width = 2;
    Cursor cursor(bytes);
    try {
        const std::uint64_t count = counted_elements ? cursor.leb128() : ~std::uint64_t{0};
        std::uint64_t done = 0;
        for (; done < count && !cursor.at_end(); ++done) {
            check_limit(attributes_.size() * sizeof(Attribute), limits_.block, "the elements of an array",
                        "--max-block");
            if (type == MemberType::floating_array && width == single_width) {
                floating(item, owner, cursor.take(single_size), true);
                continue;
            }
            if (type == MemberType::floating_array && width == real_width) {
                floating(item, owner, cursor.take(real_size), true);
                continue;
            }
            const std::span<const std::byte> element = cursor.take(static_cast<std::size_t>(cursor.leb128()));
            switch (type) {
                case MemberType::enumeration_array:
                    natural(item, owner, element, true);
                    break;
                case MemberType::integer_array:
                    integer(item, owner, element, true);
                    break;
                case MemberType::text_array:
                    text_value(item, owner, element, true);
                    break;
                default:
                    return false;  // decimals without a scale
            }
        }
        if (owner != 0 && done == 0) put(item, owner, Cell::empty, 1);
        return cursor.at_end() && (!counted_elements || done == count);
    } catch (const Truncated&) {
        return false;
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
        return false;
    }
}

bool Values::members(Item& item, std::span<const std::byte> bytes, unsigned depth) {
    if (depth > limits_.depth) return false;
    Cursor cursor(bytes);
    Member next;
    EntryFault fault;
    try {
        while (!cursor.at_end()) {
            if (!parse_member(cursor, entries_.layout(), next, fault)) return false;
            check_limit(attributes_.size() * sizeof(Attribute), limits_.block, "the members of a struct",
                        "--max-block");
            if (!member(item, next, depth)) return false;
        }
    } catch (const Truncated&) {
        return false;
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
        return false;
    }
    return true;
}

bool Values::member(Item& item, const Member& member, unsigned depth) {
    constexpr std::uint64_t greatest_member = std::uint64_t{1} << 56;
    if (member.number >= greatest_member) return false;
    const std::uint64_t owner = member.number + 1;
    const auto type = static_cast<MemberType>(member.type & member_type_mask);
    if (check_) check_member(item, member);
    const unsigned width = (member.type >> member_array_shift) & member_array_mask;
    switch (type) {
        case MemberType::text:
            text_value(item, owner, member.bytes);
            return true;
        case MemberType::enumeration:
        case MemberType::own_enumeration:
        case MemberType::merge_enumeration:
            natural(item, owner, member.bytes);
            return true;
        case MemberType::integer:
            integer(item, owner, member.bytes);
            return true;
        case MemberType::floating:
            return floating(item, owner, member.bytes);
        case MemberType::binary:
            blob(item, owner, Cell::blob, member.bytes);
            return true;
        case MemberType::structure:
            if (member.bytes.empty()) put(item, owner, Cell::empty, 1);
            return members(item, member.bytes, depth + 1);
        case MemberType::enumeration_array:
        case MemberType::integer_array:
        case MemberType::floating_array:
        case MemberType::text_array:
            return array(item, owner, type, width, true, member.bytes);
        case MemberType::unknown:
        case MemberType::logic:
            break;
    }
    return false;
}

/// Compares a member with its definition.
void Values::check_member(const Item& item, const Member& member) {
    const MemberDefinition* const definition = item.member(member.number);
    if (definition == nullptr) {
        if (!item.members.empty())
            report(item, Check::member_undefined, "a defined member", std::to_string(member.number));
        return;
    }
    const auto name_of_type = [](std::uint8_t type) {
        return std::string(name_of(static_cast<MemberType>(type & member_type_mask)));
    };
    if ((definition->type & member_type_mask) != (member.type & member_type_mask))
        report(item, Check::member_type, name_of_type(definition->type), name_of_type(member.type));
}

// --- vectors ---

bool Values::logic(Item& item, const Entry& entry) {
    const auto nibble = static_cast<Nibble>(entry.nibble);
    const bool ones = nibble == Nibble::array_32;
    if (nibble == Nibble::value || ones) {
        if (!entry.bytes.empty()) return false;
        if (item.width <= widest_vector) {
            const std::uint64_t all = ~std::uint64_t{0} >> (widest_vector - item.width);
            put(item, 0, Cell::vector, ones ? all : 0);
        } else {
            count_fill(item.width);
            states_.assign(item.width, ones ? '1' : '0');
            put(item, 0, Cell::states, keep_states(item.width));
        }
        return true;
    }
    if (nibble != Nibble::array_64 && nibble != Nibble::logic_4 && nibble != Nibble::array_64_dynamic) return false;
    if (entry.bytes.empty()) return false;
    if (nibble == Nibble::array_64 && item.width <= widest_vector && !check_) {
        vector_bits(item, entry.bytes);
        return true;
    }
    const unsigned per_byte = states_per_byte(nibble), bits = 8 / per_byte;
    const std::uint64_t stored = std::uint64_t{entry.bytes.size()} * per_byte;
    const auto state = [&](std::uint64_t index) {  // counted from the left
        const unsigned shift = (per_byte - 1 - static_cast<unsigned>(index % per_byte)) * bits;
        const auto byte = std::to_integer<unsigned>(entry.bytes[static_cast<std::size_t>(index / per_byte)]);
        return byte >> shift & ((1u << bits) - 1);
    };
    if (stored > item.width && check_) {
        const std::uint64_t surplus = stored - item.width;
        const unsigned first = state(surplus);
        for (std::uint64_t i = 0; i < surplus; ++i) {
            if (state(i) == 0 || state(i) == first) continue;
            report(item, Check::logic_surplus, counted(item.width, "state"),
                   std::string("state ") + logic_states[state(i)] + " before them");
            break;
        }
    }
    states_.clear();
    const std::uint64_t fill = stored < item.width ? item.width - stored : 0;
    count_fill(fill);
    if (fill != 0) states_.append(static_cast<std::size_t>(fill), logic_states[state(0)]);
    for (std::uint64_t i = stored > item.width ? stored - item.width : 0; i < stored; ++i)
        states_ += logic_states[state(i)];
    const bool binary = std::ranges::all_of(states_, [](char c) { return c == '0' || c == '1'; });
    if (!binary || item.width > widest_vector) {
        put(item, 0, Cell::states, keep_states(fill));
        return true;
    }
    std::uint64_t number = 0;
    for (const char c : states_)
        number = number << 1 | (c == '1' ? 1u : 0u);
    put(item, 0, Cell::vector, number);
    return true;
}

/// Counts fill states against the limit, because a few bytes may request many states.
void Values::count_fill(std::uint64_t fill) {
    if (fill <= free_fill) return;
    filled_ += fill;
    check_limit(filled_, limits_.block, "states that fill vectors", "--max-block");
}

/// Interns `states_`. `fill` of them are fill states, which the stream does not store.
StringId Values::keep_states(std::uint64_t fill) {
    const std::size_t known = schema_.string_count();
    const StringId id = schema_.intern(states_);
    if (fill > free_kept_fill && schema_.string_count() != known) {
        kept_fill_ += fill;
        check_limit(kept_fill_, limits_.block, "states that fill vectors", "--max-block");
    }
    return id;
}

void Values::vector_bits(Item& item, std::span<const std::byte> bytes) {
    put(item, 0, Cell::vector, bits_of(bytes) & ~std::uint64_t{0} >> (widest_vector - item.width));
}

}  // namespace hwtrace::flux

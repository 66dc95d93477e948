// formats/flux/encode.hpp - encodes the fields of entries (formats/flux/README.md#primitive-encodings).
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "entry.hpp"
#include "io/appender.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

inline void append_tag(Appender& out, Tag tag) {
    out.le(std::uint8_t{0});
    out.le(static_cast<std::uint8_t>(tag));
}

inline void append_text(Appender& out, std::string_view text) {
    out.leb128(text.size());
    out.text(text);
}

inline void append_zigzag(Appender& out, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    out.leb128(bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

/// Appends `entry`, which defines or references a scope or signal.
inline void append_definition(Appender& out, Layout layout, const Entry& entry) {
    const bool has_type = entry.tag == Tag::signal || entry.tag == Tag::signals || entry.tag == Tag::scattered;
    append_tag(out, entry.tag);
    out.leb128(entry.item);
    if (entry.tag == Tag::signals) out.leb128(entry.last);
    out.leb128(entry.parent);
    append_text(out, entry.name);
    append_text(out, entry.description);
    if (layout == Layout::impulse_3) append_text(out, entry.tags);
    if (has_type) {
        out.le(stored_signal_type(layout, entry.type));
        if (layout == Layout::impulse_3) append_zigzag(out, entry.scale);
        append_text(out, entry.descriptor);
    }
    if (entry.tag != Tag::scattered && entry.tag != Tag::scattered_reference) return;
    out.leb128(entry.from);
    out.leb128(entry.to);
}

/// Appends `entry`, which defines a member or labels an array index.
inline void append_member_definition(Appender& out, Layout layout, const Entry& entry) {
    append_tag(out, Tag::member);
    out.leb128(entry.item);
    out.leb128(entry.number);
    if (layout != Layout::emitters_4) out.leb128(entry.parent);
    append_text(out, entry.name);
    if (layout == Layout::impulse_3) {
        append_text(out, entry.description);
        append_text(out, entry.tags);
        out.le(entry.unknown);
    }
    out.le(stored_member_type(layout, entry.type));
    if (layout == Layout::impulse_3) append_zigzag(out, entry.scale);
    append_text(out, entry.descriptor);
}

/// Returns the minimal size in bytes of a two's complement number; 0 for the value 0.
inline unsigned signed_size(std::uint64_t value) noexcept {
    if (value == 0) return 0;
    const bool negative = value >> 63 != 0;
    const auto bits = static_cast<unsigned>(std::bit_width(negative ? ~value : value));
    return bits / 8 + 1;
}
/// Returns the minimal size in bytes (at most 9) of an unsigned number. The top bit of the last byte must be clear.
inline unsigned unsigned_size(std::uint64_t value) noexcept {
    return value == 0 ? 0 : static_cast<unsigned>(std::bit_width(value)) / 8 + 1;
}

/// Appends the lowest `size` bytes of `value`. `size` is at most 9; a ninth byte is 0.
inline void append_number(Appender& out, std::uint64_t value, unsigned size) {
    constexpr unsigned most = 9;
    std::byte* const place = out.grow(most);  // always stores 8 bytes at once
    store_le(place, value);
    place[most - 1] = std::byte{0};
    out.shrink(most - size);
}

/// Appends an SInt: its length, then the number.
inline void append_signed(Appender& out, std::int64_t value) {
    const unsigned size = signed_size(static_cast<std::uint64_t>(value));
    out.le(static_cast<std::uint8_t>(size));
    append_number(out, static_cast<std::uint64_t>(value), size);
}
inline void append_unsigned(Appender& out, std::uint64_t value) {
    const unsigned size = unsigned_size(value);
    out.le(static_cast<std::uint8_t>(size));
    append_number(out, value, size);
}

}  // namespace hwtrace::flux

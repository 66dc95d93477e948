// formats/flux/wire.hpp - constants of a flux stream: tags, types, states, modes (formats/flux/README.md). The public
// specification "flux trace format" does not state their values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hwtrace::flux {

inline constexpr std::string_view magic = "flux";  ///< derived formats use four other characters

inline constexpr std::byte entry_mark{0};  ///< first byte of every entry that is not a sample; the tag follows

/// The kind of an entry: the byte after the entry mark.
enum class Tag : std::uint8_t {
    sample = 0x00,  ///< not stored; a sample begins with a byte other than 0
    head = 0x01,
    switch_trace = 0x04,
    packed = 0x05,
    section = 0x06,
    scope = 0x10,
    signal = 0x11,
    signals = 0x12,
    reference = 0x13,
    scattered = 0x14,
    scattered_reference = 0x15,
    open = 0x20,
    close = 0x21,
    domain = 0x22,
    current = 0x23,
    enumeration = 0x30,
    member = 0x31,
    relation = 0x40,
    label = 0x41,
    request = 0x80,
    result = 0x81,
};

// --- versions (formats/flux/README.md#versions-4-and-6) ---
inline constexpr std::uint8_t version_4 = 4;
inline constexpr std::uint8_t version_6 = 6;

// --- samples: PInt(item * 8 + flags), [tag], [delta], PInt(size * 16 + nibble), bytes ---
inline constexpr std::uint64_t flag_marked = 1;  ///< without flag_tag: the mark is 1, a conflict
inline constexpr std::uint64_t flag_delta = 2;
inline constexpr std::uint64_t flag_tag = 4;  ///< version 6; only together with flag_marked
inline constexpr unsigned item_shift = 3;
inline constexpr unsigned size_shift = 4;

enum class SignalType : std::uint8_t {
    unknown,
    event,
    integer,
    logic,
    floating,
    text,
    binary,
    structure,
    event_array,
    integer_array,
    floating_array,
    text_array,
};
inline constexpr std::uint8_t signal_type_mask = 0x0F;
inline constexpr std::uint8_t signal_types = 12;

enum class MemberType : std::uint8_t {
    unknown,  ///< also used for the label of an array index
    text,
    enumeration,  ///< with the labels of the signal
    integer,
    floating,
    logic,
    binary,
    own_enumeration,    ///< with the labels of the member
    merge_enumeration,  ///< with the labels of both
    structure,          ///< this and the following types: version 6 only
    enumeration_array,
    integer_array,
    floating_array,
    text_array,
};
inline constexpr std::uint8_t member_types = 14;
inline constexpr std::uint8_t member_type_mask = 0x0F;
inline constexpr unsigned member_array_shift = 4;  ///< element width of an array: 1 = 32 bits, 2 = 64 bits, 3 = any
inline constexpr std::uint8_t member_array_mask = 0x03;
inline constexpr std::uint8_t member_valid_until_change = 0x40;
inline constexpr std::uint8_t member_hidden = 0x80;

/// Selects which values an ENMD entry labels. `of_member` + n selects the values of member n or array index n.
enum class EnumDomain : std::uint8_t { signal, relation_target, relation_style, label_style, relation_domain };
inline constexpr std::uint64_t of_member = 8;

enum class Pack : std::uint8_t { lz4, fastlz, zlib, gzip };
/// A packed byte expands to at most `largest_expansion` bytes in every mode. Blocks of at most `smallest_block` bytes
/// may expand further.
inline constexpr std::uint64_t largest_expansion = 1040, smallest_block = 64;

/// The kind of a value: the low four bits of a sample's header. Its meaning depends on the signal's type.
enum class Nibble : std::uint8_t {
    none = 0,
    value = 1,  ///< integer, text, binary, struct, text array of fixed length; logic without bytes: all states 0
    event = 2,
    event_array_dynamic = 3,
    array_32 = 5,  ///< also a float of 4 bytes; logic without bytes: all states 1
    array_32_dynamic = 7,
    array_64 = 9,  ///< also a float of 8 bytes; 2-state logic
    logic_4 = 10,
    array_64_dynamic = 11,  ///< also 16-state logic
    array_big = 13,
    array_big_dynamic = 15,
};
inline constexpr std::uint64_t nibble_mask = 0x0F;
inline constexpr std::uint64_t dynamic_array = 2;  ///< nibble bit: an element count precedes the elements

/// The characters of the logic states, by code; the last one is the unknown state.
inline constexpr std::string_view logic_states = "01ZXLHUW-JKMNOP#";

// --- relations of version 6 ---
enum class RelationType : std::uint8_t { delta, delta_reversed, position, position_reversed };

// --- sections of a ring: a header of 7 bytes, then `size` bytes; only the first `used` bytes are valid ---
inline constexpr std::size_t section_head = 7;
inline constexpr std::uint8_t last_section = 0x80;
inline constexpr std::uint8_t section_lap_mask = 0x0F;
inline constexpr std::uint8_t section_laps = 15;  ///< the lap counter runs from 1 to this value and wraps to 1

}  // namespace hwtrace::flux

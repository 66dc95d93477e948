// formats/flux/wire.hpp - the numbers of a flux stream: tags, types, states, modes (spec/flux.txt; what its writers
// have written beyond it: README.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hwtrace::flux {

inline constexpr std::string_view magic = "flux";  ///< of formats derived from it: any four characters

inline constexpr std::byte entry_mark{0};  ///< with which an entry begins that is no sample; its tag is behind it

/// The byte behind the entry mark.
enum class Tag : std::uint8_t {
    sample = 0x00,  ///< not in a file: what begins with another byte than 0
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

// --- versions: the only byte that tells them apart is that of the head ---
inline constexpr std::uint8_t version_4 = 4;
inline constexpr std::uint8_t version_6 = 6;

// --- samples: PInt(item * 8 + flags), [tag], [delta], PInt(size * 16 + nibble), bytes ---
inline constexpr std::uint64_t flag_marked = 1;  ///< tag 1: a conflict
inline constexpr std::uint64_t flag_delta = 2;
inline constexpr std::uint64_t flag_tag = 4;  ///< version 6; together with flag_marked
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
    unknown,  ///< also: the label of an array's index
    text,
    enumeration,  ///< of the signal's enumeration
    integer,
    floating,
    logic,
    binary,
    own_enumeration,    ///< of the member's
    merge_enumeration,  ///< of both
    structure,          ///< version 6, as those behind it
    enumeration_array,
    integer_array,
    floating_array,
    text_array,
};
inline constexpr std::uint8_t member_types = 14;
inline constexpr std::uint8_t member_type_mask = 0x0F;
inline constexpr unsigned member_array_shift = 4;  ///< of the width of an array's elements: 1, 2, 3 as in a nibble
inline constexpr std::uint8_t member_array_mask = 0x03;
inline constexpr std::uint8_t member_valid_until_change = 0x40;
inline constexpr std::uint8_t member_hidden = 0x80;

/// To what the labels of an ENMD entry belong; above: to the member, or the index, of that number less `of_member`.
enum class EnumDomain : std::uint8_t { signal, relation_target, relation_style, label_style, relation_domain };
inline constexpr std::uint64_t of_member = 8;

enum class Pack : std::uint8_t { lz4, fastlz, zlib, gzip };
/// A packed byte gives no more bytes than this, in whatever way it is packed, but for the smallest blocks.
inline constexpr std::uint64_t largest_expansion = 1040, smallest_block = 64;

/// What the low four bits of a sample's header say.
enum class Nibble : std::uint8_t {
    none = 0,
    value = 1,  ///< integer, text, binary, struct; logic of no bytes: all 0; fixed array of text
    event = 2,
    event_array_dynamic = 3,
    array_32 = 5,  ///< and a float of 4 bytes; logic of no bytes: all 1
    array_32_dynamic = 7,
    array_64 = 9,  ///< and a float of 8 bytes; logic of 2 states
    logic_4 = 10,
    array_64_dynamic = 11,  ///< and logic of 16 states
    array_big = 13,
    array_big_dynamic = 15,
};
inline constexpr std::uint64_t nibble_mask = 0x0F;
inline constexpr std::uint64_t dynamic_array = 2;  ///< the bit by which a nibble says that a count stands in front

/// By code; the last one is a state that nobody knows.
inline constexpr std::string_view logic_states = "01ZXLHUW-JKMNOP#";

// --- relations of version 6 ---
enum class RelationType : std::uint8_t { delta, delta_reversed, position, position_reversed };

// --- sections of a ring: a head of 7 bytes, then `size` bytes of which `used` count ---
inline constexpr std::size_t section_head = 7;
inline constexpr std::uint8_t last_section = 0x80;
inline constexpr std::uint8_t section_lap_mask = 0x0F;
inline constexpr std::uint8_t section_laps = 15;  ///< the counter goes from 1 to this, and begins anew

}  // namespace hwtrace::flux

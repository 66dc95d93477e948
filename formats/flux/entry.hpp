// formats/flux/entry.hpp - parses one entry of a flux stream, independently of other entries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/cursor.hpp"
#include "layout.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// The fields of an entry. Fields that the tag does not have are 0 or empty. Strings and bytes refer to the parsed
/// span.
struct Entry {
    Tag tag = Tag::sample;
    std::uint64_t item = 0;    ///< head, switch: the trace; request, result: the control; signals: the first item
    std::uint64_t last = 0;    ///< signals: the last item; head: the greatest item
    std::uint64_t parent = 0;  ///< member (version 6): the parent member + 1, or 0
    std::string_view name;     ///< open, domain: the domain base; enumeration, member: the label
    std::string_view description;
    std::string_view descriptor;          ///< impulse 3: the display format
    std::string_view tags;                ///< definition or member of impulse 3, separated by commas
    std::int64_t scale = no_scale;        ///< signal or member of impulse 3
    std::string_view magic;               ///< head
    std::uint8_t version = 0;             ///< head
    std::uint8_t type = 0;                ///< signal: SignalType; member: MemberType and its modifiers; relation:
                                          ///< RelationType; head, packed: the mode
    std::uint8_t unknown = 0;             ///< member of impulse 3: a byte whose meaning is unknown
    std::uint64_t from = 0, to = 0;       ///< scattered: bits; packed: sizes before and after packing
    std::uint64_t number = 0;             ///< member: its number; enumeration: the value; head: the longest entry;
                                          ///< request, result: the message
    std::uint64_t domain = 0;             ///< enumeration: see EnumDomain; relation: domain of the target (version 6)
    std::uint64_t target = 0, style = 0;  ///< relation, label: ids of strings that ENMD defines
    std::int64_t position = 0;            ///< open, close, current; relation: the distance; label: x
    std::int64_t y = 0;                   ///< label
    std::uint64_t rate = 0;               ///< open
    std::uint64_t members = 0;            ///< request, result: number of members in `bytes`
    std::span<const std::byte> bytes;     ///< packed: the packed bytes; request, result: members; sample: the value
    std::span<const std::byte> whole;     ///< all bytes of the entry; empty for samples
    // --- samples only ---
    std::uint8_t flags = 0;
    std::uint8_t mark = 0;    ///< 0: none; 1: conflict; otherwise the tag
    std::uint8_t nibble = 0;  ///< kind of the value, see Nibble
    std::uint64_t delta = 0;
};

/// Returns true if `entry` defines a logic signal.
constexpr bool defines_logic(const Entry& entry) noexcept {
    return (entry.tag == Tag::signal || entry.tag == Tag::signals || entry.tag == Tag::scattered) &&
           (entry.type & signal_type_mask) == static_cast<std::uint8_t>(SignalType::logic);
}

/// Returns true if an entry with this tag begins at index `at`.
inline bool begins(std::span<const std::byte> bytes, std::size_t at, Tag tag) noexcept {
    return at + 1 < bytes.size() && bytes[at] == entry_mark && bytes[at + 1] == static_cast<std::byte>(tag);
}

/// One member of a struct sample, a request or a result.
struct Member {
    std::uint64_t number = 0;
    std::uint8_t type = 0;  ///< MemberType and its modifiers
    std::span<const std::byte> bytes;
};

/// The reason why bytes are not a valid entry.
struct EntryFault {
    std::uint64_t offset = 0;
    std::string expected, found;
};

/// Parses the entry at the cursor, which must not be at its end, and advances the cursor. `layout` is the layout of the
/// trace. If the bytes are not an entry, returns false, sets `fault` and leaves the cursor in place. Throws Truncated
/// if the bytes end inside the entry.
bool parse_entry(Cursor& cursor, Layout layout, Entry& entry, EntryFault& fault);

/// Parses the next member. Returns false and sets `fault` if it is unreadable. Throws Truncated if it is incomplete.
bool parse_member(Cursor& cursor, Layout layout, Member& member, EntryFault& fault);

/// Decodes a two's complement number of any length, lowest byte first; no bytes mean 0. Returns nullopt if the number
/// needs more than 64 bits.
std::optional<std::int64_t> signed_value(std::span<const std::byte> bytes) noexcept;
/// Does the same for an unsigned number.
std::optional<std::uint64_t> unsigned_value(std::span<const std::byte> bytes) noexcept;

/// Returns the name that the specification and the emitters use: "HEAD", "SWTH", and so on; or "sample".
std::string_view name_of(Tag tag) noexcept;

}  // namespace hwtrace::flux

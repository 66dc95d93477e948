// formats/flux/entry.hpp - one entry of a flux stream, taken apart as its bytes alone allow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/cursor.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// What its tag says; of fields that an entry does not have the value is 0 or empty. Texts and bytes are those of the
/// span that was parsed.
struct Entry {
    Tag tag = Tag::sample;
    std::uint64_t item = 0;    ///< head, switch: the trace; request, result: the control; signals: the first one
    std::uint64_t last = 0;    ///< signals: the last one; head: the greatest item
    std::uint64_t parent = 0;  ///< member (version 6): the parent member and 1
    std::string_view name;     ///< open, domain: the domain base; enumeration, member: the label
    std::string_view description;
    std::string_view descriptor;
    std::string_view magic;               ///< head
    std::uint8_t version = 0;             ///< head
    std::uint8_t type = 0;                ///< of a signal, member, relation; head, packed: the mode
    std::uint64_t from = 0, to = 0;       ///< scattered: bits; packed: sizes before and after packing
    std::uint64_t number = 0;             ///< member: its number; enumeration: the value; head: the longest entry;
                                          ///< request, result: the message
    std::uint64_t domain = 0;             ///< enumeration: see EnumDomain; relation: of the target (version 6)
    std::uint64_t target = 0, style = 0;  ///< relation, label: numbers of texts
    std::int64_t position = 0;            ///< open, close, current; relation: the distance; label: x
    std::int64_t y = 0;                   ///< label
    std::uint64_t rate = 0;               ///< open
    std::uint64_t members = 0;            ///< request, result: how many are in `bytes`
    std::span<const std::byte> bytes;     ///< packed: as stored; request, result: members; sample: the value
    std::span<const std::byte> whole;     ///< all of it; not of samples
    // of samples
    std::uint8_t flags = 0;
    std::uint8_t mark = 0;    ///< 0: none; 1: a conflict; others: the tag
    std::uint8_t nibble = 0;  ///< of the header
    std::uint64_t delta = 0;
};

/// One member of a struct sample, a request or a result.
struct Member {
    std::uint64_t number = 0;
    std::uint8_t type = 0;  ///< MemberType and its modifiers
    std::span<const std::byte> bytes;
};

/// Bytes that no entry has: where, and what is wrong.
struct EntryFault {
    std::uint64_t offset = 0;
    std::string expected, found;
};

/// Parses the entry at the cursor, which is not at its end, and moves behind it. `version` is that of the trace: 0 is
/// taken as 6. False, with the fault and the cursor where it was, for what is no entry. Throws Truncated where the
/// cursor ends first.
bool parse_entry(Cursor& cursor, std::uint8_t version, Entry& entry, EntryFault& fault);

/// The next member; false, with the fault, where there is none that can be read. Throws Truncated.
bool parse_member(Cursor& cursor, Member& member, EntryFault& fault);

/// A two's complement number of any length, lowest byte first, no bytes being 0; none where it needs more than 64 bits.
std::optional<std::int64_t> signed_value(std::span<const std::byte> bytes) noexcept;
/// The same of an unsigned one.
std::optional<std::uint64_t> unsigned_value(std::span<const std::byte> bytes) noexcept;

/// "HEAD", "SWTH", ...: as the format text and its writers call them; "sample".
std::string_view name_of(Tag tag) noexcept;

}  // namespace hwtrace::flux

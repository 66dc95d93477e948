// formats/flux/values.hpp - converts sample values to field values of the signal's track.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cell.hpp"
#include "codec/settings.hpp"
#include "entries.hpp"
#include "items.hpp"
#include "model/hash.hpp"
#include "model/pool.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

/// Decodes a little-endian two's complement number of at most 8 bytes.
inline std::uint64_t short_number(std::span<const std::byte> bytes) noexcept {
    std::uint64_t value = 0;
    if (bytes.empty()) return value;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

/// Converts the samples of a stream to attributes and creates the fields of their tracks.
class Values {
public:
    /// All arguments must outlive this object.
    Values(Schema& schema, Entries& entries, const Settings& settings)
        : schema_(schema), entries_(entries), limits_(settings.limits), check_(settings.check >= CheckLevel::full) {}

    /// Fast path: converts a sample that holds one number. Returns false for every other sample; use all() then.
    bool quick(Item& item, const Entry& entry, Attribute& value) {
        if (entry.bytes.size() > sizeof(std::uint64_t)) return false;
        const auto nibble = static_cast<Nibble>(entry.nibble);
        switch (item.definition.type) {
            case SignalType::integer:
                value.value = short_number(entry.bytes);
                return nibble == Nibble::value && item.uses.is_next(key_of(0, Cell::integer), value.field) &&
                       (signed_integers_ || static_cast<std::int64_t>(value.value) >= 0);
            case SignalType::event:
                value.value = short_number(entry.bytes);
                return nibble == Nibble::event && static_cast<std::int64_t>(value.value) >= 0 &&
                       (item.uses.is_next(key_of(0, Cell::natural), value.field) ||
                        item.uses.is_next(key_of(0, Cell::enumeration), value.field));
            case SignalType::floating:
                return quick_float(item, nibble, entry.bytes, value);
            case SignalType::logic:
                return !check_ && item.width <= widest_vector && quick_vector(item, nibble, entry.bytes, value);
            default:
                return false;
        }
    }
    /// Converts any sample that has a value. Reports unreadable values and keeps their bytes. The result is valid until
    /// the next call.
    std::span<const Attribute> all(Item& item, const Entry& entry);

    /// Returns an empty vector. It represents a part of a scattered signal that has no value.
    Attribute no_states(Item& item) { return {field_of(item, 0, Cell::states, false), schema_.intern({})}; }

    /// Reports a finding about an item at the current entry.
    void report(const Item& item, Check check, std::string expected, std::string got);

    /// Selects whether the top bit of an integer is always its sign. True for version 6; version 4 may omit the sign
    /// byte.
    void set_signed_integers(bool are_signed) noexcept { signed_integers_ = are_signed; }
    bool signed_integers() const noexcept { return signed_integers_; }
    /// Adds the fields that are known from an item's definitions to its track.
    void foretell(Item& item);
    /// Counts schema objects, and the `text` bytes of their strings, against the limit --max-schema.
    void count_object(std::uint64_t objects = 1, std::size_t text = 0);
    /// Returns the path of a member: the names of the enclosing members and its own label, separated by dots. An
    /// enclosing member that is not defined yet is shown by its number.
    std::string path_of(const Item& item, const MemberDefinition& definition) const;
    /// Interns a string or bytes. Checks the limit --max-string.
    StringId text(std::span<const std::byte> bytes);

private:
    bool quick_float(Item& item, Nibble nibble, std::span<const std::byte> bytes, Attribute& value);
    bool quick_vector(Item& item, Nibble nibble, std::span<const std::byte> bytes, Attribute& value);
    std::uint32_t field_of(Item& item, std::uint64_t owner, Cell cell, bool repeated);
    std::uint32_t find_field(TrackId track, const Field& wanted);
    Field make_field(Item& item, std::uint64_t owner, Cell cell, bool repeated);
    std::string name_of_owner(const Item& item, std::uint64_t owner) const;
    EnumId enum_of(Item& item, std::uint64_t owner);
    void put(Item& item, std::uint64_t owner, Cell cell, std::uint64_t value, bool repeated = false);

    bool scalar(Item& item, const Entry& entry);
    bool array(Item& item, std::uint64_t owner, MemberType type, unsigned width, bool counted,
               std::span<const std::byte> bytes);
    bool members(Item& item, std::span<const std::byte> bytes, unsigned depth);
    bool member(Item& item, const Member& member, unsigned depth);
    void check_member(const Item& item, const Member& member);
    bool logic(Item& item, const Entry& entry);
    void count_fill(std::uint64_t fill);
    StringId keep_states(std::uint64_t fill);
    void vector_bits(Item& item, std::span<const std::byte> bytes);
    void natural(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated = false);
    void integer(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated = false);
    bool floating(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated = false);
    void text_value(Item& item, std::uint64_t owner, std::span<const std::byte> bytes, bool repeated = false);
    void blob(Item& item, std::uint64_t owner, Cell cell, std::span<const std::byte> bytes, bool repeated = false);

    Schema& schema_;
    Entries& entries_;
    const Limits limits_;
    const bool check_;
    bool signed_integers_ = true;
    std::uint64_t objects_ = 0;
    std::uint64_t filled_ = 0, kept_fill_ = 0;  ///< number of fill states so far
    /// Field indexes of tracks with many fields. The key combines all properties of a field.
    HashMap<TrackId, HashMap<std::string, std::uint32_t>> many_fields_;
    Pool<Attribute> attributes_;
    std::string states_;
};

}  // namespace hwtrace::flux

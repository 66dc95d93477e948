// formats/flux/values.hpp - what samples hold, as values of the fields of their signal's track.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/settings.hpp"
#include "entries.hpp"
#include "items.hpp"
#include "model/hash.hpp"
#include "model/pool.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

/// A little-endian two's complement number of at most 8 bytes.
inline std::uint64_t short_number(std::span<const std::byte> bytes) noexcept {
    std::uint64_t value = 0;
    if (bytes.empty()) return value;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    const auto unused = static_cast<unsigned>(64 - 8 * bytes.size());
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

class Values {
public:
    /// States of a vector that is a number.
    static constexpr std::uint32_t widest_vector = 64;

    /// All outlive this object.
    Values(Schema& schema, Entries& entries, const Settings& settings)
        : schema_(schema), entries_(entries), limits_(settings.limits), check_(settings.check >= CheckLevel::full) {}

    /// The value of a sample of a declared item that has one number and nothing odd about it; false for all others.
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
    /// The values of any sample that has some; good until the next call. What cannot be read is kept as bytes, and
    /// reported.
    std::span<const Attribute> all(Item& item, const Entry& entry);

    /// Of a part of a scattered signal that has no value: vector of no states.
    Attribute no_states(Item& item) { return {field_of(item, 0, Cell::states, false), schema_.intern({})}; }

    /// A finding about an item, where the entry at hand stands.
    void report(const Item& item, Check check, std::string expected, std::string got);

    /// Integers of the trace that follows have their sign (version 6), or may lack it.
    void set_signed_integers(bool are_signed) noexcept { signed_integers_ = are_signed; }
    /// Gives the track of an item the fields that its definitions foretell.
    void foretell(Item& item);
    /// One more object of the schema, with so much text: there is a limit.
    void count_object(std::uint64_t objects = 1, std::size_t text = 0);
    /// What a member is called whose definition comes now: its label behind those of the members that it is in, with
    /// dots; one of these that is not defined yet by its number.
    std::string path_of(const Item& item, const MemberDefinition& definition) const;
    /// Texts of relations, labels and the like.
    StringId text(std::span<const std::byte> bytes);

private:
    /// What a field holds.
    enum class Cell : std::uint8_t {
        integer,
        natural,
        enumeration,
        text,
        blob,
        single,
        real,
        vector,  ///< bits as a number
        states,
        raw,  ///< bytes whose meaning is not known, and those behind it: by the nibble of their sample
        count = raw + 16,
    };
    static constexpr unsigned cell_bits = 5;
    static_assert(static_cast<unsigned>(Cell::count) <= 1u << cell_bits);
    /// `owner`: 0 for the signal's own value, else a member's number and 1.
    static constexpr std::uint64_t key_of(std::uint64_t owner, Cell cell) noexcept {
        return owner << cell_bits | static_cast<std::uint64_t>(cell);
    }

    bool quick_float(Item& item, Nibble nibble, std::span<const std::byte> bytes, Attribute& value);
    bool quick_vector(Item& item, Nibble nibble, std::span<const std::byte> bytes, Attribute& value);
    std::uint32_t field_of(Item& item, std::uint64_t owner, Cell cell, bool repeated);
    std::uint32_t find_field(TrackId track, const Field& wanted);
    Field make_field(Item& item, std::uint64_t owner, Cell cell, bool repeated);
    std::string name_of_owner(const Item& item, std::uint64_t owner) const;
    EnumId enum_of(Item& item, std::uint64_t owner);
    bool has_labels(const Item& item, std::uint64_t owner) const;
    void put(Item& item, std::uint64_t owner, Cell cell, std::uint64_t value, bool repeated = false);

    bool scalar(Item& item, const Entry& entry);
    bool array(Item& item, std::uint64_t owner, MemberType type, unsigned width, bool counted,
               std::span<const std::byte> bytes);
    bool members(Item& item, std::span<const std::byte> bytes, unsigned depth);
    bool member(Item& item, const Member& member, unsigned depth);
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
    std::uint64_t filled_ = 0, kept_fill_ = 0;  ///< states
    /// Of tracks that have many fields: indexes by all that a field is.
    HashMap<TrackId, HashMap<std::string, std::uint32_t>> many_fields_;
    Pool<Attribute> attributes_;
    std::string states_;
};

}  // namespace hwtrace::flux

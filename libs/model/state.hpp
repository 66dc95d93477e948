// model/state.hpp - the contents of storages at one moment, computed from set, clear and add records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Returns the size in bytes of a value of `type` inside a slot: the width of an integer or float, 1 for booleans and
/// enums, 4 for text (a StringId), 8 for other types.
std::size_t slot_width(Type type) noexcept;
/// Returns the cell that is read back after `value` was stored: truncated to slot_width(type), sign-extended if signed.
std::uint64_t stored(Type type, std::uint64_t value) noexcept;

/// The contents of all storages of a schema, updated record by record. A slot holds its fields in order, little-endian,
/// without padding. A storage's slots are contiguous; its properties follow them. This is the layout of a µScope
/// checkpoint (µScope Trace Format Specification, 8.5; formats/uscope/README.md#checkpoints). Writes to missing slots,
/// fields and properties are ignored, because real files contain them.
class StateTable {
public:
    StateTable() = default;
    /// Creates a table of all storage tracks that `schema` has now. All slots are zero, and the slots of sparse
    /// storages are invalid. The caller must check bytes_needed() against its limits first.
    explicit StateTable(const Schema& schema);
    /// Returns the memory that the storages of `schema` need, in bytes. Sums that are too large saturate.
    static std::uint64_t bytes_needed(const Schema& schema) noexcept;

    /// Applies a set, clear or add record; other kinds change nothing.
    void apply(const Record& record) noexcept;
    /// Stores `value`, truncated to the field's width, and makes the slot valid.
    void set(TrackId storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) noexcept;
    /// Adds `value` modulo the field's width. An invalid slot becomes valid and counts from 0.
    void add(TrackId storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) noexcept;
    /// Zeroes the slot and, in a sparse storage, makes it invalid.
    void clear(TrackId storage, std::uint32_t slot) noexcept;
    /// Stores a property, truncated to its width.
    void set_property(TrackId storage, std::uint32_t property, std::uint64_t value) noexcept;
    /// The same for a storage, slot, field and property that exist.
    void set_known(TrackId storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) noexcept;
    void clear_known(TrackId storage, std::uint32_t slot) noexcept;
    void set_known_property(TrackId storage, std::uint32_t property, std::uint64_t value) noexcept;
    /// Restores the initial state.
    void reset() noexcept;
    /// Returns true if the table is in its initial state: all bytes zero, no valid slot in a sparse storage.
    bool is_empty() const noexcept;

    /// Returns true for every slot of a dense storage, and for the valid slots of a sparse storage.
    bool valid(TrackId storage, std::uint32_t slot) const noexcept;
    /// Returns the value of the field as a cell, or 0 if the field does not exist. Signed types are sign-extended, all
    /// others zero-extended.
    std::uint64_t value(TrackId storage, std::uint32_t slot, std::uint32_t field) const noexcept;
    /// Returns the value of the property as a cell, or 0 if the property does not exist.
    std::uint64_t property(TrackId storage, std::uint32_t property) const noexcept;

    /// The packed bytes of a storage. `mask` has one bit per slot: bit i % 8 of byte i / 8 for slot i. The mask is
    /// empty for dense storages.
    std::size_t slot_size(TrackId storage) const noexcept { return tables_[storage].slot_size; }
    std::span<const std::byte> mask(TrackId storage) const noexcept;
    std::span<const std::byte> slots(TrackId storage) const noexcept;
    std::span<const std::byte> properties(TrackId storage) const noexcept;
    /// The same bytes, writable for loading a checkpoint.
    std::span<std::byte> mutable_mask(TrackId storage) noexcept;
    std::span<std::byte> mutable_slots(TrackId storage) noexcept;
    std::span<std::byte> mutable_properties(TrackId storage) noexcept;

    /// Compares the validity and the bytes of all storages.
    friend bool operator==(const StateTable& a, const StateTable& b) noexcept { return a.bytes_ == b.bytes_; }

private:
    struct Column {
        std::uint32_t offset = 0;  ///< inside the slot, or inside the properties
        std::uint8_t width = 0;
        bool is_signed = false;
    };
    struct Table {
        std::size_t mask_at = 0, slots_at = 0, properties_at = 0;  ///< in bytes_
        std::uint32_t slot_size = 0, properties_size = 0;
        std::uint32_t slots = 0;
        std::uint32_t first_field = 0, fields = 0;  ///< in columns_
        std::uint32_t first_property = 0, properties = 0;
        bool sparse = false;
    };

    std::uint32_t append_columns(const std::vector<Field>& fields);
    const Column* field_of(const Table& table, std::uint32_t slot, std::uint32_t field) const noexcept {
        return slot < table.slots && field < table.fields ? &columns_[table.first_field + field] : nullptr;
    }
    std::byte* place(const Table& table, std::uint32_t slot, const Column& column) noexcept {
        return bytes_.data() + table.slots_at + std::size_t{slot} * table.slot_size + column.offset;
    }
    void make_valid(const Table& table, std::uint32_t slot) noexcept {
        if (table.sparse) bytes_[table.mask_at + slot / 8] |= std::byte{1} << (slot % 8);
    }
    static void store(std::byte* at, std::uint8_t width, std::uint64_t value) noexcept;
    static std::uint64_t load(const std::byte* at, std::uint8_t width) noexcept;
    static void zero(std::byte* at, std::size_t size) noexcept;
    static std::uint64_t as_cell(const std::byte* at, const Column& column) noexcept;

    std::vector<Table> tables_;  // by track id; tracks other than storages have no slots and no properties
    std::vector<Column> columns_;
    std::vector<std::byte> bytes_;
};

// ---------------------------------------------------------------------------------------------------------------------

inline void StateTable::store(std::byte* at, std::uint8_t width, std::uint64_t value) noexcept {
    switch (width) {  // each constant width compiles to a single store
        case 1:
            at[0] = static_cast<std::byte>(value);
            return;
        case 2:
            at[0] = static_cast<std::byte>(value), at[1] = static_cast<std::byte>(value >> 8);
            return;
        case 4:
            for (int i = 0; i < 4; ++i)
                at[i] = static_cast<std::byte>(value >> (8 * i));
            return;
        default:
            for (int i = 0; i < 8; ++i)
                at[i] = static_cast<std::byte>(value >> (8 * i));
    }
}

inline std::uint64_t StateTable::load(const std::byte* at, std::uint8_t width) noexcept {
    const auto byte = [at](int i) { return std::to_integer<std::uint64_t>(at[i]) << (8 * i); };
    switch (width) {
        case 1:
            return byte(0);
        case 2:
            return byte(0) | byte(1);
        case 4:
            return byte(0) | byte(1) | byte(2) | byte(3);
        default:
            return byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
    }
}

inline void StateTable::zero(std::byte* at, std::size_t size) noexcept {
    // Most slots are small. Two stores, which may overlap, take less time than a call.
    const auto zero_ends = [=](auto word) {
        std::memcpy(at, &word, sizeof word);
        std::memcpy(at + size - sizeof word, &word, sizeof word);
    };
    if (size > 2 * sizeof(std::uint64_t))
        std::memset(at, 0, size);
    else if (size >= sizeof(std::uint64_t))
        zero_ends(std::uint64_t{0});
    else if (size >= sizeof(std::uint32_t))
        zero_ends(std::uint32_t{0});
    else
        for (std::size_t i = 0; i < size; ++i)
            at[i] = std::byte{0};
}

inline void StateTable::set(TrackId storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) noexcept {
    if (storage >= tables_.size()) return;
    const Table& table = tables_[storage];
    if (slot < table.slots && field < table.fields) set_known(storage, slot, field, value);
}

inline void StateTable::set_known(TrackId storage, std::uint32_t slot, std::uint32_t field,
                                  std::uint64_t value) noexcept {
    const Table& table = tables_[storage];
    const Column& column = columns_[table.first_field + field];
    store(place(table, slot, column), column.width, value);
    make_valid(table, slot);
}

inline void StateTable::add(TrackId storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) noexcept {
    if (storage >= tables_.size()) return;
    const Table& table = tables_[storage];
    if (const Column* column = field_of(table, slot, field)) {
        std::byte* at = place(table, slot, *column);
        store(at, column->width, load(at, column->width) + value);
        make_valid(table, slot);
    }
}

inline void StateTable::clear(TrackId storage, std::uint32_t slot) noexcept {
    if (storage >= tables_.size()) return;
    const Table& table = tables_[storage];
    if (slot < table.slots) clear_known(storage, slot);
}

inline void StateTable::clear_known(TrackId storage, std::uint32_t slot) noexcept {
    const Table& table = tables_[storage];
    if (table.sparse) bytes_[table.mask_at + slot / 8] &= ~(std::byte{1} << (slot % 8));
    zero(bytes_.data() + table.slots_at + std::size_t{slot} * table.slot_size, table.slot_size);
}

inline void StateTable::set_known_property(TrackId storage, std::uint32_t property, std::uint64_t value) noexcept {
    const Table& table = tables_[storage];
    const Column& column = columns_[table.first_property + property];
    store(bytes_.data() + table.properties_at + column.offset, column.width, value);
}

inline void StateTable::apply(const Record& record) noexcept {
    switch (record.kind) {
        case Kind::set:
            if (is_property(record))
                set_property(record.track, record.field, record.value);
            else
                set(record.track, record.ref, record.field, record.value);
            return;
        case Kind::add:
            add(record.track, record.ref, record.field, record.value);
            return;
        case Kind::clear:
            clear(record.track, record.ref);
            return;
        default:
            return;
    }
}

}  // namespace hwtrace

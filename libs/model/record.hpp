// model/record.hpp - 32-byte records in stream order, and the typed pools of a reusable batch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "model/pool.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The kind of a record. New formats use the same kinds.
enum class Kind : std::uint8_t {
    event,        ///< something happened, with typed fields
    set,          ///< a field of a slot, or a property, took a value
    clear,        ///< a slot became invalid
    add,          ///< a field of a slot grew by a value, modulo the field's width
    change,       ///< a signal took a value
    interval,     ///< something lasted from `time` for `value` ticks
    relation,     ///< two intervals or entities are related; typed fields, as in an event, identify them
    instruction,  ///< one instruction was executed
    note,         ///< text attached to the stream
    native,       ///< bytes that only the owning format understands
};
/// Returns "event", "set", …: the name used in dumps, options and reports.
std::string_view name_of(Kind kind) noexcept;

/// The elements [first, first + count) of a pool in the record's batch.
struct Slice {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

enum RecordFlags : std::uint8_t {
    record_first_of_frame = 1,  ///< begins a frame: records up to the next such flag happened together, in this order
    record_property = 2,        ///< in Kind::set: `field` is an index into the track's properties instead of its fields
    record_restated = 4,        ///< restates a value or mode that was set before this slice of the trace
    record_no_value = 8,        ///< in Kind::change: from here on the signal has no value
};

/// One thing that happened. The meaning of field, ref, count and value depends on the kind:
/// | kind        | field    | ref                  | count         | value         |
/// | event       | -        | first cell           | cells         | -             |
/// | relation    | -        | first cell           | cells         | -             |
/// | set, add    | field    | slot                 | -             | the value     |
/// | clear       | -        | slot                 | -             | -             |
/// | interval    | -        | first attribute      | attributes    | duration      |
/// | change      | -        | first attribute      | attributes    | mark          |
/// | instruction | -        | index of Instruction | -             | pc            |
/// | note,native | -        | first byte           | bytes         | -             |
/// If the table lists no value, a reader may use `value` for its own purposes. Copies of the record keep it.
struct Record {
    Kind kind;
    std::uint8_t flags;
    std::uint16_t field;
    TrackId track;
    Tick time;
    std::uint32_t ref;
    std::uint32_t count;
    std::uint64_t value;
};
static_assert(sizeof(Record) == 32 && std::is_trivially_copyable_v<Record>);
/// Returns true if a record of Kind::set writes a property of its track instead of a field of a slot.
constexpr bool is_property(const Record& record) noexcept {
    return (record.flags & record_property) != 0;
}

/// The register files of a hart.
enum class RegisterClass : std::uint8_t { integer, floating, vector, csr };
/// Returns "x", "f", "v" or "csr".
std::string_view name_of(RegisterClass register_class) noexcept;

/// The role of a register value. The instruction reads the value (source) or writes it (destination), or the value is
/// state from before the instruction.
enum class OperandRole : std::uint8_t { state, source, destination };
/// Returns "state", "source" or "destination".
std::string_view name_of(OperandRole role) noexcept;

/// One register value of an instruction.
struct Operand {
    std::uint16_t number;  ///< x, f, v: 0-31 (integer 32 is the pc); csr: the 12-bit address
    RegisterClass register_class;
    OperandRole role;
    std::uint64_t value;  ///< the value of a scalar register
    Slice words;          ///< the value of a vector register: 64-bit words in the batch's cells, lowest first
};

/// The direction of a memory access. STF defines `invalid`, too.
enum class AccessType : std::uint8_t { invalid, read, write };
/// Returns "invalid", "read" or "write".
std::string_view name_of(AccessType type) noexcept;

/// One memory access of an instruction.
struct Access {
    std::uint64_t address;
    std::uint16_t size;  ///< as stated by the source: in bytes, although some STF generators write bits
    std::uint16_t attributes;
    AccessType type;
    Slice data;  ///< 64-bit words in the batch's cells, lowest address first; may be empty
};

/// The kind of an element of an instruction's group; see Instruction::order.
enum class Part : std::uint8_t {
    record,  ///< the next record of the group other than the instruction, such as an event or note before the
             ///< instruction
    target,
    operand,
    access,
};

/// One attribute of an interval, or one value of a signal. `field` is an index into the track's fields.
struct Attribute {
    std::uint32_t field;
    std::uint64_t value;  ///< a cell of the field's type

    friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// The mark of a change. Values above 1 are defined by the source.
enum ChangeMark : std::uint64_t {
    change_unmarked = 0,
    change_conflict = 1,  ///< the drivers of the signal disagree
};

/// The details of an instruction. The pc is in the record.
struct Instruction {
    std::uint64_t encoding = 0;
    std::uint64_t target = 0;  ///< the pc of the next instruction, if has_target
    bool has_target = false;   ///< true for a taken branch
    std::uint8_t size = 0;     ///< size of the encoding in bytes
    Slice operands;
    Slice accesses;
    Slice order;  ///< Part codes in the batch's bytes, if the source's order is not canonical
};

/// Records and the data they refer to. The driver owns a batch and refills it; clear() keeps the capacity of the pools.
/// A batch refers only to objects that its Schema has already declared.
class Batch {
public:
    /// A reader stops filling a batch at approximately this many records, or this many elements of any pool.
    static constexpr std::size_t target_records = 512;
    static constexpr std::size_t target_elements = std::size_t{1} << 18;

    /// Returns true if a reader should stop filling the batch.
    bool full() const noexcept {
        // One comparison for all pools: the limit is a power of two, so the OR of all sizes reaches it if and only if
        // one size does.
        return records_.size() >= target_records || (cells_.size() | bytes_.size() | attributes_.size() |
                                                     operands_.size() | accesses_.size()) >= target_elements;
    }
    bool empty() const noexcept { return records_.empty(); }
    /// Returns the number of bytes of the records and their data.
    std::size_t size_in_bytes() const noexcept {
        return records_.size() * sizeof(Record) + cells_.size() * sizeof(std::uint64_t) + bytes_.size() +
               attributes_.size() * sizeof(Attribute) + instructions_.size() * sizeof(Instruction) +
               operands_.size() * sizeof(Operand) + accesses_.size() * sizeof(Access);
    }
    /// Reserves room for `records` records; see Pool::reserve.
    void reserve(std::size_t records) { records_.reserve(records); }
    /// Removes all records and their data; invalidates all references to them.
    void clear() noexcept;

    // --- reading ---
    std::span<const Record> records() const noexcept { return {records_.data(), records_.size()}; }
    /// Returns the records, so that flags, times and tracks can be changed. Do not change kinds or references into
    /// pools.
    std::span<Record> mutable_records() noexcept { return {records_.data(), records_.size()}; }
    /// Returns the cells of an event or a relation.
    std::span<const std::uint64_t> cells(const Record& event) const noexcept { return cells({event.ref, event.count}); }
    std::span<const std::uint64_t> cells(Slice slice) const noexcept {
        return {cells_.data() + slice.first, slice.count};
    }
    /// Returns the bytes of a note or a native record.
    std::span<const std::byte> bytes(const Record& record) const noexcept { return bytes({record.ref, record.count}); }
    std::span<const std::byte> bytes(Slice slice) const noexcept { return {bytes_.data() + slice.first, slice.count}; }
    /// Returns the bytes of a note as a string_view into the batch.
    std::string_view text(const Record& note) const noexcept;
    /// Returns the attributes of an interval, or the values of a change.
    std::span<const Attribute> attributes(const Record& record) const noexcept {
        return {attributes_.data() + record.ref, record.count};
    }
    /// Returns the details of an instruction record.
    const Instruction& instruction(const Record& record) const noexcept { return instructions_[record.ref]; }
    std::span<const Operand> operands(const Instruction& i) const noexcept {
        return {operands_.data() + i.operands.first, i.operands.count};
    }
    std::span<const Access> accesses(const Instruction& i) const noexcept {
        return {accesses_.data() + i.accesses.first, i.accesses.count};
    }
    /// Returns the order of the instruction's group; empty if it is canonical.
    std::span<const Part> order(const Instruction& i) const noexcept;
    /// Returns the number of source positions lost to damage directly before the first record. Later records keep their
    /// original positions. Always 0 for instruction traces, whose times are positions.
    std::uint64_t lost_positions() const noexcept { return lost_positions_; }
    void set_lost_positions(std::uint64_t count) noexcept { lost_positions_ = count; }

    // --- building: each call appends one record and returns it, so that flags can be set ---
    Record& event(TrackId track, Tick time, std::span<const std::uint64_t> cells);
    /// Appends an event of `count` zero cells; fill them through mutable_cells().
    Record& event(TrackId track, Tick time, std::uint32_t count);
    /// Returns the cells of an event, for filling.
    std::span<std::uint64_t> mutable_cells(const Record& event) noexcept {
        return {cells_.data() + event.ref, event.count};
    }
    /// Appends a relation. The first two cells are the ids of its intervals.
    Record& relation(TrackId track, Tick time, std::span<const std::uint64_t> cells);
    /// Appends a set record for a field of a slot.
    Record& set(TrackId track, Tick time, std::uint32_t slot, std::uint16_t field, std::uint64_t value);
    /// Appends a set record for a property.
    Record& set_property(TrackId track, Tick time, std::uint16_t property, std::uint64_t value);
    /// Appends an add record for a field of a slot.
    Record& add(TrackId track, Tick time, std::uint32_t slot, std::uint16_t field, std::uint64_t value);
    /// Appends a clear record for a slot.
    Record& clear_slot(TrackId track, Tick time, std::uint32_t slot);
    /// Appends an interval that starts at `begin` and lasts `duration` ticks.
    Record& interval(TrackId track, Tick begin, std::uint64_t duration, std::span<const Attribute> attributes = {});
    std::span<Attribute> mutable_attributes(const Record& record) noexcept {
        return {attributes_.data() + record.ref, record.count};
    }
    /// Appends a change of a signal. `values` are the valid members of a structure, all elements of an array, or one
    /// value.
    Record& change(TrackId track, Tick time, std::span<const Attribute> values, std::uint64_t mark = change_unmarked);
    Record& change(TrackId track, Tick time, const Attribute& value, std::uint64_t mark = change_unmarked);
    /// Memory for changes that a decoder fills in place, without a check per change.
    struct ChangeRoom {
        Record* records = nullptr;      ///< uninitialised
        Attribute* values = nullptr;    ///< uninitialised
        std::uint32_t first_value = 0;  ///< the index of values[0], for Record::ref
    };
    /// Provides room after the existing elements; valid until the next call that appends something.
    ChangeRoom change_room(std::size_t changes, std::size_t values);
    /// Appends the first `changes` records and `values` attributes of the room.
    void commit_changes(std::size_t changes, std::size_t values) {
        records_.grow(changes);
        attributes_.grow(values);
    }
    /// Returns the number of records, or attributes, with which the batch is full.
    std::size_t records_left() const noexcept { return target_records - std::min(target_records, records_.size()); }
    std::size_t attributes_left() const noexcept {
        return target_elements - std::min(target_elements, attributes_.size());
    }
    /// Appends a note; its text is usually UTF-8.
    Record& note(TrackId track, Tick time, std::string_view text);
    /// Appends a native record with bytes of the format that owns the track.
    Record& native(TrackId track, Tick time, std::span<const std::byte> bytes);

    /// Appends an operand or access to the group of the next instruction() call.
    void operand(std::uint16_t number, RegisterClass register_class, OperandRole role, std::uint64_t value);
    void vector_operand(std::uint16_t number, OperandRole role, std::span<const std::uint64_t> words);
    void access(std::uint64_t address, std::uint16_t size, std::uint16_t attributes, AccessType type);
    /// Appends a 64-bit word to the data of the last access.
    void access_data(std::uint64_t word);
    /// Returns the number of operands or accesses appended since the last instruction() call.
    std::size_t open_operands() const noexcept { return operands_.size() - operands_done_; }
    std::size_t open_accesses() const noexcept { return accesses_.size() - accesses_done_; }
    /// Returns the operands or accesses appended since the last instruction() call.
    std::span<const Operand> open_operand_list() const noexcept {
        return {operands_.data() + operands_done_, open_operands()};
    }
    std::span<const Access> open_access_list() const noexcept {
        return {accesses_.data() + accesses_done_, open_accesses()};
    }
    /// Drops the open operands and accesses.
    void drop_open_parts() noexcept;
    /// Appends an instruction at `pc` that owns the open operands and accesses. The caller fills the returned
    /// Instruction's encoding, size and target, and calls set_order() if needed.
    Instruction& instruction(TrackId track, Tick time, std::uint64_t pc);
    /// Sets the order of the instruction's group: one Part for each record, operand, access and target.
    void set_order(Instruction& instruction, std::span<const Part> order);
    Instruction& mutable_instruction(const Record& record) noexcept { return instructions_[record.ref]; }

    /// Appends a copy of another batch's record with all its data. The copy belongs to `track` of this batch's schema.
    Record& copy(const Batch& from, const Record& record, TrackId track);

private:
    Record& push(Kind kind, TrackId track, Tick time, std::uint32_t ref, std::uint32_t count, std::uint64_t value,
                 std::uint16_t field = 0) {
        // Fill the record in place, field by field, because copying a record that was just written would stall on its
        // stores.
        Record& record = *records_.grow(1);
        record.kind = kind;
        record.flags = 0;
        record.field = field;
        record.track = track;
        record.time = time;
        record.ref = ref;
        record.count = count;
        record.value = value;
        return record;
    }
    Slice append_bytes(const void* data, std::size_t size);
    Slice append_cells(std::span<const std::uint64_t> cells);

    Pool<Record> records_;
    Pool<std::uint64_t> cells_;
    Pool<std::byte> bytes_;
    Pool<Attribute> attributes_;
    Pool<Instruction> instructions_;
    Pool<Operand> operands_;
    Pool<Access> accesses_;
    std::size_t operands_done_ = 0;
    std::size_t accesses_done_ = 0;
    std::uint64_t lost_positions_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------

inline Slice Batch::append_cells(std::span<const std::uint64_t> cells) {
    const Slice slice{static_cast<std::uint32_t>(cells_.size()), static_cast<std::uint32_t>(cells.size())};
    cells_.append(cells);
    return slice;
}

inline Slice Batch::append_bytes(const void* data, std::size_t size) {
    const Slice slice{static_cast<std::uint32_t>(bytes_.size()), static_cast<std::uint32_t>(size)};
    if (size != 0) std::memcpy(bytes_.grow(size), data, size);
    return slice;
}

inline Record& Batch::event(TrackId track, Tick time, std::span<const std::uint64_t> cells) {
    const Slice slice = append_cells(cells);
    return push(Kind::event, track, time, slice.first, slice.count, 0);
}

inline Record& Batch::event(TrackId track, Tick time, std::uint32_t count) {
    const auto first = static_cast<std::uint32_t>(cells_.size());
    std::fill_n(cells_.grow(count), count, std::uint64_t{0});
    return push(Kind::event, track, time, first, count, 0);
}

inline Record& Batch::relation(TrackId track, Tick time, std::span<const std::uint64_t> cells) {
    const Slice slice = append_cells(cells);
    return push(Kind::relation, track, time, slice.first, slice.count, 0);
}

inline Record& Batch::set(TrackId track, Tick time, std::uint32_t slot, std::uint16_t field, std::uint64_t value) {
    return push(Kind::set, track, time, slot, 0, value, field);
}

inline Record& Batch::set_property(TrackId track, Tick time, std::uint16_t property, std::uint64_t value) {
    Record& record = push(Kind::set, track, time, 0, 0, value, property);
    record.flags = record_property;
    return record;
}

inline Record& Batch::add(TrackId track, Tick time, std::uint32_t slot, std::uint16_t field, std::uint64_t value) {
    return push(Kind::add, track, time, slot, 0, value, field);
}

inline Record& Batch::clear_slot(TrackId track, Tick time, std::uint32_t slot) {
    return push(Kind::clear, track, time, slot, 0, 0);
}

inline Record& Batch::interval(TrackId track, Tick begin, std::uint64_t duration,
                               std::span<const Attribute> attributes) {
    const auto first = static_cast<std::uint32_t>(attributes_.size());
    attributes_.append(attributes);
    return push(Kind::interval, track, begin, first, static_cast<std::uint32_t>(attributes.size()), duration);
}

inline Record& Batch::change(TrackId track, Tick time, std::span<const Attribute> values, std::uint64_t mark) {
    const auto first = static_cast<std::uint32_t>(attributes_.size());
    attributes_.append(values);
    return push(Kind::change, track, time, first, static_cast<std::uint32_t>(values.size()), mark);
}

inline Record& Batch::change(TrackId track, Tick time, const Attribute& value, std::uint64_t mark) {
    const auto first = static_cast<std::uint32_t>(attributes_.size());
    attributes_.push_back(value);
    return push(Kind::change, track, time, first, 1, mark);
}

inline Batch::ChangeRoom Batch::change_room(std::size_t changes, std::size_t values) {
    records_.reserve(records_.size() + changes);
    attributes_.reserve(attributes_.size() + values);
    return {records_.data() + records_.size(), attributes_.data() + attributes_.size(),
            static_cast<std::uint32_t>(attributes_.size())};
}

inline Record& Batch::note(TrackId track, Tick time, std::string_view text) {
    const Slice slice = append_bytes(text.data(), text.size());
    return push(Kind::note, track, time, slice.first, slice.count, 0);
}

inline Record& Batch::native(TrackId track, Tick time, std::span<const std::byte> bytes) {
    const Slice slice = append_bytes(bytes.data(), bytes.size());
    return push(Kind::native, track, time, slice.first, slice.count, 0);
}

inline void Batch::operand(std::uint16_t number, RegisterClass register_class, OperandRole role, std::uint64_t value) {
    operands_.push_back({number, register_class, role, value, {}});
}

inline void Batch::vector_operand(std::uint16_t number, OperandRole role, std::span<const std::uint64_t> words) {
    operands_.push_back({number, RegisterClass::vector, role, 0, append_cells(words)});
}

inline void Batch::access(std::uint64_t address, std::uint16_t size, std::uint16_t attributes, AccessType type) {
    accesses_.push_back({address, size, attributes, type, {static_cast<std::uint32_t>(cells_.size()), 0}});
}

inline void Batch::access_data(std::uint64_t word) {
    Slice& data = accesses_.back().data;
    if (data.first + data.count != cells_.size()) {  // other cells came in between: move the words together
        const auto first = static_cast<std::uint32_t>(cells_.size());
        for (std::uint32_t i = 0; i < data.count; ++i)
            cells_.push_back(cells_[data.first + i]);
        data.first = first;
    }
    cells_.push_back(word);
    ++data.count;
}

inline Instruction& Batch::instruction(TrackId track, Tick time, std::uint64_t pc) {
    push(Kind::instruction, track, time, static_cast<std::uint32_t>(instructions_.size()), 0, pc);
    Instruction& instruction = *instructions_.grow(1);
    instruction = Instruction{};
    instruction.operands = {static_cast<std::uint32_t>(operands_done_), static_cast<std::uint32_t>(open_operands())};
    instruction.accesses = {static_cast<std::uint32_t>(accesses_done_), static_cast<std::uint32_t>(open_accesses())};
    operands_done_ = operands_.size();
    accesses_done_ = accesses_.size();
    return instruction;
}

}  // namespace hwtrace

// domain/trace_tables.hpp - describes a trace as tables: one table per track, with typed columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/place_numbers.hpp"
#include "model/schema.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace {

/// A column of a table.
struct TableColumn {
    /// The content of the column. Times and durations are exact ticks of the track's time base. The columns in
    /// nanoseconds are doubles; they exist if the length of a tick is known.
    enum class Content : std::uint8_t {
        field,            ///< the track's field `index`
        property,         ///< the storage's property `index`
        member,           ///< member `index` of an instruction (domain/instruction_values.hpp)
        time,             ///< of an event, a change, a note, an instruction
        time_ns,          ///< the same in ns
        begin,            ///< when an interval, or the occupancy of a slot, began
        begin_ns,         ///< the same in ns
        end,              ///< when it ended; absent if the trace ends before
        end_ns,           ///< the same in ns
        duration,         ///< end - begin
        duration_ns,      ///< the same in ns
        slot,             ///< the slot of a storage
        mark,             ///< the mark of a change, absent if it has none
        text,             ///< the text of a note
        bytes,            ///< the bytes of a native record
        function,         ///< the name of the function of an instruction, an enumeration; with symbols only
        function_offset,  ///< of the instruction in its function; with symbols only
        source,           ///< "file:line" of an instruction, an enumeration whose labels grow; with symbols only
    };

    std::string name;  ///< no two columns of a table have names that differ only in case
    Content content = Content::field;
    std::uint32_t index = 0;       ///< see Content
    Type type = Type::i64;         ///< Type::i64 for ticks
    EnumId enumeration = none;     ///< of the labels, if the type is Type::enumeration; see TraceTables::label()
    bool is_nullable = false;      ///< a row may lack a value
    bool is_repeated = false;      ///< a row has any number of values; never nullable
    Phase phase = Phase::unknown;  ///< phase in which an attribute was recorded

    /// Returns true if the text of a cell is in the chunk instead of the schema; see TableChunk.
    bool has_own_text() const noexcept { return content == Content::text || content == Content::bytes; }
    /// Returns true if the values are known when they occur, so that TraceTables::labels() does not have all of them.
    bool has_growing_labels() const noexcept { return content == Content::source; }
};

/// The table of a track.
struct TraceTable {
    /// The meaning of a row.
    enum class Row : std::uint8_t {
        event,
        interval,
        relation,
        instruction,
        change,  ///< a signal took a value
        note,
        native,
        occupancy,   ///< sparse storage: a slot from its first set record to its clear record, with its last values
        slot_state,  ///< dense storage: the values of a slot after a group of its changes
        properties,  ///< the properties of a storage after a group of their changes
    };

    /// The name of the track, or, if two tables would have the same name, `path`. No two tables of a trace have names
    /// that differ only in case.
    std::string name;
    std::string path;  ///< scope and name: "root/core0/rob"
    TrackId track = none;
    Row row = Row::event;
    std::vector<TableColumn> columns;

    /// Returns the first column with this content (and index), or columns.size().
    std::size_t find(TableColumn::Content content, std::uint32_t index = 0) const noexcept;
};
/// Returns "event", "interval", …: what a row stands for.
std::string_view name_of(TraceTable::Row row) noexcept;

/// The tables of a trace. A storage with properties has two tables, any other track has one.
class TraceTables {
public:
    /// Describes the tracks that `schema` has now, with the fields that they have now. `schema` must outlive this
    /// object. With symbols, instructions have columns for functions and source lines.
    explicit TraceTables(const Schema& schema, std::shared_ptr<const Symbols> symbols = nullptr);

    const Schema& schema() const noexcept { return schema_; }
    std::span<const TraceTable> all() const noexcept { return tables_; }
    /// Returns the index of the table with this name or path, whatever the case of its letters; all().size() if there
    /// is none.
    std::size_t find(std::string_view name) const noexcept;
    /// Returns the track of a table.
    const Track& track(const TraceTable& table) const noexcept { return schema_.tracks()[table.track]; }
    /// Returns the functions and source lines of instructions, or nullptr without symbols. Rows of instructions add
    /// source lines to it (domain/table_rows.hpp).
    PlaceNumbers* places() const noexcept { return places_.get(); }
    /// Returns all labels of a column of Type::enumeration, or nullptr if it has no enum, or growing labels.
    const Enum* labels(const TableColumn& column) const noexcept;
    /// Returns the label of a cell of a column of Type::enumeration, or nullptr if the number has no label.
    const std::string* label(const TableColumn& column, std::uint64_t cell) const noexcept;

private:
    void describe(TrackId id);
    TraceTable& add_table(TrackId id, TraceTable::Row row);
    void add_fields(TraceTable& table, const std::vector<Field>& fields, TableColumn::Content content);
    void add_instruction_columns(TraceTable& table);
    void name_tables();
    const Schema& labels_of(const TableColumn& column) const noexcept;

    const Schema& schema_;
    Schema instruction_schema_;  // declares the enums of instructions
    EnumId functions_ = none;    // in instruction_schema_
    std::unique_ptr<PlaceNumbers> places_;
    std::vector<Field> instruction_members_;
    std::vector<TraceTable> tables_;
};

}  // namespace hwtrace

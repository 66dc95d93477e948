// domain/table_rows.hpp - turns records into rows of the tables that domain/trace_tables.hpp describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "domain/slot_rows.hpp"
#include "domain/table_chunk.hpp"
#include "domain/trace_tables.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// Collects the rows of tables in chunks. Rows of a table come in the order of their records; the row of an occupancy
/// comes when it ends.
class TableRows {
public:
    static constexpr std::size_t default_rows = 4096;
    /// The memory of all chunks together, in bytes. When they need more, all are handed out.
    static constexpr std::size_t most_bytes = std::size_t{16} << 20;

    /// Takes a chunk of the table with this index in TraceTables::all(). It may move the chunk's content away; the
    /// chunk is cleared afterwards.
    using Take = std::function<void(std::size_t table, TableChunk& rows)>;

    /// Makes rows of all tables. `tables` must outlive this object. Chunks have at most `chunk_rows` rows.
    TableRows(const TraceTables& tables, Take take, std::size_t chunk_rows = default_rows);
    /// Makes rows of these tables only, given by their indexes.
    TableRows(const TraceTables& tables, const std::vector<std::size_t>& wanted, Take take,
              std::size_t chunk_rows = default_rows);

    /// Fills only the columns of a table whose element in `columns` is not 0. The others get no cells at all, which
    /// saves their time. `table` must be wanted. Call it before add().
    void choose_columns(std::size_t table, std::span<const std::uint8_t> columns);

    /// Adds the rows of a batch. Records of tracks, and values of fields, that `tables` does not describe are counted
    /// by left_out(), as are operations on slots that the storage does not have.
    void add(const Batch& batch);
    /// Ends the trace: slots that are still occupied become rows without an end. Hands out the remaining rows. No call
    /// may follow.
    void finish();

    /// Returns the number of records and values without a place: of unknown tracks and fields, and all but the last
    /// value of an attribute that an interval states more than once although it is not repeated.
    std::uint64_t left_out() const noexcept { return left_out_; }
    /// Returns the number of values of a sparse storage that were replaced while their slot was occupied, so that no
    /// row has them. 0 for other tracks.
    std::uint64_t earlier_values(TrackId track) const noexcept;
    /// Returns the number of intervals that end after the last Tick. Their rows have it as `end`, and also as `begin`
    /// if they begin later. The duration is exact.
    std::uint64_t late_ends(TrackId track) const noexcept;

private:
    static constexpr std::uint32_t not_wanted = none - 1;               // an index that no target has
    static constexpr std::size_t rows_a_look = 64;                      // rows between two looks at the size of a chunk
    static constexpr std::size_t bytes_a_look = std::size_t{64} << 10;  // bytes of texts and lists between two looks
    static constexpr std::size_t most_kept_chunks = 64;                 // with more tables, no chunk keeps memory

    /// A table that is wanted, and how its records become rows.
    struct Target {
        Target(const TraceTable& of, std::size_t at) : table(of), index(at), chunk(of) {}

        const TraceTable& table;
        std::size_t index;  // in TraceTables::all()
        TableChunk chunk;
        std::vector<std::uint8_t> is_filled;      // by column
        std::vector<std::uint32_t> single, list;  // filled columns with one cell a row; with any number
        bool lists_parts = false;                 // instructions: any repeated column is filled
        std::size_t counted_bytes = 0;            // of the chunk, in waiting_bytes_
        std::size_t unseen_bytes = 0;             // of texts and lists since the last look at the size
        std::size_t first_field = 0;              // column of field 0; the columns of the other fields follow
        std::size_t fields = 0;
        std::size_t first_place = 0;   // the columns of functions and source lines; 0: none
        std::size_t fixed_fields = 0;  // events and relations: leading fields that are not repeated
        long double ns_in_tick = 0;    // 0: unknown
        std::uint64_t late_ends = 0;

        // Storages
        std::optional<SlotRows> slots;
        std::uint32_t slot_count = 0;
        std::uint64_t earlier_values = 0;
        SlotRows::Values* group = nullptr;  // the slot whose changes at group_time are not yet a row
        Tick group_time = 0;
    };

    Target* target_of(const Record& record) noexcept;
    const Target* target_of(TrackId track) const noexcept;
    void add_target(const TraceTables& tables, std::size_t index);
    static void list_columns(Target& to);
    void add_event(Target& to, const Batch& batch, const Record& record);
    void add_values(Target& to, const Batch& batch, const Record& record);
    void add_instruction(Target& to, const Batch& batch, const Record& record);
    void add_bytes(Target& to, const Batch& batch, const Record& record);
    void put_place(Target& to, std::uint64_t pc);
    void add_operation(Target& to, const Record& operation);
    void end_group(Target& to);
    void add_slot_row(Target& to, const SlotRows::Values& values, Tick begin, std::optional<Tick> end);

    // Each put sets values of the row that begin_row() has begun, and moves `column` behind them.
    void begin_row(Target& to);
    void put(Target& to, std::size_t column, std::uint64_t cell);
    void put_listed(Target& to, std::size_t column, std::uint64_t cell);
    void put_ticks(Target& to, std::size_t& column, std::uint64_t ticks, long double value);
    void put_time(Target& to, std::size_t& column, Tick time);
    void put_span(Target& to, std::size_t& column, Tick begin, Tick end, std::uint64_t duration);
    void put_attributes(Target& to, std::span<const Attribute> attributes);
    void end_row(Target& to);
    void look_at_size(Target& to);
    void hand_out(Target& to);
    void hand_out_all();

    const Schema& schema_;
    Take take_;
    PlaceNumbers* places_;
    std::size_t chunk_rows_;
    std::deque<Target> targets_;
    std::vector<std::uint32_t> target_of_track_, properties_of_track_;  // by track; `none`: there is no such table
    std::vector<Attribute> values_;                                     // of an instruction
    std::size_t waiting_bytes_ = 0;
    std::uint64_t left_out_ = 0;
};

}  // namespace hwtrace

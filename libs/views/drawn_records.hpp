// views/drawn_records.hpp - collects everything but intervals in rows over time: values, events, instructions,
// lifetimes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "domain/occupancy.hpp"
#include "domain/timeline.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "views/drawn_rows.hpp"

namespace hwtrace {

/// What DrawnRecords collects.
struct DrawnRecordChoice {
    bool values = true;     ///< counters, occupancies of buffers, numeric signals
    bool densities = true;  ///< events, notes, changes of other tables
    bool instructions = true;
    bool lifetimes = false;  ///< the load of every catalogue: entities in progress
};

/// Collects rows in one pass. Memory is bounded: at most most_rows rows of values and as many of other sorts.
class DrawnRecords {
public:
    static constexpr std::size_t most_rows = 96;

    /// `schema` must outlive this object and may grow.
    DrawnRecords(const Schema& schema, const DrawnRecordChoice& choice);

    void add(const Batch& batch);
    void finish();

    /// Returns the rows in order of declaration.
    std::vector<DrawnRow> take_rows() { return std::move(rows_); }
    /// Returns the number of tracks, members of signals and so on that found no room.
    std::uint64_t not_collected() const noexcept { return not_collected_; }

private:
    enum class Role : std::uint8_t { nothing, density, counter, buffer, signal, hart };
    struct OfTrack {
        Role role = Role::nothing;
        std::uint32_t row = none;  // density, counter, buffer; hart: instructions
        std::uint32_t loads = none, stores = none, taken = none;
        std::uint64_t value = 0;           // counter
        Occupancy occupancy;               // buffer
        std::vector<std::uint32_t> field;  // signal: rows by field; a field of text has that of the numbers of its name
    };

    void meet_tracks();
    void meet_track(TrackId id, const Track& track);
    void meet_members(OfTrack& of_track, const Track& track);
    void meet_catalogues();
    std::uint32_t add_row(RowSort sort, std::string name, const TimeBase& base, std::string_view part = {});
    void count(std::uint32_t row, Tick time, std::uint64_t records = 1);
    void take(std::uint32_t row, Tick time, long double value);
    void end(std::uint32_t row, Tick time);
    void add_counter(OfTrack& track, const Record& record);
    void add_buffer(OfTrack& track, const Record& record);
    void add_change(OfTrack& track, const Batch& batch, const Record& record);
    void add_instruction(OfTrack& track, const Batch& batch, const Record& record);
    void add_life(const Lifetime& life);

    const Schema& schema_;
    DrawnRecordChoice choice_;
    Timeline timeline_;
    std::vector<OfTrack> tracks_;
    std::vector<std::uint32_t> catalogue_rows_;
    std::vector<DrawnRow> rows_;
    std::size_t value_rows_ = 0;
    std::uint64_t not_collected_ = 0;
};

/// Returns true for a field whose values are numbers that can be drawn.
bool is_numeric(const Field& field) noexcept;
/// Returns the value of a cell of a numeric field.
long double number_of(const Field& field, std::uint64_t cell) noexcept;

}  // namespace hwtrace

// views/interval_lifetimes.hpp - intervals as lifetimes of the view timeline; phases are their stages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/json_object.hpp"
#include "domain/interval_ids.hpp"
#include "io/text_output.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Formats intervals. A phase (begin, record, end) with attributes is a stage without times, because traces do not
/// state when a phase begins.
class IntervalLifetimes {
public:
    /// `schema` must outlive this object and may grow. With `only`, other intervals than those of that id do not count.
    IntervalLifetimes(const Schema& schema, std::optional<std::uint64_t> only)
        : schema_(schema), ids_(schema), only_(only) {}

    /// Counts the record and returns true if it is an interval to show.
    bool counts(const Batch& batch, const Record& record);
    std::uint64_t shown() const noexcept { return shown_; }

    /// Writes "soc.bus/read #3 1000-4000 ps", then the attributes of each phase on an indented line.
    void append_text(const Batch& batch, const Record& record, TextOutput& out);
    /// Writes the number of intervals of each track as `#` lines.
    void append_counts(TextOutput& out) const;
    /// Adds the members scope, name, id, fields, first_time, last_time, unit and stages; first_cycle and last_cycle if
    /// times are cycles.
    void fill(const Batch& batch, const Record& record, JsonObject& object);
    /// Writes a row with the columns of lifetimes. The object `fields` has an object for each phase.
    void append_csv_row(const Batch& batch, const Record& record, JsonIntegers integers, TextOutput& out);

private:
    struct OfTrack {
        std::string scope, path, unit;
        bool has_phases = false;
        std::size_t fields = 0;  // the number of fields that are known
        std::uint64_t count = 0;
    };

    OfTrack& track_of(const Record& record);
    bool is_id(const Record& record, const Attribute& attribute) const;
    bool has_phase(const Batch& batch, const Record& record, Phase phase) const;
    void append_attributes(const Batch& batch, const Record& record, Phase phase, TextOutput& out) const;
    void append_phases(const Batch& batch, const Record& record, TextOutput& out) const;
    void fill_fields(const Batch& batch, const Record& record, Phase phase, JsonObject& fields) const;

    const Schema& schema_;
    IntervalIds ids_;
    std::optional<std::uint64_t> only_;
    std::vector<OfTrack> tracks_;
    std::uint64_t shown_ = 0;
    TextOutput scratch_{-1, 1024};
};

}  // namespace hwtrace

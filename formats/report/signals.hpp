// formats/report/signals.hpp - the signals of a report: a curve for each number, a row for each other value.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chart.hpp"
#include "model/record.hpp"
#include "time_scale.hpp"

namespace hwtrace::report {

/// A value that lasts until it changes: a point of a curve, or a slice of a row.
class HeldValue {
public:
    /// `name` tells what the value means, see is_number().
    HeldValue(Chart& chart, TrackId track, std::string_view label, const Field& field, std::string_view name);

    void set(Chart& chart, const Schema& schema, Tick time, const Field& field, std::uint64_t cell);
    /// Sets a list of values.
    void set(Chart& chart, const Schema& schema, Tick time, const Field& field, std::span<const Attribute> values);
    /// Ends the value, so that a curve has a gap.
    void end(Chart& chart, const Schema& schema, Tick time, const Field& field);

    bool is_curve() const noexcept { return is_curve_; }

    std::uint32_t twin = 0;  ///< the next field with the same name, in a ring: a member has one value at a time

private:
    std::uint32_t place_;  ///< a CurveId or a RowId
    bool is_curve_;
    bool is_open_ = false, is_list_ = false;
    Tick since_ = 0;
    std::uint64_t cell_ = 0;
    std::string list_;
};

class Signals {
public:
    Signals(const Schema& schema, TimeScale& times, Chart& chart)
        : schema_(schema), times_(times), chart_(chart), values_(schema.tracks().size()) {}

    void add(const Batch& batch, const Record& change);
    /// Ends all slices at the end of the trace; curves keep their last value.
    void finish();

private:
    std::deque<HeldValue>& values_of(TrackId track);
    /// Ends the values of the other fields with the name of this one.
    void end_twins(std::deque<HeldValue>& values, std::uint32_t index, Tick time, const std::vector<Field>& fields);

    const Schema& schema_;
    TimeScale& times_;
    Chart& chart_;
    std::vector<std::deque<HeldValue>> values_;  ///< by track: one for each field
};

}  // namespace hwtrace::report

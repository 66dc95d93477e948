// formats/report/durations.hpp - the durations of one type of interval: counts, percentiles and a histogram.
#pragma once

#include <cstdint>

#include "domain/length_summary.hpp"
#include "json_stream.hpp"
#include "model/schema.hpp"

namespace hwtrace::report {

/// Writes a time base as {"kind", "num", "den"}.
void write_base(JsonStream& json, const TimeBase& base);

/// The durations of one type of interval, in ticks of a time base.
class Durations {
public:
    /// A histogram takes up to 128 KiB of the budget's memory. Without it, there are no percentiles.
    explicit Durations(HistogramBudget& budget) : meter_(&budget) {}

    void add(std::uint64_t duration) { meter_.add(duration); }
    std::uint64_t count() const noexcept { return meter_.count(); }
    /// Writes the members "count", "sum", "least", "greatest", "p50", "p90", "p99", "is_exact" and "histogram": pairs
    /// of the first length of a class and its count. A class is an eighth of a power of two.
    void write(JsonStream& json) const;

private:
    LengthMeter meter_;
};

}  // namespace hwtrace::report

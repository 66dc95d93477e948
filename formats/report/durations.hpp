// formats/report/durations.hpp - the durations of one type of interval: counts, percentiles and a histogram.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "domain/length_counts.hpp"
#include "json_stream.hpp"
#include "model/schema.hpp"

namespace hwtrace::report {

/// Writes a time base as {"kind", "num", "den"}.
void write_base(JsonStream& json, const TimeBase& base);

/// The durations of one type of interval, in ticks of a time base.
class Durations {
public:
    /// With `percentiles`, keeps a histogram, which takes up to 200 KiB.
    explicit Durations(bool percentiles) : lengths_(percentiles ? std::make_unique<LengthCounts>() : nullptr) {}

    void add(std::uint64_t duration) {
        least_ = count_ == 0 ? duration : std::min(least_, duration);
        greatest_ = std::max(greatest_, duration);
        sum_ += duration;
        ++count_;
        if (lengths_ != nullptr) lengths_->add(duration);
    }
    std::uint64_t count() const noexcept { return count_; }
    /// Writes the members "count", "sum", "least", "greatest", "p50", "p90", "p99", "is_exact" and "histogram": pairs
    /// of the first length of a class and its count. A class is an eighth of a power of two.
    void write(JsonStream& json) const;

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t count_ = 0, least_ = 0, greatest_ = 0;
    Wide sum_ = 0;
    std::unique_ptr<LengthCounts> lengths_;
};

/// Decides how many types of interval keep a histogram, so that memory is bounded.
class HistogramBudget {
public:
    bool take() noexcept { return taken_++ < most; }

private:
    static constexpr std::size_t most = 400;

    std::size_t taken_ = 0;
};

}  // namespace hwtrace::report

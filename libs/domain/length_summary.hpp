// domain/length_summary.hpp - count, extremes, mean, total and percentiles of lengths such as durations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/length_counts.hpp"
#include "io/saved_state.hpp"

namespace hwtrace {

/// The sum of many lengths.
__extension__ using WideSum = unsigned __int128;
/// Returns the sum in decimal digits.
std::string decimal_text(WideSum sum);

/// How well percentiles are known.
enum class Precision : std::uint8_t {
    exact,
    within_1_percent,  ///< there were more than 4096 different lengths: percentiles are less than 1 % too small
    unknown,           ///< too many histograms were needed: there are no percentiles
};
/// Returns "exact", "within 1 %" or "unknown".
std::string_view name_of(Precision precision) noexcept;

/// The statistics of some lengths. Percentiles are lengths that occur (nearest rank), unless they are not exact.
struct LengthSummary {
    std::uint64_t count = 0;
    std::uint64_t least = 0, greatest = 0;
    std::uint64_t median = 0, p90 = 0, p99 = 0;
    WideSum total = 0;
    Precision precision = Precision::exact;

    bool has_percentiles() const noexcept { return count != 0 && precision != Precision::unknown; }
    /// Returns the mean in thousandths, rounded to nearest; nullopt without lengths.
    std::optional<WideSum> milli_mean() const noexcept;
};

/// Collects lengths in one pass and in bounded memory.
class LengthMeter {
public:
    /// `budget`, if any, must outlive this object; see LengthCounts.
    explicit LengthMeter(HistogramBudget* budget = nullptr) noexcept : lengths_(budget) {}

    void add(std::uint64_t length) {
        least_ = count() == 0 ? length : std::min(least_, length);
        greatest_ = std::max(greatest_, length);
        total_ += length;
        lengths_.add(length);
    }
    void add(const LengthMeter& other) {
        if (other.count() == 0) return;
        least_ = count() == 0 ? other.least_ : std::min(least_, other.least_);
        greatest_ = std::max(greatest_, other.greatest_);
        total_ += other.total_;
        lengths_.add(other.lengths_);
    }
    /// Appends the lengths for add() of a meter in another process.
    void save(StateOut& out) const;
    /// Adds the lengths that save() wrote.
    void add(StateIn& in);
    std::uint64_t count() const noexcept { return lengths_.count(); }
    const LengthCounts& lengths() const noexcept { return lengths_; }
    LengthSummary summary() const;

private:
    std::uint64_t least_ = 0, greatest_ = 0;
    WideSum total_ = 0;
    LengthCounts lengths_;
};

}  // namespace hwtrace

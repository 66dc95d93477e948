#include "domain/length_summary.hpp"

#include <utility>
#include <vector>

namespace hwtrace {

std::string decimal_text(WideSum sum) {
    std::string digits;
    do
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(sum % 10)));
    while ((sum /= 10) != 0);
    return digits;
}

std::string_view name_of(Precision precision) noexcept {
    switch (precision) {
        case Precision::exact:
            return "exact";
        case Precision::within_1_percent:
            return "within 1 %";
        case Precision::unknown:
            break;
    }
    return "unknown";
}

std::optional<WideSum> LengthSummary::milli_mean() const noexcept {
    if (count == 0) return std::nullopt;
    return total / count * 1000 + (total % count * 1000 + count / 2) / count;
}

LengthSummary LengthMeter::summary() const {
    LengthSummary summary{.count = count(), .least = least_, .greatest = greatest_, .total = total_};
    if (summary.count == 0) return summary;
    if (lengths_.dropped()) {
        summary.precision = Precision::unknown;
        return summary;
    }
    const LengthCounts lengths = lengths_.settled();
    if (!lengths.exact()) summary.precision = Precision::within_1_percent;
    // The start of a class may be below the least length.
    std::vector<LengthCounts::Entry> entries = lengths.entries();
    summary.median = std::max(percentile(entries, 50), least_);
    summary.p90 = std::max(percentile(entries, 90), least_);
    summary.p99 = std::max(percentile(entries, 99), least_);
    summary.lengths = std::move(entries);
    return summary;
}

void LengthMeter::add(const LengthSummary& summary) {
    if (summary.count == 0) return;
    least_ = count() == 0 ? summary.least : std::min(least_, summary.least);
    greatest_ = std::max(greatest_, summary.greatest);
    total_ += summary.total;
    if (summary.precision == Precision::unknown)
        lengths_.add_dropped(summary.count);
    else
        lengths_.add(summary.lengths, summary.precision == Precision::exact);
}

}  // namespace hwtrace

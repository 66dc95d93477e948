#include "domain/length_summary.hpp"

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
    const std::vector<LengthCounts::Entry> entries = lengths.entries();
    summary.median = std::max(percentile(entries, 50), least_);
    summary.p90 = std::max(percentile(entries, 90), least_);
    summary.p99 = std::max(percentile(entries, 99), least_);
    return summary;
}

void LengthMeter::save(StateOut& out) const {
    out(count());
    if (count() == 0) return;
    const bool is_dropped = lengths_.dropped();
    out(least_, greatest_, total_, is_dropped, is_dropped || lengths_.exact());
    if (is_dropped) return;
    // The lengths ascend, so their distances are short.
    const std::vector<LengthCounts::Entry> entries = lengths_.entries();
    out(entries.size());
    std::uint64_t before = 0;
    for (const LengthCounts::Entry& entry : entries) {
        out(entry.length - before, entry.times);
        before = entry.length;
    }
}

void LengthMeter::add(StateIn& in) {
    const auto added = in.get<std::uint64_t>();
    if (added == 0) return;
    const auto least = in.get<std::uint64_t>(), greatest = in.get<std::uint64_t>();
    least_ = count() == 0 ? least : std::min(least_, least);
    greatest_ = std::max(greatest_, greatest);
    total_ += in.get<WideSum>();
    const bool is_dropped = in.get<bool>(), is_exact = in.get<bool>();
    if (is_dropped) return lengths_.add_dropped(added);
    std::vector<LengthCounts::Entry> entries;
    std::uint64_t sum = 0, before = 0;
    for (std::size_t left = in.count(); left > 0; --left) {
        LengthCounts::Entry& entry = entries.emplace_back();
        in(entry.length, entry.times);
        entry.length += before;
        before = entry.length;
        StateIn::require(entry.times <= added - sum);
        sum += entry.times;
    }
    StateIn::require(sum == added);
    lengths_.add(entries, is_exact);
}

}  // namespace hwtrace

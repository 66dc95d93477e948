#include "durations.hpp"

#include <bit>
#include <vector>

namespace hwtrace::report {
namespace {

constexpr unsigned class_bits = 3;  ///< eight classes a power of two

/// Returns the smallest length of the class to which a length belongs.
std::uint64_t class_begin(std::uint64_t length) noexcept {
    const auto width = static_cast<unsigned>(std::bit_width(length));
    return width <= class_bits + 1 ? length : length >> (width - class_bits - 1) << (width - class_bits - 1);
}

}  // namespace

void write_base(JsonStream& json, const TimeBase& base) {
    json.begin_object();
    json.member("kind", base.kind == TimeBase::Kind::seconds  ? std::string_view("seconds")
                        : base.kind == TimeBase::Kind::cycles ? std::string_view("cycles")
                                                              : std::string_view("ordinal"));
    json.member("num", base.num);
    json.member("den", base.den);
    json.end_object();
}

void Durations::write(JsonStream& json) const {
    const LengthSummary summary = meter_.summary();
    json.member("count", summary.count);
    json.member("sum", std::string_view(decimal_text(summary.total)));
    json.member("least", summary.least);
    json.member("greatest", summary.greatest);
    if (!summary.has_percentiles()) return;
    json.member("p50", summary.median);
    json.member("p90", summary.p90);
    json.member("p99", summary.p99);
    json.member("is_exact", summary.precision == Precision::exact);
    const std::vector<LengthCounts::Entry> entries = meter_.lengths().entries();
    json.array("histogram");
    for (std::size_t i = 0; i < entries.size();) {
        const std::uint64_t begin = class_begin(entries[i].length);
        std::uint64_t times = 0;
        for (; i < entries.size() && class_begin(entries[i].length) == begin; ++i)
            times += entries[i].times;
        json.number(begin);
        json.number(times);
    }
    json.end_array();
}

}  // namespace hwtrace::report

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

__extension__ std::string decimal(unsigned __int128 value) {
    std::string digits;
    do
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    while ((value /= 10) != 0);
    return digits;
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
    json.member("count", count_);
    json.member("sum", std::string_view(decimal(sum_)));
    json.member("least", least_);
    json.member("greatest", greatest_);
    if (lengths_ == nullptr || count_ == 0) return;
    const std::vector<LengthCounts::Entry> entries = lengths_->entries();
    for (const auto& [name, per_cent] : {std::pair<std::string_view, unsigned>{"p50", 50}, {"p90", 90}, {"p99", 99}})
        json.member(name, std::max(percentile(entries, per_cent), least_));
    json.member("is_exact", lengths_->exact());
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

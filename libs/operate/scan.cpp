#include "operate/scan.hpp"

#include <algorithm>
#include <limits>

namespace hwtrace {

namespace {

/// Returns the end of a record, at most the last Tick.
Tick end_of(const Record& record) noexcept {
    if (record.kind != Kind::interval) return record.time;
    constexpr Tick last = std::numeric_limits<Tick>::max();
    const std::uint64_t left = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(record.time);
    // Computed modulo 2^64, so that a negative time plus a duration is correct.
    return record.value > left ? last : static_cast<Tick>(static_cast<std::uint64_t>(record.time) + record.value);
}

}  // namespace

ScanCounts scan(Reader& reader, const ProgressListener& progress, const BatchListener& listener) {
    ScanCounts counts;
    Batch batch;
    while (true) {
        batch.clear();
        if (!reader.read(batch)) return counts;
        const std::span<const Record> records = batch.records();
        if (records.empty()) continue;
        Tick first = std::numeric_limits<Tick>::max();
        Tick last = std::numeric_limits<Tick>::min();
        std::uint64_t counted = 0;
        for (const Record& record : records) {
            if ((record.flags & record_restated) != 0) [[unlikely]]
                continue;
            ++counted;
            ++counts.records_by_kind[static_cast<std::size_t>(record.kind)];
            first = std::min(first, record.time);
            last = std::max(last, end_of(record));
        }
        if (counted != 0) {
            counts.first_time = std::min(counts.first_time.value_or(first), first);
            counts.last_time = std::max(counts.last_time.value_or(last), last);
        }
        counts.records += counted;
        if (listener) listener(batch);
        if (progress) progress(reader.position());
    }
}

}  // namespace hwtrace

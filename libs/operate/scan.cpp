#include "operate/scan.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "domain/interval_time.hpp"

namespace hwtrace {

void ScanCounts::add(const Batch& batch) {
    Tick first = std::numeric_limits<Tick>::max();
    Tick last = std::numeric_limits<Tick>::min();
    std::uint64_t counted = 0;
    for (const Record& record : batch.records()) {
        if ((record.flags & record_restated) != 0) [[unlikely]]
            continue;
        ++counted;
        ++records_by_kind[static_cast<std::size_t>(record.kind)];
        first = std::min(first, record.time);
        last = std::max(last, end_of(record));
    }
    if (counted == 0) return;
    first_time = std::min(first_time.value_or(first), first);
    last_time = std::max(last_time.value_or(last), last);
    records += counted;
}

void ScanCounts::add(const ScanCounts& more) {
    std::ranges::transform(records_by_kind, more.records_by_kind, records_by_kind.begin(), std::plus<>());
    records += more.records;
    if (!more.first_time) return;
    first_time = std::min(first_time.value_or(*more.first_time), *more.first_time);
    last_time = std::max(last_time.value_or(*more.last_time), *more.last_time);
}

ScanCounts scan(Reader& reader, const ProgressListener& progress, const BatchListener& listener) {
    ScanCounts counts;
    Batch batch;
    while (true) {
        batch.clear();
        if (!reader.read(batch)) return counts;
        if (batch.empty()) continue;
        counts.add(batch);
        if (listener) listener(batch);
        if (progress) progress(reader.position());
    }
}

}  // namespace hwtrace

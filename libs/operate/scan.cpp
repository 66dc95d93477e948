#include "operate/scan.hpp"

#include <algorithm>
#include <limits>

#include "select/interval_time.hpp"

namespace hwtrace {

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

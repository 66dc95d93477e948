#include "pipeline/scan.hpp"

#include <algorithm>

namespace hwtrace {

ScanCounts scan(Reader& reader, const ProgressListener& progress) {
    ScanCounts counts;
    Batch batch;
    while (true) {
        batch.clear();
        if (!reader.read(batch)) return counts;
        const std::span<const Record> records = batch.records();
        if (records.empty()) continue;
        Tick first = records.front().time;
        Tick last = first;
        for (const Record& record : records) {
            ++counts.records_by_kind[static_cast<std::size_t>(record.kind)];
            first = std::min(first, record.time);
            last = std::max(last, record.time);
        }
        counts.first_time = std::min(counts.first_time.value_or(first), first);
        counts.last_time = std::max(counts.last_time.value_or(last), last);
        counts.records += batch.records().size();
        if (progress) progress(reader.position());
    }
}

}  // namespace hwtrace

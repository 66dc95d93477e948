#include "pipeline/scan.hpp"

#include <algorithm>

namespace hwtrace {

ScanCounts scan(Reader& reader, const ProgressListener& progress) {
    ScanCounts counts;
    Batch batch;
    while (true) {
        batch.clear();
        if (!reader.read(batch)) return counts;
        for (const Record& record : batch.records()) {
            ++counts.records_by_kind[static_cast<std::size_t>(record.kind)];
            counts.first_time = std::min(counts.first_time.value_or(record.time), record.time);
            counts.last_time = std::max(counts.last_time.value_or(record.time), record.time);
        }
        counts.records += batch.records().size();
        if (progress) progress(reader.position());
    }
}

}  // namespace hwtrace

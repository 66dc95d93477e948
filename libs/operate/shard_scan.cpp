#include "operate/shard_scan.hpp"

#include "codec/resumable.hpp"
#include "operate/position_count.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

/// Returns true if a reader that begins at a checkpoint reports the same about what follows.
bool can_skip(Reader& reader) {
    const auto* const resumable = dynamic_cast<const Resumable*>(&reader);
    return resumable != nullptr && resumable->finds_locally();
}

}  // namespace

ShardCounts scan_shard(const Shard& shard, Input& input, const Format& from, const Settings& settings,
                       const std::shared_ptr<const TraceIndex>& index, Findings& findings,
                       const ProgressListener& progress) {
    Settings for_reader = settings;
    for_reader.check = CheckLevel::delivery;
    const Range range = shard_range(shard, input, from, for_reader, index);
    const bool is_last = shard.number == shard.count;
    const auto holds = [&](std::uint64_t position) {
        return position >= range.begin && (is_last || position < *range.end);
    };
    for_reader.check = settings.check;
    bool is_inside = holds(0);
    Findings all(0);
    all.screen([&](const Finding& finding) {
        if (is_inside) findings.report(finding);
        return true;
    });
    const std::unique_ptr<Reader> reader = from.open(input, for_reader, all);
    PositionCounter counter(position_kind(reader->schema(), from.reads.shapes));
    if (!is_inside && can_skip(*reader)) {
        const Checkpoint* const checkpoint = index ? index->before_position(range.begin) : nullptr;
        if (checkpoint != nullptr && resume_at(*index, *checkpoint, *reader)) counter.lose(checkpoint->position);
    }
    ShardCounts counts;
    counts.is_only = is_last && range.begin == 0;
    Batch batch;
    while (is_last || counter.positions() < *range.end) {
        is_inside = holds(counter.positions());
        batch.clear();
        if (!reader->read(batch)) break;
        counter.lose(batch.lost_positions());
        for (const Record& record : batch.records())
            counter.add(record, reader->schema().tracks()[record.track]);
        if (!is_inside) continue;
        counts.add(batch);
        if (progress) progress(reader->position());
    }
    input.seek(0);
    return counts;
}

}  // namespace hwtrace

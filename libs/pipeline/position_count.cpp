#include "pipeline/position_count.hpp"

#include <algorithm>

#include "pipeline/stage_run.hpp"

namespace hwtrace {

std::optional<Kind> position_kind(const Schema& schema, Kinds kinds) {
    if (kinds.has(Kind::interval) && Kinds{Kind::interval, Kind::relation}.has_all(kinds)) return Kind::interval;
    bool streams = false, relations = false, others = false;
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::hart) return Kind::instruction;
        const bool beside = track.kind == Track::Kind::notes || track.kind == Track::Kind::native;
        streams = streams || track.kind == Track::Kind::stream;
        relations = relations || track.kind == Track::Kind::relation_type;
        others = others || !(beside || track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type);
    }
    return streams && relations && !others ? std::optional(Kind::interval) : std::nullopt;
}

std::uint64_t count_positions(Reader& reader, Plan& plan, Kinds kinds) {
    const std::optional<Kind> kind = position_kind(plan.target_schema(reader.schema()), kinds);
    std::uint64_t positions = 0;
    const auto count = [&](const Batch& batch) {
        const auto& tracks = plan.target_schema(reader.schema()).tracks();
        for (const Record& record : batch.records()) {
            if (kind && record.kind != *kind) continue;
            // Instructions keep their positions if instructions before them were lost.
            const bool numbered = record.kind == Kind::instruction && tracks[record.track].time == ordinals;
            positions = numbered ? static_cast<std::uint64_t>(record.time) + 1 : positions + 1;
        }
    };
    StageRun stages(plan);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        positions += batch.lost_positions();
        count(stages.apply(batch));
    }
    stages.finish(count);
    return positions;
}

Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept {
    if (count == 0) return {Range::Unit::record, positions, positions};
    return {Range::Unit::record, positions - std::min(count, positions), std::nullopt};
}

}  // namespace hwtrace

#include "pipeline/position_count.hpp"

#include <algorithm>

#include "pipeline/stage_run.hpp"

namespace hwtrace {

std::uint64_t count_positions(Reader& reader, Plan& plan) {
    std::uint64_t records = 0, instructions = 0;
    const auto count = [&](const Batch& batch) {
        const auto all = batch.records();
        records += all.size();
        instructions += static_cast<std::uint64_t>(std::count_if(
            all.begin(), all.end(), [](const Record& record) { return record.kind == Kind::instruction; }));
    };
    StageRun stages(plan);
    Batch batch;
    for (; reader.read(batch); batch.clear())
        count(stages.apply(batch));
    stages.finish(count);
    const auto& tracks = plan.target_schema(reader.schema()).tracks();
    const bool has_hart =
        std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return track.kind == Track::Kind::hart; });
    return has_hart ? instructions : records;
}

Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept {
    if (count == 0) return {Range::Unit::record, positions, positions};
    return {Range::Unit::record, positions - std::min(count, positions), std::nullopt};
}

}  // namespace hwtrace

#include "operate/position_count.hpp"

#include "convert/stage_run.hpp"
#include "select/positions.hpp"

namespace hwtrace {

std::uint64_t count_positions(Reader& reader, Plan& plan, Shapes shapes) {
    const std::optional<Kind> kind = position_kind(plan.target_schema(reader.schema()), shapes);
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

}  // namespace hwtrace

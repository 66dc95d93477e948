#include "operate/position_count.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "codec/trace_index.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"

namespace hwtrace {

namespace {

/// Returns true if the trace has instructions whose times are their positions, so that the last one states the count.
bool is_numbered(const Schema& schema) {
    return std::ranges::any_of(
        schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::hart && track.time == ordinals; });
}

std::uint64_t count_to_end(Reader& reader, Plan& plan, Shapes shapes) {
    PositionCounter counter(position_kind(plan.target_schema(reader.schema()), shapes));
    const auto count = [&](const Batch& batch) {
        const auto& tracks = plan.target_schema(reader.schema()).tracks();
        for (const Record& record : batch.records())
            counter.add(record, tracks[record.track]);
    };
    StageRun stages(plan);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        counter.lose(batch.lost_positions());
        count(stages.apply(batch));
    }
    stages.finish(count);
    return counter.positions();
}

}  // namespace

std::uint64_t count_positions(Reader& reader, Plan& plan, Shapes shapes) {
    if (plan.index && plan.stages.empty()) return plan.index->totals().positions;
    // An index leads to the last instructions.
    const bool is_near_end =
        plan.stages.empty() && is_numbered(reader.schema()) && reader.seek(std::numeric_limits<Tick>::max(), nullptr);
    const std::uint64_t positions = count_to_end(reader, plan, shapes);
    if (positions != 0 || !is_near_end || !reader.seek(0, nullptr)) return positions;
    return count_to_end(reader, plan, shapes);
}

std::uint64_t count_positions(Input& input, const Format& from, const Settings& settings,
                              const std::shared_ptr<const TraceIndex>& index) {
    input.spool(settings.temporary_folder);
    Findings reported_later(0);
    const std::unique_ptr<Reader> reader = from.open(input, settings, reported_later);
    Plan as_it_is;
    as_it_is.index = index;
    const std::uint64_t positions = count_positions(*reader, as_it_is, from.reads.shapes);
    input.seek(0);
    return positions;
}

std::uint64_t count_positions(Input& input, const Format& from, const Format& to, const Choices& choices) {
    input.spool(choices.settings.temporary_folder);
    Findings reported_later(0);
    Losses none_yet;
    PreparedSource source(input, from, to, choices.settings, reported_later, choices.criteria.records);
    Choices everything = choices;  // with this range, the plan raises the trace
    everything.range = Range{Range::Unit::record, 0, std::nullopt};
    Plan raising = make_raising_plan(source.schema(), to, everything, none_yet);
    const std::uint64_t positions = count_positions(source.reader(), raising, from.reads.shapes);
    input.seek(0);
    return positions;
}

Range last_range(std::uint64_t count, Input& input, const Format& from, const Settings& settings,
                 const std::shared_ptr<const TraceIndex>& index) {
    return last_positions(count, count_positions(input, from, settings, index));
}

Range last_range(std::uint64_t count, Input& input, const Format& from, const Format& to, const Choices& choices) {
    return last_positions(count, count_positions(input, from, to, choices));
}

Range shard_range(const Shard& shard, Input& input, const Format& from, const Settings& settings,
                  const std::shared_ptr<const TraceIndex>& index) {
    return range_of(shard, count_positions(input, from, settings, index));
}

Range shard_range(const Shard& shard, Input& input, const Format& from, const Format& to, const Choices& choices) {
    return range_of(shard, count_positions(input, from, to, choices));
}

}  // namespace hwtrace

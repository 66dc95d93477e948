#include "operate/position_count.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <optional>

#include "codec/trace_index.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "operate/raised_records.hpp"
#include "select/selection.hpp"

namespace hwtrace {

namespace {

constexpr Range everything{Range::Unit::record, 0, std::nullopt};

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

/// Calls `put` with the position of each selected record in turn, until it returns false.
template <typename Put>
void visit_selected(RaisedRecords& records, const Format& from, const Settings& settings, const Criteria& criteria,
                    const Schema* complete, Put put) {
    const SelectionOptions how{std::nullopt, Earlier::left_out, settings.limits, criteria.instructions, from.reads};
    RangedReader selected(records, everything, how, criteria.records, complete);
    const Schema& schema = complete != nullptr ? *complete : records.schema();
    std::optional<Kind> counted = position_kind(schema, from.reads.shapes);
    Criteria settled = criteria;
    settle(schema, settled);
    if (counted && !schema.tracks().empty() && !may_select(schema, settled.records, carrier_of(*counted)))
        counted = std::nullopt;
    Batch batch;
    for (; selected.read(batch); batch.clear())
        for (const Record& record : batch.records()) {
            if (counted && record.kind != *counted) continue;
            const bool is_numbered =
                record.kind == Kind::instruction && selected.schema().tracks()[record.track].time == ordinals;
            if (!put(is_numbered ? static_cast<std::uint64_t>(record.time) : records.latest())) return;
        }
}

/// Finds the first or the last `count` selected positions. `visit(put)` must call `put` as visit_selected() does, and
/// begins anew each time.
template <typename Visit>
Range first_selected(std::uint64_t count, const Visit& visit) {
    std::uint64_t seen = 0;
    Range range{Range::Unit::record, 0, 0};
    if (count == 0) return range;
    range.end = std::nullopt;
    visit([&](std::uint64_t position) {
        if (++seen == count) range.end = position + 1;
        return seen < count;
    });
    return range;
}
template <typename Visit>
Range last_selected(std::uint64_t count, const Visit& visit) {
    constexpr std::uint64_t most_kept = 1u << 20;
    std::deque<std::uint64_t> last;  // the last positions, at most `most_kept`
    std::uint64_t seen = 0, end = 0;
    visit([&](std::uint64_t position) {
        ++seen;
        end = position + 1;
        last.push_back(position);
        if (last.size() > std::min(count, most_kept)) last.pop_front();
        return true;
    });
    if (count == 0) return {Range::Unit::record, end, end};
    if (seen <= count) return everything;
    if (count <= most_kept) return {Range::Unit::record, last.front(), std::nullopt};
    Range range = everything;
    std::uint64_t left = seen - count + 1;
    visit([&](std::uint64_t position) {
        range.begin = position;
        return --left != 0;
    });
    return range;
}

/// Reads the selected positions of an input from its beginning.
template <typename Put>
void visit_input(Input& input, const Format& from, const Settings& settings, const Criteria& criteria, Put put) {
    input.spool(settings.temporary_folder);
    Findings reported_later(0);
    PreparedSource source(input, from, settings, reported_later, criteria.records);
    Plan as_it_is;
    RaisedRecords records(source.reader(), as_it_is, from.reads.shapes);
    visit_selected(records, from, settings, criteria, &source.schema(), put);
    input.seek(0);
}
/// Reads the selected positions of an input after the plan for the target `to` has raised it.
template <typename Put>
void visit_raised(Input& input, const Format& from, const Format& to, const Choices& choices, Put put) {
    use_raised(input, from, to, choices, [&](PreparedSource& source, Plan& raising) {
        RaisedRecords records(source.reader(), raising, from.reads.shapes);
        visit_selected(records, from, choices.settings, choices.criteria, nullptr, put);
    });
}

}  // namespace

bool has_numbered_instructions(const Schema& schema) {
    return std::ranges::any_of(
        schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::hart && track.time == ordinals; });
}

std::uint64_t count_positions(Reader& reader, Plan& plan, Shapes shapes) {
    if (plan.index && plan.stages.empty()) return plan.index->totals().positions;
    // An index leads to the last instructions.
    const bool is_near_end = plan.stages.empty() && has_numbered_instructions(reader.schema()) &&
                             reader.seek(std::numeric_limits<Tick>::max(), nullptr);
    const std::uint64_t positions = count_to_end(reader, plan, shapes);
    if (positions != 0 || !is_near_end || !reader.seek(0, nullptr)) return positions;
    return count_to_end(reader, plan, shapes);
}

std::uint64_t count_positions(Input& input, const Format& from, const Settings& settings,
                              const std::shared_ptr<const TraceIndex>& index) {
    if (index) return index->totals().positions;
    input.spool(settings.temporary_folder);
    Findings reported_later(0);
    const std::unique_ptr<Reader> reader = from.open(input, settings, reported_later);
    Plan as_it_is;
    const std::uint64_t positions = count_positions(*reader, as_it_is, from.reads.shapes);
    input.seek(0);
    return positions;
}

std::uint64_t count_positions(Input& input, const Format& from, const Format& to, const Choices& choices) {
    std::uint64_t positions = 0;
    use_raised(input, from, to, choices, [&](PreparedSource& source, Plan& raising) {
        positions = count_positions(source.reader(), raising, from.reads.shapes);
    });
    return positions;
}

Range first_range(std::uint64_t count, const Criteria& criteria, Input& input, const Format& from,
                  const Settings& settings) {
    if (!criteria.any()) return {Range::Unit::record, 0, count};
    return first_selected(count, [&](auto put) { visit_input(input, from, settings, criteria, put); });
}

Range first_range(std::uint64_t count, Input& input, const Format& from, const Format& to, const Choices& choices) {
    if (!choices.criteria.any()) return {Range::Unit::record, 0, count};
    return first_selected(count, [&](auto put) { visit_raised(input, from, to, choices, put); });
}

Range last_range(std::uint64_t count, const Criteria& criteria, Input& input, const Format& from,
                 const Settings& settings, const std::shared_ptr<const TraceIndex>& index) {
    if (!criteria.any()) return last_positions(count, count_positions(input, from, settings, index));
    return last_selected(count, [&](auto put) { visit_input(input, from, settings, criteria, put); });
}

Range last_range(std::uint64_t count, Input& input, const Format& from, const Format& to, const Choices& choices) {
    if (!choices.criteria.any()) return last_positions(count, count_positions(input, from, to, choices));
    return last_selected(count, [&](auto put) { visit_raised(input, from, to, choices, put); });
}

bool holds_any(const Range& range, const Criteria& criteria, Input& input, const Format& from, const Settings& settings,
               const std::shared_ptr<const TraceIndex>& index) {
    input.spool(settings.temporary_folder);
    Findings reported_later(0);
    Settings windowed = settings;
    windowed.window = reading_window(range, criteria);
    PreparedSource source(input, from, windowed, reported_later, criteria.records, index);
    const SelectionOptions how{
        std::nullopt, Earlier::left_out, settings.limits, criteria.instructions, source.format().reads, false, index};
    RangedReader selected(source.reader(), range, how, criteria.records, &source.schema());
    Batch batch;
    const bool any = selected.read(batch);
    input.seek(0);
    return any;
}

Range shard_range(const Shard& shard, Input& input, const Format& from, const Settings& settings,
                  const std::shared_ptr<const TraceIndex>& index) {
    return range_of(shard, count_positions(input, from, settings, index));
}

Range shard_range(const Shard& shard, Input& input, const Format& from, const Format& to, const Choices& choices) {
    return range_of(shard, count_positions(input, from, to, choices));
}

}  // namespace hwtrace

#include "operate/merged_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "domain/conventions.hpp"
#include "model/record_kinds.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::string_view fact_prefix = "merge.";

/// Returns true for facts about the layout of one source's file, such as "uscope.checkpoint_interval_ps". They say
/// nothing about the merged trace. The time of a recording does.
bool states_layout(std::string_view key) noexcept {
    return key != names::ftr_epoch && names::is_storage_fact(key, key.substr(0, key.find('.')));
}

bool has_number(const Track& track) noexcept {
    return track.kind == Track::Kind::stream &&
           std::ranges::any_of(track.fields, [](const Field& field) { return field.name == names::interval_id; });
}

/// Returns the assumed time base for a track whose ticks have no known length.
TimeBase told_length(const Track& track, const TimeModel& time) noexcept {
    const std::uint64_t period = time.period_ps.value_or(assumed_period_ps);
    const Ratio ipc = time.instructions_per_cycle.value_or(Ratio{1, 1});
    TimeBase base{TimeBase::Kind::cycles, period, picoseconds_per_second};
    if (track.time.kind != TimeBase::Kind::ordinal) return base;
    if (__builtin_mul_overflow(period, ipc.den, &base.num) ||
        __builtin_mul_overflow(picoseconds_per_second, ipc.num, &base.den))
        return {TimeBase::Kind::cycles, period, picoseconds_per_second};
    return base;
}

template <typename Object>
std::uint32_t declared(const std::deque<Object>& all, const Object& one) noexcept {
    const auto found = std::ranges::find(all, one);
    return found == all.end() ? none : static_cast<std::uint32_t>(found - all.begin());
}

}  // namespace

/// A source while it is merged.
struct MergedReader::Lane {
    Lane(MergedSource from, std::size_t number, Schema& to)
        : index(number),
          source(std::move(from)),
          stages(source.plan),
          schema(source.plan.target_schema(*source.complete)),
          copies(schema, to) {}

    std::size_t index;
    MergedSource source;
    StageRun stages;
    const Schema& schema;  // schema of the records after the plan
    TranslatedCopy copies;

    // These members map ids of the source to ids of the merged trace.
    std::vector<ClockId> clocks;
    std::vector<EnumId> enums;
    std::vector<ScopeId> scopes;
    ScopeId root = none;  ///< the scope with the source's name
    struct Target {
        TrackId id = none;
        PicosecondScale scale;
        std::uint32_t number = none;           ///< for an interval: the attribute with its id
        std::vector<std::size_t> ends = {};    ///< for a relation: the cells with interval ids
        std::vector<std::size_t> places = {};  ///< for a relation: the cells with scope ids
    };
    std::vector<Target> tracks;
    std::map<std::uint64_t, std::uint64_t> scope_numbers;
    std::optional<std::uint64_t> remainder;  ///< the remainder that renumbering adds to interval ids

    Batch read_batch, sorted;
    Batch* batch = nullptr;
    std::size_t at = 0;
    bool finishing = false, ended = false;
    Tick time = 0;  ///< time of the next record
    std::unique_ptr<RecordSorter> sorter;
    std::vector<RecordSorter::Place> places;
};

MergedReader::MergedReader(std::vector<MergedSource> sources, const TimeModel& time, const std::string& folder,
                           Losses& losses)
    : losses_(losses) {
    for (MergedSource& source : sources) {
        Lane& lane = *lanes_.emplace_back(std::make_unique<Lane>(std::move(source), lanes_.size(), schema_));
        if (std::ranges::any_of(lane.schema.tracks(), has_number)) lane.remainder = numbered_++;
    }
    std::set<std::uint64_t> track_numbers;
    std::uint64_t greatest_scope = 0;
    for (const auto& lane : lanes_)
        for (const Scope& scope : lane->schema.scopes())
            greatest_scope = std::max(greatest_scope, scope.native_id.value_or(0));
    std::set<std::uint64_t> scope_numbers;
    for (const auto& lane : lanes_) {
        declare_objects(*lane);
        declare_scopes(*lane, scope_numbers, greatest_scope);
        declare_tracks(*lane, time, track_numbers);
        const auto& tracks = lane->schema.tracks();
        const bool one_base =
            std::ranges::all_of(tracks, [&](const Track& track) { return track.time == tracks.front().time; });
        // The times of a hart are ascending positions.
        const bool has_hart =
            std::ranges::any_of(tracks, [](const Track& track) { return track.kind == Track::Kind::hart; });
        if (!has_hart && (!lane->source.plan.time_ordered || !one_base))
            lane->sorter = std::make_unique<RecordSorter>(folder);
    }
    describe();
    assume_lengths(time);
    for (const auto& lane : lanes_)
        begin(*lane);
}

MergedReader::~MergedReader() = default;

void MergedReader::declare_objects(Lane& lane) {
    for (const Clock& clock : lane.schema.clocks()) {
        const ClockId same = declared(schema_.clocks(), clock);
        lane.clocks.push_back(same != none ? same : schema_.declare(clock));
    }
    for (const Enum& enumeration : lane.schema.enums()) {
        const EnumId same = declared(schema_.enums(), enumeration);
        lane.enums.push_back(same != none ? same : schema_.declare(enumeration));
    }
}

void MergedReader::declare_scopes(Lane& lane, std::set<std::uint64_t>& taken, std::uint64_t& greatest) {
    const ScopeId root = schema_.declare(Scope{lane.source.name, none, {}, none});
    for (const Scope& from : lane.schema.scopes()) {
        Scope scope = from;
        scope.parent = from.parent == none ? root : root + 1 + from.parent;  // the parent may be declared later
        if (from.clock != none) scope.clock = lane.clocks[from.clock];
        if (scope.native_id && !taken.insert(*scope.native_id).second) {
            scope.native_id = ++greatest;
            taken.insert(greatest);
        }
        if (scope.native_id) lane.scope_numbers.emplace(*from.native_id, *scope.native_id);
        lane.scopes.push_back(schema_.declare(std::move(scope)));
    }
    lane.root = root;
}

void MergedReader::declare_tracks(Lane& lane, const TimeModel& time, std::set<std::uint64_t>& taken) {
    std::set<std::uint64_t> own;
    for (const Track& from : lane.schema.tracks()) {
        const TimeBase length = has_duration(from.time) ? from.time : told_length(from, time);
        Lane::Target& target = lane.tracks.emplace_back(Lane::Target{none, PicosecondScale(length, 1)});
        if (from.kind == Track::Kind::native) continue;
        Track track = from;
        track.scope = from.scope == none ? lane.root : lane.scopes[from.scope];
        for (std::vector<Field>* const fields : {&track.fields, &track.properties})
            for (Field& field : *fields)
                if (field.enumeration != none) field.enumeration = lane.enums[field.enumeration];
        if (track.native_id && taken.contains(*track.native_id))
            track.native_id.reset();
        else if (track.native_id)
            own.insert(*track.native_id);
        for (std::size_t i = 0; i < from.fields.size(); ++i) {
            const std::string& name = from.fields[i].name;
            if (from.kind == Track::Kind::stream && name == names::interval_id && target.number == none)
                target.number = static_cast<std::uint32_t>(i);
            if (from.kind != Track::Kind::relation_type) continue;
            if (i < 2) target.ends.push_back(i);
            if (name == names::relation_source_stream || name == names::relation_sink_stream)
                target.places.push_back(i);
        }
        // Relations without a scope may lead from one trace to another.
        if (from.kind == Track::Kind::relation_type && from.scope == none) {
            track.scope = none;
            track.native_id.reset();
            if (const TrackId same = declared(schema_.tracks(), track); same != none) {
                target.id = same;
                continue;
            }
        }
        target.id = schema_.declare(std::move(track));
    }
    taken.merge(own);
}

/// Keeps metadata that all sources agree on, except what counts or lays out a single file. Stores all other metadata
/// under the name of its source. Marks of lowerings are also stored there, because a mark describes one trace as a
/// whole.
void MergedReader::describe() {
    using Values = std::vector<std::string>;
    std::vector<std::string> keys;
    std::map<std::string, std::vector<Values>> facts;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        for (const Metadata& fact : lanes_[i]->schema.metadata()) {
            if (lanes_.size() > 1 && (names::counts_contents(fact.key) || states_layout(fact.key))) continue;
            std::vector<Values>& values = facts[fact.key];
            if (values.empty()) {
                keys.push_back(fact.key);
                values.resize(lanes_.size());
            }
            values[i].push_back(fact.value);
        }
    }
    for (const std::string& key : keys) {
        const std::vector<Values>& all = facts[key];
        const Values& first = *std::ranges::find_if(all, [](const Values& values) { return !values.empty(); });
        const bool agreed =
            std::ranges::all_of(all, [&](const Values& values) { return values.empty() || values == first; });
        if (agreed && !key.starts_with(names::mark_prefix)) {
            for (const std::string& value : first)
                schema_.describe(key, value);
            continue;
        }
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const std::string& value : all[i])
                schema_.describe(std::string(fact_prefix).append(lanes_[i]->source.name).append(".").append(key),
                                 value);
    }
}

/// Reports an assumption if a trace has ticks of unknown length, because the merged order depends on the tick length.
void MergedReader::assume_lengths(const TimeModel& time) {
    if (lanes_.size() < 2 || time.period_ps) return;
    std::string traces;
    for (const auto& lane : lanes_)
        if (!std::ranges::all_of(lane->schema.tracks(), [](const Track& track) { return has_duration(track.time); }))
            traces.append(traces.empty() ? "" : ", ").append(lane->source.name);
    if (!traces.empty())
        losses_.assume("ticks of " + traces + " have no known length: assumed " + std::to_string(assumed_period_ps) +
                       " ps (--clock and --ipc change it)");
}

/// Fetches the first record of a lane.
void MergedReader::begin(Lane& lane) {
    if (lane.sorter) {
        while (fill(lane))
            for (const Record& record : lane.batch->records())
                lane.sorter->add(ascending(time_of(lane, record)), 0, *lane.batch, record);
        lane.batch = nullptr;
        lane.ended = false;
    }
    advance(lane);
}

/// Fetches the next batch of the lane's plan. The batch may be empty. Returns false at the end.
bool MergedReader::fill(Lane& lane) {
    lane.read_batch.clear();
    if (!lane.finishing) {
        lane.finishing = !lane.source.reader->read(lane.read_batch);
        records_read_ += lane.read_batch.records().size();
        if (!lane.finishing) {
            lane.batch = &lane.stages.apply(lane.read_batch);
            return true;
        }
    }
    lane.batch = lane.stages.finish_next();
    return lane.batch != nullptr;
}

/// Advances the lane to record `at` of the batch, or to the first record of the next batch.
void MergedReader::advance(Lane& lane) {
    while (lane.batch == nullptr || lane.at == lane.batch->records().size()) {
        lane.at = 0;
        if (lane.sorter) {
            lane.sorted.clear();
            lane.places.clear();
            lane.batch = &lane.sorted;
            if (lane.sorter->give(lane.sorted, lane.places) || !lane.sorted.empty()) continue;
        } else if (fill(lane)) {
            continue;
        }
        lane.ended = true;
        return;
    }
    lane.time = time_of(lane, lane.batch->records()[lane.at]);
}

Tick MergedReader::time_of(const Lane& lane, const Record& record) const noexcept {
    constexpr Tick last = std::numeric_limits<Tick>::max();
    const PicosecondScale& scale = lane.tracks[record.track].scale;
    if (record.time >= 0) return scale.ps(record.time).value_or(last);
    return record.time < -last ? -last : -scale.ps(-record.time).value_or(last);
}

bool MergedReader::read(Batch& batch) {
    while (!batch.full()) {
        Lane* first = nullptr;
        const Lane* second = nullptr;
        for (const auto& lane : lanes_) {
            if (lane->ended) continue;
            if (first == nullptr || lane->time < first->time) {
                second = first;
                first = lane.get();
            } else if (second == nullptr || lane->time < second->time) {
                second = lane.get();
            }
        }
        if (first == nullptr) break;
        // At equal times the lane with the lower index is first.
        const bool ties = second != nullptr && first->index < second->index;
        do {
            put(*first, batch);
            ++first->at;
            advance(*first);
        } while (!first->ended && !batch.full() &&
                 (second == nullptr || first->time < second->time || (ties && first->time == second->time)));
    }
    return !batch.empty();
}

void MergedReader::put(Lane& lane, Batch& out) {
    const Record& record = lane.batch->records()[lane.at];
    const Lane::Target& target = lane.tracks[record.track];
    if (target.id == none) {
        losses_.count(Loss::native_dropped, lane.schema.tracks()[record.track].name,
                      [&] { return lane.source.name + " at " + std::to_string(record.time); });
        return;
    }
    Record& made = lane.copies.copy(*lane.batch, record, target.id, out);
    if (numbered_ > 1 && target.number != none)
        for (Attribute& attribute : out.mutable_attributes(made))
            if (attribute.field == target.number) attribute.value = number_of(lane, attribute.value);
    if (target.ends.empty()) return;
    const std::span<std::uint64_t> cells = out.mutable_cells(made);
    for (const std::size_t end : target.ends)
        if (numbered_ > 1 && end < cells.size()) cells[end] = number_of(lane, cells[end]);
    for (const std::size_t place : target.places) {
        if (place >= cells.size()) continue;
        const auto scope = lane.scope_numbers.find(cells[place]);
        if (scope != lane.scope_numbers.end()) cells[place] = scope->second;
    }
}

std::uint64_t MergedReader::number_of(const Lane& lane, std::uint64_t number) {
    if (!lane.remainder) return number;
    std::uint64_t made = 0;
    if (__builtin_mul_overflow(number, numbered_, &made) || __builtin_add_overflow(made, *lane.remainder, &made))
        losses_.count(Loss::value_narrowed, Subject::general(names::interval_id),
                      [&] { return lane.source.name + ": " + std::to_string(number); });
    return made;
}

Facts MergedReader::facts() const {
    return {Fact("traces", lanes_.size())};
}

std::uint64_t MergedReader::position() const {
    std::uint64_t position = 0;
    for (const auto& lane : lanes_)
        position += lane->source.reader->position();
    return position;
}

std::string MergedReader::renumbering() const {
    if (numbered_ < 2) return {};
    std::string text;
    for (const auto& lane : lanes_) {
        if (!lane->remainder) continue;
        text.append(text.empty() ? "intervals have new ids: " : ", ").append(lane->source.name);
        text.append(" ").append(std::to_string(numbered_)).append(" * i + ").append(std::to_string(*lane->remainder));
    }
    return text;
}

Format merged_format(std::span<const Format* const> formats) {
    Format merged{};
    merged.name = names::merged_source;
    merged.title = "several traces, merged by time";
    merged.reads.relations = RelationPlace::anywhere;
    for (const Format* format : formats)
        for (const Shape shape : all_shapes)
            if (format->reads.shapes.has(shape)) merged.reads.shapes.add(shape);
    return merged;
}

}  // namespace hwtrace

#include "operate/concatenated_reader.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "convert/stage_run.hpp"
#include "operate/lowered_numbers.hpp"
#include "operate/restated_records.hpp"
#include "operate/united_schema.hpp"

namespace hwtrace {

namespace {

/// A shard while it is read.
struct ShardLane {
    explicit ShardLane(ShardSource from)
        : source(std::move(from)), stages(source.plan), schema(source.plan.target_schema(*source.complete)) {}

    /// Returns true if the schema is complete before the shard is read.
    bool is_complete() const { return source.complete != &source.reader->schema(); }
    void unite(Schema& whole, UnitedSchema::Place place) {
        if (!united) united.emplace(schema, whole, place);
    }

    /// Returns the next records behind the plan, or null at the end. There may be none.
    const Batch* next() {
        if (!finishing) {
            read_batch.clear();
            finishing = !source.reader->read(read_batch);
            records += read_batch.records().size();
            if (!finishing) return &stages.apply(read_batch);
        }
        return stages.finish_next();
    }

    ShardSource source;
    StageRun stages;
    const Schema& schema;
    std::optional<UnitedSchema> united;
    Batch read_batch;
    std::uint64_t records = 0;
    bool finishing = false;
};

}  // namespace

struct ConcatenatedReader::State {
    State(const Limits& limits, Numbers their_numbers)
        : restated(schema, limits), lowered(schema), checks_numbers(their_numbers == Numbers::checked) {}

    void add(const Batch& in, Batch& out);
    void check_positions(const Batch& in);

    Schema schema;
    std::deque<ShardLane> lanes;
    std::size_t current = 0;
    bool begun = false;
    RestatedRecords restated;
    LoweredNumbers lowered;
    bool checks_numbers;
    bool has_state = false;
    Tick shift = 0;      // the number of instructions in the shards before the current one
    Tick positions = 0;  // the number of instructions so far
    Batch translated;
};

ConcatenatedReader::ConcatenatedReader(std::vector<ShardSource> sources, const Limits& limits, Numbers numbers)
    : state_(std::make_unique<State>(limits, numbers)) {
    for (ShardSource& source : sources)
        state_->lanes.emplace_back(std::move(source));
    // A writer may need the complete schema at the start. A schema that grows is united in the order of the records.
    for (ShardLane& lane : state_->lanes) {
        const bool is_first = &lane == &state_->lanes.front();
        if (is_first || lane.is_complete())
            lane.unite(state_->schema, is_first ? UnitedSchema::Place::first : UnitedSchema::Place::later);
    }
}

ConcatenatedReader::~ConcatenatedReader() = default;

Schema& ConcatenatedReader::schema() {
    return state_->schema;
}

/// Throws NotContinued if the positions of a trace without instructions start again: they count records that were
/// lowered after the trace was cut.
void ConcatenatedReader::State::check_positions(const Batch& in) {
    const ShardLane& lane = lanes[current];
    const auto& tracks = lane.schema.tracks();
    const bool is_ordinal =
        std::ranges::all_of(tracks, [](const Track& track) { return track.time.kind == TimeBase::Kind::ordinal; });
    if (!is_ordinal || in.empty()) return;
    if (in.records().front().time < positions) throw NotContinued(lane.source.name + ": its positions start again");
    positions = in.records().back().time;
}

void ConcatenatedReader::State::add(const Batch& in, Batch& out) {
    UnitedSchema& united = *lanes[current].united;
    united.follow(in);
    has_state = restated.any();
    const bool counts = has_hart(schema);
    if (!counts) check_positions(in);
    for (const Record& record : in.records()) {
        const bool is_passing = !has_state || restated.is_passing();
        translated.clear();
        Record& made = united.copy(in, record, is_passing ? out : translated);
        if (checks_numbers && !lowered.follow(in, record, made.track))
            throw NotContinued(lanes[current].source.name + ": its intervals are numbered anew",
                               "give the manifest of the shards instead");
        if (counts && schema.tracks()[made.track].time.kind == TimeBase::Kind::ordinal) {
            made.time += shift;
            if (made.kind == Kind::instruction) positions = made.time + 1;
        }
        if (!is_passing)
            restated.pass(translated, made, out);
        else if (has_state)
            restated.learn(out, made);
    }
}

bool ConcatenatedReader::read(Batch& batch) {
    State& s = *state_;
    while (batch.empty() && s.current < s.lanes.size()) {
        ShardLane& lane = s.lanes[s.current];
        if (!std::exchange(s.begun, true)) {
            lane.unite(s.schema, UnitedSchema::Place::later);
            s.restated.begin_shard(lane.source.name);
            s.lowered.begin_shard();
        }
        if (const Batch* const in = lane.next()) {
            s.add(*in, batch);
            continue;
        }
        s.restated.end_shard(batch);
        s.shift = s.positions;
        s.begun = false;
        ++s.current;
    }
    return !batch.empty();
}

Facts ConcatenatedReader::facts() const {
    return {Fact("shards", state_->lanes.size())};
}

std::uint64_t ConcatenatedReader::position() const {
    std::uint64_t position = 0;
    for (const ShardLane& lane : state_->lanes)
        position += lane.source.reader->position();
    return position;
}

std::uint64_t ConcatenatedReader::records_read() const noexcept {
    std::uint64_t records = 0;
    for (const ShardLane& lane : state_->lanes)
        records += lane.records;
    return records;
}

}  // namespace hwtrace

// formats/o3pipeview/reader.cpp - converts a trace to the model: the steps of each instruction, in order of time,
// become records of the protocol `cpu` (formats/o3pipeview/README.md#model).
#include <array>
#include <exception>
#include <string>

#include "codec.hpp"
#include "domain/in_flight.hpp"
#include "io/error.hpp"
#include "schema.hpp"
#include "survey.hpp"
#include "timeline.hpp"
#include "trace.hpp"

namespace hwtrace::o3pipeview {
namespace {

class O3PipeViewReader final : public RowReader {
public:
    O3PipeViewReader(Input& input, const Settings& settings, Findings& findings, Survey survey);

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }

private:
    struct Core {
        InFlight in_flight;
        std::uint64_t retired = 0;
    };

    void refill();
    void report_left_out();
    void put(Underway& underway, Underway::Place place, Batch& batch);
    void fetch(Underway& underway, Tick time, Batch& batch);
    void leave(Underway& underway, Tick time, Batch& batch);

    Input& input_;
    Survey survey_;
    Trace trace_;
    Timeline timeline_;
    Schema schema_;
    CoreTracks tracks_;
    std::vector<Core> cores_;

    Tick now_ = -1;  ///< tick of the open frame
    bool ended_ = false;
    std::uint64_t instructions_ = 0, retired_ = 0, stores_ = 0, microops_ = 0, displaced_ = 0;
    std::exception_ptr failure_;  ///< thrown after all earlier records have been delivered
};

/// Returns the id of an instruction in the model: the low bits of its sequence number.
std::uint32_t entity_of(const Instruction& instruction) noexcept {
    return static_cast<std::uint32_t>(instruction.seq);
}

O3PipeViewReader::O3PipeViewReader(Input& input, const Settings& settings, Findings& findings, Survey survey)
    : input_(input),
      survey_(std::move(survey)),
      trace_(input, settings.limits, findings, survey_.cores),
      timeline_(survey_.window),
      tracks_(declare_tracks(survey_, schema_)) {
    for (std::size_t core = 0; core < survey_.cores.size(); ++core)
        cores_.push_back({InFlight(survey_.slots, survey_.slots)});
}

/// Adds the next instruction of the file to the timeline.
void O3PipeViewReader::refill() {
    Instruction instruction;
    if (!trace_.next(instruction)) return timeline_.end();
    ++instructions_;
    microops_ += instruction.microop != 0 ? 1u : 0u;
    if (!trace_.label().empty()) instruction.label = schema_.intern(trace_.label()) + 1;
    if (!timeline_.add(instruction))
        trace_.report(instruction, Check::too_late, "tick " + std::to_string(now_) + " or later",
                      std::to_string(instruction.fetch()));
}

void O3PipeViewReader::report_left_out() {
    for (const Instruction& instruction : timeline_.left_out())
        trace_.report(instruction, Check::too_many, "at most " + std::to_string(Timeline::most_underway));
    timeline_.left_out().clear();
}

bool O3PipeViewReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return false;
    try {
        Underway::Place place;
        while (!is_full(batch)) {
            Underway* const underway = timeline_.next(
                place, [this] { refill(); }, [this] { return static_cast<Tick>(survey_.cycle); });
            if (!timeline_.left_out().empty()) [[unlikely]]
                report_left_out();
            if (underway == nullptr) {
                ended_ = true;
                break;
            }
            const std::size_t first = batch.records().size();
            const Tick before = now_;
            now_ = place.tick;
            begin_step(underway->instruction.line);
            put(*underway, place, batch);
            if (now_ != before) batch.mutable_records()[first].flags |= record_first_of_frame;
        }
    } catch (const Error&) {
        if (batch.empty()) throw;
        failure_ = std::current_exception();
    }
    return !batch.empty();
}

void O3PipeViewReader::fetch(Underway& underway, Tick time, Batch& batch) {
    const Instruction& instruction = underway.instruction;
    const PipelineTracks& tracks = tracks_.cores[instruction.core];
    InFlight& in_flight = cores_[instruction.core].in_flight;
    const std::uint32_t entity = entity_of(instruction);
    std::uint32_t slot = in_flight.find(entity);
    if (slot != no_slot) [[unlikely]] {
        trace_.report(instruction, Check::begins_again, "an unused sequence number", std::to_string(instruction.seq));
    } else {
        bool evicts = false;
        slot = in_flight.take(entity, evicts);
        displaced_ += evicts ? 1u : 0u;
    }
    batch.set(tracks.entities, time, slot, PipelineTracks::entity_id, entity);
    batch.set(tracks.entities, time, slot, PipelineTracks::simulator_id, instruction.seq);
    batch.set(tracks.entities, time, slot, PipelineTracks::thread_id, instruction.thread);
    batch.set(tracks.entities, time, slot, PipelineTracks::pc, instruction.pc);
    if (instruction.microop != 0) batch.set(tracks.entities, time, slot, PipelineTracks::microop, instruction.microop);
    if (instruction.label == 0) return;
    const std::array<std::uint64_t, 2> cells{entity, instruction.label - 1};
    batch.event(tracks.annotate, time, cells);
}

void O3PipeViewReader::leave(Underway& underway, Tick time, Batch& batch) {
    const Instruction& instruction = underway.instruction;
    const PipelineTracks& tracks = tracks_.cores[instruction.core];
    Core& core = cores_[instruction.core];
    const std::uint32_t entity = entity_of(instruction);
    const bool is_retired = instruction.is_retired();
    const std::uint64_t retire_id = is_retired ? underway.retire_id : core.retired;
    const std::array<std::uint64_t, 3> cells{entity, retire_id, is_retired ? 0u : 1u};
    batch.event(tracks.retire, time, cells);
    if (!is_retired) {
        const std::array<std::uint64_t, 2> flush{entity, 0};
        batch.event(tracks.flush, time, flush);
    }
    retired_ += is_retired ? 1u : 0u;
    const std::uint32_t slot = core.in_flight.find(entity);
    if (slot == no_slot && !core.in_flight.was_evicted(entity)) return;
    if (slot != no_slot) {
        batch.clear_slot(tracks.entities, time, slot);
        core.in_flight.release(slot);
    }
    if (is_retired) batch.add(tracks.committed, time, 0, 0, 1);
}

void O3PipeViewReader::put(Underway& underway, Underway::Place place, Batch& batch) {
    const Instruction& instruction = underway.instruction;
    const PipelineTracks& tracks = tracks_.cores[instruction.core];
    const std::uint32_t entity = entity_of(instruction);
    const auto on_lane = [&](TrackId track, std::uint64_t lane, std::uint64_t stage) {
        const std::array<std::uint64_t, 3> cells{entity, lane, stage};
        batch.event(track, place.tick, cells);
    };
    switch (place.step) {
        case Step::fetch:
            fetch(underway, place.tick, batch);
            break;
        case Step::decode:
        case Step::rename:
        case Step::dispatch:
        case Step::issue:
        case Step::complete:
            break;
        case Step::retire:
            underway.retire_id = cores_[instruction.core].retired++;
            break;
        case Step::store_begins:
            ++stores_;
            return on_lane(tracks.lane_stage, store_lane, tracks_.store);
        case Step::retire_ends:
            return on_lane(tracks.stage_end, 0, tracks_.stages[index_of(Stage::retire)]);
        case Step::store_ends:
            return on_lane(tracks.stage_end, store_lane, tracks_.store);
        case Step::leave:
            return leave(underway, place.tick, batch);
    }
    const std::array<std::uint64_t, 2> cells{entity, tracks_.stages[static_cast<std::size_t>(place.step)]};
    batch.event(tracks.stage_transition, place.tick, cells);
}

Facts O3PipeViewReader::facts() const {
    Facts facts{{"container", std::string(name_of(trace_.packing()))}};
    std::string cores;
    for (const std::string& name : survey_.cores)
        cores.append(cores.empty() ? "" : ",").append(name);
    facts.emplace_back("cores", cores);
    facts.emplace_back("ticks_per_cycle", survey_.cycle);
    facts.emplace_back("ticks_per_second", survey_.rate);
    if (ended_) {  // before the end, users would take a count for the total
        facts.emplace_back("lines", trace_.lines());
        if (trace_.other_lines() != 0) facts.emplace_back("other_lines", trace_.other_lines());
        facts.emplace_back("instructions", instructions_);
        facts.emplace_back("retired", retired_);
        facts.emplace_back("squashed", instructions_ - retired_);
        facts.emplace_back("stores", stores_);
        facts.emplace_back("microops", microops_);
        if (displaced_ != 0) facts.emplace_back("not_in_table", displaced_);
    }
    return facts;
}

}  // namespace

std::unique_ptr<RowReader> open_rows(Input& input, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    Survey first = survey(input, settings, findings);
    return std::make_unique<O3PipeViewReader>(input, settings, findings, std::move(first));
}

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return open_rows(input, settings, findings);
}

}  // namespace hwtrace::o3pipeview

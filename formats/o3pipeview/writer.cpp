// formats/o3pipeview/writer.cpp - writes traces of the protocol `cpu` as instructions with seven ticks
// (formats/o3pipeview/README.md#conversions-to-o3pipeview).
#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "assembly.hpp"
#include "codec.hpp"
#include "core_plan.hpp"
#include "domain/conventions.hpp"
#include "domain/pipeline_roles.hpp"
#include "domain/protocols.hpp"
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "model/state.hpp"
#include "schema.hpp"
#include "trace_text.hpp"

namespace hwtrace::o3pipeview {
namespace {

using Role = PipelineRole;

class O3PipeViewWriter final : public Writer {
public:
    O3PipeViewWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

    void write(const Batch& batch) override;
    bool has_threads() const noexcept override { return text_.has_thread(); }
    void finish() override;

private:
    struct Core {
        CorePlan plan;
        std::vector<std::uint32_t> slots = {};                ///< index of the instruction in each slot, or none
        HashMap<std::uint32_t, std::uint32_t> entities = {};  ///< index of each instruction that was not completed
        IdSet numbers = {};                                   ///< sequence numbers of instructions of other formats
        std::uint64_t next_number = 0;                        ///< above all of these
        std::int64_t uncounted_commits = 0;                   ///< retired instructions minus counted commits
        std::uint64_t label_entity = 0, label_type = 0;
        bool label_open = false;
    };
    struct Dropped {
        std::uint64_t count = 0;
        Kind kind = Kind::event;
        Tick first = 0;
    };

    void put(const Batch& batch, const Record& record, PipelineUse use);
    void put_event(const Record& record, PipelineUse use, std::span<const std::uint64_t> cells);
    void set(const Record& record, Core& core, std::uint32_t number);
    void begin(const Record& record, Core& core, std::uint32_t number);
    void clear(const Record& record, Core& core);
    void stage(const Record& record, Core& core, std::uint64_t entity, std::uint64_t stage);
    void end_stage(const Record& record, Core& core, std::span<const std::uint64_t> cells);
    void label(const Record& record, Core& core, std::uint64_t entity, StringId text);
    void leave(std::uint32_t index, bool is_flushed);
    void complete(std::uint32_t index);
    void give_number(Core& core, Instruction& instruction);
    void go_to(const Record& record);
    void write_complete(Tick now);
    Assembled* find(Core& core, std::uint64_t entity);
    void drop(const Record& record);
    void count(Loss loss, TrackId track, std::string_view what, std::uint64_t times = 1);

    const Schema& schema_;
    Losses& losses_;
    TraceText text_;
    InstructionLabels labels_;
    WriterPlan plan_;
    std::vector<Core> cores_;
    std::vector<PipelineUse> uses_;       ///< one per track
    std::vector<Dropped> dropped_;        ///< one per track
    std::vector<std::uint64_t> records_;  ///< number of records, by track
    Assembly assembly_;
    std::vector<std::uint32_t> leaving_;  ///< instructions that leave in the open tick

    Tick now_ = 0, shift_ = 0;
    bool started_ = false;
    Tick last_time_ = std::numeric_limits<Tick>::min();  ///< the time that was converted to now_
    Ratio last_ratio_{0, 0};
    std::uint64_t divisor_ = 0;  ///< the greatest common divisor of all written ticks but those of stores
};

O3PipeViewWriter::O3PipeViewWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
    : schema_(schema),
      losses_(losses),
      text_(output, chosen_container(settings, options, container_option)),
      labels_(schema, InstructionLabels::style_of(settings.text(options, labels_option)), losses),
      plan_(plan_of(schema, settings)) {
    cores_.resize(plan_.cores.size());
    for (std::size_t core = 0; core < cores_.size(); ++core)
        cores_[core].plan = std::move(plan_.cores[core]);
    uses_ = pipeline_uses(schema, cpu_scopes(schema));
    dropped_.resize(uses_.size());
    records_.resize(uses_.size());
    if (!plan_.assumption.empty()) losses.assume(plan_.assumption);
    lose_of_schema(schema, plan_, uses_, [&](Loss loss, std::string_view subject, std::string what) {
        losses.count(loss, subject, [&] { return std::move(what); });
    });
    if (plan_.rate != default_rate) text_.remark(rate_remark, plan_.rate);
}

void O3PipeViewWriter::count(Loss loss, TrackId track, std::string_view what, std::uint64_t times) {
    losses_.count(
        loss, schema_.tracks()[track].name,
        [&] { return std::string(what).append(" at tick ").append(std::to_string(now_)); }, times);
}

void O3PipeViewWriter::drop(const Record& record) {
    Dropped& dropped = dropped_[record.track];
    if (dropped.count++ != 0) return;
    dropped.kind = record.kind;
    dropped.first = now_;
}

/// Converts the time of a record. Completes the instructions that left before it.
void O3PipeViewWriter::go_to(const Record& record) {
    const Ratio ratio = plan_.ratios[record.track];
    if (record.time == last_time_ && ratio == last_ratio_) return;
    last_time_ = record.time;
    last_ratio_ = ratio;
    const Scaled scaled = ratio == Ratio{} ? Scaled{record.time} : scale(record.time, ratio);
    if (!started_) {
        started_ = true;
        // Tick 0 means that a stage was not reached, so other traces begin at a later one.
        if (!plan_.is_native && scaled.value <= 0) {
            shift_ = std::min(plan_.cycle, most_ticks) - std::max(scaled.value, -most_ticks);
            losses_.assume("all ticks are " + std::to_string(shift_) +
                           " later than the times of the trace, because tick 0 means a stage that was not reached");
        }
        now_ = std::clamp(scaled.value, -most_ticks, most_ticks) + shift_;
    }
    const Tick latest = std::min(most_ticks, std::numeric_limits<Tick>::max() - shift_);
    const Tick tick = std::clamp(scaled.value, -most_ticks, latest) + shift_;
    if (!scaled.exact || scaled.saturated || tick < now_ || tick > most_ticks)
        count(Loss::time_rounded, record.track, "a time between two ticks, before the previous one or too late");
    if (tick <= now_ || tick > most_ticks) return;
    for (const std::uint32_t index : leaving_)
        complete(index);
    leaving_.clear();
    now_ = tick;
    write_complete(now_);
}

void O3PipeViewWriter::write_complete(Tick now) {
    while (const Assembled* const done = assembly_.next(now)) {
        const Instruction& instruction = done->instruction;
        for (const Tick tick : instruction.ticks)
            if (divisor_ != 1) divisor_ = std::gcd(divisor_, static_cast<std::uint64_t>(tick));
        text_.instruction(instruction, done->label, cores_[instruction.core].plan.prefix);
    }
}

Assembled* O3PipeViewWriter::find(Core& core, std::uint64_t entity) {
    const auto found = core.entities.find(static_cast<std::uint32_t>(entity));
    return found == core.entities.end() ? nullptr : &assembly_[found->second];
}

// --- records -----------------------------------------------------------------------------------------------------

void O3PipeViewWriter::write(const Batch& batch) {
    for (const Record& record : batch.records()) {
        ++records_[record.track];
        put(batch, record, uses_[record.track]);
    }
}

void O3PipeViewWriter::put(const Batch& batch, const Record& record, PipelineUse use) {
    if (use.role == Role::foreign) return drop(record);
    Core& core = cores_[use.core];
    go_to(record);
    switch (use.role) {
        case Role::entities:
            if (record.kind == Kind::set && !is_property(record)) return set(record, core, use.core);
            if (record.kind == Kind::clear) return clear(record, core);
            return drop(record);
        case Role::committed:
            if (record.kind != Kind::add) return drop(record);
            core.uncounted_commits -= static_cast<std::int64_t>(record.value);
            return;
        case Role::dependency:
        case Role::dependency_type:
        case Role::line:
        case Role::foreign:
            return drop(record);
        case Role::stage_transition:
        case Role::annotate:
        case Role::flush:
        case Role::label_type:
        case Role::lane_stage:
        case Role::stage_end:
        case Role::retire:
            if (record.kind != Kind::event || record.count < cells_of(use.role)) return drop(record);
            return put_event(record, use, batch.cells(record));
    }
}

void O3PipeViewWriter::begin(const Record& record, Core& core, std::uint32_t number) {
    const auto entity = static_cast<std::uint32_t>(record.value);
    if (record.ref >= core.slots.size()) core.slots.resize(record.ref + std::size_t{1}, none);
    if (const std::uint32_t before = core.slots[record.ref]; before != none && !assembly_[before].has_left) {
        const bool is_same = assembly_[before].entity == entity;
        if (is_same && (record.flags & record_restated) != 0) return;
        if (!is_same) {
            count(Loss::part_dropped, record.track, "the end of an instruction whose slot another one takes");
            leave(before, true);
        }
    }
    if (const auto known = core.entities.find(entity); known != core.entities.end()) {
        const std::uint32_t earlier = known->second;
        if (!assembly_[earlier].has_left) {
            count(Loss::part_dropped, record.track, "the end of an instruction whose id begins again");
            leave(earlier, true);
        }
        std::erase(leaving_, earlier);
        complete(earlier);
    }
    const std::uint32_t index = assembly_.begin(now_);
    Assembled& begun = assembly_[index];
    begun.entity = entity;
    begun.slot = record.ref;
    begun.instruction.core = number;
    begun.instruction.seq = entity;
    core.slots[record.ref] = index;
    core.entities.insert_or_assign(entity, index);
}

void O3PipeViewWriter::set(const Record& record, Core& core, std::uint32_t number) {
    const CorePlan& plan = core.plan;
    if (record.ref >= CorePlan::most_slots) return drop(record);
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    const std::uint64_t value = record.field < fields.size() ? stored(fields[record.field].type, record.value) : 0;
    if (record.field == plan.cpu.entity_id) return begin(record, core, number);
    if (record.ref >= core.slots.size() || core.slots[record.ref] == none) return drop(record);
    Assembled& open = assembly_[core.slots[record.ref]];
    if (record.field == plan.cpu.pc) {
        open.instruction.pc = value;
    } else if (record.field == plan.cpu.simulator_id) {
        open.instruction.seq = value;
    } else if (record.field == plan.cpu.thread_id) {
        open.instruction.thread = static_cast<std::uint32_t>(value);
    } else if (record.field == plan.microop) {
        open.instruction.microop = static_cast<std::uint32_t>(value);
    } else if (record.field == plan.cpu.inst_bits) {
        open.encoding = value;
    } else {
        count(Loss::field_dropped, record.track, "a set of a field for which there is no column");
    }
}

void O3PipeViewWriter::clear(const Record& record, Core& core) {
    if (record.ref >= core.slots.size() || core.slots[record.ref] == none) return drop(record);
    const std::uint32_t index = core.slots[record.ref];
    core.slots[record.ref] = none;
    if (!assembly_[index].has_left) leave(index, assembly_[index].is_flushed);
}

void O3PipeViewWriter::leave(std::uint32_t index, bool is_flushed) {
    Assembled& open = assembly_[index];
    open.has_left = true;
    open.is_flushed = is_flushed;
    open.left = now_;
    leaving_.push_back(index);
    if (!is_flushed) ++cores_[open.instruction.core].uncounted_commits;
}

void O3PipeViewWriter::stage(const Record& record, Core& core, std::uint64_t entity, std::uint64_t number) {
    Assembled* const open = find(core, entity);
    if (open == nullptr) return drop(record);
    const std::optional<Stage> known =
        number < core.plan.stages.size() ? core.plan.stages[static_cast<std::size_t>(number)] : std::nullopt;
    if (!known) {
        const std::string name = core.plan.cpu.stage_name(number);
        losses_.count(Loss::part_dropped, Subject::general(name),
                      [&] { return "a stage without a counterpart in gem5 at tick " + std::to_string(now_); });
        count(Loss::part_dropped, record.track, "a stage without a counterpart in gem5");
        return;
    }
    const bool is_fetch = *known == Stage::fetch;
    Tick& tick = open->instruction.ticks[index_of(*known)];
    if (is_fetch ? open->is_fetched : tick != 0)
        count(Loss::part_dropped, record.track, "an earlier tick of a stage that begins again");
    open->is_fetched = open->is_fetched || is_fetch;
    tick = now_;
}

void O3PipeViewWriter::end_stage(const Record& record, Core& core, std::span<const std::uint64_t> cells) {
    Assembled* const open = find(core, cells[0]);
    const std::uint64_t number = cells[2];
    if (open == nullptr) return drop(record);
    if (cells[1] != 0 && core.plan.is_store(number)) {
        open->instruction.store = now_;
        open->store_waits = false;
        return;
    }
    // A reader derives the end of the retirement of a store.
    const bool is_derived = cells[1] == 0 && number < core.plan.stages.size() &&
                            core.plan.stages[static_cast<std::size_t>(number)] == Stage::retire;
    if (!is_derived) drop(record);
}

void O3PipeViewWriter::label(const Record& record, Core& core, std::uint64_t entity, StringId string) {
    const std::string_view text = schema_.text(string);
    const bool is_typed = core.label_open && core.label_entity == entity;
    const std::uint64_t type = is_typed ? core.label_type : 0;
    core.label_open = false;
    Assembled* const open = find(core, entity);
    if (open == nullptr || type != 0) return drop(record);
    // Viewers join the labels of an instruction.
    const std::size_t before = open->label.size();
    open->label.append(text);
    for (std::size_t at = before; at < open->label.size(); ++at) {
        char& c = open->label[at];
        const bool is_end = c == '\r' && at + 1 == open->label.size();
        if (c != '\n' && !is_end) continue;
        c = ' ';
        count(Loss::value_narrowed, record.track, "a text that one line cannot hold");
    }
}

void O3PipeViewWriter::put_event(const Record& record, PipelineUse use, std::span<const std::uint64_t> cells) {
    Core& core = cores_[use.core];
    Assembled* const open = find(core, cells[0]);
    switch (use.role) {
        case Role::stage_transition:
            return stage(record, core, cells[0], cells[1]);
        case Role::lane_stage:
            if (open == nullptr || cells[1] == 0 || !core.plan.is_store(cells[2])) return drop(record);
            open->store_waits = true;
            return;
        case Role::stage_end:
            return end_stage(record, core, cells);
        case Role::label_type:
            core.label_open = true;
            core.label_entity = cells[0];
            core.label_type = cells[1];
            return;
        case Role::annotate:
            return label(record, core, cells[0], static_cast<StringId>(cells[1]));
        case Role::flush:
            if (cells[1] != 0) count(Loss::part_dropped, record.track, "the reason of a flush");
            if (open == nullptr) return drop(record);
            if (open->has_left && !open->is_flushed) --core.uncounted_commits;
            open->is_flushed = true;
            return;
        case Role::retire:
            if (open == nullptr || open->has_left) return drop(record);
            return leave(core.entities.find(open->entity)->second, cells[2] != 0);
        case Role::foreign:
        case Role::entities:
        case Role::committed:
        case Role::dependency:
        case Role::dependency_type:
        case Role::line:
            return;  // put() handles these
    }
}

/// Gives an instruction of another format a sequence number that no earlier one has.
void O3PipeViewWriter::give_number(Core& core, Instruction& instruction) {
    if (!core.numbers.insert(instruction.seq)) {
        count(Loss::type_changed, core.plan.cpu.entities, "an instruction gets another number than an earlier one");
        instruction.seq = core.next_number;
        core.numbers.insert(instruction.seq);
    }
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    if (instruction.seq >= core.next_number && instruction.seq != last) core.next_number = instruction.seq + 1;
}

/// Computes the columns of an instruction from what the trace states.
void O3PipeViewWriter::complete(std::uint32_t index) {
    Assembled& done = assembly_[index];
    Instruction& instruction = done.instruction;
    Core& core = cores_[instruction.core];
    const TrackId entities = core.plan.cpu.entities;
    core.entities.erase(done.entity);
    if (done.slot < core.slots.size() && core.slots[done.slot] == index) core.slots[done.slot] = none;
    if (!done.is_fetched) instruction.ticks[0] = done.begun;
    Tick& retired = instruction.ticks[index_of(Stage::retire)];
    if (done.is_flushed || !done.has_left) {
        if (retired != 0) count(Loss::part_dropped, entities, "the last stage of a flushed instruction");
        retired = 0;
    } else if (retired == 0) {
        // A reader ends the retirement a cycle after it begins.
        retired = std::max(done.left - plan_.cycle, std::ranges::max(instruction.ticks));
        if (retired != done.left - plan_.cycle)
            count(Loss::time_rounded, entities, "a retirement of less than a cycle");
    }
    if (done.store_waits) {
        count(Loss::type_changed, entities, "a store that leaves before it completes");
        instruction.store = done.left;
    }
    for (std::size_t stage = 1; stage < stage_count; ++stage) {
        const Tick tick = instruction.ticks[stage];
        if (tick == 0 || tick >= instruction.fetch()) continue;
        count(Loss::time_rounded, entities, "a fetch after another stage");
        instruction.ticks[0] = tick;
    }
    if (!plan_.is_native) {
        give_number(core, instruction);
        remove_address(instruction.pc, done.label);
        if (done.label.empty() && done.encoding) {
            done.label = labels_.text(instruction.pc, *done.encoding);
            remove_address(instruction.pc, done.label);
            while (done.label.ends_with(' '))
                done.label.pop_back();
        }
    }
    assembly_.complete(index);
}

void O3PipeViewWriter::finish() {
    for (const std::uint32_t index : leaving_)
        complete(index);
    leaving_.clear();
    while (const std::optional<std::uint32_t> index = assembly_.oldest()) {
        count(Loss::part_dropped, cores_[assembly_[*index].instruction.core].plan.cpu.entities,
              "an instruction in flight becomes a squashed one");
        complete(*index);
    }
    write_complete(std::numeric_limits<Tick>::max());
    if (divisor_ != static_cast<std::uint64_t>(plan_.cycle))
        text_.remark(cycle_remark, static_cast<std::uint64_t>(plan_.cycle));
    for (TrackId track = 0; track < uses_.size(); ++track) {
        const PipelineUse use = uses_[track];
        if (dropped_[track].count != 0) {
            now_ = dropped_[track].first;
            count(Loss::kind_dropped, track, name_of(dropped_[track].kind), dropped_[track].count);
        }
        if (!plan_.is_native && use.role != Role::foreign && use.role != Role::entities && records_[track] != 0)
            count(Loss::type_changed, track, "its records become ticks and labels of instructions", records_[track]);
        if (use.role == Role::committed && cores_[use.core].uncounted_commits != 0)
            count(Loss::kind_dropped, track, "a commit count that differs from the retired instructions");
    }
    text_.finish();
}

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<O3PipeViewWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::o3pipeview

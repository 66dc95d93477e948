// formats/kanata/writer.cpp - writes traces of the protocol `cpu` as a log
// (formats/kanata/README.md#conversions-to-kanata). This file has the writer's begin, its end, and the way of a record
// to its command; instruction_commands.cpp has the beginning and leaving of instructions.
#include "writer.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "codec.hpp"
#include "commands.hpp"
#include "domain/conventions.hpp"
#include "domain/tick_ratio.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "schema_losses.hpp"
#include "survey.hpp"

namespace hwtrace::kanata {
namespace {

namespace names = conventions;

constexpr std::uint64_t assumed_period_ps = 1000;
constexpr std::uint64_t most_plain_type = 0xFF;  ///< largest type that the event `dependency` can hold

using Role = PipelineRole;

std::vector<std::string> stage_list(const Schema& schema, const CpuScope& core) {
    std::vector<std::string> stages;
    for (const Metadata& fact : schema.metadata())
        if (fact.key == stage_key) stages.push_back(fact.value);
    return stages.empty() ? core.stages : stages;
}

/// Returns the cycle that a `kanata.*` metadata entry states; `otherwise` if there is none.
std::int64_t stated_cycle(const Schema& schema, std::string_view key, std::int64_t otherwise) {
    const std::string* text = schema.metadata(key);
    const auto cycle = text != nullptr ? parse_decimal<std::int64_t>(*text) : std::nullopt;
    return cycle && *cycle <= most_cycles && *cycle >= -most_cycles ? *cycle : otherwise;
}

/// Replaces characters that a column cannot hold.
std::string column_text(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
}

/// Returns true if a reader of the log restores the same text from the label. Readers convert `\n` (two characters) to
/// a newline and drop carriage returns at the end of a line.
bool fits_label(std::string_view text) noexcept {
    return text.find("\\n") == std::string_view::npos && !text.ends_with('\r');
}

}  // namespace

KanataWriter::KanataWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
    : schema_(schema),
      losses_(losses),
      log_(output, chosen_container(settings, options, container_option)),
      labels_(schema, InstructionLabels::style_of(settings.text(options, labels_option)), losses) {
    std::vector<CpuScope> cores = cpu_scopes(schema);
    uses_ = pipeline_uses(schema, cores, line_track);
    dropped_.resize(uses_.size());
    const std::uint64_t period = period_of(cores);
    const std::string* version = schema.metadata(version_key);
    born_here_ = version != nullptr;
    is_log_ = is_log(schema);
    states_clock_ = period != 0 && schema.metadata(names::rescaled) == nullptr;
    log_.header(born_here_ ? column_text(*version) : std::string(known_version),
                states_clock_ ? std::string(clock_remark).append(std::to_string(period)) : std::string());
    measure_ticks(period);
    lose_of_schema(schema, cores, uses_, [&](Loss loss, std::string_view subject, std::string what) {
        losses.count(loss, subject, [&] { return std::move(what); });
    });
    for (CpuScope& cpu : cores) {
        std::vector<Stage> stages;
        for (const std::string& name : stage_list(schema, cpu)) {
            std::string text = column_text(name);
            const bool changed = text != name;
            stages.push_back({std::move(text), changed});
        }
        const std::uint64_t slots = cpu.entities == none ? 1 : schema.tracks()[cpu.entities].slots;
        const auto seats = static_cast<std::uint32_t>(
            std::bit_ceil(std::clamp<std::uint64_t>(slots, Survey{}.slots, Survey::most_slots)));
        const auto home =
            static_cast<std::uint32_t>(std::bit_ceil(std::clamp<std::uint64_t>(slots, 1, InFlight::most_slots)));
        cores_.push_back({.cpu = std::move(cpu),
                          .stages = std::move(stages),
                          .in_flight = InFlight(home, home),
                          .seats = InFlight(seats, seats)});
    }
    if (born_here_) {
        const std::int64_t first = stated_cycle(schema, first_cycle_key, 0);
        offset_ = std::min<std::int64_t>(first, 0);
        start(first);
    }
}

void KanataWriter::measure_ticks(std::uint64_t period_ps) {
    const TimeBase cycle{TimeBase::Kind::seconds, period_ps == 0 ? assumed_period_ps : period_ps,
                         picoseconds_per_second};
    bool assumed = false;
    for (const Track& track : schema_.tracks()) {
        const bool is_timed = track.time.kind == TimeBase::Kind::seconds;  // otherwise, a tick is a cycle
        assumed = assumed || (period_ps == 0 && is_timed);
        const auto ratio = is_timed ? ticks_in(track.time, cycle) : Ratio{1, 1};
        if (!ratio)
            fail(Failure::input,
                 "the ratio of the trace's ticks to its clock period is too large; write another format");
        cycles_.push_back(*ratio);
    }
    if (assumed)
        losses_.assume("the trace does not state the length of a cycle: assumed " + std::to_string(assumed_period_ps) +
                       " ps");
}

void KanataWriter::count(Loss loss, TrackId track, std::string_view what, std::uint64_t times) {
    losses_.count(
        loss, schema_.tracks()[track].name,
        [&] { return std::string(what).append(" in cycle ").append(std::to_string(cycle_)); }, times);
}

void KanataWriter::drop(const Record& record) {
    drop(record.track, record.kind, cycle_of(record).value);
}

void KanataWriter::drop(TrackId track, Kind kind, std::int64_t cycle) {
    Dropped& dropped = dropped_[track];
    if (dropped.count++ != 0) return;
    dropped.kind = kind;
    dropped.first_cycle = cycle;
}

void KanataWriter::start(std::int64_t cycle) {
    started_ = true;
    cycle_ = cycle;
    log_.start_cycle(cycle);
}

Scaled KanataWriter::cycle_of(const Record& record) const noexcept {
    Scaled scaled = scale(record.time, cycles_[record.track]);
    scaled.value = std::clamp(scaled.value, -most_cycles, most_cycles) + offset_;
    return scaled;
}

void KanataWriter::go_to(const Record& record) {
    const Ratio ratio = cycles_[record.track];
    if (record.time == last_time_ && ratio == last_ratio_) return;
    last_time_ = record.time;
    last_ratio_ = ratio;
    const Scaled scaled = cycle_of(record);
    const std::int64_t cycle = scaled.value;
    if (!started_) start(std::min<std::int64_t>(cycle, 0));  // Konata ignores C=, and begins at cycle 0
    if (!scaled.exact || scaled.saturated || cycle < cycle_)
        count(Loss::time_rounded, record.track, "a time between two cycles, or before the previous one,");
    if (cycle <= cycle_) return;
    write_leavers();
    log_.advance(cycle - cycle_);
    cycle_ = cycle;
}

void KanataWriter::write(const Batch& batch) {
    for (const Record& record : batch.records())
        put(batch, record, uses_[record.track]);
}

void KanataWriter::put(const Batch& batch, const Record& record, PipelineUse use) {
    if (pending_.slot != no_slot && !joins_pending(record, use)) write_pending(batch, &record);
    if (!is_log_) {
        const bool was_leaving = leaving_now_.any();
        const bool is_part = was_leaving && is_part_of_leaving(batch, record, use);
        if (was_leaving && !is_part) {
            count(Loss::order_changed, leaving_now_.track, "a retirement with unusual records");
            leaving_now_ = {};
        }
        const bool leaves = record.kind == Kind::add || record.kind == Kind::clear || use.role == Role::flush;
        if (any_retire_ && leaves && !is_part && use.role != Role::foreign)
            count(Loss::order_changed, record.track, "a commit, clear or flush without a retirement");
    }
    switch (use.role) {
        case Role::foreign:
            return drop(record);
        case Role::entities:
            if (record.kind == Kind::set && !is_property(record)) return append_set(record, use);
            if (record.kind == Kind::clear) return append_clear(record, use);
            return drop(record);
        case Role::committed:
            if (record.kind != Kind::add) return drop(record);
            cores_[use.core].uncounted_commits -= static_cast<std::int64_t>(record.value);
            return;
        case Role::stage_transition:
        case Role::annotate:
        case Role::dependency:
        case Role::flush:
        case Role::label_type:
        case Role::lane_stage:
        case Role::stage_end:
        case Role::retire:
        case Role::dependency_type:
        case Role::line:
            if (record.count < cells_of(use.role)) return drop(record);
            return append_event(batch, record, use);
    }
}

void KanataWriter::append_stage(Core& core, const Record& record, char letter, std::uint32_t id, std::uint64_t lane,
                                std::uint64_t stage) {
    if (stage < core.stages.size()) [[likely]] {
        const Stage& known = core.stages[static_cast<std::size_t>(stage)];
        if (known.changed) count(Loss::name_changed, record.track, "a stage name that a log cannot hold");
        if (!is_log_) note_stage(known.name, letter == 'S' && lane == 0);
        return log_.stage(letter, id, lane, known.name);
    }
    count(Loss::name_changed, record.track, "a stage without a name");
    if (!is_log_) note_stage(std::to_string(stage), letter == 'S' && lane == 0);
    log_.stage(letter, id, lane, std::to_string(stage));
}

void KanataWriter::append_label(Core& core, const Record& record, std::uint64_t entity, StringId string) {
    const std::string_view text = schema_.text(string);
    std::uint64_t type = 0;
    if (core.label_open) {
        if (core.label_entity == entity)
            type = core.label_type;
        else
            count(Loss::part_dropped, record.track, "a label type without a label");
        core.label_open = false;
    }
    const bool tells_pc =
        type == 0 && !is_log_ && label_address(text) && core.seats.find(id_of(core, entity)) != no_slot;
    if (tells_pc && !address_told_) count(Loss::type_changed, record.track, "a label's address becomes a pc");
    address_told_ = false;
    if (!fits_label(text)) count(Loss::value_narrowed, record.track, "a text that one line cannot hold unchanged");
    log_.label(id_of(core, entity), type, text);
}

void KanataWriter::append_flush(std::uint32_t number, const Record& record, std::uint64_t cell, std::uint64_t reason) {
    Core& core = cores_[number];
    const auto entity = static_cast<std::uint32_t>(cell);
    if (reason != 0) count(Loss::part_dropped, record.track, "the reason of a flush");
    if (core.gone == cell) return;
    const std::uint32_t slot = core.in_flight.find(entity);
    if (slot == no_slot) {
        if (late_flushes_.size() >= most_leavers) write_leavers();
        late_flushes_.push_back({number, entity});
        return;
    }
    if (core.left[slot]) return;
    count(Loss::type_changed, record.track, "a flushed instruction gets a retire id");
    core.left[slot] = true;
    add_leaver(number, entity, true);
}

void KanataWriter::append_line(const Record& record, std::string_view text) {
    const Action action = parse(text).action;
    const bool is_other = action == Action::remark || action == Action::unknown || action == Action::malformed;
    const bool is_line = text.find('\n') == std::string_view::npos && !text.ends_with('\r');
    if (!is_other || !is_line || (stated_clock(text) && !states_clock_)) return drop(record);
    log_.line(text);
}

void KanataWriter::append_event(const Batch& batch, const Record& record, PipelineUse use) {
    const std::span<const std::uint64_t> cells = batch.cells(record);
    Core& core = cores_[use.core];
    go_to(record);
    switch (use.role) {
        case Role::stage_transition:
            return append_stage(core, record, 'S', id_of(core, cells[0]), 0, cells[1]);
        case Role::lane_stage:
            if (cells[1] == 0) count(Loss::type_changed, record.track, "a stage on lane 0 that is not a transition");
            return append_stage(core, record, 'S', id_of(core, cells[0]), cells[1], cells[2]);
        case Role::stage_end:
            return append_stage(core, record, 'E', id_of(core, cells[0]), cells[1], cells[2]);
        case Role::label_type:
            if (core.label_open) count(Loss::part_dropped, record.track, "a label type without a label");
            if (cells[1] == 0) count(Loss::part_dropped, record.track, "the default type of a label");
            core.label_open = true;
            core.label_entity = cells[0];
            core.label_type = cells[1];
            return;
        case Role::annotate:
            return append_label(core, record, cells[0], static_cast<StringId>(cells[1]));
        case Role::dependency_type:
            if (core.dependency_type != no_type || cells[2] <= most_plain_type)
                count(Loss::part_dropped, record.track, "an unnecessary type of a dependency");
            core.dependency_type = cells[2];
            return;
        case Role::dependency: {
            const std::uint64_t type = core.dependency_type == no_type ? cells[2] : core.dependency_type;
            if (core.dependency_type != no_type && cells[2] != most_plain_type)
                count(Loss::part_dropped, record.track, "a second type of a dependency");
            core.dependency_type = no_type;
            return log_.dependency(id_of(core, cells[1]), id_of(core, cells[0]), type);
        }
        case Role::flush:
            return append_flush(uses_[record.track].core, record, cells[0], cells[1]);
        case Role::retire: {
            const auto entity = static_cast<std::uint32_t>(cells[0]);
            const std::uint32_t slot = core.in_flight.find(entity);
            const bool known = slot != no_slot || core.in_flight.was_evicted(entity);
            append_retire(core, entity, cells[1], cells[2]);
            any_retire_ = true;
            leaving_now_ = {.flush = cells[2] != 0,
                            .clear = slot != no_slot,
                            .commit = cells[2] == 0 && known,
                            .core = use.core,
                            .entity = entity,
                            .slot = slot,
                            .time = record.time,
                            .track = record.track};
            return;
        }
        case Role::line:
            return append_line(record, schema_.text(static_cast<StringId>(cells[0])));
        case Role::foreign:
        case Role::entities:
        case Role::committed:
            return;  // put() handles these
    }
}

void KanataWriter::finish() {
    if (pending_.slot != no_slot) write_pending(Batch{}, nullptr);
    if (!started_) start(0);
    write_leavers();
    if (born_here_) {
        const std::int64_t last = stated_cycle(schema_, last_cycle_key, cycle_);
        if (last > cycle_) log_.advance(last - cycle_);
    }
    for (TrackId track = 0; track < uses_.size(); ++track) {
        const PipelineUse use = uses_[track];
        if (dropped_[track].count != 0) {
            cycle_ = dropped_[track].first_cycle;
            count(Loss::kind_dropped, track, name_of(dropped_[track].kind), dropped_[track].count);
        }
        if (use.role == Role::committed && cores_[use.core].uncounted_commits != 0)
            count(Loss::kind_dropped, track, "a commit count that differs from the retired instructions");
        if (use.role == Role::dependency_type && cores_[use.core].dependency_type != no_type)
            count(Loss::part_dropped, track, "a dependency type without a dependency");
        if (use.role == Role::label_type && cores_[use.core].label_open)
            count(Loss::part_dropped, track, "a label type without a label");
    }
    if (!is_log_) count_unsaid();
    log_.finish();
}

/// Counts losses of derived data: slots and stages that a reader of the log derives differently from the trace.
void KanataWriter::count_unsaid() {
    if (leaving_now_.any()) count(Loss::order_changed, leaving_now_.track, "a retirement with unusual records");
    for (const std::string& name : other_stages_.names())
        lane_0_stages_.add(name);
    const std::vector<std::string>& named = lane_0_stages_.names();
    for (const Core& core : cores_) {
        if (const TrackId entities = core.cpu.entities; entities != none) {
            const std::uint64_t had = schema_.tracks()[entities].slots;
            const std::uint64_t gets =
                std::bit_ceil(std::clamp<std::uint64_t>(core.most_begun, Survey{}.slots, Survey::most_slots));
            if (core.moved != 0)
                count(Loss::part_dropped, entities, "slots that a log assigns differently", core.moved);
            if (had != gets)
                count(Loss::part_dropped, entities,
                      std::string("a table of ")
                          .append(std::to_string(had))
                          .append(" slots, which gets ")
                          .append(std::to_string(gets))
                          .append(" slots,"));
        }
        std::uint64_t missing = 0;
        std::string first;
        for (std::size_t number = 0; number < core.stages.size(); ++number) {
            const Stage& stage = core.stages[number];
            const bool is_unnamed = stage.name == std::to_string(number);
            if (is_unnamed || lane_0_stages_.find(stage.name) != none) continue;
            if (missing++ == 0) first = stage.name;
        }
        const bool reordered = missing == 0 && !std::ranges::equal(core.stages, named, {}, &Stage::name);
        if (missing != 0)
            losses_.count(
                Loss::part_dropped, stages_of_core, [&] { return "no command names " + first; }, missing);
        if (reordered)
            losses_.count(Loss::order_changed, stages_of_core,
                          [] { return std::string("a log numbers stages in the order in which they begin"); });
    }
}

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<KanataWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::kanata

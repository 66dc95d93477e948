// formats/kanata/writer.cpp - writes traces of the protocol `cpu` as a log
// (formats/kanata/README.md#conversions-to-kanata).
#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "codec.hpp"
#include "codec/instruction_labels.hpp"
#include "commands.hpp"
#include "domain/conventions.hpp"
#include "domain/in_flight.hpp"
#include "domain/pipeline_roles.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "log_ids.hpp"
#include "log_text.hpp"
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "model/state.hpp"
#include "survey.hpp"
#include "tracks.hpp"

namespace hwtrace::kanata {
namespace {

namespace names = conventions;

constexpr Subject stages_of_core = Subject::general(names::cpu_pipeline_stages);
constexpr std::uint64_t assumed_period_ps = 1000;
constexpr std::uint64_t most_plain_type = 0xFF;  ///< largest type that the event `dependency` can hold
constexpr std::uint64_t last_id = std::numeric_limits<std::uint32_t>::max();

using Role = PipelineRole;
using TrackUse = PipelineUse;

/// Returns the length of a cycle: the greatest common divisor of the cores' clock periods; 0 if unknown.
std::uint64_t period_of(const std::vector<CpuScope>& cores) noexcept {
    std::uint64_t period = 0;
    for (const CpuScope& core : cores)
        period = std::gcd(period, core.period_ps);
    return period;
}

std::vector<std::string> stage_list(const Schema& schema, const CpuScope& core) {
    std::vector<std::string> stages;
    for (const Metadata& fact : schema.metadata())
        if (fact.key == stage_key) stages.push_back(fact.value);
    return stages.empty() ? core.stages : stages;
}

std::optional<std::uint64_t> unless_0(std::uint64_t value) noexcept {
    return value != 0 ? std::optional(value) : std::nullopt;
}

/// Returns the cycle that a `kanata.*` metadata entry states; `otherwise` if there is none.
std::int64_t stated_cycle(const Schema& schema, std::string_view key, std::int64_t otherwise) {
    const std::string* text = schema.metadata(key);
    const auto cycle = text != nullptr ? parse_decimal<std::int64_t>(*text) : std::nullopt;
    return cycle && *cycle <= most_cycles && *cycle >= -most_cycles ? *cycle : otherwise;
}

bool same_fields(const Schema& schema, const Track& track, const Schema& logs, const Track& of_log) {
    if (track.fields.size() != of_log.fields.size()) return false;
    for (std::size_t i = 0; i < track.fields.size(); ++i) {
        const Field &ours = track.fields[i], &its = of_log.fields[i];
        if (ours.name != its.name || ours.type != its.type) return false;
        if (ours.type != Type::enumeration || logs.enums()[its.enumeration].name == names::pipeline_stage) continue;
        if (ours.enumeration >= schema.enums().size() ||
            schema.enums()[ours.enumeration].values != logs.enums()[its.enumeration].values)
            return false;
    }
    return true;
}

/// Calls `lose(loss, subject, what)` for each loss that follows from the schema alone.
template <typename Lose>
void lose_of_schema(const Schema& schema, const std::vector<CpuScope>& cores, const std::vector<TrackUse>& uses,
                    Lose&& lose) {
    for (const Metadata& fact : schema.metadata())
        if (!is_told_by_log(fact)) lose(Loss::metadata_dropped, fact.key, fact.value.substr(0, 80));
    if (schema.metadata(version_key) != nullptr) return;

    Survey survey;
    survey.wide_dependencies =
        std::ranges::any_of(uses, [](const TrackUse& use) { return use.role == Role::dependency_type; });
    survey.other_lines = true;
    survey.clock_ps = period_of(cores);
    Schema logs;
    declare_tracks(survey, logs);
    const Clock& log_clock = logs.clocks().front();
    for (const Clock& clock : schema.clocks()) {
        if (clock.name != log_clock.name)
            lose(Loss::name_changed, clock.name, "the clock of a log is " + log_clock.name);
        if (clock.period_ps != log_clock.period_ps)
            lose(Loss::part_dropped, clock.name,
                 std::string("its period of ")
                     .append(std::to_string(clock.period_ps))
                     .append(" ps: a log has one clock"));
    }
    for (const Enum& enumeration : schema.enums())
        if (cores.empty()) lose(Loss::part_dropped, enumeration.name, "an enumeration that no core uses");
    for (const Scope& scope : schema.scopes()) {
        const bool found = std::ranges::any_of(logs.scopes(), [&](const Scope& of_log) {
            if (of_log.name != scope.name || (of_log.parent == none) != (scope.parent == none)) return false;
            return scope.parent == none || schema.scopes()[scope.parent].name == logs.scopes()[of_log.parent].name;
        });
        if (!found) lose(Loss::scope_flattened, scope.name, "a log has only the scopes root/core0");
    }
    for (TrackId id = 0; id < uses.size(); ++id) {
        if (uses[id].role == Role::foreign) continue;
        const Track& track = schema.tracks()[id];
        const TrackId in_log = logs.find_track(track.kind, track.name);
        if (in_log != none && !same_fields(schema, track, logs, logs.tracks()[in_log]))
            lose(Loss::type_changed, track.name, "its fields become the fields of a log");
    }
}

/// Returns true if the trace comes directly from a log, not through another format. The slots and the list of stages
/// are then derived from the records, even for a slice.
bool is_log(const Schema& schema) {
    return schema.metadata(version_key) != nullptr && std::ranges::all_of(schema.tracks(), [](const Track& track) {
               return track.time.kind == TimeBase::Kind::cycles;
           });
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

/// Converts ticks to cycles of a common length.
class CycleScale {
public:
    CycleScale() = default;
    CycleScale(const TimeBase& base, std::uint64_t period_ps) {
        if (base.kind != TimeBase::Kind::seconds || base.den == 0) return;  // a tick is a cycle
        // (num / den) s / (period / 10^12 s), with common factors cancelled first.
        Ratio seconds = Ratio{base.num, base.den}.reduced();
        Ratio rate = Ratio{picoseconds_per_second, period_ps}.reduced();
        const std::uint64_t a = std::gcd(seconds.num, rate.den), b = std::gcd(rate.num, seconds.den);
        seconds.num /= a;
        rate.den /= a;
        rate.num /= b;
        seconds.den /= b;
        if (__builtin_mul_overflow(seconds.num, rate.num, &ratio_.num) ||
            __builtin_mul_overflow(seconds.den, rate.den, &ratio_.den))
            fail(Failure::input, "the ratio of the trace's ticks to its clock period is too large");
    }
    Scaled cycle(Tick time) const noexcept {
        if (ratio_.num != 1 || time < 0) return scale(time, ratio_);
        const auto ticks = static_cast<std::uint64_t>(time);
        return {static_cast<Tick>(ticks / ratio_.den), ticks % ratio_.den == 0, false};
    }

private:
    Ratio ratio_;
};

class KanataWriter final : public Writer {
public:
    KanataWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

    void write(const Batch& batch) override;
    void finish() override;

private:
    struct Stage {
        std::string name;
        bool changed = false;  ///< the original name cannot be written
    };
    struct Core {
        CpuScope cpu;
        std::vector<Stage> stages;
        InFlight in_flight;
        std::vector<bool> left = {};  ///< by slot; true: its instruction has retired or was flushed
        LogIds ids = {};              ///< used only with next_id_; of a single core, only ids other than the entity
        std::uint64_t next_simulator_id = 0, next_retire_id = 0;
        std::uint64_t gone =
            last_id + 1;  ///< entity of the last retire event; its flush and clear records need no second `R`
        std::int64_t uncounted_commits = 0;  ///< retired instructions minus the commits counted by the trace
        std::uint64_t label_entity = 0, label_type = 0;
        std::uint64_t dependency_type = no_type;
        bool label_open = false;
        InFlight seats;  ///< the table that a reader of the log will build
        std::uint64_t begun = 0,
                      most_begun = 0;  ///< instructions that a reader will count as in flight
        std::uint64_t moved = 0;       ///< instructions to which a reader will assign another slot
    };
    /// The records that a reader derives from the last `R`. In the trace, they must directly follow the retire event.
    struct Leaving {
        bool flush = false, clear = false, commit = false;
        std::uint32_t core = 0, entity = 0, slot = no_slot;
        Tick time = 0;
        TrackId track = none;

        bool any() const noexcept { return flush || clear || commit; }
    };
    /// The set records of one instruction at one time. They are written as one `I` and one label.
    struct Pending {
        std::uint32_t core = 0, slot = no_slot, entity = 0;
        Tick time = 0;
        bool fresh = false;      ///< true: the instruction begins with these records
        unsigned last_rank = 0;  ///< rank of the last set field in the order of a log
        bool ordered = true;     ///< true: each field was set once, in the order of a log
        bool sets_pc = false;
        bool has_simulator_id = false, has_thread_id = false;
        std::uint64_t simulator_id = 0, thread_id = 0;
        std::optional<std::uint64_t> pc = {}, bits = {};  ///< none if 0
    };

    /// An instruction that leaves the pipeline by a clear or flush record. Its `R` is its last command in the cycle.
    struct Leaver {
        std::uint32_t core = 0, entity = 0;
        bool is_flushed = false;
    };
    /// A flush record of an instruction that no longer has a slot.
    struct LateFlush {
        std::uint32_t core = 0, entity = 0;
        bool finds_leaver = false;

        auto order() const noexcept { return std::pair(core, entity); }
    };

    static constexpr std::uint64_t no_type = ~std::uint64_t{0};
    static constexpr std::size_t most_leavers = 1u << 16;  ///< largest number of operations in a frame
    static constexpr std::uint32_t low_mask = 0xFFFF;

    void make_scales(std::uint64_t period_ps);
    void put(const Batch& batch, const Record& record, TrackUse use);
    void append_event(const Batch& batch, const Record& record, TrackUse use);
    bool joins_pending(const Record& record, TrackUse use) const;
    void append_set(const Record& record, TrackUse use);
    void append_clear(const Record& record, TrackUse use);
    bool is_part_of_leaving(const Batch& batch, const Record& record, TrackUse use);
    void count_unsaid();
    void leave(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type);
    void write_pending(const Batch& batch, const Record* next);
    bool tells_address(const Batch& batch, const Record* next) const;
    void append_label(Core& core, const Record& record, std::uint64_t entity, StringId text);
    void append_stage(Core& core, const Record& record, char letter, std::uint32_t id, std::uint64_t lane,
                      std::uint64_t stage);
    void note_stage(std::string_view name, bool begins_on_lane_0) {
        (begins_on_lane_0 ? lane_0_stages_ : other_stages_).add(name);
    }
    void append_flush(std::uint32_t number, const Record& record, std::uint64_t cell, std::uint64_t reason);
    void append_line(const Record& record, std::string_view text);
    void append_retire(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type);
    void add_leaver(std::uint32_t core, std::uint32_t entity, bool is_flushed);
    void write_leavers();
    Scaled cycle_of(const Record& record) const noexcept;
    void go_to(const Record& record);
    void start(std::int64_t cycle);
    std::uint32_t id_of(Core& core, std::uint64_t entity);
    std::uint32_t new_id_of(Core& core, std::uint32_t entity);
    void drop(const Record& record);
    void drop(TrackId track, Kind kind, std::int64_t cycle);
    void count(Loss loss, TrackId track, std::string_view what, std::uint64_t times = 1);

    const Schema& schema_;
    Losses& losses_;
    LogText log_;
    InstructionLabels labels_;
    std::vector<Core> cores_;
    std::vector<TrackUse> uses_;           ///< one per track
    std::vector<CycleScale> scales_;       ///< one per time base
    std::vector<std::uint32_t> scale_of_;  ///< index in scales_, one per track
    struct Dropped {
        std::uint64_t count = 0;
        Kind kind = Kind::event;
        std::int64_t first_cycle = 0;
    };
    std::vector<Dropped> dropped_;  ///< one per track

    bool started_ = false;
    bool born_here_ = false;     ///< true: the trace was read from a log, directly or through another format
    bool is_log_ = false;        ///< true: the trace comes directly from a log, so that derived data cannot be lost
    bool states_clock_ = false;  ///< true: the log states the length of a cycle
    std::int64_t offset_ = 0;    ///< the cycle of tick 0
    std::int64_t cycle_ = 0;
    Tick last_time_ = std::numeric_limits<Tick>::min();  ///< the tick that was converted to cycle_
    std::uint32_t last_scale_ = none;
    std::uint32_t next_id_ = 0;  ///< next id in the log; used only with several cores, or for an id that began before
    IdSet begun_ids_;
    Pending pending_;
    Leaving leaving_now_;
    bool any_retire_ = false;                 ///< true: the trace has retire events
    bool address_told_ = false;               ///< true: the next label states the address that was set
    NameTable lane_0_stages_, other_stages_;  ///< in the order in which a reader will number them
    std::vector<Leaver> leavers_;             ///< leavers of the open cycle, in order
    std::vector<LateFlush> late_flushes_;
    std::vector<bool> leaving_ = std::vector<bool>(std::size_t{low_mask} + 1);  ///< by the low bits of an entity
};

KanataWriter::KanataWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
    : schema_(schema),
      losses_(losses),
      log_(output, chosen_packing(settings, options, container_option)),
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
    make_scales(period);
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

void KanataWriter::make_scales(std::uint64_t period_ps) {
    std::vector<TimeBase> bases;
    bool assumed = false;
    for (const Track& track : schema_.tracks()) {
        assumed = assumed || (period_ps == 0 && track.time.kind == TimeBase::Kind::seconds);
        const auto known = std::find(bases.begin(), bases.end(), track.time);
        scale_of_.push_back(static_cast<std::uint32_t>(known - bases.begin()));
        if (known != bases.end()) continue;
        bases.push_back(track.time);
        scales_.emplace_back(track.time, period_ps == 0 ? assumed_period_ps : period_ps);
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
    Scaled scaled = scales_[scale_of_[record.track]].cycle(record.time);
    scaled.value = std::clamp(scaled.value, -most_cycles, most_cycles) + offset_;
    return scaled;
}

void KanataWriter::go_to(const Record& record) {
    const std::uint32_t scale = scale_of_[record.track];
    if (record.time == last_time_ && scale == last_scale_) return;
    last_time_ = record.time;
    last_scale_ = scale;
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

std::uint32_t KanataWriter::id_of(Core& core, std::uint64_t entity) {
    const auto id = static_cast<std::uint32_t>(entity);
    if (cores_.size() == 1 && next_id_ == 0) return id;
    if (const std::optional<std::uint32_t> known = core.ids.find(id)) return *known;
    if (cores_.size() == 1) return id;
    core.ids.set(id, next_id_);
    if (core.in_flight.find(id) == no_slot) core.ids.leave(id, core.in_flight);
    return next_id_++;
}

/// Returns the id of an instruction that begins. Konata refuses a log in which an id begins twice.
std::uint32_t KanataWriter::new_id_of(Core& core, std::uint32_t entity) {
    const std::uint32_t id = id_of(core, entity);
    if (born_here_ || begun_ids_.insert(id)) return id;
    while (!begun_ids_.insert(next_id_++)) {
    }
    count(Loss::type_changed, core.cpu.entities, "an instruction gets another id than an earlier one");
    core.ids.set(entity, next_id_ - 1);
    return next_id_ - 1;
}

// --- records -----------------------------------------------------------------------------------------------------

void KanataWriter::write(const Batch& batch) {
    for (const Record& record : batch.records())
        put(batch, record, uses_[record.track]);
}

void KanataWriter::put(const Batch& batch, const Record& record, TrackUse use) {
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

/// Returns true if `record` is the next record that a reader derives from the last written `R`.
bool KanataWriter::is_part_of_leaving(const Batch& batch, const Record& record, TrackUse use) {
    Leaving& now = leaving_now_;
    if (record.time != now.time || use.core != now.core) return false;
    if (now.flush) {
        if (use.role != Role::flush || record.count < 2) return false;
        const std::span<const std::uint64_t> cells = batch.cells(record);
        now.flush = false;
        return cells[0] == now.entity && cells[1] == 0;
    }
    if (now.clear) {
        now.clear = false;
        return use.role == Role::entities && record.kind == Kind::clear && record.ref == now.slot;
    }
    now.commit = false;
    return use.role == Role::committed && record.kind == Kind::add && record.value == 1;
}

bool KanataWriter::joins_pending(const Record& record, TrackUse use) const {
    return use.role == Role::entities && record.kind == Kind::set && !is_property(record) &&
           use.core == pending_.core && record.ref == pending_.slot && record.time == pending_.time &&
           record.field != cores_[use.core].cpu.entity_id;
}

void KanataWriter::append_set(const Record& record, TrackUse use) {
    Core& core = cores_[use.core];
    const CpuScope& cpu = core.cpu;
    if (record.ref >= InFlight::most_slots) return drop(record);
    if (record.field == cpu.entity_id) {
        const auto entity = static_cast<std::uint32_t>(record.value);
        core.in_flight.put(record.ref, entity);
        if (record.ref >= core.left.size()) core.left.resize(record.ref + std::size_t{1});
        core.left[record.ref] = false;
        if (core.gone == entity) core.gone = last_id + 1;
        pending_ = {.core = use.core, .slot = record.ref, .entity = entity, .time = record.time, .fresh = true};
        go_to(record);
        if (leaving_[entity & low_mask]) write_leavers();  // the previous instruction with this id leaves first
        return;
    }
    if (pending_.slot == no_slot) {
        if (core.in_flight.is_free(record.ref)) return drop(record);
        pending_ = {
            .core = use.core, .slot = record.ref, .entity = core.in_flight.owner(record.ref), .time = record.time};
        go_to(record);
    }
    const unsigned rank = record.field == cpu.simulator_id ? 1
                          : record.field == cpu.thread_id  ? 2
                          : record.field == cpu.pc         ? 3
                                                           : 4;
    pending_.ordered = pending_.ordered && rank > pending_.last_rank;
    pending_.last_rank = rank;
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    const std::uint64_t value = record.field < fields.size() ? stored(fields[record.field].type, record.value) : 0;
    if (record.field == cpu.pc) {
        pending_.sets_pc = true;
        pending_.pc = unless_0(value);
    } else if (record.field == cpu.inst_bits) {
        pending_.bits = unless_0(value);
    } else if (record.field == cpu.simulator_id && pending_.fresh) {
        pending_.has_simulator_id = true;
        pending_.simulator_id = value;
    } else if (record.field == cpu.thread_id && pending_.fresh) {
        pending_.has_thread_id = true;
        pending_.thread_id = static_cast<std::uint32_t>(value);
    } else {
        count(Loss::field_dropped, record.track, "a set of a field for which there is no command");
    }
}

/// Returns true if `next`, the record after the pending set records, is a label that begins with the address that they
/// set.
bool KanataWriter::tells_address(const Batch& batch, const Record* next) const {
    if (next == nullptr) return false;
    const TrackUse use = uses_[next->track];
    if (use.role != Role::annotate || use.core != pending_.core || next->count < 2 || next->time != pending_.time)
        return false;
    const std::span<const std::uint64_t> cells = batch.cells(*next);
    const Core& core = cores_[use.core];
    return pending_.pc && cells[0] == pending_.entity && !core.label_open &&
           label_address(schema_.text(static_cast<StringId>(cells[1]))) == pending_.pc;
}

void KanataWriter::write_pending(const Batch& batch, const Record* next) {
    Core& core = cores_[pending_.core];
    const TrackId entities = core.cpu.entities;
    const std::uint32_t id = pending_.fresh ? new_id_of(core, pending_.entity) : id_of(core, pending_.entity);
    if (pending_.fresh) {
        const std::uint64_t simulator_id = pending_.has_simulator_id ? pending_.simulator_id : core.next_simulator_id;
        core.next_simulator_id = simulator_id + 1;
        log_.begin(id, simulator_id, pending_.has_thread_id ? pending_.thread_id : pending_.core);
        if (!pending_.has_simulator_id || !pending_.has_thread_id || cores_.size() > 1)
            count(Loss::type_changed, entities, "an instruction gets new numbers");
        if (!is_log_) {
            bool evicts = false;
            if (core.seats.take(id, evicts) != pending_.slot) ++core.moved;
            core.most_begun = std::max(core.most_begun, ++core.begun);
        }
    }
    if (!pending_.ordered) count(Loss::order_changed, entities, "repeated sets, or sets in an unusual order,");
    address_told_ = pending_.sets_pc && tells_address(batch, next);
    if (pending_.sets_pc && !pending_.pc && !address_told_)
        count(Loss::part_dropped, entities, "an address of 0 without a label");
    if (address_told_ && pending_.bits)
        count(Loss::field_dropped, entities, "the encoding of an instruction whose label is in the trace");
    if ((pending_.pc || pending_.bits) && !address_told_) {
        log_.label(id, 0, labels_.text(pending_.pc, pending_.bits));
        count(Loss::type_changed, entities, "an address becomes a label");
    }
    pending_.slot = no_slot;
}

void KanataWriter::append_clear(const Record& record, TrackUse use) {
    Core& core = cores_[use.core];
    if (core.in_flight.is_free(record.ref)) return drop(record);
    go_to(record);
    const std::uint32_t entity = core.in_flight.owner(record.ref);
    if (!core.left[record.ref]) {
        count(Loss::type_changed, record.track, "a finished instruction gets a retire id");
        add_leaver(use.core, entity, false);
    }
    core.gone = last_id + 1;
    core.in_flight.release(record.ref);
}

void KanataWriter::leave(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type) {
    const std::uint32_t id = id_of(core, entity);
    log_.retire(id, retire_id, type);
    core.ids.leave(entity, core.in_flight);
    if (is_log_) return;
    if (const std::uint32_t slot = core.seats.find(id); slot != no_slot) core.seats.release(slot);
    core.begun -= core.begun == 0 ? 0u : 1u;
}

void KanataWriter::append_retire(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type) {
    leave(core, entity, retire_id, type);
    core.next_retire_id = retire_id + 1;
    core.gone = entity;
    const std::uint32_t slot = core.in_flight.find(entity);
    if (slot == no_slot && !core.in_flight.was_evicted(entity)) return;
    if (slot != no_slot) core.left[slot] = true;
    if (type == 0) ++core.uncounted_commits;
}

void KanataWriter::add_leaver(std::uint32_t core, std::uint32_t entity, bool is_flushed) {
    if (leavers_.size() >= most_leavers) write_leavers();
    leavers_.push_back({core, entity, is_flushed});
    leaving_[entity & low_mask] = true;
}

/// Writes an `R` for each leaver at the end of a cycle. A flush record may follow the clear record of its instruction,
/// because frames of µScope 0.1 hold all operations before all events.
void KanataWriter::write_leavers() {
    std::ranges::sort(late_flushes_, {}, &LateFlush::order);
    for (const Leaver& leaver : leavers_) {
        bool is_flushed = leaver.is_flushed;
        const std::pair whose(leaver.core, leaver.entity);
        auto flush = std::ranges::lower_bound(late_flushes_, whose, {}, &LateFlush::order);
        for (; flush != late_flushes_.end() && flush->order() == whose; ++flush)
            is_flushed = flush->finds_leaver = true;
        Core& core = cores_[leaver.core];
        leave(core, leaver.entity, core.next_retire_id++, is_flushed ? 1 : 0);
        if (!is_flushed) ++core.uncounted_commits;
        leaving_[leaver.entity & low_mask] = false;
    }
    leavers_.clear();
    for (const LateFlush& flush : late_flushes_)
        if (!flush.finds_leaver) drop(cores_[flush.core].cpu.flush, Kind::event, cycle_);
    late_flushes_.clear();
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

void KanataWriter::append_event(const Batch& batch, const Record& record, TrackUse use) {
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
        const TrackUse use = uses_[track];
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

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<KanataWriter>(output, schema, settings, losses);
}

void foresee_losses(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, std::string subject, std::string why) {
        losses.push_back({loss, std::move(subject), std::move(why)});
    };
    const std::vector<CpuScope> cores = cpu_scopes(schema);
    const std::vector<TrackUse> uses = pipeline_uses(schema, cores, line_track);
    lose_of_schema(schema, cores, uses, [&](Loss loss, std::string_view subject, std::string what) {
        foretell(loss, std::string(subject),
                 loss == Loss::metadata_dropped ? "a log has no place for it" : std::move(what));
    });
    for (TrackId track = 0; track < uses.size(); ++track) {
        const Track& t = schema.tracks()[track];
        if (t.scope >= schema.scopes().size() || schema.scopes()[t.scope].protocol != names::cpu_protocol) continue;
        if (uses[track].role == Role::foreign)
            foretell(Loss::kind_dropped, t.name, "a log has no command for it");
        else if (uses[track].role == Role::entities && t.fields.size() > 4)
            foretell(Loss::field_dropped, t.name, "a log has no command for some of its fields");
    }
    if (schema.metadata(version_key) == nullptr) {
        foretell(Loss::type_changed, "*", "instructions get the numbers, labels and retire ids of a log");
    }
    if (!is_log(schema)) {
        losses.push_back(
            {Loss::part_dropped, std::string(stages_of_core.text()), "stages that no command names", true});
        foretell(Loss::order_changed, "*",
                 "a log numbers stages in the order in which they begin, and states a retirement in one command");
    }
    constexpr std::string_view odd = "records of other tools that a log cannot represent exactly";
    for (const Loss loss : {Loss::kind_dropped, Loss::field_dropped, Loss::part_dropped, Loss::name_changed,
                            Loss::value_narrowed, Loss::type_changed})
        foretell(loss, "*", std::string(odd));
    foretell(Loss::time_rounded, "*", "times between two cycles, or before the previous one");
}

}  // namespace hwtrace::kanata

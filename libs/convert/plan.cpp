#include "convert/plan.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <utility>

#include "convert/time_sort.hpp"
#include "convert/transforms/entity_view.hpp"
#include "convert/transforms/held_values.hpp"
#include "convert/transforms/instruction_lowering.hpp"
#include "convert/transforms/interval_lowering.hpp"
#include "convert/transforms/interval_making.hpp"
#include "convert/transforms/named_intervals.hpp"
#include "convert/transforms/rescaling.hpp"
#include "convert/transforms/retired_instructions.hpp"
#include "convert/transforms/sample_intervals.hpp"
#include "convert/transforms/signal_making.hpp"
#include "convert/transforms/signal_tables.hpp"
#include "convert/transforms/transaction_raising.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_identity.hpp"
#include "domain/picosecond_scale.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/advised_error.hpp"
#include "model/record_kinds.hpp"
#include "select/record_selection.hpp"
#include "select/relation_ends.hpp"
#include "select/selection.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

/// Returns the kinds of records that tracks of this kind carry.
Kinds kinds_carried_by(Track::Kind carrier) noexcept {
    Kinds kinds;
    for (const Kind kind : all_kinds)
        if (carrier_of(kind) == carrier) kinds.add(kind);
    return kinds;
}

/// Returns true if the target accepts the records of a track of `schema` unchanged.
bool can_write(const Schema& schema, const Track& track, const Format& to) noexcept {
    if (to.writes.accepts_any_trace()) return true;
    if (!to.writes.kinds.has_all(kinds_carried_by(track.kind))) return false;
    if (!to.writes.protocol.empty() &&
        (track.scope >= schema.scopes().size() || schema.scopes()[track.scope].protocol != to.writes.protocol))
        return false;
    switch (track.kind) {
        case Track::Kind::native:
            return belongs_to(track, to.name);
        case Track::Kind::event_type:
        case Track::Kind::notes:
            return to.writes.foreign_events || belongs_to(track, to.name);
        case Track::Kind::stream:
        case Track::Kind::relation_type:
            return to.writes.accepts_interval_track == nullptr || to.writes.accepts_interval_track(track);
        case Track::Kind::storage:
        case Track::Kind::signal:
        case Track::Kind::hart:
            return true;
    }
    return false;
}

/// Returns true for a format that holds only signals and tracks of the format itself.
bool accepts_only_changes(const Format& to) noexcept {
    return to.writes.kinds.has(Kind::change) && !to.writes.kinds.has(Kind::interval) && !to.writes.foreign_events;
}

/// Returns true for a format that holds only intervals and their relations.
bool accepts_only_intervals(const Format& to) noexcept {
    const Kinds kinds = to.writes.kinds;
    return kinds.has(Kind::interval) && !kinds.has(Kind::event) && !kinds.has(Kind::instruction);
}

/// Returns true if the target keeps this mark for a trace with this schema.
bool keeps(std::string_view mark, const Schema& schema, const Format& to, const Settings& settings) {
    if (to.writes.foresee == nullptr) return true;
    std::vector<ExpectedLoss> losses;
    to.writes.foresee(schema, settings, losses);
    return std::ranges::none_of(losses, [&](const ExpectedLoss& loss) {
        return loss.loss == Loss::metadata_dropped && (loss.subject == mark || loss.subject == "*");
    });
}

std::string frequency_text(std::uint64_t period_ps, Ratio ipc) {
    std::string text = std::to_string(period_ps) + " ps per cycle, " + std::to_string(ipc.num);
    if (ipc.den != 1) text.append("/").append(std::to_string(ipc.den));
    return text + (ipc == Ratio{1, 1} ? " instruction per cycle" : " instructions per cycle");
}

/// Returns the assumption for tracks with ticks of unknown length. Names the tracks if there are several time bases.
template <typename Takes>
std::string assumed_ticks(const Schema& schema, std::uint64_t period_ps, std::string_view what, Takes&& takes) {
    const Track* first = nullptr;
    std::size_t timeless = 0;
    bool timed = false;
    for (const Track& track : schema.tracks()) {
        if (!takes(track)) continue;
        timed = timed || has_duration(track.time);
        if (has_duration(track.time)) continue;
        if (timeless++ == 0) first = &track;
    }
    const std::string length = std::to_string(period_ps) + " ps";
    if (!timed || first == nullptr)
        return std::string("the trace does not state the length of a cycle: assumed ").append(length).append(what) +
               " (--clock changes it)";
    std::string text = "track '" + first->name + "'";
    if (timeless > 1) text.append(" and ").append(counted(timeless - 1, "other"));
    return text.append(timeless > 1 ? " do not count" : " does not count")
        .append(" time: assumed ")
        .append(length)
        .append(" per tick, because other tracks count time (--clock changes it)");
}

/// Returns the loss that counts dropped records of tracks of this kind.
Loss loss_of(Track::Kind kind) noexcept {
    return kind == Track::Kind::native          ? Loss::native_dropped
           : kind == Track::Kind::relation_type ? Loss::relation_dropped
                                                : Loss::kind_dropped;
}

/// Drops and counts the records of tracks that the target does not accept.
class Dropping final : public Stage {
public:
    /// If `counts_unused`, also counts tracks without records, because a format may declare its own tracks in every
    /// trace.
    Dropping(const Schema& source, const Format& to, bool counts_unused, Losses& losses)
        : source_(source), to_(to), counts_unused_(counts_unused), losses_(losses) {}
    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override {
        while (keep_.size() < source_.tracks().size())  // tracks may appear while reading
            keep_.push_back(can_write(source_, source_.tracks()[keep_.size()], to_));
        for (const Record& record : in.records()) {
            if (keep_[record.track]) {
                out.copy(in, record, record.track);
                continue;
            }
            used_.resize(source_.tracks().size());
            used_[record.track] = true;
            losses_.count(loss_of(source_.tracks()[record.track].kind), source_.tracks()[record.track].name,
                          [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
        }
    }
    bool finish(Batch&) override {
        used_.resize(source_.tracks().size());
        for (TrackId id = 0; counts_unused_ && id < used_.size(); ++id)
            if (const Track& track = source_.tracks()[id];
                !used_[id] && track.kind != Track::Kind::native && !can_write(source_, track, to_))
                losses_.count(loss_of(track.kind), Subject::unused(track.name),
                              [] { return std::string("the track, which has no records"); });
        counts_unused_ = false;
        return false;
    }

private:
    const Schema& source_;
    const Format& to_;
    bool counts_unused_;
    std::vector<bool> keep_, used_;
    Losses& losses_;
};

/// Returns true if a scope with this protocol has the catalogue to which its other tracks refer.
bool has_catalogue(const Schema& schema, std::string_view protocol) {
    if (protocol == names::cpu_protocol) {
        const std::vector<CpuScope> scopes = cpu_scopes(schema);
        return std::any_of(scopes.begin(), scopes.end(), [](const CpuScope& cpu) { return cpu.entity_id != no_field; });
    }
    const std::vector<NocScope> scopes = noc_scopes(schema);
    return protocol == names::noc_protocol &&
           std::any_of(scopes.begin(), scopes.end(), [](const NocScope& noc) { return noc.transactions != none; });
}

bool accepts_tables(const Format& to) noexcept {
    return to.writes.foreign_events && to.writes.kinds.has_all({Kind::event, Kind::set, Kind::clear, Kind::add});
}

std::deque<Track>::const_iterator find_kind(const Schema& schema, Track::Kind kind) noexcept {
    return std::find_if(schema.tracks().begin(), schema.tracks().end(),
                        [&](const Track& track) { return track.kind == kind; });
}

bool has_track(const Schema& schema, Track::Kind kind) noexcept {
    return find_kind(schema, kind) != schema.tracks().end();
}

/// Returns true if the target keeps the marks of a lowering, so that the lowering can be undone.
bool keeps_marks(const Format& to, const Settings& settings) {
    if (to.writes.foresee == nullptr) return true;
    Schema noted;
    noted.describe(std::string(names::signal_source), {});
    std::vector<ExpectedLoss> losses;
    to.writes.foresee(noted, settings, losses);
    return std::ranges::none_of(losses, [](const ExpectedLoss& loss) {
        return loss.loss == Loss::metadata_dropped && loss.subject == names::signal_source;
    });
}

/// Returns true if the times of all tracks can be compared directly.
bool has_one_base(const Schema& schema) noexcept {
    return std::ranges::all_of(schema.tracks(),
                               [&](const Track& track) { return track.time == schema.tracks().front().time; });
}

std::string_view name_of_records(Track::Kind kind) noexcept {
    switch (kind) {
        case Track::Kind::event_type:
            return "an event";
        case Track::Kind::storage:
            return "an operation on a table";
        case Track::Kind::signal:
            return "a change of a signal";
        case Track::Kind::stream:
            return "an interval";
        case Track::Kind::relation_type:
            return "a relation";
        case Track::Kind::hart:
            return "an instruction";
        case Track::Kind::notes:
            return "a note";
        case Track::Kind::native:
            break;
    }
    return "a native record";
}

/// Returns the mapping of records of tracks of this kind to samples of a signal.
Mapping sample_of(Track::Kind kind) {
    std::string sample = "a sample of a structure";
    switch (kind) {
        case Track::Kind::event_type:
        case Track::Kind::relation_type:
            sample.append(" with the fields as members and repeated fields as arrays");
            break;
        case Track::Kind::storage:
            sample.append(": the slot, and the field or property that it sets");
            break;
        case Track::Kind::stream:
            sample.append(" at its begin: duration and attributes");
            break;
        case Track::Kind::hart:
            sample.append(": pc, encoding, size, target, registers, accesses with data");
            break;
        case Track::Kind::notes:
            sample.append(": its text");
            break;
        case Track::Kind::signal:
            sample = "itself";
            break;
        case Track::Kind::native:
            sample.append(": its bytes");
            break;
    }
    return {std::string(name_of_records(kind)), std::move(sample)};
}

/// Builds a plan. Each transformation examines the current schema and adds a stage if needed.
class Planning {
public:
    Planning(const Schema& source, const Choices& choices, Losses& losses)
        : source_(source), choices_(choices), criteria_(choices.criteria), losses_(losses) {}

    void read(const Format& from);
    void raise(const Format& to) {
        if (to.writes.accepts_any_trace() && !to.writes.raises(choices_.settings)) return;
        raise_records(to);
        raise_instructions(to);
        raise_intervals(to);
        raise_names(to);
        raise_signals(to);
        raise_records(to);  // after the signals or intervals that represent them
        raise_transactions(to);
    }
    void select();
    void lower_instructions(const Format& to);
    void lower_signals(const Format& from, const Format& to);
    void lower_to_names(const Format& to);
    void lower_intervals(const Format& from, const Format& to);
    void make_intervals(const Format& to);
    bool make_record_intervals(const Format& to);
    void make_signals(const Format& from, const Format& to);
    void rescale(const Format& to);
    void sort(const Format& to);
    void refuse_several_harts(const Format& to) const;
    void refuse_pointless(const Format& to);
    void drop(const Format& to);
    void write(const Format& to);
    Plan take() {
        plan_.time_ordered = time_ordered_;
        return std::move(plan_);
    }

private:
    void step_of_sort() {
        step("sort", "records sorted by time; equal times keep their order",
             {{"the order of records", "time order; records of equal time keep their order"}});
    }
    std::vector<Mapping> kept_as_it_is(const Format& to) const;
    std::vector<Mapping> samples_of_tracks() const;
    void step_of_interval_lowering(bool has_streams);
    void step_of_interval_making(const Format& to);
    void raise_records(const Format& to);
    void raise_instructions(const Format& to);
    void raise_retired_instructions(const Format& to);
    void raise_transactions(const Format& to);
    template <typename Raising>
    void leave_out_unwanted(const Raising& raising);
    void keep_part_of(const Schema& whole);
    void raise_intervals(const Format& to);
    void raise_names(const Format& to);
    void raise_signals(const Format& to);
    const Schema& here() const noexcept { return plan_.target_schema(source_); }
    RecordOrder order() const noexcept { return time_ordered_ ? RecordOrder::by_time : RecordOrder::any; }
    void step(std::string name, std::string what, std::vector<Mapping> becomes = {}) {
        plan_.steps.push_back({std::move(name), std::move(what), std::move(becomes), plan_.losses.size()});
    }
    /// Adds a step whose description is its list of mappings.
    void step(std::string name, std::vector<Mapping> becomes) {
        std::string what;
        for (const Mapping& one : becomes)
            what.append(what.empty() ? "" : "; ").append(one.fact).append(" becomes ").append(one.becomes);
        step(std::move(name), std::move(what), std::move(becomes));
    }
    const std::string& folder() const noexcept { return choices_.settings.temporary_folder; }
    void foretell(Loss loss, std::string subject, std::string why) {
        plan_.losses.push_back({loss, std::move(subject), std::move(why)});
    }
    template <typename T, typename... Arguments>
    void append(Arguments&&... arguments) {
        plan_.stages.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    }
    template <typename... Arguments>
    void append_held_values(Arguments&&... arguments) {
        auto stage = std::make_unique<HeldValues>(std::forward<Arguments>(arguments)...);
        if (!choices_.range) stage->hold_until_stated_ends();
        plan_.stages.push_back(std::move(stage));
    }

    const Schema& source_;
    const Choices& choices_;
    Criteria criteria_;  // criteria of choices_ that no stage applies yet
    Losses& losses_;
    Plan plan_;
    ReadCapabilities reads_;  // capabilities of the source's format; no kinds if unknown
    bool time_ordered_ = true;
    bool of_model_ = false;       // the source is in a format of the model itself, so any tracks may occur together
    bool numbers_harts_ = false;  // times of the source's instructions are positions
    bool signals_in_tables_ = false;
    std::vector<std::string> rescaled_;  // tracks whose times SignalMaking converts to another time base
    bool restores_records_ = false;      // intervals became the records of another format's trace again
};

void Planning::read(const Format& from) {
    reads_ = from.reads;
    step("read " + std::string(from.name), std::string(from.title));
    time_ordered_ = from.reads.time_ordered;
    of_model_ = from.writes.accepts_any_trace();
    numbers_harts_ = !of_model_;
}

// --- raisings ------------------------------------------------------------------------------------------------------

void Planning::raise_records(const Format& to) {
    // A selection applies to raised records. Selected records become signals or intervals again.
    const bool selects = choices_.range || choices_.criteria.any();
    if (SignalsOfIntervals::is_made(here())) {
        // Intervals that are lowered to storages keep their times, but raised instructions would have no times.
        const bool stay =
            accepts_only_intervals(to) || (accepts_tables(to) && !to.writes.kinds.has(Kind::instruction) &&
                                           to.writes.protocol.empty() && SignalsOfIntervals::has_instructions(here()));
        if (stay && !(accepts_only_intervals(to) && selects)) return;
        step("raise records", {{"an interval made from another record", "the original record"}});
        foretell(Loss::field_dropped, "*", "attributes that another tool added");
        foretell(Loss::relation_dropped, "*", "relations that another tool added");
        append<SignalsOfIntervals>(here(), losses_);
        restores_records_ = true;
    } else {
        if ((accepts_only_changes(to) && !selects) || !RecordsOfSignals::is_made(here())) return;
        step("raise records", {{"a signal made from other records", "the original records"}});
    }
    foretell(Loss::kind_dropped, "*", "records that another tool added");
    plan_.raises = true;
    reads_.relations = RelationPlace::anywhere;
    numbers_harts_ = false;
    time_ordered_ = RecordsOfSignals::are_time_ordered(here());
    append<RecordsOfSignals>(here(), folder(), losses_);
}

void Planning::raise_instructions(const Format& to) {
    if (!to.writes.kinds.has(Kind::instruction) || has_track(here(), Track::Kind::hart)) return;
    if (!InstructionRaising::is_lowered(here())) return raise_retired_instructions(to);
    step("raise the cpu protocol to instructions",
         {{"entities, registers and memory events made from instructions", "the original instructions"}});
    foretell(Loss::kind_dropped, "*", "records that another tool added");
    foretell(Loss::native_dropped, "*", "items that do not match the file's schema, and empty frames");
    for (const Loss loss : {Loss::part_dropped, Loss::value_narrowed, Loss::order_changed, Loss::metadata_dropped})
        foretell(loss, "*", "changes by another tool that the target cannot represent");
    plan_.raises = true;
    append<InstructionRaising>(here(), losses_);
}

/// Adds a stage that drops the tracks from which `raising` makes no selected track. Otherwise, `raising` would count
/// losses for these tracks, because the criteria apply to the tracks that `raising` makes.
template <typename Raising>
void Planning::leave_out_unwanted(const Raising& raising) {
    RecordCriteria& asked = criteria_.records;
    const Schema& schema = here();
    std::vector<bool> wanted(schema.tracks().size());
    std::vector<ScopeId> scopes;  // scopes of tracks that become selected tracks
    bool has_hart = false;
    for (TrackId id = 0; id < wanted.size(); ++id) {
        const TrackId target = raising.target_of(id);
        wanted[id] = target != none && accepts_track(raising.schema(), target, asked);
        if (!wanted[id]) continue;
        scopes.push_back(schema.tracks()[id].scope);
        has_hart = has_hart || raising.schema().tracks()[target].kind == Track::Kind::hart;
    }
    // If no track is left, select() reports that. Records beside instructions are kept only with a selected hart.
    if (!has_hart) return;
    RecordCriteria before, of_source = asked;
    of_source.only.clear();
    for (TrackId id = 0; id < wanted.size(); ++id) {
        // Selected ids are ids of the target. A track without a target is kept or dropped with its scope.
        const bool beside = raising.target_of(id) == none && accepts_track(schema, id, of_source) &&
                            (asked.only.empty() || any_upwards(schema, schema.tracks()[id].scope, [&](ScopeId up) {
                                 return std::ranges::find(scopes, up) != scopes.end();
                             }));
        if (wanted[id] || beside) before.only.push_back(id);
    }
    if (before.only.size() == wanted.size()) return;
    asked.only.clear();
    for (const Kind kind : all_kinds)
        if (!asked.kinds.empty() &&
            (kind != Kind::relation || std::ranges::find(asked.kinds, kind) != asked.kinds.end()))
            before.kinds.push_back(kind);
    step("select", "records of the tracks that the selected ones are made from");
    const bool follows = relations_follow_intervals(schema, before, choices_.time.period_ps);
    append<RecordSelection>(schema, before, RecordSelectionOptions{choices_.time.period_ps, choices_.settings.limits});
    keep_part_of(schema);
    if (follows && RelationEnds::is_needed(here()))
        append<RelationEnds>(here(), RelationEnds::Keep::leading_in, reads_.relations, choices_.settings.limits,
                             nullptr);
}

/// Raises retired entities of a trace that was not lowered, for a format that holds only instructions.
void Planning::raise_retired_instructions(const Format& to) {
    if (to.writes.foreign_events || to.writes.accepts_any_trace() || !RetiredInstructions::is_possible(here())) return;
    if (criteria_.records.any()) leave_out_unwanted(RetiredInstructions(here(), losses_));
    step("raise retired instructions", {{"a retired entity", "an instruction with pc, encoding and target"}});
    RetiredInstructions::foretell(here(), plan_.losses);
    plan_.refusal = "nothing in this trace can be written as " + std::string(to.name) +
                    ": no retired instruction has a known pc and encoding";
    plan_.refusing = plan_.stages.size();
    append<RetiredInstructions>(here(), losses_);
}

/// Raises transactions of a trace that was not lowered, for a format that holds only instructions.
void Planning::raise_transactions(const Format& to) {
    if (!to.writes.kinds.has(Kind::instruction) || to.writes.foreign_events || to.writes.accepts_any_trace() ||
        has_track(here(), Track::Kind::hart) || !TransactionRaising::is_possible(here()))
        return;
    const bool takes_some = std::ranges::any_of(here().tracks(), [&](const Track& track) {
        return track.kind == Track::Kind::stream && can_write(here(), track, to);
    });
    if (takes_some) return;
    if (criteria_.records.any()) leave_out_unwanted(TransactionRaising(here(), folder(), losses_));
    step("raise transactions", {{"a transaction with a pc and an encoding", "an instruction"},
                                {"a transaction with an address, a size and a direction", "a bus access"}});
    plan_.steps.back().what.append("; sorted by end time");
    TransactionRaising::foretell(here(), plan_.losses);
    if (std::string assumption = TransactionRaising::assumption(here()); !assumption.empty())
        plan_.assumptions.push_back(std::move(assumption));
    plan_.refusal = "nothing in this trace can be written as " + std::string(to.name) +
                    ": no transaction has all values of an instruction or a bus access";
    plan_.refusing = plan_.stages.size();
    append<TransactionRaising>(here(), folder(), losses_);
    time_ordered_ = true;
}

void Planning::raise_intervals(const Format& to) {
    // Lowered signals are raised from storages. The storages of lowered intervals precede these storages, so raise
    // intervals first.
    const bool wanted = to.writes.kinds.has(Kind::interval) || accepts_only_changes(to) ||
                        (to.writes.kinds.has(Kind::change) && here().metadata(names::signal_source) != nullptr);
    if (!wanted) return;
    if (EntityRemoval::is_shown(here())) {
        step("remove entities", "the entities that show intervals are left out");
        foretell(Loss::native_dropped, "*", "items that do not match the file's schema, and empty frames");
        append<EntityRemoval>(here(), losses_);
    }
    if (!IntervalRaising::is_lowered(here())) return;
    step("raise intervals", {{"tables and events made from intervals", "the original intervals and relations"}});
    foretell(Loss::kind_dropped, "*", "records that another tool added");
    foretell(Loss::native_dropped, "*", "items that do not match the file's schema, and empty frames");
    for (const Loss loss : {Loss::part_dropped, Loss::order_changed, Loss::time_rounded})
        foretell(loss, "*", "items that another tool removed or changed");
    plan_.raises = true;
    reads_.relations = RelationPlace::anywhere;
    time_ordered_ = IntervalRaising::was_time_ordered(here());
    append<IntervalRaising>(here(), folder(), losses_);
}

void Planning::raise_names(const Format& to) {
    if (!to.writes.text_attribute.empty() || !IntervalsOfNames::is_named(here())) return;
    step("raise names", "names of events become the original attributes");
    foretell(Loss::kind_dropped, "*", "records that another tool added");
    plan_.raises = true;
    append<IntervalsOfNames>(here(), losses_);
}

void Planning::raise_signals(const Format& to) {
    const bool accepts_changes = to.writes.kinds.has(Kind::change);
    const bool of_tables = (accepts_changes || !accepts_tables(to)) && SignalsOfTables::is_lowered(here());
    const bool of_held =
        (accepts_changes || !to.writes.kinds.has(Kind::interval)) && SignalsOfHeldValues::is_lowered(here());
    if (!of_tables && !of_held) return;
    step("raise signals", {{of_tables ? "a table made from a signal" : "intervals made from held values",
                            of_tables ? "the original signal" : "the original signals"}});
    foretell(Loss::kind_dropped, "*", "records that another tool added");
    plan_.raises = true;
    if (of_tables) return append<SignalsOfTables>(here(), losses_);
    foretell(Loss::field_dropped, "*", "attributes that another tool added");
    append<SignalsOfHeldValues>(here(), losses_);
}

// --- the user's choices --------------------------------------------------------------------------------------------

/// Registers the output of the stages so far as a slice of `whole`.
void Planning::keep_part_of(const Schema& whole) {
    if (!plan_.part) plan_.part.emplace(losses_);
    plan_.part->follow(whole, here(), plan_.stages.size());
}

void Planning::select() {
    const Schema& whole = here();
    Criteria criteria = criteria_;
    settle(here(), criteria);
    const bool follows = relations_follow_intervals(here(), criteria.records, choices_.time.period_ps);
    if (choices_.range || criteria.instructions.any()) {
        constexpr Range everything{Range::Unit::record, 0, std::nullopt};
        const Range range = choices_.range.value_or(everything);
        step("select", criteria.instructions.any() ? "the selected instructions" : "records in the range");
        SelectionOptions options;
        options.period_ps = choices_.time.period_ps;
        options.limits = choices_.settings.limits;
        options.instructions = criteria.instructions;
        options.reads = reads_;
        options.relations_follow = follows;
        plan_.stages.push_back(make_selection(here(), range, options));
        const auto& tracks = here().tracks();
        const bool unknown_time = tracks.empty() || std::any_of(tracks.begin(), tracks.end(), [](const Track& track) {
                                      return track.kind == Track::Kind::stream && !has_duration(track.time);
                                  });
        if (range.unit == Range::Unit::time_ps && unknown_time) plan_.gives_time = true;
    }
    if (criteria.records.any()) {
        step("select", criteria.records.fields.empty() ? "records of the selected kinds, scopes and tracks"
                                                       : "records whose fields match");
        append<RecordSelection>(here(), criteria.records,
                                RecordSelectionOptions{choices_.time.period_ps, choices_.settings.limits});
    }
    // Register the slice before RelationEnds is added, because the relations that RelationEnds counts as lost belong to
    // the slice.
    if (choices_.range || criteria.instructions.any() || criteria.records.any()) keep_part_of(whole);
    const bool may_get_relations = !reads_.schema_upfront && reads_.kinds.has(Kind::relation);
    if ((!choices_.range && !choices_.criteria.any()) || !(RelationEnds::is_needed(here()) || may_get_relations))
        return;
    constexpr std::string_view why = "relations from intervals outside the slice";
    for (const Track& track : here().tracks())
        if (track.kind == Track::Kind::relation_type) foretell(Loss::part_dropped, track.name, std::string(why));
    if (may_get_relations) foretell(Loss::part_dropped, "*", std::string(why));
    append<RelationEnds>(here(), follows ? RelationEnds::Keep::leading_in : RelationEnds::Keep::all, reads_.relations,
                         choices_.settings.limits, &losses_);
}

// --- lowerings -----------------------------------------------------------------------------------------------------

void Planning::lower_instructions(const Format& to) {
    const auto found = find_kind(here(), Track::Kind::hart);
    if (found == here().tracks().end() || to.writes.kinds.has(Kind::instruction) || !accepts_tables(to)) return;
    if (to.writes.protocol.empty() && !(InstructionLowering::returns(here()) && time_ordered_)) {
        step("make signals",
             "the trace also has other records with times: each track becomes a signal, and each record a change",
             samples_of_tracks());
        return append<SignalMaking>(here(), to, order(), losses_);
    }
    const auto hart = static_cast<TrackId>(found - here().tracks().begin());
    const TimeModel& time = choices_.time;
    const std::uint64_t period = time.period_ps.value_or(assumed_period_ps);
    const Ratio ipc = time.instructions_per_cycle.value_or(Ratio{1, 1});
    std::vector<Mapping> made{{"an instruction",
                               "an entity in the stage `commit`, updates of counters and register tables, and events "
                               "`branch` and `memory_access`"}};
    if (std::ranges::any_of(here().tracks(), [](const Track& track) { return track.kind != Track::Kind::hart; }))
        made.push_back({"an event, a note or a native record", "an event of the same name"});
    step("lower instructions to the cpu protocol", std::move(made));
    const ScopeId scope = here().tracks()[hart].scope;
    plan_.steps.back()
        .what.append("; in scope '")
        .append(scope == none ? here().tracks()[hart].name : here().scopes()[scope].name)
        .append("', ")
        .append(frequency_text(period, ipc));
    if (!time.period_ps || !time.instructions_per_cycle)
        plan_.assumptions.push_back("the trace has no time: assumed " + frequency_text(period, ipc) +
                                    " (--clock and --ipc change it)");
    const std::string* vector_bits = here().metadata(names::vector_bits);
    if (vector_bits != nullptr && parse_count(*vector_bits).value_or(0) > InstructionLowering::max_vector_words * 64)
        foretell(Loss::part_dropped, "v", "vector registers of " + *vector_bits + " bits are too wide for a table");
    const auto drop_object = [&](const std::string& name) {
        constexpr std::string_view why = "the cpu protocol defines its own clocks and enumerations";
        foretell(Loss::part_dropped, name, std::string(why));
        losses_.count(Loss::part_dropped, name, [&] { return std::string(why); });
    };
    for (const Clock& clock : here().clocks())
        drop_object(clock.name);
    for (const Enum& enumeration : here().enums())
        drop_object(enumeration.name);
    for (const Track& track : here().tracks()) {
        if (InstructionLowering::takes(here(), track)) {
            if (!numbers_harts_)
                foretell(Loss::time_rounded, track.name, "its times become the index of the next instruction");
        } else {
            foretell(loss_of(track.kind), track.name,
                     "an instruction trace has no place for " + std::string(name_of(track.kind)) + " records");
        }
    }
    plan_.gives_time = true;
    plan_.lowers = true;
    append<InstructionLowering>(
        here(), hart, period, ipc, losses_,
        numbers_harts_ ? InstructionLowering::Positions::numbers : InstructionLowering::Positions::any);
}

void Planning::lower_signals(const Format& from, const Format& to) {
    const Schema& schema = here();
    const Kinds kinds = to.writes.kinds;
    // A trace without tracks is also lowered if its format is a format of signals, so that raising restores a trace of
    // signals.
    const bool empty = schema.tracks().empty() && !plan_.raises && from.reads.kinds.has(Kind::change) &&
                       !from.reads.kinds.has(Kind::set);
    const auto is_of_source = [&](const Track& track) {  // native records of the source's format
        return track.kind == Track::Kind::native && belongs_to(track, from.name);
    };
    // A trace of events and intervals can be restored only with the mark of HeldValues. Other stages that make
    // intervals leave no mark.
    const bool beside = !plan_.raises && kinds.has(Kind::interval) && !kinds.has(Kind::event) &&
                        to.writes.text_attribute.empty() && keeps_marks(to, choices_.settings) &&
                        std::ranges::any_of(schema.tracks(), HeldValues::makes) &&
                        std::ranges::none_of(schema.tracks(), is_of_source) &&
                        std::ranges::all_of(schema.tracks(), HeldValues::returns);
    const bool some = empty || beside || has_track(schema, Track::Kind::signal);
    if (kinds.has(Kind::change) || !some || has_track(schema, Track::Kind::hart) || plan_.lowers ||
        !to.writes.protocol.empty())
        return;
    if (accepts_tables(to)) {
        plan_.reorders = !time_ordered_ || !has_one_base(schema);
        if (!time_ordered_) {  // storages record only changes, so changes must be in time order
            step_of_sort();
            append<TimeSort>(schema, folder());
            time_ordered_ = true;
        }
        step("lower signals",
             {{"a signal",
               "a one-slot table with the current value and a field `mark` for conflicts and tags; array "
               "elements become events"}});
        for (const Track& track : schema.tracks()) {
            if (track.kind == Track::Kind::signal)
                foretell(Loss::part_dropped, track.name,
                         "changes without a value, and further values of the same field in a change");
            if (track.kind == Track::Kind::signal && track.fields.size() > 1)
                foretell(Loss::order_changed, track.name, "several values of the same name in a change");
            if (SignalTables::narrows(schema, track))
                foretell(Loss::type_changed, track.name,
                         "values of enumerations that " + std::string(to.name) + " cannot hold");
        }
        signals_in_tables_ = true;
        append<SignalTables>(schema, losses_);
    } else if (kinds.has(Kind::interval)) {
        std::vector<Mapping> made;
        const bool keeps = to.writes.text_attribute.empty();
        if (has_track(schema, Track::Kind::signal))
            made.push_back({"a value of a signal",
                            keeps ? "an interval until the next change or the end, with the value as attributes"
                                  : "an interval until the next change or the end, with the value as its name"});
        if (std::ranges::any_of(schema.tracks(), [](const Track& track) {
                return track.kind != Track::Kind::signal && HeldValues::makes(track);
            }))
            made.push_back({"an event, a note or a native record", "an interval of length 0"});
        step("make intervals of held values", std::move(made));
        const bool returns = std::ranges::all_of(schema.tracks(), HeldValues::returns);
        if (to.writes.text_attribute.empty() && returns && keeps_marks(to, choices_.settings)) {
            plan_.lowers = true;
            plan_.reorders = true;  // the target may reorder intervals that start at the same time
            append_held_values(schema, folder());
            return;
        }
        const bool no_relations = !has_track(schema, Track::Kind::relation_type);
        if (!to.writes.text_attribute.empty() && returns && no_relations && has_one_base(schema))
            return lower_to_names(to);
        for (const Track& track : schema.tracks())
            if (HeldValues::makes(track))
                foretell(Loss::type_changed, track.name, "its records are restored as intervals");
        append_held_values(schema, folder(), to.writes.text_attribute, losses_);
    }
}

/// Lowers a trace for a format that stores one string per interval.
void Planning::lower_to_names(const Format& to) {
    step("name", {{"an interval's attributes", "its name"}});
    for (const Track& track : here().tracks())
        foretell(Loss::type_changed, track.name, "values that cannot be restored from their text");
    plan_.lowers = true;
    append_held_values(here(), folder());
    append<NamedIntervals>(here(), to, losses_);
}

void Planning::step_of_interval_lowering(bool has_streams) {
    if (has_streams) {
        std::vector<Mapping> made{{"an interval",
                                   "a row of a table of active intervals, an event with the attributes at its begin, "
                                   "and an event at its end; a counter with the busy time of each scope"}};
        if (has_track(here(), Track::Kind::relation_type)) made.push_back({"a relation", "an event of the same name"});
        step("lower intervals", std::move(made));
    } else {
        step("time", {{"a tick", "its time in picoseconds, from which the tick is restored"}});
    }
    if (!time_ordered_) plan_.steps.back().what.append("; sorted by time");
}

void Planning::lower_intervals(const Format& from, const Format& to) {
    // A trace without intervals is also lowered if its format is a format of intervals, so that raising restores a
    // trace of intervals.
    const Schema& schema = here();
    const bool has_streams =
        has_track(schema, Track::Kind::stream) || (from.reads.kinds.has(Kind::interval) && !restores_records_);
    const bool has_any = has_streams || signals_in_tables_ ||
                         ((of_model_ || restores_records_) && IntervalLowering::is_needed(schema, to.name));
    if (plan_.lowers) return;  // a lowered instruction trace is not an interval trace
    if (!has_any || to.writes.kinds.has(Kind::interval) || !accepts_tables(to) || has_track(schema, Track::Kind::hart))
        return;
    if (!to.writes.protocol.empty()) return;  // the lowering makes tracks without a protocol
    const std::uint64_t period = choices_.time.period_ps.value_or(assumed_period_ps);
    bool unknown_time = false, attributes = false, others = false, coarse = false;
    step_of_interval_lowering(has_streams);
    for (const Track& track : schema.tracks()) {
        const bool is_stream = track.kind == Track::Kind::stream;
        coarse =
            coarse || (is_stream && PicosecondScale(track.time, period).period_ps() > IntervalLowering::max_period_ps);
        unknown_time = unknown_time || (IntervalLowering::takes(track) && !has_duration(track.time));
        attributes = attributes || (is_stream && !track.fields.empty());
        others = others || !is_stream;
        if (!IntervalLowering::takes(track))
            foretell(loss_of(track.kind), track.name,
                     std::string(to.name) + " has no place for " + std::string(name_of(track.kind)) + " records");
    }
    if (unknown_time && !choices_.time.period_ps)
        plan_.assumptions.push_back(assumed_ticks(schema, period, "", IntervalLowering::takes));
    foretell(Loss::time_rounded, "*", "times below 0 or above 2^63 ps are clamped");
    if (coarse) foretell(Loss::value_narrowed, "*", "tick lengths above 4.29 ms, which no clock can hold");
    if (attributes) {
        foretell(Loss::part_dropped, "*",
                 "repeated attributes of an interval, and those beyond the first " +
                     std::to_string(IntervalLowering::most_attributes));
        foretell(Loss::order_changed, "*", "attributes that are not in the order of their stream");
    }
    if (others && has_streams && !(time_ordered_ && has_one_base(schema)))
        foretell(Loss::order_changed, "*",
                 "other records lose their place among unsorted intervals; relations between two intervals are sorted "
                 "by time");
    for (const Metadata& entry : schema.metadata())
        if (IntervalLowering::drops_metadata(entry.key))
            foretell(Loss::metadata_dropped, entry.key, "a key that the conversion itself uses");
    plan_.gives_time = plan_.gives_time || unknown_time;
    plan_.lowers = true;
    // The ids of intervals preserve the order of the source. In a trace without intervals, nothing preserves the order
    // of records.
    plan_.reorders =
        plan_.reorders || (!(time_ordered_ && has_one_base(schema)) && !has_track(schema, Track::Kind::stream));
    append<IntervalLowering>(schema, unknown_time ? period : assumed_period_ps,
                             time_ordered_ ? Order::by_time : Order::any, folder(), losses_);
    time_ordered_ = true;
    if (to.writes.shows_entities == nullptr || !to.writes.shows_entities(choices_.settings) ||
        !EntityView::suits(here()))
        return;
    step("show entities", {{"an interval", "also an entity of the protocol cpu"}});
    append<EntityView>(here());
}

/// Turns all records into intervals and returns true. Does nothing and returns false if all records are intervals
/// already, or if the trace has storages, signals or tracks of the target format. Also returns false if the target does
/// not keep the mark and all attributes of intervals.
bool Planning::make_record_intervals(const Format& to) {
    const Schema& schema = here();
    if (!to.writes.text_attribute.empty()) return false;
    bool makes = false, numbered = false, timeless = false;
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::storage || track.kind == Track::Kind::signal || belongs_to(track, to.name))
            return false;
        makes = makes || track.kind == Track::Kind::hart || track.kind == Track::Kind::event_type ||
                track.kind == Track::Kind::notes;
        numbered = numbered || (track.kind == Track::Kind::stream && states_numbers(track));
        timeless = timeless || !has_duration(track.time);
    }
    if (!makes) return false;
    const std::uint64_t period = choices_.time.period_ps.value_or(assumed_period_ps);
    const Ratio seconds = Ratio{period, picoseconds_per_second}.reduced();
    // If intervals have no ids, the target assigns ids that preserve the order of the intervals.
    const RecordOrder counted = numbered && time_ordered_ ? RecordOrder::by_time_counted : order();
    auto samples = std::make_unique<SignalMaking>(schema, to, counted, losses_);
    auto intervals = std::make_unique<SampleIntervals>(samples->schema(),
                                                       TimeBase{TimeBase::Kind::seconds, seconds.num, seconds.den});
    if (!keeps(names::record_source, intervals->schema(), to, choices_.settings)) return false;
    std::vector<Mapping> made;
    const auto add = [&](Track::Kind kind, std::string fact, std::string becomes) {
        if (has_track(schema, kind)) made.push_back({std::move(fact), std::move(becomes)});
    };
    add(Track::Kind::event_type, "an event", "an interval of length 0, with its fields as attributes");
    add(Track::Kind::notes, "a note", "an interval of length 0, with its text as an attribute");
    add(Track::Kind::hart, "an instruction", "an interval of one cycle, with all values as attributes");
    add(Track::Kind::stream, "an interval", "itself");
    add(Track::Kind::relation_type, "a relation", "an interval of length 0, and a relation between its ends");
    step("make intervals of records", std::move(made));
    if (timeless && !choices_.time.period_ps)
        plan_.assumptions.push_back(
            assumed_ticks(schema, period, " for each cycle or position", [](const Track&) { return true; }));
    plan_.gives_time = plan_.gives_time || timeless;
    plan_.lowers = true;
    plan_.stages.push_back(std::move(samples));
    plan_.stages.push_back(std::move(intervals));
    return true;
}

void Planning::step_of_interval_making(const Format& to) {
    std::vector<Mapping> made;
    const auto add = [&](std::initializer_list<Track::Kind> kinds, std::string fact, std::string becomes) {
        const auto is_made = [&](const Track& track) {
            return std::ranges::find(kinds, track.kind) != kinds.end() && IntervalMaking::takes(track, to.writes.kinds);
        };
        if (std::ranges::any_of(here().tracks(), is_made)) made.push_back({std::move(fact), std::move(becomes)});
    };
    const bool keeps = to.writes.text_attribute.empty();
    const std::string fields = keeps ? ", with its fields as attributes" : ", with its name only";
    add({Track::Kind::event_type, Track::Kind::notes}, "an event or a note", "an interval of length 0" + fields);
    add({Track::Kind::hart}, "an instruction",
        keeps ? "an interval of one cycle, with pc and encoding as attributes" : "an interval of one cycle");
    add({Track::Kind::storage}, "a slot of a table", "an interval for each occupancy" + fields);
    for (const Track::Kind kind : {Track::Kind::stream, Track::Kind::relation_type})
        add({kind}, std::string(name_of_records(kind)), "itself");
    step("make intervals", std::move(made));
}

void Planning::make_intervals(const Format& to) {
    const Kinds kinds = to.writes.kinds;
    if (!accepts_only_intervals(to) || make_record_intervals(to)) return;
    const Schema& schema = here();
    const auto goes_on = [](const Track& track) {
        return track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type;
    };
    const auto is_made = [&](const Track& track) { return !goes_on(track) && IntervalMaking::takes(track, kinds); };
    // In a file with ticks of known length, readers would misread ticks of unknown length.
    const bool needs_duration =
        to.writes.needs_duration || std::any_of(schema.tracks().begin(), schema.tracks().end(), [](const Track& track) {
            return track.kind == Track::Kind::stream && has_duration(track.time);
        });
    const auto lacks_time = [&](const Track& track) {
        return !has_duration(track.time) &&
               (is_made(track) || (needs_duration && goes_on(track) && IntervalMaking::takes(track, kinds)));
    };
    const bool makes = std::any_of(schema.tracks().begin(), schema.tracks().end(), is_made);
    const bool positions = std::any_of(schema.tracks().begin(), schema.tracks().end(), lacks_time);
    if (!makes && !positions) return;
    if (makes)
        step_of_interval_making(to);
    else
        step("give time", {{"a cycle of unknown length", "a cycle of the length given by --clock"}});
    for (const Track& track : schema.tracks()) {
        if (is_made(track)) foretell(Loss::type_changed, track.name, "its records are restored as intervals");
        const bool taken = IntervalMaking::takes(track, kinds);
        if (!taken && (track.kind == Track::Kind::native || track.kind == Track::Kind::relation_type))
            foretell(loss_of(track.kind), track.name,
                     std::string(to.name) + " has no place for " + std::string(name_of(track.kind)) + " records");
        else if (!taken || track.kind == Track::Kind::storage)
            foretell(Loss::kind_dropped, track.name, "values that belong to no occupied slot");
    }
    for (const Track& track : schema.tracks()) {
        if (!of_model_ || !goes_on(track) || !lacks_time(track)) continue;
        constexpr std::string_view why = "its ticks of unknown length get an assumed length";
        foretell(Loss::type_changed, track.name, std::string(why));
        losses_.count(Loss::type_changed, track.name, [&] { return std::string(why); });
    }
    if (makes) foretell(Loss::part_dropped, "*", "overwritten values of a slot; rows of events; operands and accesses");
    foretell(Loss::part_dropped, std::string(IntervalMaking::tracks),
             "a trace without records is restored without tracks");
    // Positions in the stream and cycles of an unknown clock are not times. Only the user knows the clock.
    plan_.gives_time = plan_.gives_time || positions;
    const std::uint64_t period = choices_.time.period_ps.value_or(assumed_period_ps);
    const TimeBase base{TimeBase::Kind::cycles, period, picoseconds_per_second};
    if (positions && !choices_.time.period_ps)
        plan_.assumptions.push_back(
            assumed_ticks(schema, period, " for each cycle or position",
                          [&](const Track& track) { return goes_on(track) || is_made(track); }));
    append<IntervalMaking>(
        schema, base, kinds,
        to.writes.text_attribute.empty() ? IntervalMaking::Detail::everything : IntervalMaking::Detail::encoding,
        losses_, of_model_ ? IntervalMaking::Unused::counted : IntervalMaking::Unused::silent);
    if (makes) time_ordered_ = false;
}

std::vector<Mapping> Planning::samples_of_tracks() const {
    std::vector<Mapping> made;
    for (const Track::Kind kind :
         {Track::Kind::hart, Track::Kind::event_type, Track::Kind::storage, Track::Kind::signal, Track::Kind::stream,
          Track::Kind::relation_type, Track::Kind::notes, Track::Kind::native})
        if (has_track(here(), kind)) made.push_back(sample_of(kind));
    return made;
}

void Planning::make_signals(const Format& from, const Format& to) {
    const auto stays = [&](const Track& track) {
        return track.kind == Track::Kind::signal || belongs_to(track, to.name);
    };
    const std::string own = std::string(to.name) + '.';
    const bool was_one = from.name == to.name || std::ranges::any_of(here().metadata(), [&](const Metadata& fact) {
                             return fact.key.starts_with(own);
                         });
    // A mark of another format's trace lists schema objects with types that the target may not know.
    const bool is_one = std::ranges::all_of(here().tracks(), stays) && was_one;
    if (!accepts_only_changes(to) || is_one) return;
    const auto& tracks = here().tracks();
    const bool one_base =
        std::ranges::all_of(tracks, [&](const Track& track) { return track.time == tracks.front().time; });
    if (has_track(here(), Track::Kind::signal) && (!time_ordered_ || !one_base)) plan_.reorders = true;
    step("make signals", "each track becomes a signal, and each record a change", samples_of_tracks());
    for (const Track& track : tracks)
        if (SignalMaking::rescales(track, to)) rescaled_.push_back(track.name);
    plan_.lowers = true;
    append<SignalMaking>(here(), to, order(), losses_);
}

void Planning::rescale(const Format& to) {
    if (!to.writes.time_in_picoseconds || !Rescaling::is_needed(here())) return;
    const std::uint64_t period = choices_.time.period_ps.value_or(assumed_period_ps);
    step("rescale", {{"a cycle", "its time in picoseconds"}});
    if (Rescaling::needs_period(here())) {
        plan_.gives_time = true;
        if (!choices_.time.period_ps)
            plan_.assumptions.push_back("the trace does not state the length of a cycle: assumed " +
                                        std::to_string(period) + " ps (--clock changes it)");
    }
    foretell(Loss::time_rounded, "*", "times below 0 or above 2^63 ps are clamped");
    for (const Track& track : here().tracks())
        if (!Rescaling::takes(track))
            foretell(Loss::kind_dropped, track.name,
                     std::string(to.name) + " has no place for " + std::string(name_of(track.kind)) + " records");
    append<Rescaling>(here(), period, losses_);
}

// --- the target ----------------------------------------------------------------------------------------------------

void Planning::sort(const Format& to) {
    if (time_ordered_ || to.writes.needs_time_order == nullptr || has_track(here(), Track::Kind::hart) ||
        !to.writes.needs_time_order(here(), choices_.settings))
        return;
    step_of_sort();
    append<TimeSort>(here(), folder());
    time_ordered_ = true;
}

/// Throws if the trace has several harts, because a format of instructions holds one hart.
void Planning::refuse_several_harts(const Format& to) const {
    const auto harts = std::ranges::count(here().tracks(), Track::Kind::hart, &Track::kind);
    if (harts < 2 || !to.writes.kinds.has(Kind::instruction) || to.writes.accepts_any_trace()) return;
    throw AdvisedError(Failure::input,
                       std::string(to.name) + " holds the instructions of one hart, but this trace has " +
                           std::to_string(harts) + " harts",
                       "choose one with --select scope=...");
}

/// Refuses a trace if the target can write none of its tracks. For a format of instructions, the trace must have
/// instructions or intervals: events named like events of the target are not enough.
void Planning::refuse_pointless(const Format& to) {
    const Schema& schema = here();
    const Kinds kinds = to.writes.kinds;
    const bool some = std::any_of(schema.tracks().begin(), schema.tracks().end(),
                                  [&](const Track& track) { return can_write(schema, track, to); });
    const bool only_instructions = kinds.has(Kind::instruction) && !to.writes.foreign_events;
    const bool own_intervals = std::any_of(schema.tracks().begin(), schema.tracks().end(), [&](const Track& track) {
        return track.kind == Track::Kind::stream && can_write(schema, track, to);
    });
    const bool pointless = only_instructions             ? !has_track(schema, Track::Kind::hart) && !own_intervals
                           : !to.writes.protocol.empty() ? !some || !has_catalogue(schema, to.writes.protocol)
                                                         : !some;
    if (!pointless || schema.tracks().empty()) return;
    std::string why;
    if (!to.writes.protocol.empty())
        why.append(": it has no scope of the protocol '")
            .append(to.writes.protocol)
            .append("' with a table of entities");
    else if (only_instructions)
        why = to.writes.accepts_interval_track == nullptr ? ": it has no instructions"
                                                          : ": it has neither instructions nor intervals that the "
                                                            "format can hold";
    else if (kinds.has(Kind::interval))
        why = ": it has nothing that becomes an interval";
    std::string refusal = "nothing in this trace can be written as " + std::string(to.name) + why;
    // A format may declare native tracks in every trace, so the decision waits for their records.
    const bool only_native = std::all_of(schema.tracks().begin(), schema.tracks().end(),
                                         [](const Track& track) { return track.kind == Track::Kind::native; });
    const std::string missing = only_instructions ? TransactionRaising::missing(schema) : std::string();
    if (!only_native && !missing.empty())
        throw AdvisedError(
            Failure::input, refusal,
            "instructions need a pc and an encoding, and bus accesses need an address, a size and a direction: " +
                missing);
    if (!only_native) fail(Failure::input, refusal);
    plan_.refusal = std::move(refusal);
    plan_.refusing = plan_.stages.size();
}

/// Appends the expected losses of records that `to` does not accept. Adds a stage that drops them, unless another stage
/// does.
void Planning::drop(const Format& to) {
    const Schema& schema = here();
    const auto is_dropped = [&](const Track& track) { return !can_write(schema, track, to); };
    if (std::ranges::none_of(schema.tracks(), is_dropped)) return;
    std::vector<Mapping> dropped;
    for (const Track& track : schema.tracks()) {
        Mapping one{std::string(name_of_records(track.kind)), "nothing"};
        if (is_dropped(track) && std::ranges::find(dropped, one) == dropped.end()) dropped.push_back(std::move(one));
    }
    step("drop", "records that " + std::string(to.name) + " cannot hold", std::move(dropped));
    for (const Track& track : schema.tracks())
        if (is_dropped(track))
            foretell(loss_of(track.kind), track.name,
                     std::string(to.name) + " has no place for " + std::string(name_of(track.kind)) + " records");
    append<Dropping>(schema, to, of_model_, losses_);
}

/// Returns the mappings of the tracks that the target accepts, for a trace that needs no transformation.
std::vector<Mapping> Planning::kept_as_it_is(const Format& to) const {
    std::vector<Mapping> kept;
    const auto remakes = [](const PlanStep& one) {
        return std::ranges::any_of(std::array{"raise", "lower", "make"},
                                   [&](std::string_view word) { return one.name.starts_with(word); });
    };
    if (std::ranges::any_of(plan_.steps, remakes)) return kept;
    for (const Track& track : here().tracks()) {
        Mapping one{std::string(name_of_records(track.kind)), "itself"};
        if (can_write(here(), track, to) && std::ranges::find(kept, one) == kept.end()) kept.push_back(std::move(one));
    }
    return kept;
}

void Planning::write(const Format& to) {
    step("write " + std::string(to.name), std::string(to.title), kept_as_it_is(to));
    std::vector<ExpectedLoss> expected;
    if (to.writes.foresee != nullptr) to.writes.foresee(here(), choices_.settings, expected);
    if (plan_.part) {
        plan_.part->follow_target(here(), plan_.stages.size());
        // While the schema grows, the list of tracks is incomplete.
        if (reads_.schema_upfront) plan_.part->settle(expected);
    }
    std::ranges::move(expected, std::back_inserter(plan_.losses));
    for (std::string& track : rescaled_)
        foretell(Loss::time_rounded, std::move(track), "positions have 63 bits");
    for (const std::string& assumption : plan_.assumptions)
        losses_.assume(assumption);
}

}  // namespace

Plan make_plan(const Schema& source, const Format& from, const Format& to, const Choices& choices, Losses& losses) {
    Planning planning(source, choices, losses);
    planning.read(from);
    planning.raise(to);
    planning.select();
    planning.lower_instructions(to);
    planning.lower_signals(from, to);
    planning.lower_intervals(from, to);
    planning.make_intervals(to);
    planning.make_signals(from, to);
    planning.rescale(to);
    planning.sort(to);
    planning.refuse_several_harts(to);
    planning.refuse_pointless(to);
    planning.drop(to);
    planning.write(to);
    return planning.take();
}

Plan make_raising_plan(const Schema& source, const Format& to, const Choices& choices, Losses& losses) {
    Planning planning(source, choices, losses);
    planning.raise(to);
    return planning.take();
}

Plan make_source_plan(const Schema& source, const Format& from, const Format& to, const Choices& choices,
                      Losses& losses, bool lower_harts) {
    Planning planning(source, choices, losses);
    planning.read(from);
    planning.raise(whole_model());
    planning.select();
    if (lower_harts) planning.lower_instructions(to);
    return planning.take();
}

const Format& whole_model() noexcept {
    static const Format model = [] {
        Format format{};
        format.name = "model";
        for (const Kind kind : all_kinds)
            format.writes.kinds.add(kind);
        format.writes.foreign_events = true;
        return format;
    }();
    return model;
}

Plan make_selection_plan(const Schema& source, const Format& from, const Choices& choices, Losses& losses,
                         const Format* raised) {
    Planning planning(source, choices, losses);
    planning.read(from);
    if (raised != nullptr) planning.raise(*raised);
    planning.select();
    return planning.take();
}

}  // namespace hwtrace

#include "presentation.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "change_log.hpp"
#include "codec/record_sorter.hpp"
#include "domain/conventions.hpp"
#include "instruction_variables.hpp"
#include "interval_variables.hpp"
#include "io/number_text.hpp"
#include "signal_variables.hpp"
#include "table_variables.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::string_view date_suffix = ".date", comment_suffix = ".comment", zero_suffix = ".timezero",
                           end_suffix = ".end";
constexpr std::string_view native_reason = "only its own format understands it";
constexpr std::string_view relation_reason = "a waveform has no arrows";

bool has_several_bases(const Schema& schema) noexcept {
    const auto& tracks = schema.tracks();
    return std::ranges::any_of(tracks, [&](const Track& track) { return track.time != tracks.front().time; });
}

/// Returns true for metadata that readers of waveforms add.
bool is_of_waveform(const Metadata& fact) noexcept {
    return fact.key.starts_with("vcd.") || fact.key.starts_with("fst.");
}

/// Returns the end of a waveform, in its ticks, if the metadata states it.
std::optional<Tick> end_of(const Metadata& fact) {
    if (!is_of_waveform(fact) || !fact.key.ends_with(end_suffix)) return std::nullopt;
    const auto end = parse_decimal<std::int64_t>(fact.value);
    return end && *end >= 0 ? end : std::nullopt;
}

/// Returns true for a trace that was read from a waveform, and has nothing else.
bool is_waveform(const Schema& schema, std::string_view format) {
    constexpr std::string_view value = "value";
    const auto& tracks = schema.tracks();
    return (format == "vcd" || format == "fst") && !has_several_bases(schema) &&
           std::ranges::all_of(tracks, [&](const Track& track) {
               const bool is_shape = track.kind == Track::Kind::signal || track.kind == Track::Kind::event_type;
               return is_shape && track.time.kind == TimeBase::Kind::seconds &&
                      std::ranges::all_of(track.fields, [&](const Field& field) { return field.name == value; });
           });
}

class Presentation final : public Writer {
public:
    Presentation(std::unique_ptr<Encoder> encoder, const Schema& schema, const Settings& settings,
                 const Timescale& timescale, Losses& losses)
        : encoder_(std::move(encoder)),
          timescale_(timescale),
          log_(settings.temporary_folder, settings.limits),
          to_(schema, log_, timescale, losses),
          instructions_(to_, settings.limits, settings.symbols),
          intervals_(to_),
          signals_(to_),
          events_(to_),
          tables_(to_),
          notes_(schema.tracks().size(), no_number),
          sorter_(settings.temporary_folder),
          sorts_(has_several_bases(schema)),
          is_cut_(settings.window && settings.window->end) {
        declare();
    }

    void write(const Batch& batch) override;
    void finish() override;

private:
    /// Declares signals and events in the order of the schema. They have no value until their first change.
    void declare();
    void move_to_end();
    void show_sorted();
    void show(const Batch& batch, const Record& record);
    void show_note(const Batch& batch, const Record& note);
    void move_to(const Record& record);
    Header header() const;

    std::unique_ptr<Encoder> encoder_;
    Timescale timescale_;
    ChangeLog log_;
    Canvas to_;
    InstructionVariables instructions_;
    IntervalVariables intervals_;
    SignalVariables signals_;
    EventVariables events_;
    TableVariables tables_;
    std::vector<VariableNo> notes_;  ///< by track
    RecordSorter sorter_;
    bool sorts_;   ///< tracks have different ticks, so that only this class can compare their times
    bool is_cut_;  ///< only a range of the source is shown, so that the end of the source means nothing
};

void Presentation::declare() {
    const auto& tracks = to_.schema.tracks();
    for (TrackId track = 0; track < tracks.size(); ++track) {
        if (tracks[track].kind == Track::Kind::signal && !tracks[track].fields.empty()) signals_.declare(track);
        if (tracks[track].kind == Track::Kind::event_type) events_.declare(track);
    }
}

void Presentation::write(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (sorts_)
            sorter_.add(ascending(to_.times.at(record.track, record.time)), 0, batch, record);
        else
            show(batch, record);
    }
}

void Presentation::show_sorted() {
    Batch batch;
    std::vector<RecordSorter::Place> places;
    for (bool more = true; more; batch.clear(), places.clear()) {
        more = sorter_.give(batch, places);
        for (const Record& record : batch.records())
            show(batch, record);
    }
}

void Presentation::move_to(const Record& record) {
    const Tick time = to_.times.at(record.track, record.time);
    intervals_.end_until(time);
    if (log_.move_to(time)) return;
    to_.losses.count(Loss::order_changed, to_.schema.tracks()[record.track].name,
                     [&] { return "time " + std::to_string(time) + " is shown at " + std::to_string(log_.now()); });
}

void Presentation::show(const Batch& batch, const Record& record) {
    if (record.kind == Kind::native)
        return to_.losses.count(Loss::native_dropped, to_.schema.tracks()[record.track].name,
                                [] { return std::string(native_reason); });
    if (record.kind == Kind::relation)
        return to_.losses.count(Loss::relation_dropped, to_.schema.tracks()[record.track].name,
                                [] { return std::string(relation_reason); });
    move_to(record);
    switch (record.kind) {
        case Kind::event:
            instructions_.learn(batch, record);
            return events_.show(batch, record);
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            return tables_.show(record);
        case Kind::change:
            return signals_.show(batch, record);
        case Kind::interval:
            return intervals_.begin(batch, record);
        case Kind::instruction:
            return instructions_.show(batch, record);
        case Kind::note:
            return show_note(batch, record);
        case Kind::relation:
        case Kind::native:
            return;
    }
}

void Presentation::show_note(const Batch& batch, const Record& note) {
    VariableNo& variable = notes_[note.track];
    const Track& track = to_.schema.tracks()[note.track];
    if (variable == no_number) variable = log_.add(to_.scope(track.scope), {Variable::Kind::text, 1, track.name});
    log_.text(variable, batch.text(note));
}

Header Presentation::header() const {
    Header header;
    header.exponent = timescale_.exponent;
    if (const std::string note = timescale_.note(); !note.empty()) header.comments.push_back("assumed: " + note);
    for (const Metadata& fact : to_.schema.metadata()) {
        const bool is_own = is_of_waveform(fact);
        const auto time_zero =
            is_own && fact.key.ends_with(zero_suffix) ? parse_decimal<std::int64_t>(fact.value) : std::nullopt;
        if (end_of(fact)) continue;  // see move_to_end()
        if (time_zero)
            header.time_zero = *time_zero;
        else if (is_own && fact.key.ends_with(date_suffix))
            header.date = fact.value;
        else if (is_own && fact.key.ends_with(comment_suffix))
            header.comments.push_back(fact.value);
        else if (!fact.key.starts_with(conventions::mark_prefix))  // a picture is no way back
            header.comments.push_back(fact.key + " = " + fact.value);
    }
    return header;
}

void Presentation::move_to_end() {
    if (to_.schema.tracks().empty() || is_cut_) return;
    for (const Metadata& fact : to_.schema.metadata())
        if (const std::optional<Tick> end = end_of(fact)) log_.move_to(to_.times.at(0, *end));
}

void Presentation::finish() {
    if (sorts_) show_sorted();
    intervals_.finish();
    instructions_.finish();
    move_to_end();
    for (ScopeId scope = 0; scope < to_.schema.scopes().size(); ++scope)
        to_.scope(scope);
    log_.replay(header(), *encoder_);
}

}  // namespace

std::unique_ptr<Writer> make_presentation(std::unique_ptr<Encoder> encoder, const Schema& schema,
                                          const Settings& settings, Losses& losses) {
    const Timescale timescale = choose_timescale(schema);
    if (std::string note = timescale.note(); !note.empty()) losses.assume("times: " + note);
    return std::make_unique<Presentation>(std::move(encoder), schema, settings, timescale, losses);
}

bool needs_time_order(const Schema&, const Settings&) {
    return true;
}

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const std::string any = "*";
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::native)
            losses.push_back({Loss::native_dropped, track.name, std::string(native_reason)});
        if (track.kind == Track::Kind::relation_type)
            losses.push_back({Loss::relation_dropped, track.name, std::string(relation_reason)});
    }
    if (has_hart(schema)) losses.push_back({Loss::order_changed, any, "times of a waveform never decrease"});
    if (schema.tracks().empty() || is_waveform(schema, settings.source_format))
        return;  // whole ticks from 0 on, and no marks
    losses.push_back({Loss::time_rounded, any, "times are whole ticks of the timescale, from 0 on"});
    if (std::ranges::any_of(schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::signal; }))
        losses.push_back({Loss::field_dropped, any, "a waveform has no marks"});
}

}  // namespace hwtrace::waveform

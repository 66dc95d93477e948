#include "operate/place_search.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/findings.hpp"
#include "codec/trace_index.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_ids.hpp"
#include "domain/picosecond_scale.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "operate/position_count.hpp"
#include "operate/raised_records.hpp"
#include "select/positions.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

/// Compares records with a place.
class PlaceMatch {
public:
    PlaceMatch(const TracePlace& place, const Schema& schema) : place_(place), schema_(schema), ids_(schema) {}

    bool operator()(const Batch& batch, const Record& record) {
        switch (place_.kind) {
            case TracePlace::Kind::position:
            case TracePlace::Kind::finding:
                return false;
            case TracePlace::Kind::pc:
                return record.value == place_.value && (record.kind == Kind::instruction || is_cell_of_place(record));
            case TracePlace::Kind::id:
                return ids_.of(batch, record) == place_.value ||
                       (record.value == place_.value && is_cell_of_place(record));
            case TracePlace::Kind::cycle:
            case TracePlace::Kind::time_ps:
                return record.time >= earliest_of(record.track);
        }
        return false;
    }

    /// Returns a checkpoint before the first match, or nullptr.
    const Checkpoint* checkpoint_in(const TraceIndex& index) {
        if (place_.kind == TracePlace::Kind::id) return has_ids_of_slots() ? nullptr : index.before_id(place_.value);
        if (place_.kind != TracePlace::Kind::cycle && place_.kind != TracePlace::Kind::time_ps) return nullptr;
        return schema_.tracks().empty() ? nullptr : index.before_time(earliest_of(0));
    }

private:
    static bool is_id(const Field& field) noexcept {
        return field.name == conventions::entity_id || field.name == conventions::interval_id;
    }
    /// Returns true if the record sets the pc, or the id, of a slot.
    bool is_cell_of_place(const Record& record) const {
        if (record.kind != Kind::set || is_property(record)) return false;
        const Field& field = schema_.tracks()[record.track].fields[record.field];
        return place_.kind == TracePlace::Kind::pc ? field.name == conventions::pc : is_id(field);
    }
    /// Returns true if slots have ids, of which indexes know nothing.
    bool has_ids_of_slots() const {
        return std::ranges::any_of(schema_.tracks(), [](const Track& track) {
            return track.kind == Track::Kind::storage && std::ranges::any_of(track.fields, is_id);
        });
    }
    /// Returns the first tick of the track at or after the place.
    Tick earliest_of(TrackId track) {
        while (earliest_.size() <= track)
            earliest_.push_back(first_tick(schema_.tracks()[earliest_.size()]));
        return earliest_[track];
    }
    Tick first_tick(const Track& track) const {
        constexpr auto last = std::numeric_limits<Tick>::max();
        const Tick value = static_cast<Tick>(std::min<std::uint64_t>(place_.value, last));
        if (place_.kind == TracePlace::Kind::cycle && track.time.kind == TimeBase::Kind::cycles) return value;
        if (!has_duration(track.time)) return last;  // such records never match
        if (place_.kind == TracePlace::Kind::time_ps) return PicosecondScale(track.time, 0).tick(value);
        const std::uint64_t period = common_period(schema_, "--around");
        if (period == 0) fail(Failure::usage, "--around: the trace does not state the length of a cycle; use ps to s");
        std::uint64_t ps = 0;
        if (__builtin_mul_overflow(place_.value, period, &ps) || ps > std::uint64_t{last}) return last;
        return PicosecondScale(track.time, 0).tick(static_cast<Tick>(ps));
    }

    TracePlace place_;
    const Schema& schema_;
    IntervalIds ids_;
    std::vector<Tick> earliest_;  // by track
};

/// Throws Failure::usage if no track has the kind of time in which the place is given.
void check_has_times(const TracePlace& place, const Schema& schema) {
    if (place.kind != TracePlace::Kind::cycle && place.kind != TracePlace::Kind::time_ps) return;
    if (schema.tracks().empty()) return;
    const auto counts_cycles = [](const Track& track) { return track.time.kind == TimeBase::Kind::cycles; };
    const bool has_cycles = std::ranges::any_of(schema.tracks(), counts_cycles);
    if (std::ranges::any_of(schema.tracks(), [](const Track& track) { return has_duration(track.time); })) return;
    if (!has_cycles)
        fail(Failure::usage, "--around: the trace counts positions and has no times; use a position such as 100#");
    if (place.kind == TracePlace::Kind::time_ps)
        fail(Failure::usage, "--around: the trace does not state the length of a cycle; use a cycle such as 100cyc");
}

/// Searches a trace for a place.
class PlaceSearch {
public:
    /// `index` may be null.
    PlaceSearch(Reader& reader, const TracePlace& place, Shapes shapes, const TraceIndex* index)
        : reader_(reader), place_(place), index_(index), counter_(position_kind(reader.schema(), shapes)) {}

    /// Returns the position of the first record that matches.
    std::optional<std::uint64_t> find() {
        PlaceMatch matches(place_, reader_.schema());
        if (place_.kind == TracePlace::Kind::position && has_numbered_instructions(reader_.schema()))
            reader_.seek(static_cast<Tick>(std::min<std::uint64_t>(place_.value, std::numeric_limits<Tick>::max())),
                         nullptr);
        if (index_ != nullptr)
            if (const Checkpoint* const checkpoint = matches.checkpoint_in(*index_))
                if (resume_at(*index_, *checkpoint, reader_)) counter_.lose(checkpoint->position);
        for (; reader_.read(batch_); batch_.clear()) {
            counter_.lose(batch_.lost_positions());
            for (const Record& record : batch_.records()) {
                const auto position = counter_.add(record, reader_.schema().tracks()[record.track]);
                if (!position) continue;
                if (place_.kind == TracePlace::Kind::position ? *position >= place_.value : matches(batch_, record))
                    return position;
            }
        }
        check_has_times(place_, reader_.schema());
        return std::nullopt;
    }

    /// Returns the position of the record in which the first finding of the rule was reported to `findings`. The
    /// findings must be those of the reader, which must not read ahead.
    std::optional<std::uint64_t> find_finding(Findings& findings) {
        std::optional<std::size_t> records;  // of the batch before the finding
        findings.listen([&](const Finding& finding) {
            if (!records && finding.rule->id == place_.rule) records = batch_.records().size();
        });
        for (bool any = true; any; batch_.clear()) {
            any = reader_.read(batch_);
            counter_.lose(batch_.lost_positions());
            for (std::size_t at = 0; at < batch_.records().size(); ++at) {
                const Record& record = batch_.records()[at];
                const std::uint64_t before = counter_.positions();
                const auto position = counter_.add(record, reader_.schema().tracks()[record.track]);
                if (records && at >= *records) return position.value_or(before);
            }
            if (records) return counter_.positions();
        }
        return std::nullopt;
    }
    /// Returns the number of positions read so far.
    std::uint64_t positions() const noexcept { return counter_.positions(); }

private:
    Reader& reader_;
    const TracePlace& place_;
    const TraceIndex* index_;
    PositionCounter counter_;
    Batch batch_;
};

/// Throws Failure::usage if the format has no such rule.
void check_rule(const std::string& rule, const Format& format) {
    if (std::ranges::any_of(format.rules, [&](const Rule& known) { return known.id == rule; })) return;
    fail(Failure::usage, "--around " + rule + ": " + std::string(format.name) +
                             " has no such rule; hwtrace-validate FILE lists the findings of a file");
}

/// Returns true for text in capitals such as "STF062" or "O3P002".
bool is_rule_id(std::string_view text) noexcept {
    constexpr std::size_t digits = 3;
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.size() <= digits || !is_capital(text.front())) return false;
    const std::string_view head = text.substr(0, text.size() - digits);
    return std::ranges::all_of(head, [&](char c) { return is_capital(c) || is_digit(c); }) &&
           std::ranges::all_of(text.substr(head.size()), is_digit);
}

/// Returns what is around a position, if there is one, in a trace with so many positions.
Surroundings surroundings(std::optional<std::uint64_t> position, std::uint64_t context, std::uint64_t positions) {
    if (!position) return {std::nullopt, positions};
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t behind = most - *position <= context ? most : *position + context + 1;
    return {Range{Range::Unit::record, *position - std::min(context, *position), behind}, 0};
}

}  // namespace

TracePlace parse_trace_place(std::string_view text, std::string_view option) {
    const auto reject = [&] {
        std::string message(option);
        message.append(" ").append(text).append(
            ": expected a place such as 100000# (an instruction, transaction or record), 10us, 1313cyc, pc=0x80000010, "
            "id=5 or a rule such as STF062");
        fail(Failure::usage, message);
    };
    for (const auto& [key, kind] :
         {std::pair{std::string_view("pc="), TracePlace::Kind::pc}, {"id=", TracePlace::Kind::id}}) {
        if (!text.starts_with(key)) continue;
        const auto value = parse_number(text.substr(key.size()));
        if (!value) reject();
        return {kind, *value, {}};
    }
    if (std::string rule = rule_id(text); is_rule_id(rule)) return {TracePlace::Kind::finding, 0, std::move(rule)};
    if (text.ends_with('#') || text.starts_with('#')) {
        const std::string_view digits = text.starts_with('#') ? text.substr(1) : text.substr(0, text.size() - 1);
        const auto position = parse_digits(digits);
        if (!position) reject();
        return {TracePlace::Kind::position, *position, {}};
    }
    constexpr std::string_view cycles = "cyc";
    const bool in_cycles = text.ends_with(cycles);
    const auto value = in_cycles ? parse_digits(text.substr(0, text.size() - cycles.size())) : parse_time_ps(text);
    if (!value) reject();
    return {in_cycles ? TracePlace::Kind::cycle : TracePlace::Kind::time_ps, *value, {}};
}

Surroundings surroundings_of(const TracePlace& place, std::uint64_t context, Input& input, const Format& from,
                             const Settings& settings, const TraceIndex* index) {
    if (place.kind == TracePlace::Kind::finding) check_rule(place.rule, from);
    if (index != nullptr && place.kind == TracePlace::Kind::position) {
        const std::uint64_t positions = index->totals().positions;
        return surroundings(place.value < positions ? std::optional(place.value) : std::nullopt, context, positions);
    }
    input.spool(settings.temporary_folder);
    Settings alone = settings;
    if (place.kind == TracePlace::Kind::finding) {
        alone.jobs = 1;
        alone.check = CheckLevel::full;
    }
    if (place.kind == TracePlace::Kind::finding) index = nullptr;  // every record may have the finding
    use_survey(index, alone);
    Findings reported_later(1);
    const std::unique_ptr<Reader> reader = from.open(input, alone, reported_later);
    PlaceSearch search(*reader, place, from.reads.shapes, index);
    const std::optional<std::uint64_t> position =
        place.kind == TracePlace::Kind::finding ? search.find_finding(reported_later) : search.find();
    input.seek(0);
    return surroundings(position, context, search.positions());
}

Surroundings surroundings_of(const TracePlace& place, std::uint64_t context, Input& input, const Format& from,
                             const Format& to, const Choices& choices) {
    std::optional<Surroundings> found;
    if (place.kind != TracePlace::Kind::finding)
        use_raised(input, from, to, choices, [&](PreparedSource& source, Plan& raising) {
            if (raising.stages.empty()) return;
            RaisedRecords records(source.reader(), raising, from.reads.shapes);
            PlaceSearch search(records, place, from.reads.shapes, nullptr);
            const std::optional<std::uint64_t> position = search.find();
            found = surroundings(position, context, search.positions());
        });
    return found ? *found : surroundings_of(place, context, input, from, choices.settings, choices.index.get());
}

}  // namespace hwtrace

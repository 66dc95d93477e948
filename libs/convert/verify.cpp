#include "convert/verify.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codec/record_sorter.hpp"
#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "convert/time_sort.hpp"
#include "convert/transforms/rescaling.hpp"
#include "convert/transforms/sample_intervals.hpp"
#include "convert/transforms/signal_making.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

namespace {

constexpr std::uint64_t any_period_ps = 1'000;

enum class Side : std::uint8_t { source, output };

/// Selects the parts of a trace that are compared.
struct ComparedParts {
    /// True if tracks appear while reading. Their order, and unused tracks, are then not compared.
    bool only_what_is_used = false;
    /// The names of two formats whose storage facts are not compared.
    std::string_view stored_as, was_stored_as;
    /// True if the trace was converted from a third format. The storage facts of that format are not compared either.
    bool was_another = false;

    /// The format of a source of which the output holds a slice. Facts about what was left out are not compared, and
    /// neither are the numbers of native records.
    std::string_view slice_of = {};
    /// False if notes, native records and events of the format in front of all other records may have the time of a
    /// record that was left out.
    bool compares_first_times = true;

    /// True if the formats differ. A format with frames groups the records of a time, and may split a long frame; a
    /// format without frames has only times.
    bool ignores_frames = false;
    /// True if records were selected, perhaps from groups of instructions. The target may have to state where
    /// instructions continue, because records that stated it were left out; and the order of the rest of a group may be
    /// the usual one.
    bool has_partial_groups = false;
    /// True for merged traces. The root scopes that a target adds because the traces have several roots are not
    /// compared.
    bool was_merged = false;

    /// Returns true if a fact is compared. `told` is the schema of the source for an output, and the other way round.
    /// Facts that only the output has are not compared.
    bool compares(std::string_view key, Side side, const Schema& told) const noexcept {
        const auto stores = [key](std::string_view format) {
            return !format.empty() && conventions::is_storage_fact(key, format);
        };
        if (was_another && stores(key.substr(0, key.find('.')))) return false;
        if (stores(stored_as) || stores(was_stored_as)) return false;
        const bool may_lack = side == Side::output || (!slice_of.empty() && belongs_to(key, slice_of));
        return !may_lack || told.metadata(key) != nullptr;
    }
};

/// Returns the path of a scope, without scopes named "/" if `without_roots`.
std::string scope_path(const Schema& schema, ScopeId scope, bool without_roots = false) {
    std::string path;
    any_upwards(schema, scope, [&](ScopeId up) {
        if (without_roots && schema.scopes()[up].name == "/") return false;
        path = schema.scopes()[up].name + '/' + path;
        return false;
    });
    return path;
}

void append_used_tracks(const Schema& schema, const std::vector<bool>& used, bool without_roots, TextOutput& out) {
    std::vector<std::string> lines;
    for (TrackId id = 0; id < used.size(); ++id) {
        if (!used[id]) continue;
        const Track& track = schema.tracks()[id];
        std::string line(name_of(track.kind));
        line.append(" ").append(scope_path(schema, track.scope, without_roots)).append(track.name);
        line.append(" ").append(std::to_string(static_cast<int>(track.time.kind)));
        line.append(":").append(std::to_string(track.time.num)).append("/").append(std::to_string(track.time.den));
        lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) {
        out.put(line);
        out.put('\n');
    }
}

/// Produces the model dump of the records after a plan's stages, in blocks of whole lines, and then that of the schema,
/// which is complete only then.
class ModelText {
public:
    /// All arguments must outlive this object. `source` is the reader's schema.
    ModelText(Reader& reader, const Schema& source, Plan& plan, ComparedParts parts, Side side)
        : reader_(reader), source_(source), plan_(plan), parts_(parts), side_(side), stages_(plan) {}

    const Schema& schema() const noexcept { return plan_.target_schema(source_); }
    /// Returns the rest of the current block of records, or the next block. Returns an empty string at the end.
    std::string_view rest() {
        while (used_ == text_.text().size() && fetch()) {
        }
        return text_.text().substr(used_);
    }
    void use(std::size_t count) noexcept { used_ += count; }
    /// Replaces the records, which were all used, by the schema. rest() returns it. `told`: see
    /// ComparedParts::compares().
    void show_schema(const Schema& told) {
        text_.clear();
        used_ = 0;
        append_schema(told);
        if (parts_.only_what_is_used) append_used_tracks(schema(), track_used_, parts_.was_merged, text_);
    }
    /// Returns the line that contains the next unused character.
    std::string line() const {
        const std::string_view text = text_.text();
        if (used_ >= text.size()) return {};
        const std::size_t newline = text.rfind('\n', used_ == 0 ? 0 : used_ - 1);
        const std::size_t begin = newline == std::string_view::npos || used_ == 0 ? 0 : newline + 1;
        return std::string(text.substr(begin, text.find('\n', begin) - begin));
    }

private:
    bool fetch() {
        if (ended_) return false;
        text_.clear();
        used_ = 0;
        batch_.clear();
        ended_ = !reader_.read(batch_);
        if (ended_)
            stages_.finish([&](Batch& batch) { put(batch); });
        else
            put(stages_.apply(batch_));
        return true;
    }

    void append_schema(const Schema& told) {
        Schema copy;
        if (!parts_.only_what_is_used) {
            if (side_ == Side::source || !told.clocks().empty())  // the target may need a clock
                for (const Clock& clock : schema().clocks())
                    copy.declare(clock);
            for (const Scope& scope : schema().scopes())
                copy.declare(scope);
            for (const Enum& enumeration : schema().enums())
                copy.declare(enumeration);
            for (const Track& track : schema().tracks())
                copy.declare(track);
        }
        std::vector<Metadata> facts;
        for (const Metadata& entry : schema().metadata())
            if (parts_.compares(entry.key, side_, told)) facts.push_back(entry);
        if (parts_.stored_as != parts_.was_stored_as) std::ranges::stable_sort(facts, {}, &Metadata::key);
        for (Metadata& entry : facts)
            copy.describe(std::move(entry.key), std::move(entry.value));
        dump_schema(copy, text_);
    }

    void leave_out_places(Batch& batch) {
        firsts_.resize(schema().tracks().size());
        for (Record& record : batch.mutable_records()) {
            const bool is_native = record.kind == Kind::native;
            const Track& track = schema().tracks()[record.track];
            const bool is_own = record.kind == Kind::event && belongs_to(track, parts_.slice_of);
            has_begun_ = has_begun_ || !(is_native || is_own || record.kind == Kind::note);
            std::optional<Tick>& first = firsts_[record.track];
            if (!first) first = record.time;
            if (is_native && track.time.kind == TimeBase::Kind::ordinal)
                record.time -= *first;
            else if (!has_begun_ && !parts_.compares_first_times)
                record.time = 0;
        }
    }

    void put(Batch& batch) {
        if (!parts_.slice_of.empty()) leave_out_places(batch);
        constexpr auto others = static_cast<std::uint8_t>(~unsigned{record_first_of_frame});
        if (parts_.ignores_frames)
            for (Record& record : batch.mutable_records())
                record.flags &= others;
        if (!parts_.has_partial_groups) return append_records(batch);
        Batch rest;
        for (const Record& record : batch.records()) {
            if (schema().tracks()[record.track].name == conventions::resumption) continue;
            const Record& copied = rest.copy(batch, record, record.track);
            if (copied.kind == Kind::instruction) rest.mutable_instruction(copied).order = {};
        }
        append_records(rest);
    }

    void append_records(const Batch& batch) {
        dump_records(schema(), batch, text_);
        if (!parts_.only_what_is_used) return;
        track_used_.resize(schema().tracks().size());
        for (const Record& record : batch.records())
            track_used_[record.track] = true;
    }

    Reader& reader_;
    const Schema& source_;
    Plan& plan_;
    ComparedParts parts_;
    Side side_;
    StageRun stages_;
    Batch batch_;
    TextOutput text_{-1};
    std::vector<bool> track_used_;
    std::vector<std::optional<Tick>> firsts_;  // by track: the time of its first record
    bool has_begun_ = false, ended_ = false;
    std::size_t used_ = 0;
};

/// Compares the texts up to their ends. `line` is the number of the next line.
std::optional<ModelDifference> difference_of(ModelText& expected, ModelText& got, std::uint64_t& line) {
    while (true) {
        const std::string_view a = expected.rest();
        const std::string_view b = got.rest();
        if (a.empty() && b.empty()) return std::nullopt;
        const std::size_t common = std::min(a.size(), b.size());
        const auto differs = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin()).first;
        const auto equal = static_cast<std::size_t>(differs - a.begin());
        line += static_cast<std::uint64_t>(std::count(a.begin(), differs, '\n'));
        expected.use(equal);
        got.use(equal);
        if (equal != common || common == 0) return ModelDifference{line, expected.line(), got.line()};
    }
}

/// Whether the times of relations are compared.
enum class Relations : std::uint8_t { with_time, without_time };

/// Groups records by track and keeps their order within a track. Combined with TimeSort, this gives a defined order
/// even if the order between tracks is lost.
class TrackSort final : public Stage {
public:
    /// Tracks with the same name have the same key, unless `other`, the schema with which `source` is compared, has the
    /// same tracks of that name.
    TrackSort(const Schema& source, const Schema& other, std::string folder, Relations relations)
        : source_(source), relations_(relations), namesakes_(namesakes_of(source)), sorter_(std::move(folder)) {
        const Namesakes others = namesakes_of(other);
        std::erase_if(namesakes_, [&](const auto& entry) {
            const auto found = others.find(entry.first);
            return found == others.end() || found->second != entry.second;
        });
    }

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch&) override {
        for (Record record : in.records()) {
            if (record.kind == Kind::relation && relations_ == Relations::without_time) record.time = 0;
            sorter_.add(key_of(record.track), 0, in, record);
        }
    }
    bool finish(Batch& out) override {
        places_.clear();
        return sorter_.give(out, places_);
    }

private:
    using Namesakes = std::map<std::string, std::multiset<std::string>>;  ///< the details of the tracks of one path

    static std::string path_of(const Schema& schema, const Track& track) {
        return std::string(name_of(track.kind)) + scope_path(schema, track.scope, true) + track.name;
    }
    static std::string details_of(const Track& track) {
        std::string details = track.native_id ? std::to_string(*track.native_id) : std::string("-");
        details.append(" ").append(std::to_string(static_cast<int>(track.time.kind)));
        for (const Field& field : track.fields)
            details.append(" ").append(field.name).append(":").append(name_of(field.type));
        return details;
    }
    static Namesakes namesakes_of(const Schema& schema) {
        Namesakes namesakes;
        for (const Track& track : schema.tracks())
            namesakes[path_of(schema, track)].insert(details_of(track));
        return namesakes;
    }
    std::uint64_t key_of(TrackId id) {
        while (keys_.size() <= id) {
            const Track& track = source_.tracks()[keys_.size()];
            const std::string path = path_of(source_, track);
            keys_.push_back(std::hash<std::string>{}(namesakes_.contains(path) ? path + details_of(track) : path));
        }
        return keys_[id];
    }

    const Schema& source_;
    Relations relations_;
    Namesakes namesakes_;  // of the paths that have the same tracks in both schemas
    RecordSorter sorter_;
    std::vector<std::uint64_t> keys_;          // by track
    std::vector<RecordSorter::Place> places_;  // reused
};

/// The records of a trace after the stages of a plan.
struct Compared {
    const Schema& source;
    Plan& plan;

    const Schema& schema() const { return plan.target_schema(source); }
};

/// Appends stages to both plans that sort records by time, and records with equal times by track.
void append_in_order(const Compared& a, const Compared& b, const std::string& folder, Relations relations) {
    auto of_a = std::make_unique<TrackSort>(a.schema(), b.schema(), folder, relations);
    auto of_b = std::make_unique<TrackSort>(b.schema(), a.schema(), folder, relations);
    a.plan.stages.push_back(std::move(of_a));
    b.plan.stages.push_back(std::move(of_b));
    for (const Compared& one : {a, b})
        one.plan.stages.push_back(std::make_unique<TimeSort>(one.schema(), folder));
}

/// Returns the period of the first clock that has a period, or any_period_ps if no clock has one. This period is used
/// for cycles without a period.
std::uint64_t clock_of(const Schema& schema) noexcept {
    const auto known = std::ranges::find_if(schema.clocks(), [](const Clock& clock) { return clock.period_ps != 0; });
    return known == schema.clocks().end() ? any_period_ps : known->period_ps;
}

}  // namespace

bool can_verify(const Format& to, const Choices& choices, Effect source) noexcept {
    const bool is_part = choices.range || choices.criteria.any();
    return source != Effect::damaged && (to.writes.holds.protocol().empty() || !is_part) &&
           choices.settings.restating(to.options) == nullptr;
}

std::optional<ModelDifference> verify_conversion(Input& source, const Format& from, Input& output, const Format& to,
                                                 const Choices& choices, Findings& findings) {
    Findings ignored;
    source.seek(0);
    PreparedSource original(source, from, to, choices.settings, ignored, choices.criteria.records);
    return verify_conversion({original.reader(), original.schema(), original.format()}, output, to, choices, findings);
}

std::optional<ModelDifference> verify_conversion(const SourceAgain& original, Input& output, const Format& to,
                                                 const Choices& choices, Findings& findings) {
    Losses losses;
    const Format& from = original.format.format;
    Choices whole{choices.time, std::nullopt, choices.settings, {}};  // of the output, which is already a slice
    whole.settings.check = CheckLevel::full;
    whole.settings.window.reset();
    Plan there = make_plan(original.schema, original.format, to, choices, losses);
    Format raised = from;  // accepts every kind that the format reads, even kinds that it cannot write
    raised.writes.raises = nullptr;
    const auto hold = [&raised](Shape shape) {
        if (!raised.writes.holds.has(shape)) raised.writes.holds.add(shape);
    };
    for (const Shape shape : all_shapes)
        if (from.reads.shapes.has(shape)) hold(shape);
    if (from.name == conventions::merged_source) raised = whole_model();  // merging raises everything
    // Also for a format that keeps lowered records: raising needs the complete schema of the output.
    PreparedSource converted(output, to, raised, whole.settings, findings);
    Plan back;
    ComparedParts parts;
    parts.was_merged = from.name == conventions::merged_source;
    parts.ignores_frames = to.name != from.name;
    parts.has_partial_groups = choices.criteria.records.any();
    if (choices.range || choices.criteria.any()) parts.slice_of = from.name;
    const bool derives_times = to.writes.holds.has(Shape::hart) && !to.writes.accepts_any_trace();
    parts.compares_first_times = !choices.range && !derives_times;
    // A merged trace has relations anywhere, so a target may move them to other times.
    const Relations relations = parts.was_merged ? Relations::without_time : Relations::with_time;
    if (there.lowers) {
        // Lowered records are raised and compared with the selected part of the source.
        const bool reorders = there.reorders;
        // If the source was raised and lowered again, source and output are raised before the comparison.
        const bool both = there.raises;
        // Signals and intervals that represent other records are compared as these records.
        const bool of_records = RecordsOfSignals::is_made(original.schema) ||
                                SignalsOfIntervals::is_made(original.schema) ||
                                SignalsOfIntervals::is_made(converted.schema());
        if (both && of_records) raised = whole_model();
        if (both) hold(Shape::signal);
        if (both && to.writes.holds.has(Shape::signal)) hold(Shape::stream);
        there = make_selection_plan(original.schema, original.format, choices, losses, both ? &raised : nullptr);
        back = make_raising_plan(converted.schema(), raised, whole, losses);
        if (reorders)
            append_in_order({original.schema, there}, {converted.schema(), back}, choices.settings.temporary_folder,
                            relations);
    } else {
        // A format may declare its own tracks in every trace.
        parts.only_what_is_used = !to.reads.schema_upfront || !from.reads.schema_upfront || to.name != from.name ||
                                  choices.criteria.records.any();
        parts.stored_as = to.name;
        parts.was_stored_as = from.name;
        parts.was_another = RecordsOfSignals::is_made(original.schema);
        // The order of records in the file has no meaning in either format, or merging or another format has made it.
        const bool has_order = from.reads.time_ordered && !parts.was_merged && !there.raises;
        if (to.name != from.name && !has_order && !to.reads.time_ordered)
            append_in_order({original.schema, there}, {converted.schema(), back}, choices.settings.temporary_folder,
                            relations);
        // The target may count cycles although it was given picoseconds.
        const Schema& given = there.target_schema(original.schema);
        const bool has_time =
            std::ranges::find(given.tracks(), Track::Kind::hart, &Track::kind) == given.tracks().end();
        if (!to.writes.accepts_any_trace() && has_time && !Rescaling::is_needed(given) &&
            Rescaling::is_needed(converted.schema()))
            back.stages.push_back(std::make_unique<Rescaling>(converted.schema(), clock_of(given), losses));
    }
    ModelText expected(original.reader, original.schema, there, parts, Side::source);
    ModelText got(converted.reader(), converted.schema(), back, parts, Side::output);
    std::uint64_t line = 1;
    if (auto difference = difference_of(expected, got, line)) return difference;
    expected.show_schema(got.schema());
    got.show_schema(expected.schema());
    return difference_of(expected, got, line);
}

void check_output(Input& output, const Format& to, const Settings& settings, Findings& findings) {
    const auto reader = to.open(output, settings, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
}

}  // namespace hwtrace

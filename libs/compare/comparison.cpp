#include "compare/comparison.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "codec/record_sorter.hpp"
#include "compare/comparable_records.hpp"
#include "compare/compared_run.hpp"
#include "compare/time_shift.hpp"
#include "convert/model_dump.hpp"
#include "domain/conventions.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

namespace {

/// Sorts comparable records with a RecordSorter.
class SortedRecords {
public:
    explicit SortedRecords(const std::string& folder) : sorter_(folder, RecordSorter::default_run_bytes / 2) {}

    void add(std::uint64_t lane, const ComparableRecord& record) {
        const Head head{record.track, record.time, record.duration};
        bytes_.resize(sizeof head);
        std::memcpy(bytes_.data(), &head, sizeof head);
        bytes_.insert(bytes_.end(), record.parts.begin(), record.parts.end());
        batch_.clear();
        sorter_.add(lane, record.position, batch_, batch_.native(0, 0, bytes_));
    }

    /// Advances to the next record. Returns false at the end. add() must not be called afterwards.
    bool next() {
        if (++at_ < batch_.records().size() && giving_) return true;
        giving_ = true;
        at_ = 0;
        batch_.clear();
        places_.clear();
        return sorter_.give(batch_, places_) || !batch_.empty();
    }
    std::uint64_t lane() const noexcept { return places_[at_].key; }
    ComparableRecord record() const noexcept {
        const std::span<const std::byte> bytes = batch_.bytes(batch_.records()[at_]);
        Head head;
        std::memcpy(&head, bytes.data(), sizeof head);
        return {head.track, head.time, head.duration, places_[at_].tag, bytes.subspan(sizeof head)};
    }

private:
    struct Head {
        std::uint32_t track = 0;
        WideTick time = 0;
        std::uint64_t duration = 0;
    };
    RecordSorter sorter_;
    Batch batch_;
    std::vector<RecordSorter::Place> places_;
    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
    bool giving_ = false;
};

bool raises(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& options) noexcept {
    return options.raised == Raised::always ||
           (options.raised == Raised::between_formats && traces[0].format.name != traces[1].format.name);
}

Correspondence::Options time_options(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& wanted) {
    Correspondence::Options options;
    options.tolerance_ps = wanted.tolerance_ps;
    options.period_ps = traces[0].choices.time.period_ps;
    options.relations_have_time = std::ranges::none_of(
        traces, [](const ComparedTrace& trace) { return trace.format.reads.relations == RelationPlace::timeless; });
    return options;
}

/// Finds the offsets of the times of the second trace, from the first records of both traces.
ShiftFinder::Result find_shifts(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& options) {
    Findings unsaid(0);
    std::array<ComparedRun, 2> runs{{ComparedRun(traces[0], raises(traces, options), unsaid),
                                     ComparedRun(traces[1], raises(traces, options), unsaid)}};
    Correspondence correspondence(options.ignored, time_options(traces, options));
    correspondence.read(runs[0].schema(), runs[1].schema());
    ShiftFinder finder(correspondence);
    for (const std::size_t side : both_sides) {
        ComparableRecords form(correspondence, side);
        ComparableRecord made;
        while (!finder.has_enough(side)) {
            const Batch* const batch = runs[side].next();
            if (batch == nullptr) break;
            for (const Record& record : batch->records())
                if (form.make(*batch, record, made)) finder.add(side, made);
        }
    }
    return finder.result();
}

class Comparing {
public:
    Comparing(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& options,
              const ProgressListener& progress)
        : traces_(traces),
          options_(options),
          progress_(progress),
          shifts_(options.by_shift ? find_shifts(traces, options) : ShiftFinder::Result()),
          runs_{{ComparedRun(traces[0], raises(traces, options), traces[0].findings),
                 ComparedRun(traces[1], raises(traces, options), traces[1].findings)}},
          correspondence_(options.ignored, time_options(traces, options)),
          forms_{{ComparableRecords(correspondence_, 0), ComparableRecords(correspondence_, 1)}},
          ledger_(correspondence_, options.differences) {}

    Comparison run() {
        prepare();
        if (!options_.by_key) compare_as_they_come();
        if (!ended_[0] || !ended_[1]) compare_sorted();
        for (const auto& lane : lanes_) {
            if (!lane) continue;
            lane->end(0);
            lane->end(1);
        }
        return result();
    }

private:
    /// Reads the schemas of both traces and maps their tracks and names.
    void prepare() {
        correspondence_.read(runs_[0].schema(), runs_[1].schema());
        for (const std::size_t side : both_sides) {
            first_[side] = runs_[side].next();
            const auto count = static_cast<TrackId>(runs_[side].schema().tracks().size());
            if (count != 0) correspondence_.number_of(side, count - 1);
        }
        const bool harts = has_hart(runs_[0].schema()) && has_hart(runs_[1].schema());
        const auto is_framed = [&](const Batch* batch) {
            return batch != nullptr && (batch->records().front().flags & record_first_of_frame) != 0;
        };
        one_lane_ = !options_.ignored.order && (harts || (is_framed(first_[0]) && is_framed(first_[1])));
        lane_options_ = {options_.window, options_.ignored.order};
    }

    /// Reads the next batch of a trace. Calls `each(ComparableRecord)` for each record of a track that both traces
    /// have.
    template <typename Each>
    void take(std::size_t side, Each&& each) {
        const Batch* const batch = first_[side] != nullptr ? std::exchange(first_[side], nullptr) : runs_[side].next();
        ended_[side] = batch == nullptr;
        if (batch == nullptr) return;
        ComparableRecord made;
        for (const Record& record : batch->records()) {
            made.position = records_[side]++;
            if (!forms_[side].make(*batch, record, made)) continue;
            used_[side].resize(std::max(used_[side].size(), made.track + std::size_t{1}));
            used_[side][made.track] = true;
            if (!correspondence_.track(made.track).in_both()) {
                ledger_.only(side, made, std::nullopt, ComparisonLedger::Lack::after_end);
                continue;
            }
            if (side == 1 && !shifts_.shifts.empty()) made.time -= shift_of(made.track);
            each(made);
        }
        if (progress_) progress_(runs_[0].position() + runs_[1].position());
    }

    /// Returns the offset of the second trace's track.
    WideTick shift_of(std::uint32_t track) {
        while (shift_by_track_.size() <= track) {
            const TrackId id = correspondence_.track(static_cast<std::uint32_t>(shift_by_track_.size())).ids[1];
            WideTick ticks = 0;
            for (const TimeShift& shift : shifts_.shifts)
                if (id != none && runs_[1].schema().tracks()[id].time == shift.base) ticks = shift.ticks;
            shift_by_track_.push_back(ticks);
        }
        return shift_by_track_[track];
    }

    /// Returns the trace that lacks nothing but records after all common ones. The records of a trace that could be
    /// read only in part need not be the first ones of the other: tracks may end at different times.
    std::optional<std::size_t> early_end(const TrackCounts& totals) const {
        if (options_.by_key || totals.different != 0) return std::nullopt;
        for (const std::size_t side : both_sides) {
            const std::size_t other = 1 - side;
            if (totals.only[other] == 0 || totals.equal == 0) continue;
            const bool is_broken = traces_[side].findings.effect() != Effect::harmless;
            // The last group of a trace that was cut may have become other records.
            if (totals.only[side] != 0 && !(is_broken && ledger_.is_behind(side))) continue;
            const bool lacks_ends = totals.after_end[other] == totals.only[other];
            // Tracks and relations may end anywhere in a trace that could be read only in part.
            if (is_broken && totals.only[side] == 0) return side;
            if (ledger_.is_behind(other) || (lacks_ends && is_broken)) return side;
        }
        return std::nullopt;
    }

    LaneComparison& lane(std::uint64_t number) {
        if (number >= lanes_.size()) lanes_.resize(static_cast<std::size_t>(number) + 1);
        std::unique_ptr<LaneComparison>& at = lanes_[static_cast<std::size_t>(number)];
        if (!at) at = std::make_unique<LaneComparison>(correspondence_, ledger_, lane_options_);
        return *at;
    }

    /// Compares the records in reading order, up to the end or until too many records wait for the other trace.
    void compare_as_they_come() {
        std::array<std::size_t, 2> waiting{};
        std::size_t bytes = 0;
        while ((!ended_[0] || !ended_[1]) && bytes <= options_.memory) {
            const std::size_t side = ended_[0] || (!ended_[1] && waiting[1] < waiting[0]) ? 1 : 0;
            take(side, [&](const ComparableRecord& record) {
                LaneComparison& at = lane(lane_of(record));
                for (const std::size_t each : both_sides)
                    waiting[each] -= at.waiting(each);
                bytes -= at.bytes();
                at.add(side, record);
                for (const std::size_t each : both_sides)
                    waiting[each] += at.waiting(each);
                bytes += at.bytes();
            });
        }
    }

    std::uint64_t lane_of(const ComparableRecord& record) {
        if (!options_.by_key) return one_lane_ ? 0 : record.track;
        return key_of(record, [&](std::uint32_t name) { return is_key(record.track, name); });
    }

    /// Returns true if `text` is the name `key`, optionally followed by a phase.
    static bool is_named(std::string_view text, std::string_view key) noexcept {
        return text.starts_with(key) && (text.size() == key.size() || text[key.size()] == ' ');
    }

    bool is_key(std::uint32_t track, std::uint32_t name) {
        while (keys_.size() <= name) {
            const std::string& text = correspondence_.name(static_cast<std::uint32_t>(keys_.size()));
            const auto is = [&](std::string_view key) { return is_named(text, key); };
            keys_.push_back(options_.keys.empty() ? is(conventions::interval_id)
                                                  : std::ranges::any_of(options_.keys, is));
        }
        return keys_[name] && (!options_.keys.empty() || correspondence_.track(track).kind == Track::Kind::stream);
    }

    /// Sorts the remaining records by lane and compares them, lane by lane.
    void compare_sorted() {
        sorted_ = true;
        std::array<std::unique_ptr<SortedRecords>, 2> sorted;
        std::array<bool, 2> more{};
        for (const std::size_t side : both_sides) {
            sorted[side] = std::make_unique<SortedRecords>(traces_[side].choices.settings.temporary_folder);
            while (!ended_[side])
                take(side, [&](const ComparableRecord& record) { sorted[side]->add(lane_of(record), record); });
            more[side] = sorted[side]->next();
        }
        LaneComparison of_key(correspondence_, ledger_, lane_options_);
        while (more[0] || more[1]) {
            const std::uint64_t number = !more[1]   ? sorted[0]->lane()
                                         : !more[0] ? sorted[1]->lane()
                                                    : std::min(sorted[0]->lane(), sorted[1]->lane());
            const auto has = [&](std::size_t side) { return more[side] && sorted[side]->lane() == number; };
            LaneComparison& at = options_.by_key ? of_key : lane(number);
            for (const std::size_t side : both_sides)
                if (!has(side)) at.end(side);
            while (has(0) || has(1)) {
                const std::size_t side = !has(0) || (has(1) && at.waiting(1) < at.waiting(0)) ? 1 : 0;
                at.add(side, sorted[side]->record());
                more[side] = sorted[side]->next();
                if (!has(side)) at.end(side);
            }
            if (options_.by_key) at.restart();
        }
    }

    /// Throws Failure::usage if no record has one of the key fields, because such a field distinguishes no records.
    void refuse_unmet_keys() const {
        if (keys_.empty()) return;
        for (const std::string& key : options_.keys) {
            std::uint32_t name = 0;
            while (name < keys_.size() && !is_named(correspondence_.name(name), key))
                ++name;
            if (name == keys_.size())
                fail(Failure::usage, std::string("--key ").append(key).append(": no record has such a field"));
        }
    }

    Comparison result() {
        refuse_unmet_keys();
        Comparison comparison;
        comparison.tracks = correspondence_.tracks();
        comparison.counts = ledger_.counts();
        comparison.counts.resize(comparison.tracks.size());
        comparison.differences = ledger_.differences();
        comparison.records = records_;
        comparison.unmet = correspondence_.unmet();
        comparison.raised = raises(traces_, options_);
        comparison.shifts = shifts_.shifts;
        if (options_.by_shift) comparison.has_offset = shifts_.is_constant;
        comparison.ends_early = early_end(comparison.totals());
        comparison.sorted = sorted_;
        const bool is_part = std::ranges::any_of(
            traces_, [](const ComparedTrace& trace) { return trace.choices.range || trace.choices.criteria.any(); });
        const bool same_kind =
            traces_[0].format.name == traces_[1].format.name || runs_[0].raises() || runs_[1].raises();
        comparison.schema = compare_schemas(
            correspondence_, {SchemaSide{&traces_[0].format, used_[0]}, SchemaSide{&traces_[1].format, used_[1]}},
            same_kind && !is_part);
        for (const std::size_t side : both_sides)
            comparison.losses[side] = runs_[side].losses();
        return comparison;
    }

    const std::array<ComparedTrace, 2>& traces_;
    const ComparisonOptions& options_;
    const ProgressListener& progress_;
    ShiftFinder::Result shifts_;  // found before the traces are opened for the comparison
    std::vector<WideTick> shift_by_track_;
    std::array<ComparedRun, 2> runs_;
    Correspondence correspondence_;
    std::array<ComparableRecords, 2> forms_;
    ComparisonLedger ledger_;
    std::vector<std::unique_ptr<LaneComparison>> lanes_;
    std::array<const Batch*, 2> first_{};  // batches that were read but not compared yet
    std::array<std::uint64_t, 2> records_{};
    std::array<bool, 2> ended_{};
    std::array<std::vector<bool>, 2> used_;  // by track
    std::vector<bool> keys_;                 // by name; true: part of the key
    LaneComparison::Options lane_options_;
    bool one_lane_ = false, sorted_ = false;
};

}  // namespace

TrackCounts Comparison::totals() const noexcept {
    TrackCounts all;
    for (const TrackCounts& one : counts) {
        all.equal += one.equal;
        all.different += one.different;
        all.only[0] += one.only[0];
        all.only[1] += one.only[1];
        all.after_end[0] += one.after_end[0];
        all.after_end[1] += one.after_end[1];
    }
    return all;
}

Comparison compare(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& options,
                   const ProgressListener& progress) {
    return Comparing(traces, options, progress).run();
}

std::vector<ShownRecord> records_at(const ComparedTrace& trace, bool raised,
                                    const std::vector<std::uint64_t>& positions) {
    std::vector<ShownRecord> shown;
    if (positions.empty()) return shown;
    Findings unsaid(0);
    ComparedRun run(trace, raised, unsaid);
    Batch one;
    TextOutput text(-1);
    std::uint64_t position = 0;
    auto wanted = positions.begin();
    while (wanted != positions.end()) {
        const Batch* const batch = run.next();
        if (batch == nullptr) break;
        for (; wanted != positions.end() && *wanted - position < batch->records().size(); ++wanted) {
            const Record& record = batch->records()[static_cast<std::size_t>(*wanted - position)];
            one.clear();
            one.copy(*batch, record, record.track);
            text.clear();
            dump_records(run.schema(), one, text);
            std::string line(text.text());
            if (line.ends_with('\n')) line.pop_back();
            shown.push_back({*wanted, std::move(line)});
        }
        position += batch->records().size();
    }
    return shown;
}

}  // namespace hwtrace

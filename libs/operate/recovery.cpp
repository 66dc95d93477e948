#include "operate/recovery.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "convert/model_dump.hpp"
#include "convert/part_losses.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "select/group_order.hpp"

namespace hwtrace {

namespace {

/// Selects the records of the source that are kept.
struct KeptRecords {
    std::set<std::uint64_t> dropped;  ///< positions of dropped records
    std::set<TrackId> dropped_tracks;
    bool drops_native = false;
    std::optional<std::uint64_t> end{};  ///< records from this position on are dropped
    bool in_order = false;               ///< drops records whose time is before an earlier record of the same time base
};

/// Counts the records of the source that were read, dropped and missing.
struct Passed {
    std::uint64_t read = 0, dropped = 0, missing = 0;
    std::set<TrackId> tracks;  ///< tracks of dropped records
};

/// Passes on kept records, and counts dropped ones.
class Keeping final : public Stage {
public:
    Keeping(const Schema& source, const KeptRecords& kept, Passed& passed, Losses& losses)
        : source_(source), kept_(kept), passed_(passed), losses_(losses) {}

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override {
        passed_.missing += in.lost_positions();
        out.set_lost_positions(in.lost_positions());
        for (const Record& record : in.records()) {
            const std::uint64_t position = passed_.read++;
            if (kept_.end && position >= *kept_.end) continue;
            const bool wanted = !(kept_.drops_native && record.kind == Kind::native) &&
                                !kept_.dropped.contains(position) && !kept_.dropped_tracks.contains(record.track);
            const bool keep = wanted && !(kept_.in_order && goes_back(record));
            if (!wanted) passed_.tracks.insert(record.track);
            begins_frame_ = begins_frame_ || (record.flags & record_first_of_frame) != 0;
            if (keep) {
                Record& copied = out.copy(in, record, record.track);
                if (begins_frame_) copied.flags |= record_first_of_frame;
                begins_frame_ = false;
            } else {
                count_dropped(in, record);
            }
            order_.follow(in, record, keep, out);
        }
    }
    bool finish(Batch&) override { return false; }
    bool past() const override { return kept_.end && passed_.read >= *kept_.end; }

private:
    struct Latest {
        TimeBase base;
        std::optional<Tick> time{};
    };

    /// Returns the latest time for the time base of the track.
    Latest& latest_of(TrackId track) {
        while (base_of_.size() <= track) {
            const TimeBase base = source_.tracks()[base_of_.size()].time;
            const auto known = std::ranges::find(latest_, base, &Latest::base);
            base_of_.push_back(static_cast<std::size_t>(known - latest_.begin()));
            if (known == latest_.end()) latest_.push_back({base});
        }
        return latest_[base_of_[track]];
    }
    bool goes_back(const Record& record) {
        Latest& latest = latest_of(record.track);
        if (latest.time && record.time < *latest.time) return true;
        latest.time = record.time;
        return false;
    }
    void count_dropped(const Batch& in, const Record& record) {
        ++passed_.dropped;
        losses_.count(record.kind == Kind::native ? Loss::native_dropped : Loss::part_dropped,
                      source_.tracks()[record.track].name, [&] {
                          Batch one;
                          one.copy(in, record, record.track);
                          TextOutput text(-1);
                          dump_records(source_, one, text);
                          std::string line(text.text());
                          if (line.ends_with('\n')) line.pop_back();
                          return line;
                      });
    }

    const Schema& source_;
    const KeptRecords& kept_;
    Passed& passed_;
    Losses& losses_;
    std::vector<Latest> latest_;
    std::vector<std::size_t> base_of_;  ///< by track: index into latest_
    GroupOrder order_;
    bool begins_frame_ = false;
};

/// Delivers the kept records of a reader.
class KeptReader final : public Reader {
public:
    /// The arguments must outlive this object.
    KeptReader(Reader& reader, const Schema& source, const KeptRecords& kept)
        : reader_(reader), keeping_(source, kept, passed_, dropped_) {}
    Schema& schema() override { return reader_.schema(); }
    bool read(Batch& batch) override {
        read_.clear();
        const bool more = reader_.read(read_);
        keeping_.apply(read_, batch);
        return more;
    }
    Facts facts() const override { return reader_.facts(); }
    std::uint64_t position() const override { return reader_.position(); }

private:
    Reader& reader_;
    Passed passed_;
    Losses dropped_;
    Keeping keeping_;
    Batch read_;
};

/// The result of an attempt: the output and its fault.
struct Attempt {
    std::unique_ptr<Output> output;
    ConversionCounts counts;
    Passed passed;
    Losses losses;   ///< of the conversion
    Losses dropped;  ///< the records that were not kept
    Verdict verdict = Verdict::valid;
    /// The reason why the writer refused, or why the input cannot be read further. Empty if everything was written.
    std::string refusal;
    std::string fault;         ///< the first finding that determines the verdict; empty if the output is valid
    std::uint64_t faults = 0;  ///< number of errors in the output
    /// The positions of the output's records among which that finding was reported.
    std::uint64_t fault_begin = 0, fault_end = 0;
};

class Recovering {
public:
    Recovering(Input& input, const Format& from, const Format& to, const RecoveryOptions& options)
        : input_(input), from_(from), to_(to), options_(options), settings_(options.settings) {
        settings_.check = CheckLevel::full;
        settings_.completes = true;
    }

    Recovery run(Findings& findings) {
        Attempt best = attempt(findings, kept_);
        is_hopeless_ = is_hopeless(best, std::nullopt);
        while (best.verdict != Verdict::valid) {
            if (!best.refusal.empty())
                in_order_because(best.refusal);
            else if (const auto culprit = find_culprit(best))
                kept_.dropped.insert(*culprit);
            else if (!kept_.drops_native)
                kept_ = {{}, best.passed.tracks, true, {}, kept_.in_order};
            else
                break;
            const std::uint64_t faults = best.faults;
            best = attempt_again(kept_);
            is_hopeless_ = is_hopeless(best, faults);
        }
        Recovery recovery;
        recovery.counts = best.counts;
        recovery.dropped = best.passed.dropped;
        recovery.missing = best.passed.missing;
        recovery.losses = std::move(best.losses);
        if (best.verdict != Verdict::valid)
            recovery.fault = best.fault;
        else
            recovery.output = std::move(best.output);
        if (recovery.output && options_.verify) recovery.verification = verify(recovery, findings.effect());
        add_losses(best.dropped, recovery.losses);
        return recovery;
    }

private:
    void in_order_because(const std::string& refusal) {
        kept_.in_order = true;
        refusal_ = refusal;
    }
    Attempt attempt_again(const KeptRecords& kept) {
        Findings told_already(0);
        return attempt(told_already, kept);
    }

    /// Returns true if dropping one record after another takes long and will not make the output valid: most records
    /// are faulty, or the last drop reduced the number of faults by too few. `faults_before` is that number before the
    /// drop; none: nothing was dropped yet.
    bool is_hopeless(const Attempt& now, std::optional<std::uint64_t> faults_before) const noexcept {
        constexpr std::uint64_t affordable_records = 1u << 18;
        if (records_read_ <= affordable_records) return false;
        if (now.faults > now.passed.read / 2) return true;
        if (!faults_before) return false;
        const std::uint64_t left = options_.most_culprits - kept_.dropped.size();
        const std::uint64_t gained = *faults_before > now.faults ? *faults_before - now.faults : 0;
        return now.faults / std::max<std::uint64_t>(gained, 1) > left;
    }

    Attempt attempt(Findings& findings, const KeptRecords& kept) {
        Attempt made;
        input_.seek(0);
        PreparedSource source(input_, from_, to_, settings_, findings);
        const Choices choices{.time = {}, .range = {}, .settings = settings_};
        Plan plan = make_plan(source.schema(), source.format(), to_, choices, made.losses);
        plan.stages.insert(plan.stages.begin(),
                           std::make_unique<Keeping>(source.schema(), kept, made.passed, made.dropped));
        ++plan.refusing;
        if (!refusal_.empty()) made.losses.assume("records that go back in time are dropped: " + refusal_);
        made.output = options_.make_output();
        const Settings for_writer = source.for_writer(to_, settings_);
        const auto writer = to_.create(*made.output, plan.target_schema(source.schema()), for_writer, made.losses);
        try {
            made.counts = convert(source.reader(), plan, *writer, options_.progress);
        } catch (const Error& error) {
            // If the source format allows times to go back, records whose times go back must not be dropped.
            if (error.failure() != Failure::input || kept.in_order || !from_.reads.time_ordered) throw;
            made.verdict = Verdict::invalid;
            made.refusal = error.what();
            report_the_rest(source.reader());
            return made;
        }
        records_read_ += made.passed.read;
        check(made);
        return made;
    }

    /// Reads the rest of the input to report its findings after the refused record.
    static void report_the_rest(Reader& reader) {
        try {
            for (Batch rest; reader.read(rest);)
                rest.clear();
        } catch (const Error& error) {
            if (error.failure() != Failure::input) throw;
        }
    }

    /// Reads the output back and checks it.
    void check(Attempt& made) const {
        std::optional<Input> written = made.output->reopen();
        if (!written) fail(Failure::internal, "the output cannot be read back");
        Findings findings(1);
        findings.listen([&](const Finding& finding) {
            const bool is_fault =
                findings.severity(*finding.rule) == Severity::error || finding.rule->effect != Effect::harmless;
            if (is_fault && made.fault.empty())
                made.fault = std::string(finding.rule->id)
                                 .append(" at ")
                                 .append(describe(finding))
                                 .append(": ")
                                 .append(finding.rule->title);
        });
        Batch batch;
        try {
            const auto reader = to_.open(*written, settings_, findings);
            for (bool more = true; more;) {
                batch.clear();
                more = reader->read(batch);
                if (!made.fault.empty() && made.fault_end != 0) continue;
                if (made.fault.empty()) made.fault_begin += batch.records().size();
                if (!made.fault.empty()) made.fault_end = made.fault_begin + batch.records().size() + 1;
            }
        } catch (const Error& error) {
            if (error.failure() != Failure::input) throw;
            if (made.fault.empty()) made.fault = error.what();
            made.verdict = Verdict::invalid;
            return;
        }
        made.verdict = findings.verdict();
        made.faults = findings.violations(Severity::error);
    }

    /// Compares the output with the kept records.
    Verification verify(const Recovery& recovery, Effect effect) {
        const Choices choices{.time = {}, .range = {}, .settings = settings_};
        VerifiedOutput output{*recovery.output,
                              to_,
                              choices,
                              reason_not_to_compare(to_, choices, recovery.losses, effect, false),
                              {},
                              {}};
        output.compare = [&](Input& written, Findings& findings) {
            Findings reported_already(0);
            input_.seek(0);
            PreparedSource source(input_, from_, to_, settings_, reported_already);
            KeptReader reader(source.reader(), source.schema(), kept_);
            return verify_conversion({reader, source.schema(), source.format()}, written, to_, choices, findings);
        };
        return verify_output(output);
    }

    /// Returns true if the first `count` records make an invalid output.
    bool is_bad(std::uint64_t count) {
        KeptRecords kept = kept_;
        kept.end = count;
        return attempt_again(kept).verdict == Verdict::invalid;
    }

    /// Returns the position of a record without which the fault disappears. Returns nullopt if no record causes the
    /// fault, or if too many records were dropped already.
    std::optional<std::uint64_t> find_culprit(const Attempt& bad) {
        if (bad.verdict != Verdict::invalid || is_hopeless_ || kept_.dropped.size() == options_.most_culprits ||
            is_bad(0))
            return std::nullopt;
        std::uint64_t good = 0, wrong = bad.passed.read;
        if (wrong == 0) return std::nullopt;
        // Converts a position in the output to a position in the source. The result is right only if the output is in
        // source order, so is_bad() checks it.
        const auto source_position = [&](std::uint64_t written) {
            for (const std::uint64_t dropped : kept_.dropped)
                if (dropped <= written) ++written;
            return written;
        };
        if (const std::uint64_t end = source_position(bad.fault_end); end != 0 && end < wrong && is_bad(end))
            wrong = end;
        if (const std::uint64_t begin = source_position(bad.fault_begin);
            begin > 1 && begin - 1 < wrong && !is_bad(begin - 1))
            good = begin - 1;
        while (wrong - good > 1) {
            const std::uint64_t middle = good + (wrong - good) / 2;
            (is_bad(middle) ? wrong : good) = middle;
        }
        return wrong - 1;
    }

    Input& input_;
    const Format& from_;
    const Format& to_;
    const RecoveryOptions& options_;
    Settings settings_;
    KeptRecords kept_;
    std::uint64_t records_read_ = 0;  ///< in all attempts
    bool is_hopeless_ = false;
    std::string refusal_;  ///< the refusal that led to dropping records that go back in time
};

}  // namespace

Recovery recover(Input& input, const Format& from, const Format& to, Findings& findings,
                 const RecoveryOptions& options) {
    return Recovering(input, from, to, options).run(findings);
}

}  // namespace hwtrace

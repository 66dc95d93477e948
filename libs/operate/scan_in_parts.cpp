#include "operate/scan_in_parts.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <future>
#include <utility>
#include <vector>

#include "codec/resumable.hpp"
#include "io/appender.hpp"
#include "io/error.hpp"
#include "io/workers.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

/// Ends the work on all parts.
struct NotInParts {};

void require(bool condition) {
    if (!condition) throw NotInParts();
}

/// A place between two parts.
struct Border {
    std::uint64_t records = 0;  ///< before this place
    CheckpointState state;
};

/// Returns about evenly spaced borders of `parts` parts; fewer if there are fewer checkpoints, none if a state is
/// damaged.
std::vector<Border> borders_of(const TraceIndex& index, std::size_t parts) {
    std::vector<Border> borders;
    const Checkpoint* last = nullptr;
    for (std::size_t i = 1; i < parts; ++i) {
        const Checkpoint* const checkpoint = index.before_position(index.totals().positions / parts * i);
        if (checkpoint == nullptr || checkpoint == last) continue;
        last = checkpoint;
        std::optional<CheckpointState> state = index.state_of(*checkpoint);
        if (!state) return {};
        borders.push_back({checkpoint->records, *std::move(state)});
    }
    return borders;
}

/// Scans the parts of one trace.
class PartScan {
public:
    PartScan(const std::string& path, const Input& input, const Format& from, const Settings& settings,
             const TraceIndex& index)
        : path_(path),
          identity_(input.identity()),
          from_(from),
          index_(index),
          settings_(settings),
          settings_of_first_(settings) {
        settings_of_first_.jobs = settings_.jobs = 1;
        use_survey(&index, settings_);
    }

    /// Scans from `begin` (null: the beginning) to `end` (null: the end of the trace). Throws NotInParts if there is a
    /// finding, if the state at `end` is another one, or if the scan of another part has failed.
    ScanCounts scan(const Border* begin, const Border* end, const ProgressListener& progress) {
        try {
            return scanned(begin, end, progress);
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

private:
    ScanCounts scanned(const Border* begin, const Border* end, const ProgressListener& progress) {
        Input input = Input::open(path_);
        require(input.identity() == identity_);
        Findings findings(0);
        findings.screen([this](const Finding&) { return stopped_ = true; });
        const std::unique_ptr<Reader> reader =
            from_.open(input, begin == nullptr ? settings_of_first_ : settings_, findings);
        auto* const resumable = dynamic_cast<Resumable*>(reader.get());
        require(resumable != nullptr && !resumable->checks_whole() && resumable->keep_states());
        if (begin == nullptr)
            check_survey(*resumable);
        else
            require(resume_with(index_, begin->state, *reader));
        ScanCounts counts;
        std::uint64_t records = begin == nullptr ? 0 : begin->records;
        for (Batch batch; end == nullptr || records < end->records; batch.clear()) {
            require(!stopped_);
            if (!reader->read(batch)) {
                require(end == nullptr);
                break;
            }
            counts.add(batch);
            records += batch.records().size();
            if (progress) progress(reader->position());
        }
        require(!stopped_);
        if (end != nullptr) check_state(*resumable, records, *end);
        return counts;
    }
    /// The other parts are read with the survey in the index.
    void check_survey(const Resumable& resumable) const {
        Appender survey;
        resumable.save_survey(survey);
        const auto stated = index_.extra(IndexExtra::survey);
        require(survey.size() == 0 ? !stated : stated && std::ranges::equal(survey.span(), *stated));
    }
    static void check_state(Resumable& resumable, std::uint64_t records, const Border& end) {
        Appender state;
        require(records == end.records && resumable.save_state(state) &&
                std::ranges::equal(state.span(), end.state.reader()));
    }

    const std::string& path_;
    std::optional<Input::Identity> identity_;
    const Format& from_;
    const TraceIndex& index_;
    Settings settings_, settings_of_first_;
    std::atomic<bool> stopped_ = false;
};

}  // namespace

std::optional<ScanCounts> scan_in_parts(const std::string& path, const Input& input, const Format& from,
                                        const Settings& settings, const TraceIndex& index,
                                        const ProgressListener& progress) {
    const std::vector<Border> borders = borders_of(index, settings.jobs);
    if (borders.empty()) return std::nullopt;
    const std::size_t parts = borders.size() + 1;
    PartScan scan(path, input, from, settings, index);
    ScanCounts sum;
    try {
        std::vector<std::future<ScanCounts>> work;
        Workers workers(static_cast<unsigned>(parts));
        for (std::size_t i = 0; i < parts; ++i) {
            work.push_back(workers.start([&, i] {
                // All parts advance at about the same speed.
                const ProgressListener of_first = [&](std::uint64_t bytes) { progress(bytes * parts); };
                return scan.scan(i == 0 ? nullptr : &borders[i - 1], i + 1 == parts ? nullptr : &borders[i],
                                 i == 0 && progress ? of_first : ProgressListener());
            }));
        }
        for (std::future<ScanCounts>& part : work)
            sum.add(part.get());
        return sum;
    } catch (const NotInParts&) {
    } catch (const Error& error) {
        if (error.failure() == Failure::internal) throw;
    }
    return std::nullopt;
}

}  // namespace hwtrace

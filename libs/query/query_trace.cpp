#include "query/query_trace.hpp"

#include <algorithm>
#include <utility>

#include "query/kept_rows.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

constexpr Range everything{Range::Unit::record, 0, std::nullopt};
constexpr std::uint64_t bytes_a_row = 16, fewest_rows = 1000;  // a guess

}  // namespace

QueryTrace::QueryTrace(std::string name, Reopen reopen, const Format& format, QueryOptions options, Findings& findings)
    : name_(std::move(name)),
      reopen_(std::move(reopen)),
      format_(format),
      options_(std::move(options)),
      findings_(findings) {
    use_survey(options_.index.get(), options_.settings);
    const bool grows = !format.reads.schema_upfront;
    const auto read_all = [&](Reading& reading) {
        while (grows && reading.next())
            continue;
    };
    if (options_.criteria.any() && grows) {
        scout_.reset(new Reading(*this, false, none, {}));
        read_all(*scout_);
    }
    schema_.reset(new Reading(*this, true, none, {}));
    size_ = schema_->input_.size().value_or(0);
    read_all(*schema_);
    tables_.emplace(schema_->schema(), options_.settings.symbols);
    names_.emplace(*tables_);
}

QueryTrace::~QueryTrace() = default;

std::unique_ptr<QueryTrace::Reading> QueryTrace::read(TrackId track, TickBounds bounds) {
    return std::unique_ptr<Reading>(new Reading(*this, true, track, bounds));
}

std::uint64_t QueryTrace::rows(std::size_t table) const noexcept {
    const auto found = rows_.find(table);
    if (found != rows_.end()) return found->second;
    return std::max(fewest_rows, size_ / bytes_a_row);
}

std::uint64_t QueryTrace::memory_left() const noexcept {
    std::uint64_t used = 0;
    for (const auto& [table, known] : known_)
        if (known.rows) used += known.rows->bytes();
    return options_.memory - std::min(options_.memory, used);
}

// --- one reading -----------------------------------------------------------------------------------------------------

QueryTrace::Reading::Reading(QueryTrace& trace, bool is_sliced, TrackId track, TickBounds bounds)
    : start_progress_(trace.options_.progress),
      collected_(trace.findings_),
      input_(trace.reopen_()),
      findings_(collected_.for_reading()),
      track_(track),
      bounds_(bounds),
      is_ordered_(trace.format_.reads.time_ordered) {
    const Settings& settings = trace.options_.settings;  // readers may refer to it
    const auto& index = trace.options_.index;
    reader_ = trace.format_.open(input_, settings, findings_);
    if (is_sliced && !trace.is_whole()) {
        const SelectionOptions selection{trace.options_.period_ps,
                                         Earlier::left_out,
                                         settings.limits,
                                         trace.options_.criteria.instructions,
                                         trace.format_.reads,
                                         false,
                                         index};
        part_.emplace(*reader_, trace.options_.range.value_or(everything), selection, trace.options_.criteria.records,
                      trace.scout_ ? &trace.scout_->schema() : nullptr);
    } else if (bounds.has_first()) {
        has_skipped_ = reader_->seek(bounds.first, nullptr);
        const Checkpoint* const checkpoint = index && !has_skipped_ ? index->before_time(bounds.first) : nullptr;
        if (checkpoint != nullptr) has_skipped_ = resume_at(*index, *checkpoint, *reader_);
    }
}

QueryTrace::Reading::~Reading() {
    collected_.add_counts(findings_);
}

bool QueryTrace::Reading::next() {
    batch_.clear();
    if (is_past_ || has_ended_) return false;
    if (start_progress_ && !progress_) progress_ = start_progress_();
    has_ended_ = !(part_ ? part_->read(batch_) : reader_->read(batch_));
    is_past_ = !has_ended_ && is_ordered_ && bounds_.has_last() && is_behind();
    if (progress_) progress_(reader_->position());
    if (is_past_ || has_ended_) progress_ = nullptr;
    return !has_ended_;
}

bool QueryTrace::Reading::is_behind() const noexcept {
    for (std::size_t left = batch_.records().size(); left-- > 0;)
        if (const Record& record = batch_.records()[left]; record.track == track_) return record.time > bounds_.last;
    return false;
}

}  // namespace hwtrace

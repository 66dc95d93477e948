#include "operate/index_making.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "codec/resumable.hpp"
#include "codec/schema_state.hpp"
#include "domain/interval_ids.hpp"
#include "domain/interval_time.hpp"
#include "domain/record_mark.hpp"
#include "io/appender.hpp"
#include "io/error.hpp"
#include "io/fnv1a.hpp"
#include "select/positions.hpp"
#include "select/selection.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

/// Returns the checksum of all bytes of a seekable input; nullopt if `stop` returns true.
std::optional<std::uint64_t> whole_checksum(const Input& input, const std::function<bool()>& stop = {}) {
    std::vector<std::byte> bytes(1u << 20);
    Fnv1a64 sum;
    for (std::uint64_t at = 0;;) {
        if (stop && stop()) return std::nullopt;
        const std::size_t got = input.read_at(at, bytes);
        if (got == 0) return sum.value();
        sum.add(std::span(bytes).first(got));
        at += got;
    }
}

bool has_one_time(const Schema& schema) {
    const auto& tracks = schema.tracks();
    return std::ranges::all_of(tracks, [&](const Track& track) { return track.time == tracks.front().time; });
}

/// Follows a trace and adds checkpoints to its index.
class CheckpointMaking {
public:
    CheckpointMaking(Reader& reader, const Format& from, const Settings& settings, const IndexSpacing& spacing,
                     Output& output)
        : from_(from),
          reader_(reader),
          resumable_(dynamic_cast<Resumable*>(&reader)),
          output_(output),
          writer_(output),
          spacing_(spacing),
          texts_(reader.schema().string_count()),
          kind_(position_kind(reader.schema(), from.reads.shapes)),
          counter_(kind_),
          ids_(reader.schema()) {
        if (resumable_ == nullptr || !resumable_->keep_states()) return;
        // A slice that begins at the last position leaves out all records before, as the slices that use the index do.
        constexpr Range nothing{Range::Unit::record, std::numeric_limits<std::uint64_t>::max(), std::nullopt};
        SelectionOptions options;
        options.earlier = Earlier::occupied;
        options.limits = settings.limits;
        options.reads = from.reads;
        if (from.reads.shapes.has(Shape::relation_type) && !has_hart(reader.schema()))
            relations_.emplace(reader.schema(), settings.limits);
        try {
            stage_ = make_selection(reader.schema(), nothing, options);
        } catch (const Error& error) {
            if (error.failure() != Failure::usage && error.failure() != Failure::limit) throw;
        }
    }

    void add(const Batch& batch) {
        const auto& tracks = reader_.schema().tracks();
        counter_.lose(batch.lost_positions());
        for (const Record& record : batch.records()) {
            counter_.add(record, tracks[record.track]);
            latest_ = std::max(latest_, end_of(record));
            if (const auto id = ids_.of(batch, record))
                ids_below_ = std::max(ids_below_, *id == std::numeric_limits<std::uint64_t>::max() ? *id : *id + 1);
            if ((record.flags & record_restated) != 0) continue;
            totals_.first_time = std::min(totals_.first_time.value_or(record.time), record.time);
            totals_.last_time = std::max(totals_.last_time.value_or(record.time), end_of(record));
        }
        totals_.records += batch.records().size();
        outline_.add(batch);
        if (relations_) relations_->add(batch);
        if (stage_) follow(batch);
    }

    /// Writes the totals. The checkpoints and what saves reading the trace are kept only if the trace is sound.
    IndexContents finish(const TraceIdentity& identity, bool is_sound) {
        const Schema& schema = reader_.schema();
        const bool has_states =
            is_sound && stage_ != nullptr && kind_ == position_kind(schema, from_.reads.shapes) && has_same_signals();
        if (!has_states) writer_.drop_checkpoints();
        if (is_sound) add_extras();
        totals_.positions = counter_.positions();
        totals_.has_one_time = has_one_time(schema);
        totals_.has_texts = texts_ != schema.string_count();
        totals_.has_relations = !relations_ || relations_->is_exact();
        totals_.every = spacing_.every;
        writer_.finish(identity, from_.name, totals_);
        return {totals_, writer_.size(), has_states};
    }

private:
    void add_extras() {
        of_reader_.clear();
        if (resumable_ != nullptr) resumable_->save_survey(of_reader_);
        writer_.add(IndexExtra::survey, of_reader_.span());
        of_reader_.clear();
        if (!from_.reads.schema_upfront) append_outline(outline_.outline(), reader_.schema(), of_reader_);
        writer_.add(IndexExtra::outline, of_reader_.span());
    }

    /// Returns true if the slices that use the index restate the signals that the states hold.
    bool has_same_signals() const { return !of_records_ || *of_records_ == signals_of_records(reader_.schema()); }

    void follow(const Batch& batch) {
        if (!of_records_) of_records_ = signals_of_records(reader_.schema());
        out_.clear();
        try {
            stage_->apply(batch, out_);
        } catch (const Error& error) {
            if (error.failure() != Failure::usage && error.failure() != Failure::limit) throw;
            stage_.reset();
            return;
        }
        if (is_due()) save();
    }

    bool is_due() const {
        const std::uint64_t positions = counter_.positions() - last_.position;
        if (spacing_.every != 0) return positions >= spacing_.every;
        if (positions < IndexSpacing::least) return false;
        constexpr std::uint64_t share = 128, steps = 8, most_steps = 32;
        const std::uint64_t written = output_.size();
        const std::uint64_t step =
            spacing_.most_bytes == 0 ? 0 : std::min(most_steps, steps * written / spacing_.most_bytes);
        return reader_.position() - last_position_ >= last_size_ * (share << step);
    }

    void save() {
        of_reader_.clear();
        of_stage_.clear();
        if (!resumable_->save_state(of_reader_) || !stage_->save_state(of_stage_)) return;
        if (relations_) append_section(of_stage_, [&] { relations_->save(of_stage_); });
        last_.position = counter_.positions();
        last_.records = totals_.records;
        last_.latest = latest_;
        last_.ids_below = ids_below_;
        const std::uint64_t before = output_.size();
        writer_.add(last_, of_reader_.span(), of_stage_.span());
        last_size_ = output_.size() - before;
        last_position_ = reader_.position();
    }

    const Format& from_;
    Reader& reader_;
    Resumable* resumable_;  // the same reader; null: no checkpoints
    Output& output_;
    TraceIndexWriter writer_;
    IndexSpacing spacing_;
    std::size_t texts_;         // as of the beginning
    std::optional<Kind> kind_;  // of the records that count as positions, as of the beginning
    PositionCounter counter_;
    OutlineMeter outline_;
    std::optional<WaitingRelations> relations_;    // none: a slice has no relations of its own
    std::optional<std::vector<bool>> of_records_;  // signals_of_records(), as of the first records
    IndexTotals totals_;
    std::unique_ptr<Stage> stage_;  // null: no checkpoints
    IntervalIds ids_;
    std::uint64_t ids_below_ = 0;  // see Checkpoint
    Checkpoint last_;
    Tick latest_ = std::numeric_limits<Tick>::min();
    std::uint64_t last_size_ = 0, last_position_ = 0;  // of the last checkpoint: in the index, and in the trace
    Batch out_;
    Appender of_reader_, of_stage_;
};

}  // namespace

IndexContents write_index(Input& input, const Format& from, const Settings& settings, Findings& findings,
                          const IndexSpacing& spacing, Output& output, const ProgressListener& progress) {
    input.seek(0);
    const std::unique_ptr<Reader> reader = from.open(input, settings, findings);
    CheckpointMaking making(*reader, from, settings, spacing, output);
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        making.add(batch);
        if (progress) progress(reader->position());
    }
    const TraceIdentity identity{input.size().value_or(0), samples_of(input), *whole_checksum(input)};
    input.seek(0);
    return making.finish(identity, findings.verdict() == Verdict::valid);
}

bool has_same_bytes(const TraceIndex& index, const Input& input, const std::function<bool()>& stop) {
    return input.size() == index.identity().size && whole_checksum(input, stop) == index.identity().whole;
}

std::shared_ptr<const TraceIndex> index_in_memory(Input& input, const Format& from, const Settings& settings,
                                                  Findings& findings) {
    constexpr std::uint64_t most_bytes = 32u << 20;
    std::vector<std::byte> bytes;
    const auto output = open_memory_output("index", [&](std::vector<std::byte> made) { bytes = std::move(made); });
    write_index(input, from, settings, findings, {0, most_bytes}, *output);
    output->commit();
    TraceIndex::Fault fault{};
    return TraceIndex::open(std::move(bytes), input, from.name, fault);
}

}  // namespace hwtrace

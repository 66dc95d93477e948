#include "operate/index_making.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "codec/resumable.hpp"
#include "io/appender.hpp"
#include "io/error.hpp"
#include "io/fnv1a.hpp"
#include "select/interval_time.hpp"
#include "select/positions.hpp"
#include "select/selection.hpp"

namespace hwtrace {

namespace {

/// Returns the checksum of all bytes of a seekable input.
std::uint64_t whole_checksum(const Input& input) {
    std::vector<std::byte> bytes(1u << 20);
    Fnv1a64 sum;
    for (std::uint64_t at = 0;;) {
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
        : reader_(reader),
          resumable_(dynamic_cast<Resumable*>(&reader)),
          output_(output),
          writer_(output),
          spacing_(spacing),
          counter_(position_kind(reader.schema(), from.reads.shapes)) {
        if (resumable_ == nullptr || !resumable_->keep_states()) return;
        // A slice that begins at the last position leaves out all records before, as the slices that use the index do.
        constexpr Range nothing{Range::Unit::record, std::numeric_limits<std::uint64_t>::max(), std::nullopt};
        SelectionOptions options;
        options.earlier = Earlier::occupied;
        options.limits = settings.limits;
        options.reads = from.reads;
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
            if ((record.flags & record_restated) != 0) continue;
            totals_.first_time = std::min(totals_.first_time.value_or(record.time), record.time);
            totals_.last_time = std::max(totals_.last_time.value_or(record.time), end_of(record));
        }
        totals_.records += batch.records().size();
        if (stage_) follow(batch);
    }

    bool has_states() const noexcept { return stage_ != nullptr; }
    /// Writes the totals. The checkpoints are kept only if the trace is sound.
    IndexContents finish(const TraceIdentity& identity, const Format& from, bool is_sound) {
        if (!is_sound) writer_.drop_checkpoints();
        totals_.positions = counter_.positions();
        totals_.has_one_time = has_one_time(reader_.schema());
        totals_.every = spacing_.every;
        writer_.finish(identity, from.name, totals_);
        return {totals_, writer_.size(), has_states() && is_sound};
    }

private:
    void follow(const Batch& batch) {
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
        last_.position = counter_.positions();
        last_.records = totals_.records;
        last_.latest = latest_;
        const std::uint64_t before = output_.size();
        writer_.add(last_, of_reader_.span(), of_stage_.span());
        last_size_ = output_.size() - before;
        last_position_ = reader_.position();
    }

    Reader& reader_;
    Resumable* resumable_;  // the same reader; null: no checkpoints
    Output& output_;
    TraceIndexWriter writer_;
    IndexSpacing spacing_;
    PositionCounter counter_;
    IndexTotals totals_;
    std::unique_ptr<Stage> stage_;  // null: no checkpoints
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
    const TraceIdentity identity{input.size().value_or(0), samples_of(input), whole_checksum(input)};
    input.seek(0);
    return making.finish(identity, from, findings.verdict() == Verdict::valid);
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

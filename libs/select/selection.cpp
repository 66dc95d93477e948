#include "select/selection.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "domain/occupancy.hpp"
#include "domain/protocols.hpp"
#include "domain/record_mark.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "model/state.hpp"
#include "select/hart_selection.hpp"
#include "select/held_signals.hpp"
#include "select/positions.hpp"
#include "select/range_windows.hpp"
#include "select/restated_storages.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

[[noreturn]] void refuse_range(const Track& track, std::string_view why) {
    std::string message = "--range: track '";
    message.append(track.name).append("' ").append(why);
    fail(Failure::usage, message);
}

class Selection final : public Stage {
public:
    Selection(const Schema& source, const Range& range, const SelectionOptions& options)
        : source_(source), range_(range), options_(options), windows_(source, range, options.period_ps) {
        meet_tracks();
    }

    const Schema& schema() const override { return source_; }

    void apply(const Batch& in, Batch& out) override {
        if (source_.tracks().size() != met_) meet_tracks();
        if (!relations_.empty()) pass_relations(out);
        position_ += in.lost_positions();
        for (const Record& record : in.records()) {
            begins_frame_ = begins_frame_ || (record.flags & record_first_of_frame) != 0;
            const Place place = place_of(in, record);
            if (place == Place::before) {
                if (range_.is_shard) begins_frame_ = false;  // the whole frame is left out
                if (has_state()) follow(record);
                if (record.kind == Kind::change) signals_.follow(in, record);
                continue;
            }
            if (place == Place::behind) {
                behind_ = true;
                continue;
            }
            if (has_state()) restate(range_.unit == Range::Unit::record ? record.time : begin_tick(), out);
            if (signals_.any()) restate_signals(record, out);
            Record& copied = out.copy(in, record, record.track);
            // If the first record of a frame is left out, the next kept record begins the rest of the frame.
            if (begins_frame_) copied.flags |= record_first_of_frame;
            begins_frame_ = false;
        }
    }

    bool finish(Batch& out) override {
        pass_relations(out);
        const bool is_empty = range_.end == range_.begin;
        if (has_state() && range_.unit != Range::Unit::record && range_.begin != 0 && !is_empty)
            restate(begin_tick(), out);
        if (range_.unit != Range::Unit::record && range_.begin != 0 && !is_empty)
            signals_.restate_rest([&](TrackId track) { return windows_.begin_tick(track); }, out);
        return false;
    }

    std::optional<Entry> entry() override {
        const bool needs_all = range_.begin == 0 && !range_.end;
        if (range_.unit == Range::Unit::record || needs_all || met_ == 0 || signals_.any()) return std::nullopt;
        Tick time = begin_tick();
        for (TrackId id = 0; id < met_; ++id) {
            const Track& track = source_.tracks()[id];
            // An interval that overlaps the range may begin before it.
            if (track.kind == Track::Kind::stream || track.time != source_.tracks().front().time) return std::nullopt;
            if (is_followed(id)) time = std::numeric_limits<Tick>::min();
        }
        if (!windows_.is_comparable(0)) return std::nullopt;
        return Entry{time, has_state() && range_.begin != 0 ? &state_ : nullptr};
    }
    void entered() override { in_order_ = true; }
    bool past() const override {
        if (passes_relations() && options_.reads.relations != RelationPlace::before_sink) return false;
        if (range_.unit != Range::Unit::record) return in_order_ && behind_;
        if (range_.is_shard) return behind_;  // a frame that began in the shard may go on
        return range_.end && position_ >= *range_.end;
    }

    std::optional<LeftOut> left_out() const override {
        if (range_.begin == 0) return std::nullopt;
        if (range_.unit == Range::Unit::record) return LeftOut{false, range_.begin, 0, passes_relations()};
        if (met_ == 0) return std::nullopt;
        for (const Track& track : source_.tracks())
            if (track.time != source_.tracks().front().time) return std::nullopt;
        if (!windows_.is_comparable(0)) return std::nullopt;
        return LeftOut{true, 0, begin_tick(), passes_relations()};
    }

    bool save_state(Appender& out) const override {
        if (restated_ || behind_) return false;
        out.le(position_);
        out.le(static_cast<std::uint8_t>((begins_frame_ ? 1u : 0u) | (frame_time_ ? 2u : 0u)));
        out.le(frame_time_.value_or(0));
        append_section(out, [&] { append_storages(source_, state_, out); });
        append_section(out, [&] {
            for (const Occupancy& buffer : dense_buffers_)
                append_occupied(buffer, out);
        });
        append_section(out, [&] { signals_.save(source_, out); });
        return true;
    }

    void restore_state(Cursor& in, const AddText& add_text) override {
        meet_tracks();
        position_ = in.le<std::uint64_t>();
        const auto flags = in.le<std::uint8_t>();
        const auto time = in.le<Tick>();
        begins_frame_ = (flags & 1u) != 0 && !range_.is_shard;
        if ((flags & 2u) != 0) frame_time_ = time;
        frame_place_ = Place::before;
        began_ = true;
        Cursor storages = section_of(in), buffers = section_of(in), signals = section_of(in);
        if (has_state()) restore_storages(source_, state_, storages);
        // The state lacks tracks that appear behind its checkpoint.
        for (std::size_t id = 0; follows_buffers() && id < dense_buffers_.size() && !buffers.at_end(); ++id)
            restore_occupied(dense_buffers_[id], buffers);
        if (signals_.any()) signals_.restore(signals, source_, add_text);
        if (in.at_end()) return;
        Cursor relations = section_of(in);
        if (passes_relations()) restore_relations(source_, relations, relations_);
    }

private:
    void meet_tracks() {
        const bool restates = options_.earlier != Earlier::left_out;
        for (; met_ < source_.tracks().size(); ++met_) {
            const Track& track = source_.tracks()[met_];
            if (track.kind == Track::Kind::hart)
                refuse_range(track, "appears while reading; its instructions cannot be sliced");
            if (restates && track.kind == Track::Kind::storage) meet_storage(track);
            const auto id = static_cast<TrackId>(met_);
            if (restates && track.kind == Track::Kind::signal && holds_value()) signals_.meet(id, track.time);
            const bool is_dense_buffer = !track.sparse && (is_buffer(source_, id) || is_catalogue(source_, id));
            const bool followed = follows_buffers() && is_dense_buffer;
            dense_buffers_.emplace_back(followed ? track.slots : 0);
        }
        windows_.meet_tracks();
    }

    /// Returns true if the next signal holds its value until it changes, and was not made from other records.
    bool holds_value() {
        if (met_signals_++ == 0) of_records_ = signals_of_records(source_);
        return met_signals_ > of_records_.size() || !of_records_[met_signals_ - 1];
    }

    void meet_storage(const Track& track) {
        if (began_) refuse_range(track, "appears while reading; its value before the range is unknown");
        if (first_storage_ == none) {
            first_storage_ = static_cast<TrackId>(met_);
            check_limit(StateTable::bytes_needed(source_), options_.limits.block, "the state of all storages",
                        "--max-block");
            state_ = StateTable(source_);
        }
        if (track.time != source_.tracks()[first_storage_].time)
            refuse_range(track, "has a different time base than the storages before it");
    }

    /// Restates the signals of a time base before its first record in the range.
    void restate_signals(const Record& first, Batch& out) {
        const TimeBase& base = source_.tracks()[first.track].time;
        if (range_.unit == Range::Unit::record)
            signals_.restate_all(base, first.time, out);
        else
            signals_.restate(
                base, [&](TrackId track) { return windows_.begin_tick(track); }, out);
    }

    /// Returns true if the trace has storages whose state was not restated yet.
    bool has_state() const noexcept { return first_storage_ != none && !restated_; }

    bool follows_buffers() const noexcept {
        return options_.earlier == Earlier::occupied || options_.earlier == Earlier::counted;
    }
    /// Returns true for a buffer whose occupancy is followed, because checkpoints do not store it.
    bool is_followed(TrackId track) const noexcept { return dense_buffers_[track].slots() != 0; }

    void follow(const Record& record) {
        state_.apply(record);
        Occupancy& buffer = dense_buffers_[record.track];
        if (is_property(record) || !buffer.has(record.ref)) return;
        if (record.kind == Kind::clear)
            buffer.free(record.ref);
        else if (record.kind == Kind::set || record.kind == Kind::add)
            buffer.fill(record.ref);
    }

    /// Returns true if all relations are passed on. They can be dropped only when their intervals are known.
    bool passes_relations() const noexcept {
        return options_.relations_follow && first_storage_ == none && may_have_relations();
    }
    bool may_have_relations() const noexcept {
        const ReadCapabilities& reads = options_.reads;
        if (reads.shapes.empty() || (reads.shapes.has(Shape::relation_type) && !reads.schema_upfront)) return true;
        return RelationEnds::is_needed(source_);
    }

    /// Passes on the relations before a checkpoint.
    void pass_relations(Batch& out) {
        for (const Record& record : relations_.records())
            out.copy(relations_, record, record.track);
        relations_.clear();
    }

    /// Returns the start of the range in ticks of the storages, or of the first track if there are no storages.
    Tick begin_tick() const noexcept { return windows_.begin_tick(first_storage_ == none ? 0 : first_storage_); }

    /// Writes one frame that sets the storages, which are still empty, to their contents before the range.
    void restate(Tick time, Batch& out) {
        restated_ = true;
        restate_storages(source_, state_, dense_buffers_, time, options_.limits, out);
    }

    Place place_of(const Batch& batch, const Record& record) {
        began_ = true;
        const bool is_counted = !counted_ || record.kind == *counted_;
        const std::uint64_t position = is_counted ? position_++ : position_;
        if (record.kind == Kind::relation && passes_relations()) return Place::inside;
        if (range_.unit != Range::Unit::record) return windows_.place_of(batch, record);
        const bool continues = continues_frame(record);  // a checkpoint that is made for every slice states the frame
        if (range_.is_shard && continues) return frame_place_;
        return frame_place_ = place_of_position(range_, position);
    }

    /// Returns true if the record is in the frame of the record before it. A frame is in one shard.
    bool continues_frame(const Record& record) noexcept {
        const bool begins = (record.flags & record_first_of_frame) != 0;
        if (begins) frame_time_ = record.time;
        return !begins && frame_time_ == record.time;
    }

    const Schema& source_;
    Range range_;
    SelectionOptions options_;
    RangeWindows windows_;
    std::size_t met_ = 0;  // tracks examined so far
    std::size_t met_signals_ = 0;
    std::vector<bool> of_records_;  // by signal: see signals_of_records()
    TrackId first_storage_ = none;  // the first storage; none if no state is restated
    StateTable state_;              // state before the range
    HeldSignals signals_{options_.limits};
    Batch relations_;                       // those before a checkpoint that lead behind it
    std::vector<Occupancy> dense_buffers_;  // by track, before the range; no slots if not followed
    const std::optional<Kind> counted_ = position_kind(source_, options_.reads.shapes);
    std::uint64_t position_ = 0;
    bool began_ = false, restated_ = false, begins_frame_ = false;
    bool in_order_ = false, behind_ = false;
    Place frame_place_ = Place::before;  // of the last record that did not continue a frame
    std::optional<Tick> frame_time_;     // of the last frame
};

/// Keeps all records.
class WholeTrace final : public Stage {
public:
    explicit WholeTrace(const Schema& source) : source_(source) {}

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override {
        for (const Record& record : in.records())
            out.copy(in, record, record.track);
    }
    bool takes_whole(const Batch&) override { return true; }
    bool finish(Batch&) override { return false; }

private:
    const Schema& source_;
};

}  // namespace

std::unique_ptr<Stage> make_selection(const Schema& source, const Range& range, const SelectionOptions& options) {
    const auto& tracks = source.tracks();
    const bool has_hart =
        std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return track.kind == Track::Kind::hart; });
    const bool restates = options.earlier == Earlier::restated || options.earlier == Earlier::occupied;
    const bool renumbers = restates && !options.keeps_positions;
    const bool is_whole = range.begin == 0 && !range.end && !options.instructions.any();
    if (has_hart && is_whole && !renumbers)
        return std::make_unique<WholeTrace>(source);  // also a trace of several harts
    if (has_hart) return std::make_unique<HartSelection>(source, range, options);
    if (options.instructions.any())
        fail(Failure::usage, "--select: mode, from-... and to-... select instructions, but this trace has none");
    return std::make_unique<Selection>(source, range, options);
}

RangedReader::RangedReader(Reader& reader, const Range& range, const SelectionOptions& options,
                           const RecordCriteria& criteria, const Schema* complete)
    : reader_(reader), index_(options.index) {
    const Schema& known = complete != nullptr ? *complete : reader.schema();
    Criteria wanted{criteria, options.instructions};
    settle(known, wanted);
    SelectionOptions chosen = options;
    chosen.instructions = wanted.instructions;
    chosen.relations_follow = !range.is_shard && relations_follow_intervals(known, wanted.records, options.period_ps);
    // Earlier contents of a storage decide which of its slots match.
    const bool asks_tables =
        !wanted.records.fields.empty() && options.earlier == Earlier::left_out && range.begin != 0 &&
        std::ranges::any_of(known.tracks(), [](const Track& track) { return track.kind == Track::Kind::storage; });
    if (asks_tables) chosen.earlier = Earlier::restated;
    selection_ = make_selection(reader.schema(), range, chosen);
    if (wanted.records.any())
        records_.emplace(reader.schema(), wanted.records, known,
                         RecordSelectionOptions{options.period_ps, options.limits});
    if (chosen.relations_follow)
        relations_.emplace(schema(), RelationEnds::Keep::leading_in, options.reads.relations, options.limits, nullptr);
}

bool RangedReader::read(Batch& batch) {
    if (!begun_) {
        begun_ = true;
        enter_slice(reader_, *selection_, index_.get());
    }
    while (batch.empty() && !ended_) {
        read_.clear();
        in_range_.clear();
        selected_.clear();
        Batch& selected = relations_ ? selected_ : batch;
        Batch& kept = records_ ? in_range_ : selected;
        ended_ = selection_->past() || !reader_.read(read_);
        if (ended_)
            selection_->finish(kept);
        else if (selection_->takes_whole(read_))
            std::swap(read_, kept);
        else
            selection_->apply(read_, kept);
        if (records_) records_->apply(in_range_, selected);
        if (relations_) relations_->apply(selected_, batch);
        if (relations_ && ended_) relations_->finish(batch);
    }
    delivered_ = delivered_ || !batch.empty();
    return !batch.empty();
}

}  // namespace hwtrace

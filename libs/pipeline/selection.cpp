#include "pipeline/selection.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "io/error.hpp"
#include "model/protocols.hpp"
#include "model/state.hpp"
#include "pipeline/interval_time.hpp"
#include "pipeline/picosecond_scale.hpp"

namespace hwtrace {

namespace {

__extension__ using UnsignedWide = unsigned __int128;

constexpr WideTick beyond_all = WideTick{1} << 100;  // later than any begin or end of a record

/// A bound of the range on the axis of a track, between two ticks where it is none itself.
struct TickBound {
    WideTick floor = 0;
    WideTick ceiling = 0;
};

/// value / den, or beyond_all where that is less. `den` is not 0.
TickBound divide(UnsignedWide value, UnsignedWide den) noexcept {
    const UnsignedWide quotient = value / den;
    if (quotient >= static_cast<UnsignedWide>(beyond_all)) return {beyond_all, beyond_all};
    const WideTick floor = static_cast<WideTick>(quotient);
    return {floor, quotient * den == value ? floor : floor + 1};
}

[[noreturn]] void refuse(const Track& track, std::string_view why) {
    std::string message = "--range: track '";
    message.append(track.name).append("' ").append(why);
    fail(Failure::usage, message);
}

/// The range is in another unit than the track's time.
[[noreturn]] void refuse_unit(const Track& track) {
    switch (track.time.kind) {
        case TimeBase::Kind::seconds:
            refuse(track, "counts time: use ps, ns, us, ms or s, such as 10us:20us");
        case TimeBase::Kind::cycles:
            refuse(track,
                   "counts cycles of an unknown clock: state it with --clock, or use cyc, such as 1000cyc:2000cyc");
        case TimeBase::Kind::ordinal:
            refuse(track, "counts positions, which are no time: use #, such as #100:#200");
    }
    refuse(track, "has no time");
}

class Selection final : public Stage {
public:
    Selection(const Schema& source, const Range& range, const SelectionOptions& options)
        : source_(source), range_(range), options_(options) {
        meet_tracks();
    }

    const Schema& schema() const override { return source_; }

    void apply(const Batch& in, Batch& out) override {
        if (source_.tracks().size() != tracks_.size()) meet_tracks();
        for (const Record& record : in.records()) {
            begins_frame_ = begins_frame_ || (record.flags & record_first_of_frame) != 0;
            const Part part = part_of(in, record);
            if (part == Part::before) {
                if (has_state()) state_.apply(record);
                continue;
            }
            if (part == Part::behind) {
                behind_ = true;
                continue;
            }
            if (has_state()) restate(range_.unit == Range::Unit::record ? record.time : begin_tick(), out);
            Record& copied = out.copy(in, record, record.track);
            // Where the first record of a frame is left out, the next one that stays begins what is left of it.
            if (begins_frame_) copied.flags |= record_first_of_frame;
            begins_frame_ = false;
        }
    }

    bool finish(Batch& out) override {
        const bool is_empty = range_.end == range_.begin;
        if (has_state() && range_.unit != Range::Unit::record && range_.begin != 0 && !is_empty)
            restate(begin_tick(), out);
        return false;
    }

    std::optional<Entry> entry() override {
        const bool needs_all = range_.begin == 0 && !range_.end;
        if (range_.unit == Range::Unit::record || needs_all || tracks_.empty()) return std::nullopt;
        for (TrackId id = 0; id < tracks_.size(); ++id) {
            const Track& track = source_.tracks()[id];
            // An interval that reaches into the range begins before it.
            if (track.kind == Track::Kind::stream || track.time != source_.tracks().front().time) return std::nullopt;
        }
        if (!tracks_.front().comparable) return std::nullopt;
        return Entry{begin_tick(), has_state() && range_.begin != 0 ? &state_ : nullptr};
    }
    void entered() override { in_order_ = true; }
    bool past() const override {
        if (range_.unit != Range::Unit::record) return in_order_ && behind_;
        return range_.end && position_ >= *range_.end;
    }

private:
    /// The range on the axis of a track.
    struct Window {
        bool comparable = false;
        TickBound begin, end;
    };
    enum class Part : std::uint8_t { before, inside, behind };

    void meet_tracks() {
        const bool restates = options_.earlier == Earlier::restated;
        if (range_.unit == Range::Unit::cycle) cycle_ps_ = common_period(source_, "--range");
        while (tracks_.size() < source_.tracks().size()) {
            const Track& track = source_.tracks()[tracks_.size()];
            if (restates && (track.kind == Track::Kind::signal || track.kind == Track::Kind::hart))
                refuse(track, "holds signals or instructions, of which no part can be cut out yet");
            if (restates && track.kind == Track::Kind::storage) meet_storage(track);
            tracks_.push_back(window_of(track.time));
            // Native pieces that never come need no time.
            if (!tracks_.back().comparable && track.kind != Track::Kind::native) refuse_unit(track);
        }
    }

    void meet_storage(const Track& track) {
        if (began_) refuse(track, "appears while reading; what it held before the range is not known");
        if (first_storage_ == none) {
            first_storage_ = static_cast<TrackId>(tracks_.size());
            check_limit(StateTable::bytes_needed(source_), options_.limits.block, "the state of all storages",
                        "--max-block");
            state_ = StateTable(source_);
        }
        if (track.time != source_.tracks()[first_storage_].time)
            refuse(track, "counts another time than the storages before it");
    }

    /// Storages are followed up to the range.
    bool has_state() const noexcept { return first_storage_ != none && !restated_; }

    /// Where the range begins on the axis of the storages, else of the first track.
    Tick begin_tick() const noexcept {
        const Window& window = tracks_[first_storage_ == none ? 0 : first_storage_];
        return static_cast<Tick>(std::min<WideTick>(window.begin.ceiling, std::numeric_limits<Tick>::max()));
    }

    /// One frame that makes of empty storages what they hold.
    void restate(Tick time, Batch& out) {
        restated_ = true;
        std::uint8_t flags = record_first_of_frame;
        std::uint64_t records = 0;
        const auto put = [&](Record& record) {
            record.flags = static_cast<std::uint8_t>(record.flags | record_restated | flags);
            flags = 0;
            check_limit(++records * sizeof(Record), options_.limits.block, "what storages held before the range",
                        "--max-block");
        };
        for (TrackId id = 0; id < source_.tracks().size(); ++id) {
            const Track& track = source_.tracks()[id];
            if (track.kind != Track::Kind::storage) continue;
            const std::uint16_t life_id = life_id_field(source_, id);
            for (std::uint32_t slot = 0; slot < track.slots; ++slot) {
                if (!state_.valid(id, slot)) continue;
                const auto put_field = [&](std::size_t field) {
                    const std::uint64_t value = state_.value(id, slot, static_cast<std::uint32_t>(field));
                    if ((value != 0 || track.sparse) && is_known(track.fields[field], value))
                        put(out.set(id, time, slot, static_cast<std::uint16_t>(field), value));
                };
                if (life_id != no_field) put_field(life_id);  // what comes behind it is of that life
                for (std::size_t field = 0; field < track.fields.size(); ++field)
                    if (field != life_id) put_field(field);
            }
            for (std::size_t property = 0; property < track.properties.size(); ++property) {
                const std::uint64_t value = state_.property(id, static_cast<std::uint32_t>(property));
                if (value != 0 && is_known(track.properties[property], value))
                    put(out.set_property(id, time, static_cast<std::uint16_t>(property), value));
            }
        }
    }

    /// A text that was never set is no text of a trace without any.
    bool is_known(const Field& field, std::uint64_t value) const {
        return field.type != Type::text || value < source_.string_count();
    }

    Window window_of(TimeBase base) const noexcept {
        if (options_.period_ps && base.kind == TimeBase::Kind::cycles && !has_duration(base))
            base = {TimeBase::Kind::cycles, *options_.period_ps, picoseconds_per_second};
        switch (range_.unit) {
            case Range::Unit::record:
                return {true, {}, {}};
            case Range::Unit::cycle:
                if (base.kind == TimeBase::Kind::seconds) return window_of_cycles(base);
                if (base.kind != TimeBase::Kind::cycles) return {};
                return {true, divide(range_.begin, 1), range_.end ? divide(*range_.end, 1) : endless};
            case Range::Unit::time_ps:
                if (!has_duration(base)) return {};
                return {true, ticks_of(range_.begin, base), range_.end ? ticks_of(*range_.end, base) : endless};
        }
        return {};
    }

    /// Cycles in a trace that counts time.
    Window window_of_cycles(const TimeBase& base) const noexcept {
        if (cycle_ps_ == 0) return {};
        const auto ticks = [&](std::uint64_t cycles) { return ticks_of(UnsignedWide{cycles} * cycle_ps_, base); };
        return {true, ticks(range_.begin), range_.end ? ticks(*range_.end) : endless};
    }

    /// ps / (num / den s), or beyond_all where 128 bits do not hold it.
    static TickBound ticks_of(UnsignedWide ps, const TimeBase& base) noexcept {
        UnsignedWide product = 0;
        if (__builtin_mul_overflow(ps, UnsignedWide{base.den}, &product)) return {beyond_all, beyond_all};
        return divide(product, UnsignedWide{base.num} * picoseconds_per_second);
    }

    Part part_of(const Batch& batch, const Record& record) {
        began_ = true;
        if (range_.unit == Range::Unit::record) {
            const std::uint64_t position = position_++;
            if (position < range_.begin) return Part::before;
            return range_.end && position >= *range_.end ? Part::behind : Part::inside;
        }
        const Window& window = tracks_[record.track];
        if (!window.comparable) [[unlikely]]
            refuse_unit(source_.tracks()[record.track]);
        const WideTick begin = exact_begin(source_, batch, record);
        if (begin >= window.end.ceiling || range_.begin == range_.end) return Part::behind;
        if (begin >= window.begin.ceiling || range_.begin == 0) return Part::inside;
        // What begins before the range reaches into it when its end, which is no longer part of it, is behind the
        // begin.
        const bool reaches = record.kind == Kind::interval && begin + WideTick{record.value} > window.begin.floor;
        return reaches ? Part::inside : Part::before;
    }

    static constexpr TickBound endless{beyond_all, beyond_all};

    const Schema& source_;
    Range range_;
    SelectionOptions options_;
    std::vector<Window> tracks_;
    TrackId first_storage_ = none;  // where state is restated
    StateTable state_;              // of the storages in front of the range
    std::uint64_t position_ = 0;
    std::uint64_t cycle_ps_ = 0;  // of all clocks of a trace that counts time
    bool began_ = false, restated_ = false, begins_frame_ = false;
    bool in_order_ = false, behind_ = false;
};

}  // namespace

std::unique_ptr<Stage> make_selection(const Schema& source, const Range& range, const SelectionOptions& options) {
    return std::make_unique<Selection>(source, range, options);
}

RangedReader::RangedReader(Reader& reader, const Range& range, const SelectionOptions& options)
    : reader_(reader), selection_(make_selection(reader.schema(), range, options)) {}

bool RangedReader::read(Batch& batch) {
    if (!begun_) {
        begun_ = true;
        const std::optional<Stage::Entry> entry = selection_->entry();
        if (entry && reader_.seek(entry->time, entry->state)) selection_->entered();
    }
    while (batch.empty() && !ended_) {
        read_.clear();
        ended_ = selection_->past() || !reader_.read(read_);
        if (ended_)
            selection_->finish(batch);
        else
            selection_->apply(read_, batch);
    }
    return !batch.empty();
}

}  // namespace hwtrace

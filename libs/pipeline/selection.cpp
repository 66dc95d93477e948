#include "pipeline/selection.hpp"

#include <string>
#include <vector>

#include "io/error.hpp"
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
    Selection(const Schema& source, const Range& range, std::optional<std::uint64_t> period_ps)
        : source_(source), range_(range), period_ps_(period_ps) {
        meet_tracks();
    }

    const Schema& schema() const override { return source_; }

    void apply(const Batch& in, Batch& out) override {
        if (source_.tracks().size() != tracks_.size()) meet_tracks();
        for (const Record& record : in.records()) {
            begins_frame_ = begins_frame_ || (record.flags & record_first_of_frame) != 0;
            const bool kept = range_.unit == Range::Unit::record ? is_counted_in() : is_inside(in, record);
            if (!kept) continue;
            Record& copied = out.copy(in, record, record.track);
            // Where the first record of a frame is left out, the next one that stays begins what is left of it.
            if (begins_frame_) copied.flags |= record_first_of_frame;
            begins_frame_ = false;
        }
    }

    bool finish(Batch&) override { return false; }

private:
    /// The range on the axis of a track.
    struct Window {
        bool comparable = false;
        TickBound begin, end;
    };

    void meet_tracks() {
        while (tracks_.size() < source_.tracks().size()) {
            const Track& track = source_.tracks()[tracks_.size()];
            if (track.kind == Track::Kind::storage || track.kind == Track::Kind::signal ||
                track.kind == Track::Kind::hart)
                refuse(track, "holds state or instructions, of which no part can be cut out yet");
            tracks_.push_back(window_of(track.time));
            // Native pieces that never come need no time.
            if (!tracks_.back().comparable && track.kind != Track::Kind::native) refuse_unit(track);
        }
    }

    Window window_of(TimeBase base) const noexcept {
        if (period_ps_ && base.kind == TimeBase::Kind::cycles && !has_duration(base))
            base = {TimeBase::Kind::cycles, *period_ps_, picoseconds_per_second};
        switch (range_.unit) {
            case Range::Unit::record:
                return {true, {}, {}};
            case Range::Unit::cycle:
                if (base.kind != TimeBase::Kind::cycles) return {};
                return {true, divide(range_.begin, 1), range_.end ? divide(*range_.end, 1) : endless};
            case Range::Unit::time_ps:
                if (!has_duration(base)) return {};
                return {true, ticks_of(range_.begin, base), range_.end ? ticks_of(*range_.end, base) : endless};
        }
        return {};
    }

    /// ps / (num / den s): neither product can pass 128 bits.
    static TickBound ticks_of(std::uint64_t ps, const TimeBase& base) noexcept {
        return divide(UnsignedWide{ps} * base.den, UnsignedWide{base.num} * picoseconds_per_second);
    }

    bool is_counted_in() noexcept {
        const std::uint64_t position = position_++;
        return position >= range_.begin && (!range_.end || position < *range_.end);
    }

    bool is_inside(const Batch& batch, const Record& record) const {
        const Window& window = tracks_[record.track];
        if (!window.comparable) [[unlikely]]
            refuse_unit(source_.tracks()[record.track]);
        const WideTick begin = exact_begin(source_, batch, record);
        if (begin >= window.end.ceiling || range_.begin == range_.end) return false;
        if (begin >= window.begin.ceiling || range_.begin == 0) return true;
        // What begins before the range reaches into it when its end, which is no longer part of it, is behind the
        // begin.
        return record.kind == Kind::interval && begin + WideTick{record.value} > window.begin.floor;
    }

    static constexpr TickBound endless{beyond_all, beyond_all};

    const Schema& source_;
    Range range_;
    std::optional<std::uint64_t> period_ps_;
    std::vector<Window> tracks_;
    std::uint64_t position_ = 0;
    bool begins_frame_ = false;
};

}  // namespace

std::unique_ptr<Stage> make_selection(const Schema& source, const Range& range,
                                      std::optional<std::uint64_t> period_ps) {
    return std::make_unique<Selection>(source, range, period_ps);
}

}  // namespace hwtrace

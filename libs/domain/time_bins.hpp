// domain/time_bins.hpp - sums up records by time in a bounded number of bins; the bins widen as the trace grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/time.hpp"

namespace hwtrace {

/// A row of bins of equal width. A bin is 2^shift ticks wide and begins at a multiple of its width, so that rows of
/// different widths can be brought to one width without loss: see TimeBins::coarsened().
struct BinRange {
    unsigned shift = 0;     ///< 0 to 63
    Tick first = 0;         ///< number of the first bin: its begin divided by its width
    std::size_t count = 0;  ///< 0: nothing happened

    std::uint64_t width() const noexcept { return std::uint64_t{1} << shift; }
    /// Returns the first tick of a bin; for `bin == count`, at most the last Tick.
    Tick begin_of(std::size_t bin) const noexcept {
        const auto number = static_cast<std::uint64_t>(first) + bin;
        const auto begin = static_cast<Tick>(number << shift);
        return (begin >> shift) == static_cast<Tick>(number) ? begin : std::numeric_limits<Tick>::max();
    }
    friend bool operator==(const BinRange&, const BinRange&) = default;
};

/// Returns the range of the same time with bins of 2^shift ticks; `shift` is at least that of the range.
constexpr BinRange coarsened(const BinRange& range, unsigned shift) noexcept {
    if (range.count == 0) return {shift, 0, 0};
    const unsigned by = shift - range.shift;
    const Tick first = range.first >> by;
    const Tick last = (range.first + static_cast<Tick>(range.count - 1)) >> by;
    return {shift, first, static_cast<std::size_t>(last - first) + 1};
}

/// Returns the finest range of at most `most` (at least 2) bins that covers both ranges.
constexpr BinRange joined(BinRange a, BinRange b, std::size_t most) noexcept {
    if (a.count == 0) return b.count <= most ? b : joined(b, b, most);
    if (b.count == 0) return joined(a, a, most);
    for (unsigned shift = std::max(a.shift, b.shift);; ++shift) {
        a = coarsened(a, shift);
        b = coarsened(b, shift);
        const Tick first = std::min(a.first, b.first);
        const Tick last = std::max(a.first + static_cast<Tick>(a.count - 1), b.first + static_cast<Tick>(b.count - 1));
        const std::uint64_t beyond = ticks_between(first, last);
        if (beyond < most) return {shift, first, static_cast<std::size_t>(beyond) + 1};
    }
}

/// Bins that cover all times seen so far. Whenever the times exceed the maximal number of bins, the width doubles and
/// neighbours are joined. One pass over a trace of any length suffices, and times may come in any order.
/// A Bin is default-constructed as empty and has `void join(const Bin& later, std::uint64_t width)`: it takes the next
/// bin in; both are `width` ticks wide.
template <typename Bin>
class TimeBins {
public:
    /// `most`: the maximal number of bins, at least 2.
    explicit TimeBins(std::size_t most) noexcept : most_(std::max<std::size_t>(most, 2)) {}

    const BinRange& range() const noexcept { return range_; }
    const std::vector<Bin>& bins() const noexcept { return bins_; }  ///< as many as range().count
    bool empty() const noexcept { return bins_.empty(); }

    /// Returns the bin of a time. Valid until the bins are extended.
    Bin& at(Tick time) {
        cover(time, time);
        return bins_[place_of(time)];
    }
    /// Extends the bins to all times from `first` to `last`, both included.
    void cover(Tick first, Tick last) {
        if (place_of(first) < bins_.size() && place_of(last) < bins_.size()) [[likely]]
            return;
        BinRange wanted = joined({0, first, 1}, {0, last, 1}, most_);
        extend(joined(range_, wanted, most_));
    }
    /// Extends the bins so that they cover `added`, and calls `take(bin)` for the bin of each of its bins, in order.
    template <typename Take>
    void cover(const BinRange& added, Take&& take) {
        if (added.count == 0) return;
        const BinRange wanted = joined(range_, added, most_);
        extend(wanted);
        for (std::size_t i = 0; i < added.count; ++i) {
            const Tick number = (added.first + static_cast<Tick>(i)) >> (wanted.shift - added.shift);
            take(bins_[static_cast<std::size_t>(number - wanted.first)]);
        }
    }
    /// Returns the bins of `to`, which must not be finer than range(); bins outside range() are empty.
    std::vector<Bin> coarsened(const BinRange& to) const {
        TimeBins copy = *this;
        copy.coarsen(to.shift);
        std::vector<Bin> result(to.count);
        for (std::size_t i = 0; i < copy.bins_.size(); ++i) {
            const auto place = static_cast<std::uint64_t>(copy.range_.first) + i - static_cast<std::uint64_t>(to.first);
            if (place < to.count) result[static_cast<std::size_t>(place)] = copy.bins_[i];
        }
        return result;
    }

private:
    /// Returns the index of the bin of a time; an index that no bin has for times outside range().
    std::size_t place_of(Tick time) const noexcept {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(time >> range_.shift) -
                                        static_cast<std::uint64_t>(range_.first));
    }
    void extend(const BinRange& wanted) {
        if (wanted == range_) return;
        if (range_.count != 0) coarsen(wanted.shift);
        if (bins_.empty()) range_.first = wanted.first;
        bins_.insert(bins_.begin(), static_cast<std::size_t>(range_.first - wanted.first), Bin{});
        bins_.resize(wanted.count);
        range_ = wanted;
    }
    /// Joins neighbours until the bins are 2^shift ticks wide.
    void coarsen(unsigned shift) {
        while (range_.shift < shift) {
            const BinRange to = hwtrace::coarsened(range_, range_.shift + 1);
            std::size_t from = 0;
            for (std::size_t i = 0; i < to.count; ++i) {
                const bool lacks_left = i == 0 && (range_.first & 1) != 0;
                Bin bin = lacks_left ? Bin{} : bins_[from++];
                bin.join(from < bins_.size() ? bins_[from++] : Bin{}, range_.width());
                bins_[i] = bin;
            }
            bins_.resize(to.count);
            range_ = to;
        }
    }

    std::size_t most_;
    BinRange range_;
    std::vector<Bin> bins_;
};

/// The sums of a bin of BusyBins.
struct BusyTotal {
    std::uint64_t busy = 0;    ///< ticks of all intervals in this bin, summed; overlapping ones count several times
    std::uint64_t begins = 0;  ///< number of points, and of intervals that begin in this bin
};

/// Sums up intervals and points by time. An interval takes constant time, however many bins it covers.
class BusyBins {
public:
    explicit BusyBins(std::size_t most) noexcept : bins_(most) {}

    /// Adds an interval that lasts `duration` ticks. An end beyond the last Tick is cut off there.
    void add(Tick begin, std::uint64_t duration) {
        add_busy(begin, duration);
        ++bins_.at(begin).begins;
    }
    /// Adds the time of an interval without counting its begin.
    void add_busy(Tick begin, std::uint64_t duration) {
        const auto room = ticks_between(begin, std::numeric_limits<Tick>::max());
        duration = std::min(duration, room);
        if (duration == 0) return;
        const Tick last = static_cast<Tick>(static_cast<std::uint64_t>(begin) + (duration - 1));
        bins_.cover(begin, last);
        const unsigned shift = bins_.range().shift;
        Bin& at_begin = bins_.at(begin);
        if (begin >> shift == last >> shift) {
            at_begin.busy += duration;
            return;
        }
        const std::uint64_t mask = bins_.range().width() - 1;
        at_begin.busy += bins_.range().width() - (static_cast<std::uint64_t>(begin) & mask);
        ++at_begin.opened;
        Bin& at_end = bins_.at(last);
        at_end.busy += (static_cast<std::uint64_t>(last) & mask) + 1;
        ++at_end.closed;
    }
    /// Extends the bins to all times from `first` to `last`, both included.
    void cover(Tick first, Tick last) { bins_.cover(first, last); }
    /// Adds `count` points.
    void add_points(Tick time, std::uint64_t count = 1) { bins_.at(time).begins += count; }

    const BinRange& range() const noexcept { return bins_.range(); }
    bool empty() const noexcept { return bins_.empty(); }
    /// Returns the sums of every bin of range(). Sums beyond 64 bits are saturated.
    std::vector<BusyTotal> totals() const { return totals(range()); }
    /// Returns the sums of every bin of `to`, which must not be finer than range().
    std::vector<BusyTotal> totals(const BinRange& to) const {
        std::vector<BusyTotal> result;
        result.reserve(to.count);
        std::int64_t in_progress = 0;  // intervals that cover the whole bin
        for (const Bin& bin : bins_.coarsened(to)) {
            in_progress -= bin.closed;
            const Sum busy = bin.busy + Sum{in_progress} * Sum{to.width()};
            constexpr Sum largest = std::numeric_limits<std::uint64_t>::max();
            result.push_back({static_cast<std::uint64_t>(std::min(busy, largest)), bin.begins});
            in_progress += bin.opened;
        }
        return result;
    }

private:
    __extension__ using Sum = __int128;

    struct Bin {
        Sum busy = 0;  ///< time of the intervals that do not cover the whole bin
        std::uint64_t begins = 0;
        std::int64_t opened = 0;  ///< intervals that cover the next bin because of their begin in this one
        std::int64_t closed = 0;  ///< intervals that do not cover this and the following bins because of their end

        void join(const Bin& later, std::uint64_t width) noexcept {
            const std::int64_t covers_later = opened - later.closed;  // of the intervals that begin or end here
            busy += later.busy + Sum{covers_later} * Sum{width};
            begins += later.begins;
            opened = covers_later + later.opened;
        }
    };

    TimeBins<Bin> bins_;
};

/// The values that something took in a bin.
template <typename Value>
struct ValueBin {
    std::uint64_t changes = 0;  ///< number of values; the others are valid if it is not 0
    Value least{}, greatest{}, last{};
    bool ended = false;  ///< after the last value there is none: the following empty bins have no value

    void take(Value value) noexcept {
        ended = false;
        least = changes == 0 ? value : std::min(least, value);
        greatest = changes == 0 ? value : std::max(greatest, value);
        last = value;
        ++changes;
    }
    /// From here on there is no value.
    void end() noexcept { ended = true; }
    void join(const ValueBin& later, std::uint64_t) noexcept {
        ended = later.ended || (ended && later.changes == 0);
        if (later.changes == 0) return;
        least = changes == 0 ? later.least : std::min(least, later.least);
        greatest = changes == 0 ? later.greatest : std::max(greatest, later.greatest);
        last = later.last;
        changes += later.changes;
    }
};

/// Sums up a value that changes: use `at(time).take(value)` and `at(time).end()` in order of time. In a bin without
/// changes, the value is the last one of the bins before it, unless it has ended.
template <typename Value>
using ValueBins = TimeBins<ValueBin<Value>>;

}  // namespace hwtrace

// formats/ftr/time_window.hpp - decides which transactions and blocks of a file lie outside a time window.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/settings.hpp"

namespace hwtrace::ftr {

/// A time window in ticks of a file, compared exactly.
class TimeWindow {
public:
    /// `window` is a range of time. A tick of the file lasts 10^exponent seconds; the exponent must be -19 to 19.
    TimeWindow(const TraceWindow& window, std::int64_t exponent) noexcept;

    /// Returns true if the transaction does not overlap the window. A transaction of length 0 overlaps if its time is
    /// inside.
    bool leaves_out(std::uint64_t start, std::uint64_t end) const noexcept {
        if (window_.end && is_from(start, *window_.end)) return true;
        return !is_from(start, window_.begin) && !(end > start && is_behind(end, window_.begin));
    }
    /// Returns true if no transaction of a block can overlap the window. The transactions are within [`start`, `end`].
    bool leaves_out_block(std::uint64_t start, std::uint64_t end) const noexcept {
        return start <= end && ((window_.end && is_from(start, *window_.end)) || !is_from(end, window_.begin));
    }

private:
    __extension__ using UnsignedWide = unsigned __int128;

    /// Converts a time in ticks to a unit of which a tick and a picosecond are integer multiples. Saturates.
    UnsignedWide scaled(std::uint64_t tick) const noexcept {
        UnsignedWide value = 0;
        return __builtin_mul_overflow(UnsignedWide{tick}, tick_, &value) ? ~UnsignedWide{0} : value;
    }
    bool is_from(std::uint64_t tick, std::uint64_t ps) const noexcept {
        return scaled(tick) >= UnsignedWide{ps} * picosecond_;
    }
    bool is_behind(std::uint64_t tick, std::uint64_t ps) const noexcept {
        return scaled(tick) > UnsignedWide{ps} * picosecond_;
    }

    TraceWindow window_;
    UnsignedWide tick_ = 1, picosecond_ = 1;  ///< lengths of a tick and a picosecond in that unit; at least one is 1
};

}  // namespace hwtrace::ftr

// formats/ftr/time_window.hpp - which transactions of a file, and which of its blocks, a window of time leaves out.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/settings.hpp"

namespace hwtrace::ftr {

/// A window on the ticks of a file, exactly.
class TimeWindow {
public:
    /// `window` is one of time; a tick of the file is 10^exponent seconds, from -19 to 19.
    TimeWindow(const TraceWindow& window, std::int64_t exponent) noexcept;

    /// A transaction that does not overlap the window; of one without length, whose moment is outside.
    bool leaves_out(std::uint64_t start, std::uint64_t end) const noexcept {
        if (window_.end && is_from(start, *window_.end)) return true;
        return !is_from(start, window_.begin) && !(end > start && is_behind(end, window_.begin));
    }
    /// A block none of whose transactions, which are all from `start` to `end`, can be in the window.
    bool leaves_out_block(std::uint64_t start, std::uint64_t end) const noexcept {
        return start <= end && ((window_.end && is_from(start, *window_.end)) || !is_from(end, window_.begin));
    }

private:
    __extension__ using UnsignedWide = unsigned __int128;

    /// The tick in the unit in which both a tick and a picosecond are whole; saturated.
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
    UnsignedWide tick_ = 1, picosecond_ = 1;  ///< how long each is; one of them is 1
};

}  // namespace hwtrace::ftr

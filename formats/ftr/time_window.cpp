#include "time_window.hpp"

namespace hwtrace::ftr {

TimeWindow::TimeWindow(const TraceWindow& window, std::int64_t exponent) noexcept : window_(window) {
    constexpr std::int64_t picosecond_exponent = -12;
    for (std::int64_t e = picosecond_exponent; e < exponent; ++e)
        tick_ *= 10;
    for (std::int64_t e = exponent; e < picosecond_exponent; ++e)
        picosecond_ *= 10;
}

}  // namespace hwtrace::ftr

#include "model/time.hpp"

#include <limits>

namespace hwtrace {

namespace {
__extension__ using Wide = __int128;
}

Scaled scale(Tick value, Ratio ratio) noexcept {
    if (ratio.den == 0) return {0, false, true};
    if (ratio.num == 1 && value >= 0) {  // a division of 128 bits takes several times as long
        const auto ticks = static_cast<std::uint64_t>(value);
        return {static_cast<Tick>(ticks / ratio.den), ticks % ratio.den == 0, false};
    }
    const Wide product = static_cast<Wide>(value) * static_cast<Wide>(ratio.num);
    const Wide divisor = static_cast<Wide>(ratio.den);
    Wide quotient = product / divisor;
    const bool exact = quotient * divisor == product;
    if (!exact && product < 0) --quotient;  // C++ truncates towards zero, a floor rounds down
    constexpr Wide lowest = std::numeric_limits<Tick>::min();
    constexpr Wide highest = std::numeric_limits<Tick>::max();
    if (quotient < lowest) return {std::numeric_limits<Tick>::min(), false, true};
    if (quotient > highest) return {std::numeric_limits<Tick>::max(), false, true};
    return {static_cast<Tick>(quotient), exact, false};
}

}  // namespace hwtrace

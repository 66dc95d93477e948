#include "select/clock.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "codec/settings.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

std::uint64_t parse_clock(std::string_view text) {
    const auto reject = [&](std::string_view why) {
        std::string message = "--clock takes a frequency or a period, such as 1GHz or 500ps, not '";
        fail(Failure::usage, message.append(text).append("'").append(why));
    };
    if (const auto period = parse_time_ps(text)) {
        if (*period == 0) reject("");
        return *period;
    }
    struct Unit {
        std::string_view name;
        std::uint64_t hertz;
    };
    constexpr std::array units{Unit{"GHz", 1'000'000'000}, Unit{"MHz", 1'000'000}, Unit{"kHz", 1'000}, Unit{"Hz", 1}};
    for (const Unit& unit : units) {
        if (!text.ends_with(unit.name)) continue;
        const std::string_view number = text.substr(0, text.size() - unit.name.size());
        const std::size_t point = std::min(number.find('.'), number.size());
        const std::string_view fraction = number.substr(std::min(point + 1, number.size()));
        std::string digits(number.substr(0, point));
        digits.append(fraction);
        const auto value = parse_digits(digits);
        if (!value || *value == 0 || fraction.size() > 9) break;
        // period = 10^12 / (value * hertz / 10^fraction), in whole picoseconds
        std::uint64_t scale = 1;
        for (std::size_t i = 0; i < fraction.size(); ++i)
            scale *= 10;
        const Ratio frequency = Ratio{unit.hertz, scale}.reduced();
        __extension__ using Wide = unsigned __int128;
        const Wide hertz = static_cast<Wide>(*value) * frequency.num;
        const Wide ps_a_second = static_cast<Wide>(picoseconds_per_second) * frequency.den;
        if (hertz > ps_a_second || ps_a_second % hertz != 0 || ps_a_second / hertz > UINT64_MAX)
            reject(": its period is not a whole number of picoseconds; give the period instead");
        return static_cast<std::uint64_t>(ps_a_second / hertz);
    }
    reject("");
    return 0;
}

Ratio parse_ipc(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto num = parse_count(text.substr(0, slash));
    const auto den =
        slash == std::string_view::npos ? std::optional<std::uint64_t>(1) : parse_count(text.substr(slash + 1));
    if (!num || !den || *num == 0 || *den == 0) {
        std::string message = "--ipc takes N or N/M instructions per cycle, such as 2 or 3/4, not '";
        fail(Failure::usage, message.append(text).append("'"));
    }
    return Ratio{*num, *den}.reduced();
}

}  // namespace hwtrace

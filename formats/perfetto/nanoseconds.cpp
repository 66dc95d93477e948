#include "nanoseconds.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "domain/durations.hpp"
#include "domain/tick_ratio.hpp"

namespace hwtrace::perfetto {
namespace {

constexpr std::uint64_t per_nanosecond = 1'000'000'000, per_picosecond = picoseconds_per_second,
                        per_femtosecond = 1'000'000'000'000'000;

/// Returns the number of units in a tick of the base. A tick of unknown length is shown as a nanosecond.
Ratio units_in_tick(const TimeBase& base, const Unit& unit) noexcept {
    if (!has_duration(base)) return {unit.units_per_second / per_nanosecond, 1};
    return ticks_in(base, {TimeBase::Kind::seconds, 1, unit.units_per_second}).value_or(Ratio{0, 0});
}

}  // namespace

std::string Unit::note() const {
    if (counts_ticks) return "1 ns stands for 1 tick";
    if (units_per_second == per_picosecond) return "1 ns stands for 1 ps";
    if (units_per_second == per_femtosecond) return "1 ns stands for 1 fs";
    return {};
}

Unit choose_unit(const Schema& schema, std::string_view choice) {
    Unit unit;
    const auto& tracks = schema.tracks();
    unit.counts_ticks =
        !tracks.empty() && std::ranges::none_of(tracks, [](const Track& track) { return has_duration(track.time); });
    if (choice == "ns") return unit;
    if (choice == "ps" || choice == "fs") {
        if (!unit.counts_ticks) unit.units_per_second = choice == "ps" ? per_picosecond : per_femtosecond;
        return unit;
    }
    for (const std::uint64_t finer : std::array{per_nanosecond, per_picosecond, per_femtosecond}) {
        unit.units_per_second = finer;
        if (std::ranges::all_of(tracks, [&](const Track& track) { return units_in_tick(track.time, unit).den == 1; }))
            break;
    }
    return unit;
}

ShownTimes shown_times(const Schema& schema, const Unit& unit, const ShownRange& range, Losses& losses) {
    std::vector<Ratio> ratios;
    for (const Track& track : schema.tracks())
        ratios.push_back(unit.counts_ticks ? Ratio{1, 1} : units_in_tick(track.time, unit));
    return {schema, std::move(ratios), range, " ns", losses};
}

}  // namespace hwtrace::perfetto

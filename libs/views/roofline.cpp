#include "views/roofline.hpp"

#include <algorithm>
#include <string_view>

#include "domain/accelerator.hpp"
#include "domain/conventions.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

constexpr std::uint64_t largest_side = 1u << 20;  // of an array; keeps products in range

/// Reads "[16,16]".
void read_array(std::string_view text, Roofline& roofline) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || !text.starts_with('[') || !text.ends_with(']')) return;
    const auto rows = parse_digits(text.substr(1, comma - 1));
    const auto columns = parse_digits(text.substr(comma + 1, text.size() - comma - 2));
    if (!rows || !columns || *rows > largest_side || *columns > largest_side) return;
    roofline.rows = *rows;
    roofline.columns = *columns;
}

}  // namespace

std::optional<std::uint64_t> Roofline::array_mops() const noexcept {
    if (operations_per_cycle() == 0 || clock_mhz == 0) return std::nullopt;
    return saturated(WideTick{operations_per_cycle()} * WideTick{clock_mhz});
}

std::optional<std::uint64_t> Roofline::attained_mops() const noexcept {
    const auto peak = array_mops();
    if (!peak || span == 0) return std::nullopt;
    return saturated(WideTick{*peak} * WideTick{compute} / WideTick{span});
}

std::optional<std::uint64_t> Roofline::balance() const noexcept {
    const WideTick traffic = WideTick{reads} + WideTick{writes};
    if (traffic == 0) return std::nullopt;
    return saturated((WideTick{compute} * 100 + traffic / 2) / traffic);
}

std::optional<Roofline> roofline_of(const Schema& schema, const Activity& activity) {
    Roofline roofline;
    for (const Activity::OfTrack& type : activity.types) {
        if (type.name == conventions::matrix_work) roofline.compute = saturated(type.busy.total);
        if (type.name == accelerator::memory_read) roofline.reads = saturated(type.busy.total);
        if (type.name == accelerator::memory_write) roofline.writes = saturated(type.busy.total);
    }
    if (roofline.compute == 0) return std::nullopt;
    roofline.span = saturated(activity.span);
    if (const std::string* const peak = schema.metadata(accelerator::peak_tops)) roofline.peak_tops = *peak;
    if (const std::string* const array = schema.metadata(accelerator::array_size)) read_array(*array, roofline);
    if (const std::string* const clock = schema.metadata(accelerator::clock_mhz))
        roofline.clock_mhz = parse_digits(*clock).value_or(0);
    return roofline;
}

}  // namespace hwtrace

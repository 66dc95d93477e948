#include "select/positions.hpp"

#include <algorithm>
#include <string>

#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

std::optional<Kind> position_kind(const Schema& schema, Shapes shapes) {
    bool streams = false, relations = false, others = false;
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::hart) return Kind::instruction;
        const bool beside = track.kind == Track::Kind::notes || track.kind == Track::Kind::native;
        streams = streams || track.kind == Track::Kind::stream;
        relations = relations || track.kind == Track::Kind::relation_type;
        others = others || !(beside || track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type);
    }
    // A raised trace can have other tracks than its format.
    if (others) return std::nullopt;
    const bool only_intervals =
        shapes.has(Shape::stream) && Shapes{Shape::stream, Shape::relation_type}.has_all(shapes);
    return only_intervals || (streams && relations) ? std::optional(Kind::interval) : std::nullopt;
}

Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept {
    if (count == 0) return {Range::Unit::record, positions, positions};
    return {Range::Unit::record, positions - std::min(count, positions), std::nullopt};
}

Shard parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
        const auto number = parse_digits(text.substr(0, slash)), count = parse_digits(text.substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) return {*number, *count};
    }
    fail(Failure::usage, std::string("--shard ")
                             .append(text)
                             .append(": takes I/N with 1 <= I <= N, such as 3/8 for the third of eight"));
}

std::string name_of(const Shard& shard) {
    return std::to_string(shard.number) + '/' + std::to_string(shard.count);
}

Range range_of(const Shard& shard, std::uint64_t positions) noexcept {
    // The first `longer` shards have one position more than the others.
    const std::uint64_t size = positions / shard.count, longer = positions % shard.count;
    const auto begin_of = [&](std::uint64_t index) { return index * size + std::min(index, longer); };
    Range range{Range::Unit::record, begin_of(shard.number - 1), std::nullopt, true};
    if (shard.number != shard.count) range.end = begin_of(shard.number);
    return range;
}

}  // namespace hwtrace

#include "select/positions.hpp"

#include <algorithm>

namespace hwtrace {

std::optional<Kind> position_kind(const Schema& schema, Shapes shapes) {
    if (shapes.has(Shape::stream) && Shapes{Shape::stream, Shape::relation_type}.has_all(shapes)) return Kind::interval;
    bool streams = false, relations = false, others = false;
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::hart) return Kind::instruction;
        const bool beside = track.kind == Track::Kind::notes || track.kind == Track::Kind::native;
        streams = streams || track.kind == Track::Kind::stream;
        relations = relations || track.kind == Track::Kind::relation_type;
        others = others || !(beside || track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type);
    }
    return streams && relations && !others ? std::optional(Kind::interval) : std::nullopt;
}

Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept {
    if (count == 0) return {Range::Unit::record, positions, positions};
    return {Range::Unit::record, positions - std::min(count, positions), std::nullopt};
}

}  // namespace hwtrace

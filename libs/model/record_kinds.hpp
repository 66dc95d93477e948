// model/record_kinds.hpp - the mapping between kinds of records and kinds of tracks.
#pragma once

#include <array>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

inline constexpr std::array all_kinds{Kind::event,    Kind::set,      Kind::clear,       Kind::add,  Kind::change,
                                      Kind::interval, Kind::relation, Kind::instruction, Kind::note, Kind::native};

/// Returns the kind of track that carries records of `kind`.
constexpr Track::Kind carrier_of(Kind kind) noexcept {
    switch (kind) {
        case Kind::event:
            return Track::Kind::event_type;
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            return Track::Kind::storage;
        case Kind::change:
            return Track::Kind::signal;
        case Kind::interval:
            return Track::Kind::stream;
        case Kind::relation:
            return Track::Kind::relation_type;
        case Kind::instruction:
            return Track::Kind::hart;
        case Kind::note:
            return Track::Kind::notes;
        case Kind::native:
            break;
    }
    return Track::Kind::native;
}

/// Returns the first record kind that tracks of kind `carrier` carry; Kind::set for storages.
constexpr Kind kind_carried_by(Track::Kind carrier) noexcept {
    for (const Kind kind : all_kinds)
        if (carrier_of(kind) == carrier) return kind;
    return Kind::native;
}

}  // namespace hwtrace

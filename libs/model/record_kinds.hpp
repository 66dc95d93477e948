// model/record_kinds.hpp - sets of record kinds, and the kinds of tracks that carry them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

inline constexpr std::array all_kinds{Kind::event,    Kind::set,      Kind::clear,       Kind::add,  Kind::change,
                                      Kind::interval, Kind::relation, Kind::instruction, Kind::note, Kind::native};

/// A set of record kinds.
class Kinds {
public:
    constexpr Kinds() = default;
    constexpr Kinds(std::initializer_list<Kind> kinds) {
        for (const Kind kind : kinds)
            bits_ |= bit(kind);
    }
    constexpr bool has(Kind kind) const noexcept { return (bits_ & bit(kind)) != 0; }
    constexpr bool has_all(Kinds other) const noexcept { return (bits_ & other.bits_) == other.bits_; }
    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr void add(Kind kind) noexcept { bits_ |= bit(kind); }

private:
    static constexpr std::uint16_t bit(Kind kind) noexcept {
        return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
    }
    std::uint16_t bits_ = 0;
};

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

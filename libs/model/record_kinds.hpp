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

/// The shape of a track's records. Formats and conversions speak of shapes, not of single kinds of records.
using Shape = Track::Kind;
inline constexpr std::array all_shapes{Shape::event_type,    Shape::storage, Shape::signal, Shape::stream,
                                       Shape::relation_type, Shape::hart,    Shape::notes,  Shape::native};

/// A set of shapes.
class Shapes {
public:
    constexpr Shapes() = default;
    constexpr Shapes(std::initializer_list<Shape> shapes) {
        for (const Shape shape : shapes)
            add(shape);
    }
    constexpr bool has(Shape shape) const noexcept { return (bits_ & bit(shape)) != 0; }
    constexpr bool has_all(Shapes other) const noexcept { return (bits_ & other.bits_) == other.bits_; }
    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr void add(Shape shape) noexcept { bits_ = static_cast<std::uint8_t>(bits_ | bit(shape)); }

private:
    static constexpr std::uint8_t bit(Shape shape) noexcept {
        return static_cast<std::uint8_t>(1u << static_cast<unsigned>(shape));
    }
    std::uint8_t bits_ = 0;
};

inline constexpr Shapes every_shape{Shape::event_type,    Shape::storage, Shape::signal, Shape::stream,
                                    Shape::relation_type, Shape::hart,    Shape::notes,  Shape::native};

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

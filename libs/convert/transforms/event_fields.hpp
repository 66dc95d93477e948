// convert/transforms/event_fields.hpp - the fields of the events and storages that IntervalLowering makes of tracks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "convert/transforms/interval_mark.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Returns a field of an event or a storage.
inline Field event_field(std::string_view name, Type type, EnumId enumeration = none) {
    return Field{std::string(name), type, enumeration};
}

/// Returns the name of mask `number` of an event.
std::string mask_name(std::size_t number);

/// Returns the number of attributes of a stream that its begin event has.
std::size_t kept_attributes(const Track& stream) noexcept;

/// Returns the name of the field with the number of an interval. Relations refer to the own ids of intervals, which
/// therefore keep the name `id`.
std::string_view number_name(const Track& stream) noexcept;

/// The event fields for the attributes of a stream.
struct EventFields {
    std::vector<Field> fields;                   ///< attributes that are kept, then the lists
    std::vector<IntervalMark::Attribute> facts;  ///< for each field; empty if the fields suffice
};

/// Returns the event fields for the attributes of a stream. Types that events cannot have are replaced, and names are
/// made unique.
EventFields event_fields(const Track& stream);

/// Returns the track with its field types replaced by types that events and storages can have. Appends a fact for each
/// field to `facts`, unless the fields suffice.
Track with_event_types(Track track, std::vector<IntervalMark::Attribute>& facts);

}  // namespace hwtrace

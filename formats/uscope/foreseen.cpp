// formats/uscope/foreseen.cpp - predicts the losses of a conversion to µScope that depend on the records.
#include "foreseen.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "codec/shapes.hpp"
#include "domain/conventions.hpp"
#include "wire_schema.hpp"

namespace hwtrace::uscope {

namespace names = conventions;

namespace {

/// Returns true if all numbers of the enumeration are known, because hwtrace itself makes its values.
bool is_closed(const Enum& enumeration) {
    constexpr std::array vocabularies{names::access_type, names::register_role, names::register_class,
                                      names::instruction_order};
    return std::ranges::find(vocabularies, enumeration.name) != vocabularies.end();
}

/// Returns true if the numbers in the track's enumerations fit in a byte: those of the protocol `cpu`, and those that
/// the source's format assigns.
bool has_small_numbers(const Schema& schema, const Track& track, std::string_view source) {
    const bool has_protocol =
        track.scope < schema.scopes().size() && schema.scopes()[track.scope].protocol == names::cpu_protocol;
    return has_protocol || belongs_to(track, source);
}

}  // namespace

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    if (settings.source_format == "uscope") return;  // cells of a µScope event fit in a µScope event
    const std::vector<bool> held = held_enums(schema);
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::event_type || has_small_numbers(schema, track, settings.source_format)) continue;
        for (const Field& field : track.fields) {
            if (field.type != Type::enumeration) continue;
            const bool is_known = field.enumeration < held.size();
            // A field with an enumeration that µScope cannot hold gets 8 bytes (type-changed).
            if (is_known && (!held[field.enumeration] || is_closed(schema.enums()[field.enumeration]))) continue;
            losses.push_back(
                {Loss::value_narrowed, track.name + '.' + field.name, "numbers above 255 without a label"});
        }
    }
}

}  // namespace hwtrace::uscope

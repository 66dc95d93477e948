// formats/uscope/wire_schema.hpp - maps a model schema to the schema of a µScope file and plans the writing of each
// track.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "model/schema.hpp"
#include "preamble.hpp"

namespace hwtrace::uscope {

/// The plan for writing the records of one model track.
struct TrackPlan {
    enum class Role : std::uint8_t { unsupported, storage, event, item, frame };
    Role role = Role::unsupported;
    bool has_text = false;                     ///< a field or property is a runtime string
    std::uint16_t id = 0;                      ///< storage id or event type id
    std::uint16_t instruction_field = 0xFFFF;  ///< a set record of this field counts as an instruction in the summary
    std::uint32_t counter = none;              ///< index of the counter in the summary
    std::uint32_t fields = 0;
    std::uint32_t properties = 0;
    std::uint32_t first_field = 0;  ///< index in WireSchema::fields; properties follow the fields
    std::uint32_t payload = 0;      ///< size of an event's payload in bytes
};

/// The plan for writing one cell: its low `width` bytes.
struct FieldPlan {
    std::uint8_t width = 8;
    bool is_text = false;
    std::uint64_t bias = 0;  ///< a cell fits if (cell + bias) & overflow is 0
    std::uint64_t overflow = 0;
};

/// The schema of the file and the plans for writing it.
struct WireSchema {
    Schema schema;  ///< restricted to what µScope can hold; tracks are storages, then events
    Preamble preamble;
    std::vector<std::string> long_texts;  ///< metadata values for the string table (README.md#long-texts)
    std::vector<TrackPlan> tracks;        ///< indexed by model track
    std::vector<FieldPlan> fields;
    bool has_interval = false;  ///< true if the metadata states a checkpoint interval
};

/// Returns by enumeration: true if µScope can hold its labels. Otherwise, its fields have numbers.
std::vector<bool> held_enums(const Schema& model);

/// Maps `model` and counts losses. The root scope that a merged trace gets is an assumption. Throws Failure::input if
/// the schema is too large for µScope.
WireSchema make_wire_schema(const Schema& model, const Settings& settings, Losses& losses);

}  // namespace hwtrace::uscope

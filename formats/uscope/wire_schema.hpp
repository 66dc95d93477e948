// formats/uscope/wire_schema.hpp - what a model's schema becomes in a µScope file, and how each track is then written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "model/schema.hpp"
#include "preamble.hpp"

namespace hwtrace::uscope {

/// How the records of one model track are written.
struct TrackPlan {
    enum class Role : std::uint8_t { unsupported, storage, event, item, frame };
    Role role = Role::unsupported;
    bool has_text = false;                     ///< some field is a runtime string
    std::uint16_t id = 0;                      ///< storage id or event type id
    std::uint16_t instruction_field = 0xFFFF;  ///< a set of it is an instruction in the summary
    std::uint32_t counter = none;              ///< in the summary
    std::uint32_t fields = 0;
    std::uint32_t properties = 0;
    std::uint32_t first_field = 0;  ///< in WireSchema::fields; the properties stand behind the fields
    std::uint32_t payload = 0;      ///< bytes of an event
};

/// How one cell is written: its low `width` bytes.
struct FieldPlan {
    std::uint8_t width = 8;
    bool is_text = false;
    std::uint64_t bias = 0;  ///< cell + bias has no bit of `overflow` when the cell fits
    std::uint64_t overflow = 0;
};

struct WireSchema {
    Schema schema;  ///< only what µScope can hold: storages, then events
    Preamble preamble;
    std::vector<std::string> long_texts;  ///< values that the pool cannot hold: the first entries of the string table
    std::vector<TrackPlan> tracks;        ///< by model track
    std::vector<FieldPlan> fields;
    bool has_interval = false;  ///< the metadata state a checkpoint interval
};

/// Counts what does not fit as losses. Throws Failure::usage where the schema as a whole is too large for µScope.
WireSchema make_wire_schema(const Schema& model, Losses& losses);

}  // namespace hwtrace::uscope

// formats/stf/tracks.hpp - defines STF's tracks in the model. The reader declares them; the writer looks them up.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

inline constexpr std::string_view root_name = "/", hart_name = "core0";
inline constexpr std::string_view comment_track = "stf.comment";
inline constexpr std::string_view native_track = "stf.record";

/// An event track: the STF record that it represents, and the payload's fields in wire order.
struct EventTrack {
    Descriptor descriptor;
    std::string_view name;
    std::size_t fixed;     ///< number of leading fields, which do not repeat
    std::size_t repeated;  ///< number of fields in a repeated row
    struct Column {
        std::string_view name;
        Type type;
    };
    Column columns[7];
};

inline constexpr EventTrack event_tracks[] = {
    {Descriptor::force_pc, "stf.force_pc", 1, 0, {{"pc", Type::u64}}},
    {Descriptor::inst_iem, "stf.inst_iem", 1, 0, {{"mode", Type::u16}}},
    {Descriptor::process_id_ext,
     "stf.process_id",
     3,
     0,
     {{"hw_thread", Type::u32}, {"pid", Type::u32}, {"tid", Type::u32}}},
    {Descriptor::inst_ready_reg, "stf.ready_register", 1, 0, {{"number", Type::u16}}},
    {Descriptor::page_table_walk,
     "stf.page_table_walk",
     3,
     2,
     {{"address", Type::u64},
      {"first_access", Type::u64},
      {"page_size", Type::u32},
      {"pte_address", Type::u64},
      {"pte", Type::u64}}},
    {Descriptor::bus_master_access,
     "stf.bus_access",
     6,
     1,
     {{"address", Type::u64},
      {"size", Type::u16},
      {"master", Type::u8},
      {"index", Type::u8},
      {"attributes", Type::u32},
      {"type", Type::u8},
      {"data", Type::u64}}},
    {Descriptor::event, "stf.event", 1, 1, {{"id", Type::u64}, {"field", Type::u64}}},
    {Descriptor::event_pc_target, "stf.event_target", 1, 0, {{"pc", Type::u64}}},
    {Descriptor::inst_microop, "stf.microop", 2, 0, {{"size", Type::u8}, {"opcode", Type::u32}}},
};

/// The tracks that every trace of instructions has.
struct Tracks {
    TrackId hart = none, comments = none, natives = none;
    std::array<TrackId, 256> events{};  ///< by descriptor

    TrackId of(Descriptor descriptor) const noexcept { return events[static_cast<std::size_t>(descriptor)]; }
};
/// Declares the tracks and their scopes in an empty schema.
Tracks declare_tracks(Schema& schema);

}  // namespace hwtrace::stf

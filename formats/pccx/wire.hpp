// formats/pccx/wire.hpp - constants of a .pccx file: prefix, payload layouts, event types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hwtrace::pccx {

// Quoted names are sections of the public ".pccx File Format Specification".

// --- prefix ("Binary Layout"): magic, major u8, minor u8, reserved u16, header length u64 ---
inline constexpr std::string_view magic = "PCCX";
inline constexpr std::size_t prefix_size = 16;
inline constexpr std::uint8_t major_version = 1;
inline constexpr std::uint8_t minor_version = 1;  ///< 0: the first generation, with a JSON payload

// --- flatbuf ("Flat Buffer Layout"; formats/pccx/README.md#flatbuf-payload) ---
inline constexpr std::size_t flat_event_size = 24;          ///< core u32, start u64, duration u64, type u32
inline constexpr std::uint32_t trailer_magic = 0x32434350;  ///< "PCC2"
inline constexpr std::size_t trailer_head_size = 8;         ///< magic u32, number of names u32
inline constexpr std::size_t name_head_size = 6;            ///< event u32, length u16
inline constexpr std::size_t longest_flat_name = 65'535;

// --- bincode (formats/pccx/README.md#bincode-payload): total u64, count u64, events ---
inline constexpr std::size_t bincode_head_size = 16;
inline constexpr std::size_t bincode_event_head_size =
    28;  ///< core u32, start u64, duration u64, length of the type u64

// --- event types ("Event Type IDs" omits the last one; formats/pccx/README.md#event-types-and-cores) ---
inline constexpr std::array<std::string_view, 7> event_types{"UNKNOWN",        "MAC_COMPUTE",  "DMA_READ", "DMA_WRITE",
                                                             "SYSTOLIC_STALL", "BARRIER_SYNC", "API_CALL"};
/// In flatbuf, the name of any other type is this prefix and its number.
inline constexpr std::string_view unnamed_type_prefix = "UNKNOWN_";

/// The layout of the payload.
enum class Layout : std::uint8_t {
    bincode,   ///< events have five fields; the last one is an optional name
    bincode4,  ///< events have four fields and no names (second generation)
    flatbuf,
    json,
    opaque,  ///< the encoding is "raw" or unknown
};

inline constexpr std::string_view encoding_bincode = "bincode";
inline constexpr std::string_view encoding_flatbuf = "flatbuf";
inline constexpr std::string_view encoding_json = "json";
inline constexpr std::string_view encoding_raw = "raw";

}  // namespace hwtrace::pccx

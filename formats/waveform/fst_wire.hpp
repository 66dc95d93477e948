// formats/waveform/fst_wire.hpp - constants of FST files (formats/fst/README.md#fst-files).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "io/appender.hpp"

namespace hwtrace::waveform::fst {

/// The types of blocks. A block is its type, a big-endian size that includes itself, and data.
enum class Block : std::uint8_t {
    header = 0,
    changes = 1,  ///< without aliases
    blackout = 2,
    geometry = 3,
    hierarchy = 4,
    changes_alias = 5,
    hierarchy_lz4 = 6,
    hierarchy_lz4_twice = 7,
    changes_alias_2 = 8,
    wrapper = 254,  ///< a whole file in gzip
    skip = 255,     ///< a block that was never completed
};

/// The tags of a hierarchy. Lower values are types of variables.
enum Tag : std::uint8_t { attribute_begin = 252, attribute_end = 253, scope_begin = 254, scope_end = 255 };

/// The types of variables that hwtrace tells apart.
enum class VariableType : std::uint8_t {
    event = 0,
    real = 3,
    real_parameter = 4,
    wire = 16,
    port = 18,
    realtime = 20,
    text = 21,
    sv_int = 24,
    sv_shortint = 25,
    sv_longint = 26,
    sv_byte = 27,
    sv_enum = 28,
    sv_shortreal = 29,
    highest = 29,
};

/// Types and subtypes of attributes.
constexpr std::uint8_t attribute_misc = 0;
constexpr std::uint8_t misc_comment = 0, misc_enum_table = 7;

// The header: its fields as offsets from its type.
constexpr std::size_t header_size = 330;
constexpr std::size_t at_start = 9, at_end = 17, at_endian = 25, at_scopes = 41, at_variables = 49, at_handles = 57,
                      at_sections = 65, at_timescale = 73, at_version = 74, at_date = 202, at_type = 321,
                      at_time_zero = 322;
constexpr std::string_view own_version = "hwtrace";  ///< what hwtrace writes as the version
constexpr std::size_t version_size = 128, date_size = 119;
constexpr double endian_test = 2.7182818284590452354;

/// The states of single bits that are not 0 or 1, by number.
constexpr std::string_view other_states = "xzhuwl-?";
/// The length in the geometry of a variable with texts of any length.
constexpr std::uint64_t any_length = 0xFFFF'FFFF;

/// Big-endian integers.
inline std::uint64_t load_be(const std::byte* bytes) noexcept {
    return __builtin_bswap64(load_le<std::uint64_t>(bytes));
}
inline void append_be(Appender& out, std::uint64_t value) {
    out.le(__builtin_bswap64(value));
}

}  // namespace hwtrace::waveform::fst

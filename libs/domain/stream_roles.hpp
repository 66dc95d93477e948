// domain/stream_roles.hpp - recognises streams of instructions or memory accesses by the usual names of their
// attributes. No other file interprets these names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The meaning of an attribute within its transaction.
enum class AttributeRole : std::uint8_t {
    other,
    number,     ///< the id of the transaction
    pc,         ///< the pc of an instruction
    encoding,   ///< the encoding of an instruction
    target,     ///< the pc of the next instruction
    discarded,  ///< true: the instruction was discarded, or its end was not recorded
    address,    ///< the address of an access
    size,       ///< bytes of the encoding, or of the access
    command,    ///< the direction of an access: read or write
    data,       ///< one data word of an access
    master,     ///< the kind of unit that makes an access
    index,      ///< the index of that unit among the units of the same kind
};
/// Returns the role that the attribute's name indicates, ignoring case. Returns `other` if the attribute's type does
/// not suit the role.
AttributeRole role_of(const Field& field) noexcept;

/// The subject of a track's transactions.
enum class StreamRole : std::uint8_t { other, instructions, accesses };
/// Returns `instructions` for tracks with a pc and an encoding. Returns `accesses` for tracks with an address, a size
/// and a command, which may also be the track's name. Tracks of events (conventions::events_suffix) are `other`.
StreamRole role_of(const Track& track) noexcept;
/// Returns a list of the attributes that a stream of role `other` lacks for another role ("an address and a size").
/// Empty if the stream has another role, or if nothing suggests a role.
std::string missing_facts(const Track& track);

/// Returns the access type that a name or label means: `read` or `write`. Returns nullopt for other names.
std::optional<AccessType> command_of(std::string_view name) noexcept;
/// Returns the code that bus access records use for the master with that name (formats/stf/README.md#codes), such as 3
/// for "dma". Returns nullopt for other names.
std::optional<std::uint8_t> master_of(std::string_view name) noexcept;
constexpr std::uint8_t greatest_master = 6;
constexpr std::uint8_t interconnect_master = 6;

/// Returns the fields of conventions::bus_access: address, size, master, index, attributes, type, and data words.
std::vector<Field> bus_access_fields();

}  // namespace hwtrace

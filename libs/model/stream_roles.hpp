// model/stream_roles.hpp - recognises what the transactions of a stream record, instructions of a core or memory
// accesses, by the usual names of their attributes. The only place that interprets those names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The meaning of an attribute for its transaction.
enum class AttributeRole : std::uint8_t {
    other,
    number,     ///< the transaction's own number
    pc,         ///< for an instruction
    encoding,   ///< for an instruction
    target,     ///< for an instruction: the pc of the next one
    discarded,  ///< true: the instruction was discarded, or its end was not recorded
    address,    ///< for an access
    size,       ///< bytes of the encoding, or of the access
    command,    ///< for an access: a read or a write
    data,       ///< for an access: one word
    master,     ///< for an access: the kind of unit that makes it
    index,      ///< for an access: the unit's number among those of its kind
};
/// Returns the role by the attribute's name, ignoring case; other if its type cannot hold that role.
AttributeRole role_of(const Field& field) noexcept;

/// The subject of the transactions of a track.
enum class StreamRole : std::uint8_t { other, instructions, accesses };
/// Returns instructions for tracks with a pc and an encoding. Returns accesses for tracks with an address, a size, and
/// a command or a name that is one. Tracks of events (conventions::events_suffix) are other.
StreamRole role_of(const Track& track) noexcept;
/// For a track that is other but has some of these attributes, or a command as its name: returns the missing ones ("an
/// address and a size"). Empty for other tracks.
std::string missing_facts(const Track& track);

/// Returns the access type that a name or label means, read or write; none for other texts.
std::optional<AccessType> command_of(std::string_view name) noexcept;
/// Returns the number of the master with that name in records of bus accesses (formats/stf/README.md#codes): "dma" is
/// 3.
std::optional<std::uint8_t> master_of(std::string_view name) noexcept;
constexpr std::uint8_t greatest_master = 6;
constexpr std::uint8_t interconnect_master = 6;

/// Returns the fields of conventions::bus_access: address, size, master, index, attributes, type, and data words.
std::vector<Field> bus_access_fields();

}  // namespace hwtrace

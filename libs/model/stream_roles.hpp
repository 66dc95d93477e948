// model/stream_roles.hpp - what transactions of a stream record, by the names that people give to their attributes: the
// instructions of a core, or accesses to memory. The one place that knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// What an attribute says of the transaction that has it.
enum class AttributeRole : std::uint8_t {
    other,
    number,     ///< the transaction's own
    pc,         ///< of an instruction
    encoding,   ///< of an instruction
    target,     ///< of an instruction: where it went
    discarded,  ///< true: the instruction was thrown away, or its end was not recorded
    address,    ///< of an access
    size,       ///< bytes of the encoding, or of the access
    command,    ///< of an access: whether it reads or writes
    data,       ///< of an access: a word
    master,     ///< of an access: which kind of unit makes it
    index,      ///< of an access: which unit of its kind makes it
};
/// By the attribute's name, in capital letters too; what its type cannot say is other.
AttributeRole role_of(const Field& field) noexcept;

/// What the transactions of a track are.
enum class StreamRole : std::uint8_t { other, instructions, accesses };
/// Instructions have a pc and an encoding; accesses an address, a size, and a command, or a track that is called like
/// one. Tracks of moments (conventions::events_suffix) are neither.
StreamRole role_of(const Track& track) noexcept;
/// Of a track that is other, but has some of these facts, or a command for its name: which it lacks ("an address and a
/// size"); empty for others.
std::string missing_facts(const Track& track);

/// Whether a name or label says to read or to write; none where it says neither.
std::optional<AccessType> command_of(std::string_view name) noexcept;
/// The number of a master of that name in a record of bus accesses (formats/stf.md 1.7): "dma" is 3.
std::optional<std::uint8_t> master_of(std::string_view name) noexcept;
constexpr std::uint8_t greatest_master = 6;
constexpr std::uint8_t interconnect_master = 6;

/// The fields of conventions::bus_access: address, size, master, index, attributes, type, and words of data.
std::vector<Field> bus_access_fields();

}  // namespace hwtrace

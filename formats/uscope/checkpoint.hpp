// formats/uscope/checkpoint.hpp - the state of all storages as it stands in front of a segment (spec/uscope.txt 8.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/appender.hpp"
#include "model/state.hpp"

namespace hwtrace::uscope {

/// Appends one block for each of the storages 0 to `storages` - 1.
void append_checkpoint(const StateTable& state, std::size_t storages, Appender& out);

/// What is wrong with the structure of a checkpoint.
struct CheckpointFault {
    std::size_t offset = 0;  ///< inside the checkpoint
    std::string expected, got;
};

/// Checks that the blocks are those of the schema; a block without its properties is accepted, as old writers leave
/// them out.
std::optional<CheckpointFault> check_checkpoint(std::span<const std::byte> checkpoint, const Schema& schema,
                                                std::size_t storages);
/// False when a block leaves out the properties that its storage has. The structure has been checked.
bool has_all_properties(std::span<const std::byte> checkpoint, const Schema& schema, std::size_t storages);
/// True when the checkpoint says that no slot of a sparse storage is valid and every other byte is zero. The structure
/// has been checked.
bool is_empty_checkpoint(std::span<const std::byte> checkpoint) noexcept;
/// The first storage whose block differs from `state`, or nothing. The structure has been checked.
std::optional<std::size_t> first_difference(std::span<const std::byte> checkpoint, const StateTable& state,
                                            std::size_t storages);
/// Replaces `state`. The structure has been checked.
void load_checkpoint(std::span<const std::byte> checkpoint, std::size_t storages, StateTable& state);

}  // namespace hwtrace::uscope

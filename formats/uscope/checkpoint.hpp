// formats/uscope/checkpoint.hpp - reads and writes checkpoints: the state of all storages (README.md#checkpoints).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/appender.hpp"
#include "model/state.hpp"

namespace hwtrace::uscope {

/// Appends one block for each of the first `storages` storages.
void append_checkpoint(const StateTable& state, std::size_t storages, Appender& out);

/// A fault in the structure of a checkpoint.
struct CheckpointFault {
    std::size_t offset = 0;  ///< byte in the checkpoint
    std::string expected, got;
};

/// Checks that the blocks match the schema. A block may lack the properties of its storage, because old writers leave
/// them out.
std::optional<CheckpointFault> check_checkpoint(std::span<const std::byte> checkpoint, const Schema& schema,
                                                std::size_t storages);
/// Returns false if a block lacks the properties of its storage. The structure must have been checked.
bool has_all_properties(std::span<const std::byte> checkpoint, const Schema& schema, std::size_t storages);
/// Returns true if all masks and values are zero. The structure must have been checked.
bool is_empty_checkpoint(std::span<const std::byte> checkpoint) noexcept;
/// Returns the index of the first storage whose block differs from `state`, or nothing. The structure must have been
/// checked.
std::optional<std::size_t> first_difference(std::span<const std::byte> checkpoint, const StateTable& state,
                                            std::size_t storages);
/// Loads the checkpoint into `state`. The structure must have been checked.
void load_checkpoint(std::span<const std::byte> checkpoint, std::size_t storages, StateTable& state);

}  // namespace hwtrace::uscope

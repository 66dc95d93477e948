// formats/uscope/checkpoint.hpp - reads and writes checkpoints: the state of all storages (README.md#checkpoints).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/appender.hpp"
#include "model/state.hpp"

namespace hwtrace::uscope {

/// Writes the checkpoints of one state. Copies the blocks of storages that have not changed since the last checkpoint.
class CheckpointWriter {
public:
    CheckpointWriter() = default;
    /// Writes the blocks of the first `storages` storages.
    explicit CheckpointWriter(std::size_t storages) : changed_(storages, true), ends_(storages, 0) {}

    /// Must be called before or after each change of a storage's state.
    void change(std::size_t storage) noexcept { changed_[storage] = true; }
    /// Must be called if any storages may have changed.
    void change_all() noexcept { changed_.assign(changed_.size(), true); }
    /// Replaces `out` by a checkpoint.
    void write(const StateTable& state, Appender& out);

private:
    std::vector<unsigned char> changed_;  // by storage
    std::vector<std::size_t> ends_;       // by storage: the end of its block in last_
    Appender last_;                       // the last checkpoint
};

/// A fault in the structure of a checkpoint.
struct CheckpointFault {
    std::size_t offset = 0;  ///< byte in the checkpoint
    std::string expected, got;
};

/// Checks that the blocks match the schema. Returns nullopt if they do. A block may lack the properties of its storage,
/// because old writers leave them out.
std::optional<CheckpointFault> check_checkpoint(std::span<const std::byte> checkpoint, const Schema& schema,
                                                std::size_t storages);
/// Returns false if a block lacks the properties of its storage. The structure must have been checked.
bool has_all_properties(std::span<const std::byte> checkpoint, const Schema& schema, std::size_t storages);
/// Returns true if all masks and values are zero. The structure must have been checked.
bool is_empty_checkpoint(std::span<const std::byte> checkpoint) noexcept;
/// Returns the index of the first storage whose block differs from `state`, or nullopt if all blocks are equal to it.
/// The structure must have been checked.
std::optional<std::size_t> first_difference(std::span<const std::byte> checkpoint, const StateTable& state,
                                            std::size_t storages);
/// Loads the checkpoint into `state`. The structure must have been checked.
void load_checkpoint(std::span<const std::byte> checkpoint, std::size_t storages, StateTable& state);

}  // namespace hwtrace::uscope

// formats/flux/block_writer.hpp - writes entries to a stream, in packed blocks or unpacked.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"
#include "io/packed_output.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// Collects entries and writes them to the output, in packed blocks or unpacked.
class BlockWriter {
public:
    /// Packs about `block_size` bytes of entries per block; without `packing`, entries stay unpacked. `container` is
    /// the compression of the whole file. `output` must outlive this object.
    BlockWriter(Output& output, Container container, std::optional<Pack> packing, std::size_t block_size);

    /// Returns true if another thread compresses the file.
    bool has_thread() const noexcept { return output_.has_thread(); }
    /// Returns the buffer to which the next entry is appended. Call entry_ended() after each entry.
    Appender& entries() noexcept { return entries_; }
    void entry_ended() {
        if (entries_.size() >= block_size_) [[unlikely]]
            flush();
    }
    /// Writes the buffered entries without packing them.
    void flush_plain();
    void flush();
    /// Writes the buffered entries and finishes the output.
    void finish();
    /// Stops automatic flushing: all further entries stay in entries().
    void hold() noexcept { block_size_ = static_cast<std::size_t>(-1); }

private:
    bool pack();

    PackedOutput output_;
    const std::optional<Pack> packing_;
    std::size_t block_size_;
    Appender entries_, packed_, head_;
    Lz4 lz4_;
    std::vector<std::uint32_t> table_;  ///< work memory of FastLZ
};

}  // namespace hwtrace::flux

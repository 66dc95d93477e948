// formats/flux/block_writer.hpp - writes entries to a stream, in packed blocks or plain.
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

class BlockWriter {
public:
    /// Packs blocks of about `block_size` bytes of entries; without `packing`, entries stay plain. `container` is the
    /// compression of the whole file. `output` outlives this object.
    BlockWriter(Output& output, Packing container, std::optional<Pack> packing, std::size_t block_size);

    /// The buffer for the next entry. Call entry_ended() after each one.
    Appender& entries() noexcept { return entries_; }
    void entry_ended() {
        if (entries_.size() >= block_size_) [[unlikely]]
            flush();
    }
    /// Writes the buffered entries without packing them.
    void flush_plain();
    void flush();
    /// Flushes and finishes the output.
    void finish();
    /// Keeps all further entries in entries(): no automatic flush.
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

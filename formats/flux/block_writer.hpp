// formats/flux/block_writer.hpp - entries on their way into a stream, packed in blocks or as they are.
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
    /// Blocks of about `block_size` bytes; `packing` none: entries as they are. The stream as a whole is stored in
    /// `container`. `output` outlives this object.
    BlockWriter(Output& output, Packing container, std::optional<Pack> packing, std::size_t block_size);

    /// Where the next entry is put. Behind each one, entry_ended().
    Appender& entries() noexcept { return entries_; }
    void entry_ended() {
        if (entries_.size() >= block_size_) [[unlikely]]
            flush();
    }
    /// What was put so far stays unpacked, whatever comes.
    void flush_plain();
    void flush();
    /// Everything is with the output.
    void finish();
    /// All that is put stays in entries().
    void hold() noexcept { block_size_ = static_cast<std::size_t>(-1); }

private:
    bool pack();

    PackedOutput output_;
    const std::optional<Pack> packing_;
    std::size_t block_size_;
    Appender entries_, packed_, head_;
    Lz4 lz4_;
    std::vector<std::uint32_t> table_;  ///< of FastLZ
};

}  // namespace hwtrace::flux

// io/packed_output.hpp - writes bytes to an output, optionally compressed.
#pragma once

#include <optional>
#include <span>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/gzip_writer.hpp"
#include "io/lz4_frame.hpp"
#include "io/output.hpp"
#include "io/unpacked.hpp"
#include "io/work_behind.hpp"
#include "io/xz.hpp"

namespace hwtrace {

/// How the bytes of an output are compressed.
struct Container {
    Packing packing = Packing::plain;
    unsigned jobs = 1;  ///< above 1, another thread compresses; the bytes do not depend on it
};

/// Compresses bytes and appends them to `output`, which must outlive this object. If another thread compresses, only
/// that thread uses `output`; memory: about 4 MiB, or ten times the largest write. Large writes are faster than many
/// small writes.
class PackedOutput {
public:
    PackedOutput(Output& output, Container container) : output_(output) {
        const Packing packing = container.packing;
        if (packing == Packing::gzip) gzip_.emplace(output);
        if (packing == Packing::lz4) lz4_.emplace(output);
        if (packing == Packing::xz) xz_.emplace(output);
        if (packing == Packing::zstd) zstd_.emplace();
        if (packing != Packing::plain && container.jobs > 1)
            behind_.emplace(most_bytes_behind, [this](Appender& bytes) { pack(bytes.span()); });
    }

    /// Returns true if another thread compresses.
    bool has_thread() const noexcept { return behind_.has_value(); }
    /// Writes bytes. Throws Failure::io.
    void write(std::span<const std::byte> bytes) {
        if (!behind_) return pack(bytes);
        gathered_.bytes(bytes);
        if (gathered_.size() >= piece) give();
    }
    /// Ends the compressed stream. Nothing may be written after it.
    void finish() {
        if (behind_) {
            give();
            behind_->finish();
        }
        if (gzip_) gzip_->finish();
        if (lz4_) lz4_->finish();
        if (xz_) xz_->finish();
        if (!zstd_) return;
        zstd_->end_stream(packed_);
        pass_on();
    }

private:
    static constexpr std::size_t piece = std::size_t{256} << 10, most_bytes_behind = 8 * piece;

    void give() {
        behind_->give(gathered_, gathered_.size());
        gathered_.clear();
    }
    void pack(std::span<const std::byte> bytes) {
        if (gzip_) return gzip_->write(bytes);
        if (lz4_) return lz4_->write(bytes);
        if (xz_) return xz_->write(bytes);
        if (!zstd_) return output_.append(bytes);
        zstd_->stream(bytes, packed_);
        pass_on();
    }
    void pass_on() {
        output_.append(packed_.span());
        packed_.clear();
    }

    Output& output_;
    std::optional<GzipWriter> gzip_;
    std::optional<Lz4FrameWriter> lz4_;
    std::optional<XzWriter> xz_;
    std::optional<ZstdBlock> zstd_;
    Appender packed_;
    Appender gathered_;                           // for the other thread
    std::optional<WorkBehind<Appender>> behind_;  // last: its thread uses the others
};

}  // namespace hwtrace

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
#include "io/xz.hpp"

namespace hwtrace {

/// Compresses bytes with `packing` and appends them to `output`, which must outlive this object. Large writes are
/// faster than many small writes.
class PackedOutput {
public:
    PackedOutput(Output& output, Packing packing) : output_(output) {
        if (packing == Packing::gzip) gzip_.emplace(output);
        if (packing == Packing::lz4) lz4_.emplace(output);
        if (packing == Packing::xz) xz_.emplace(output);
        if (packing == Packing::zstd) zstd_.emplace();
    }

    /// Writes bytes. Throws Failure::io.
    void write(std::span<const std::byte> bytes) {
        if (gzip_) return gzip_->write(bytes);
        if (lz4_) return lz4_->write(bytes);
        if (xz_) return xz_->write(bytes);
        if (!zstd_) return output_.append(bytes);
        zstd_->stream(bytes, packed_);
        pass_on();
    }
    /// Ends the compressed stream. Nothing may be written after it.
    void finish() {
        if (gzip_) gzip_->finish();
        if (lz4_) lz4_->finish();
        if (xz_) xz_->finish();
        if (!zstd_) return;
        zstd_->end_stream(packed_);
        pass_on();
    }

private:
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
};

}  // namespace hwtrace

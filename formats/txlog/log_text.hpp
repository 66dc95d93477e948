// formats/txlog/log_text.hpp - text to an output, stored as a log is.
#pragma once

#include <optional>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/gzip_writer.hpp"
#include "io/lz4_frame.hpp"
#include "io/output.hpp"
#include "io/unpacked.hpp"
#include "io/xz.hpp"

namespace hwtrace::txlog {

/// Collects text and gives it to an output, which outlives it, in large pieces.
class LogText {
public:
    LogText(Output& output, Packing packing) : output_(output) {
        if (packing == Packing::gzip) gzip_.emplace(output);
        if (packing == Packing::lz4) lz4_.emplace(output);
        if (packing == Packing::xz) xz_.emplace(output);
        if (packing == Packing::zstd) zstd_.emplace();
    }

    /// Where text is appended; call end_line() now and then.
    Appender& text() noexcept { return text_; }
    void end_line() {
        text_.le('\n');
        if (text_.size() >= piece) flush();
    }
    /// Everything is with the output.
    void finish() {
        flush();
        if (gzip_) gzip_->finish();
        if (lz4_) lz4_->finish();
        if (xz_) xz_->finish();
        if (zstd_) {
            zstd_->end_stream(packed_);
            output_.append(packed_.span());
        }
    }

private:
    static constexpr std::size_t piece = 256u << 10;

    void flush() {
        if (gzip_)
            gzip_->write(text_.span());
        else if (lz4_)
            lz4_->write(text_.span());
        else if (xz_)
            xz_->write(text_.span());
        else if (zstd_)
            pack();
        else
            output_.append(text_.span());
        text_.clear();
    }

    void pack() {
        packed_.clear();
        zstd_->stream(text_.span(), packed_);
        output_.append(packed_.span());
        packed_.clear();
    }

    Output& output_;
    std::optional<GzipWriter> gzip_;
    std::optional<Lz4FrameWriter> lz4_;
    std::optional<XzWriter> xz_;
    std::optional<ZstdBlock> zstd_;
    Appender text_, packed_;
};

}  // namespace hwtrace::txlog

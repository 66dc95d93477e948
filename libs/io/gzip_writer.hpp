// io/gzip_writer.hpp - writes one gzip member to an Output.
#pragma once

#include <memory>
#include <span>

#include "io/output.hpp"

namespace hwtrace {

/// Compresses bytes into one gzip member and appends it to `output`, which must outlive this object. The output depends
/// only on the data: the gzip header has no name and no time.
class GzipWriter {
public:
    explicit GzipWriter(Output& output);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    /// Compresses more bytes and writes finished data to the output. Throws Failure::io.
    void write(std::span<const std::byte> bytes);
    /// Ends the member. Nothing may be written after it.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace

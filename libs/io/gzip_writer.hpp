// io/gzip_writer.hpp - writes one gzip member to an Output.
#pragma once

#include <memory>
#include <span>

#include "io/output.hpp"

namespace hwtrace {

/// Compresses what it is given and appends it to `output`, which must outlive it. The bytes depend on the data alone:
/// no name and no time go into the gzip header.
class GzipWriter {
public:
    explicit GzipWriter(Output& output);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Ends the member; nothing may be written after it.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace

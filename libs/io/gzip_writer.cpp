#include "io/gzip_writer.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "io/error.hpp"

namespace hwtrace {

struct GzipWriter::Impl {
    static constexpr int gzip_format = 16 + MAX_WBITS;
    static constexpr int default_memory = 8;
    static constexpr std::size_t piece = 256u << 10;

    Output& output;
    std::vector<std::byte> compressed = std::vector<std::byte>(piece);
    z_stream stream{};

    explicit Impl(Output& to) : output(to) {
        if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format, default_memory, Z_DEFAULT_STRATEGY) !=
            Z_OK)
            fail(Failure::internal, "zlib cannot start a compressor");
    }
    ~Impl() { deflateEnd(&stream); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void deflate_all(int flush) {
        int result = Z_OK;
        do {
            stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
            stream.avail_out = static_cast<uInt>(compressed.size());
            result = deflate(&stream, flush);
            output.append(std::span(compressed).first(compressed.size() - stream.avail_out));
        } while (stream.avail_out == 0 || (flush == Z_FINISH && result == Z_OK));
    }
};

GzipWriter::GzipWriter(Output& output) : impl_(std::make_unique<Impl>(output)) {}
GzipWriter::~GzipWriter() = default;

void GzipWriter::write(std::span<const std::byte> bytes) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    while (!bytes.empty()) {
        const auto part = bytes.first(std::min(bytes.size(), most));
        // zlib does not write through this pointer.
        impl_->stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(part.data()));
        impl_->stream.avail_in = static_cast<uInt>(part.size());
        impl_->deflate_all(Z_NO_FLUSH);
        bytes = bytes.subspan(part.size());
    }
}

void GzipWriter::finish() {
    impl_->stream.next_in = nullptr;
    impl_->stream.avail_in = 0;
    impl_->deflate_all(Z_FINISH);
}

}  // namespace hwtrace

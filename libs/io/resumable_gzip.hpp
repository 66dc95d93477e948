// io/resumable_gzip.hpp - decompresses a gzip file from its beginning or from a point inside.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/compression.hpp"
#include "io/input.hpp"

namespace hwtrace {

class Appender;
class Cursor;

/// Decompresses as GzipSource does. In addition, it can continue at a point that another object has kept.
class ResumableGzip final : public Source {
public:
    using State = GzipSource::State;
    /// A place between two blocks of deflated data, with what decompression needs to continue there.
    struct Point {
        std::uint64_t file_offset = 0;    ///< of the next whole byte of the file
        std::uint64_t raw_offset = 0;     ///< of the next byte of the decompressed data
        std::uint8_t bits = 0;            ///< number of unused bits (0 to 7) in the byte before `file_offset`
        std::uint8_t byte = 0;            ///< this byte
        std::uint32_t checksum = 0;       ///< CRC-32 of the member's data so far
        std::uint32_t member_size = 0;    ///< of the member's data so far, modulo 2^32
        std::vector<std::byte> window{};  ///< the data before the point, at most 32 KiB
    };

    /// Appends a point. Null: the beginning of the file.
    static void append(const Point* point, Appender& out);
    /// Returns a point that append() wrote. Throws Truncated or Failure::input if the bytes state none.
    static Point restore(Cursor& in);

    /// `source` must be at the beginning of the file, and must outlive this object.
    explicit ResumableGzip(Source& source);
    /// Continues at `point`. The next byte of `source` must be at `point.file_offset`.
    ResumableGzip(Source& source, const Point& point);
    ~ResumableGzip() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// Returns the file offset of the next byte to decompress.
    std::uint64_t file_offset() const noexcept;

    /// Makes read() keep the last few points, about 1 MiB of data apart.
    void keep_points();
    /// Returns the last kept point at or before the byte `raw_offset` of the decompressed data, or nullptr.
    const Point* point_before(std::uint64_t raw_offset) const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace

#include "io/resumable_gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <climits>
#include <deque>
#include <new>

#include "io/appender.hpp"
#include "io/compressed.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"

namespace hwtrace {

struct ResumableGzip::Impl {
    static constexpr int gzip_only = 16 + MAX_WBITS, raw_only = -MAX_WBITS;
    static constexpr std::size_t window_size = 32u << 10, trailer_size = 8;
    static constexpr std::uint64_t point_distance = 1u << 20;
    static constexpr std::size_t most_points = 4;

    Compressed input;
    z_stream stream{};
    bool inside = false;  // inside a gzip member
    bool any_member = false;
    State state = State::reading;

    std::uint64_t raw_offset = 0;
    bool is_raw = false;  // the member was entered at a point, so that zlib cannot check its trailer
    std::uint32_t checksum = 0, member_size = 0;  // of the member that was entered at a point
    std::uint8_t last_byte = 0;
    bool keeps = false;
    std::deque<Point> points;

    explicit Impl(Source& source, std::uint64_t offset = 0, int format = gzip_only) : input(source, offset) {
        if (inflateInit2(&stream, format) != Z_OK) throw std::bad_alloc();
    }
    ~Impl() { inflateEnd(&stream); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// Starts the next member, or sets the final state. Zero padding after the last member is legal.
    void begin_member() {
        const auto bytes = input.peek(2);
        if (bytes.empty()) {
            state = any_member ? State::ended : State::truncated;
        } else if (any_member && bytes[0] == std::byte{0}) {
            input.consume(1);
        } else if (bytes[0] != std::byte{0x1F} || (bytes.size() > 1 && bytes[1] != std::byte{0x8B})) {
            state = State::damaged;
        } else {
            inflateReset(&stream);
            inside = any_member = true;
        }
    }

    /// Ends a member that was entered at a point: checks its trailer as zlib does.
    void end_raw_member() {
        const auto trailer = input.peek(trailer_size);
        if (trailer.size() < trailer_size) {
            state = State::truncated;
            return;
        }
        const bool is_sound = load_le<std::uint32_t>(trailer.data()) == checksum &&
                              load_le<std::uint32_t>(trailer.data() + 4) == member_size;
        input.consume(trailer_size);
        if (!is_sound) state = State::damaged;
        is_raw = inside = false;
        inflateReset2(&stream, gzip_only);
    }

    void continue_at(const Point& point) {
        inside = any_member = is_raw = true;
        raw_offset = point.raw_offset;
        checksum = point.checksum;
        member_size = point.member_size;
        if (point.bits != 0) inflatePrime(&stream, point.bits, point.byte >> (8 - point.bits));
        if (!point.window.empty())
            inflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(point.window.data()),
                                 static_cast<uInt>(point.window.size()));
    }

    /// Keeps the current place if it is between two blocks and far enough from the last point.
    void keep_point() {
        constexpr int at_block = 128, in_last_block = 64, unused_bits = 7;
        if ((stream.data_type & at_block) == 0 || (stream.data_type & in_last_block) != 0) return;
        if (!points.empty() && raw_offset - points.back().raw_offset < point_distance) return;
        Point point{input.offset(),
                    raw_offset,
                    static_cast<std::uint8_t>(stream.data_type & unused_bits),
                    last_byte,
                    static_cast<std::uint32_t>(stream.adler),
                    static_cast<std::uint32_t>(stream.total_out),
                    std::vector<std::byte>(window_size)};
        auto size = static_cast<uInt>(window_size);
        if (inflateGetDictionary(&stream, reinterpret_cast<Bytef*>(point.window.data()), &size) != Z_OK) return;
        point.window.resize(size);
        if (stream.total_out == 0) point.checksum = 0;
        points.push_back(std::move(point));
        if (points.size() > most_points) points.pop_front();
    }

    /// Runs zlib once. Returns the number of bytes at the front of `into`.
    std::size_t step(std::span<std::byte> into) {
        const auto room = static_cast<uInt>(std::min<std::size_t>(into.size(), UINT_MAX));
        // Even without input, zlib may still hold output.
        const auto compressed = input.peek(1);
        stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(compressed.data()));
        stream.avail_in = static_cast<uInt>(compressed.size());
        stream.next_out = reinterpret_cast<Bytef*>(into.data());
        stream.avail_out = room;
        const int result = inflate(&stream, keeps ? Z_BLOCK : Z_NO_FLUSH);
        const std::size_t used = compressed.size() - stream.avail_in, count = room - stream.avail_out;
        if (used > 0) last_byte = std::to_integer<std::uint8_t>(compressed[used - 1]);
        input.consume(used);
        raw_offset += count;
        if (is_raw) {
            checksum = static_cast<std::uint32_t>(
                crc32(checksum, reinterpret_cast<const Bytef*>(into.data()), static_cast<uInt>(count)));
            member_size += static_cast<std::uint32_t>(count);
        }
        if (result == Z_STREAM_END && is_raw)
            end_raw_member();
        else if (result == Z_STREAM_END)
            inside = false;
        else if (result == Z_BUF_ERROR && compressed.empty())
            state = State::truncated;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            state = State::damaged;
        else if (keeps && inside)
            keep_point();
        return count;
    }
};

void ResumableGzip::append(const Point* kept, Appender& out) {
    const Point point = kept == nullptr ? Point() : *kept;
    out.leb128(point.file_offset);
    out.leb128(point.raw_offset);
    out.le(point.bits);
    out.le(point.byte);
    out.le(point.checksum);
    out.le(point.member_size);
    out.leb128(point.window.size());
    out.bytes(point.window);
}

ResumableGzip::Point ResumableGzip::restore(Cursor& in) {
    Point point;
    point.file_offset = in.leb128();
    point.raw_offset = in.leb128();
    point.bits = in.le<std::uint8_t>();
    point.byte = in.le<std::uint8_t>();
    point.checksum = in.le<std::uint32_t>();
    point.member_size = in.le<std::uint32_t>();
    const std::uint64_t size = in.leb128();
    if (size > Impl::window_size || point.bits > 7)
        fail(Failure::input, "the state states no place of compressed data");
    const auto window = in.take(static_cast<std::size_t>(size));
    point.window.assign(window.begin(), window.end());
    return point;
}

ResumableGzip::ResumableGzip(Source& source) : impl_(std::make_unique<Impl>(source)) {}
ResumableGzip::ResumableGzip(Source& source, const Point& point)
    : impl_(std::make_unique<Impl>(source, point.file_offset, Impl::raw_only)) {
    impl_->continue_at(point);
}
ResumableGzip::~ResumableGzip() = default;

std::size_t ResumableGzip::read(std::span<std::byte> into) {
    Impl& impl = *impl_;
    while (impl.state == State::reading && !into.empty()) {
        if (!impl.inside)
            impl.begin_member();
        else if (const std::size_t count = impl.step(into); count > 0)
            return count;
    }
    return 0;
}

ResumableGzip::State ResumableGzip::state() const noexcept {
    return impl_->state;
}
std::uint64_t ResumableGzip::file_offset() const noexcept {
    return impl_->input.offset();
}

void ResumableGzip::keep_points() {
    impl_->keeps = true;
}

const ResumableGzip::Point* ResumableGzip::point_before(std::uint64_t raw_offset) const noexcept {
    const Point* found = nullptr;
    for (const Point& point : impl_->points)
        if (point.raw_offset <= raw_offset) found = &point;
    return found;
}

}  // namespace hwtrace

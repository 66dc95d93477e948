#include "io/compression.hpp"

#include <lz4.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstring>
#include <new>
#include <string>

#include "io/compressed.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "io/resumable_gzip.hpp"

namespace hwtrace {

namespace {

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};
using Compressor = std::unique_ptr<ZSTD_CCtx, FreeCompressor>;
using Decompressor = std::unique_ptr<ZSTD_DCtx, FreeDecompressor>;

Decompressor make_decompressor() {
    Decompressor context(ZSTD_createDCtx());
    if (!context) throw std::bad_alloc();
    return context;
}

}  // namespace

// --- LZ4 -------------------------------------------------------------------------------------------------------------

Lz4::Lz4() : state_(static_cast<std::size_t>(LZ4_sizeofState())) {}
Lz4::~Lz4() = default;
Lz4::Lz4(Lz4&&) noexcept = default;
Lz4& Lz4::operator=(Lz4&&) noexcept = default;

void Lz4::compress(std::span<const std::byte> raw, Appender& out) {
    if (raw.size() > LZ4_MAX_INPUT_SIZE)
        fail(Failure::internal, "an LZ4 block of " + std::to_string(raw.size()) + " bytes is too large");
    const int bound = LZ4_compressBound(static_cast<int>(raw.size()));
    std::byte* const place = out.grow(static_cast<std::size_t>(bound));
    const int written =
        LZ4_compress_fast_extState(state_.data(), reinterpret_cast<const char*>(raw.data()),
                                   reinterpret_cast<char*>(place), static_cast<int>(raw.size()), bound, 1);
    if (written <= 0) fail(Failure::internal, "LZ4 could not compress a block");
    out.shrink(static_cast<std::size_t>(bound - written));
}

bool Lz4::decompress(std::span<const std::byte> block, std::span<std::byte> raw) noexcept {
    return decompress_any(block, raw) == raw.size();
}

std::optional<std::size_t> Lz4::decompress_any(std::span<const std::byte> block, std::span<std::byte> raw) noexcept {
    if (block.empty() || block.size() > INT_MAX || raw.size() > INT_MAX) return std::nullopt;
    char nothing = 0;  // decoding zero bytes still needs a valid address
    char* const target = raw.empty() ? &nothing : reinterpret_cast<char*>(raw.data());
    const int got = LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()), target,
                                        static_cast<int>(block.size()), static_cast<int>(raw.size()));
    if (got < 0) return std::nullopt;
    return static_cast<std::size_t>(got);
}

namespace {

/// Reads the rest of an LZ4 length whose 4 bits in the token are all set. Returns what the bytes until `at` reaches the
/// end of `block` state.
std::size_t lz4_length(std::size_t length, std::span<const std::byte> block, std::size_t& at) noexcept {
    constexpr std::size_t continued = 15;
    if (length != continued) return length;
    while (at < block.size()) {
        const auto more = std::to_integer<std::size_t>(block[at++]);
        length += more;
        if (more != 255) break;
    }
    return length;
}

}  // namespace

std::size_t Lz4::decompress_front(std::span<const std::byte> block, std::span<std::byte> raw) noexcept {
    constexpr std::size_t shortest_match = 4;
    std::size_t at = 0, size = 0;
    while (at < block.size()) {
        const auto token = std::to_integer<std::size_t>(block[at++]);
        const std::size_t stated = lz4_length(token >> 4u, block, at);
        const std::size_t literals = std::min({stated, block.size() - at, raw.size() - size});
        std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(at), literals,
                    raw.begin() + static_cast<std::ptrdiff_t>(size));
        at += literals;
        size += literals;
        if (literals < stated || block.size() - at < 2) break;
        const std::size_t distance = load_le<std::uint16_t>(block.data() + at);
        at += 2;
        if (distance == 0 || distance > size) break;
        const std::size_t match = lz4_length(token & 15u, block, at) + shortest_match;
        for (const std::size_t end = size + std::min(match, raw.size() - size); size < end; ++size)
            raw[size] = raw[size - distance];
    }
    return size;
}

// --- one zstd frame --------------------------------------------------------------------------------------------------

struct ZstdBlock::State {
    int level = 3, shortest_match = 0;
    Compressor compressor;  // created on first use, because most objects only read or only write
    Decompressor decompressor;

    void need_compressor() {
        if (compressor) return;
        compressor.reset(ZSTD_createCCtx());
        if (!compressor) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_compressionLevel, level);
        ZSTD_CCtx_setParameter(compressor.get(), ZSTD_c_minMatch, shortest_match);
    }
};

namespace {

/// Makes a decompressor refuse frames with a window of more than 2^log bytes.
void limit_window(ZSTD_DCtx& context, int log) noexcept {
    const auto bounds = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax);
    ZSTD_DCtx_setParameter(&context, ZSTD_d_windowLogMax, std::clamp(log, bounds.lowerBound, bounds.upperBound));
}

/// Returns `result`, the result of a zstd call. Throws Failure::internal if the result is an error.
std::size_t done(std::size_t result) {
    if (ZSTD_isError(result) != 0)
        fail(Failure::internal, std::string("zstd could not compress: ").append(ZSTD_getErrorName(result)));
    return result;
}

/// Runs one compression step with room for one block of output. Returns the number of bytes that zstd still has to
/// write.
std::size_t stream_step(ZSTD_CCtx* context, ZSTD_inBuffer& in, ZSTD_EndDirective how, Appender& out) {
    const std::size_t room = ZSTD_CStreamOutSize();
    ZSTD_outBuffer place{out.grow(room), room, 0};
    const std::size_t left = done(ZSTD_compressStream2(context, &place, &in, how));
    out.shrink(room - place.pos);
    return left;
}

}  // namespace

ZstdBlock::ZstdBlock(int level, int shortest_match) : state_(std::make_unique<State>()) {
    state_->level = level;
    state_->shortest_match = shortest_match;
}
ZstdBlock::~ZstdBlock() = default;
ZstdBlock::ZstdBlock(ZstdBlock&&) noexcept = default;
ZstdBlock& ZstdBlock::operator=(ZstdBlock&&) noexcept = default;

void ZstdBlock::compress(std::span<const std::byte> raw, Appender& out) {
    state_->need_compressor();
    const std::size_t bound = ZSTD_compressBound(raw.size());
    std::byte* const place = out.grow(bound);
    const std::size_t written = done(ZSTD_compress2(state_->compressor.get(), place, bound, raw.data(), raw.size()));
    out.shrink(bound - written);
}

void ZstdBlock::stream(std::span<const std::byte> raw, Appender& out) {
    state_->need_compressor();
    ZSTD_inBuffer in{raw.data(), raw.size(), 0};
    while (in.pos < in.size)
        stream_step(state_->compressor.get(), in, ZSTD_e_continue, out);
}

void ZstdBlock::end_stream(Appender& out) {
    state_->need_compressor();
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    while (stream_step(state_->compressor.get(), nothing, ZSTD_e_end, out) != 0) {
    }
}

bool ZstdBlock::decompress(std::span<const std::byte> frame, std::span<std::byte> raw) noexcept {
    if (!state_->decompressor) state_->decompressor.reset(ZSTD_createDCtx());
    if (!state_->decompressor || ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return false;
    return ZSTD_decompressDCtx(state_->decompressor.get(), raw.data(), raw.size(), frame.data(), frame.size()) ==
           raw.size();
}

std::size_t ZstdBlock::decompress_front(std::span<const std::byte> frame, std::span<std::byte> raw,
                                        std::uint64_t most_window) noexcept {
    if (!state_->decompressor) state_->decompressor.reset(ZSTD_createDCtx());
    ZSTD_DCtx* const context = state_->decompressor.get();
    if (context == nullptr) return 0;
    limit_window(*context, static_cast<int>(std::bit_width(std::max<std::uint64_t>(most_window, 1) - 1)));
    ZSTD_inBuffer in{frame.data(), frame.size(), 0};
    ZSTD_outBuffer out{raw.data(), raw.size(), 0};
    for (bool more = true; more;) {
        const std::size_t before = in.pos + out.pos;
        const std::size_t left = ZSTD_decompressStream(context, &out, &in);
        more = ZSTD_isError(left) == 0 && left != 0 && in.pos + out.pos != before;
    }
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
    return out.pos;
}

// --- zstd frames back to back ----------------------------------------------------------------------------------------

namespace {

constexpr std::array frame_magic{std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
constexpr std::array skippable_magic{std::byte{0x50}, std::byte{0x2A}, std::byte{0x4D}, std::byte{0x18}};

/// Returns true if `bytes` and `magic` agree over their common length.
bool agrees(std::span<const std::byte> bytes, std::array<std::byte, 4> magic) {
    const std::size_t same = std::min(bytes.size(), magic.size());
    return std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(same), bytes.begin());
}

/// Returns true if `bytes` agrees with the magic of a skippable frame. The low nibble of the first byte is arbitrary.
bool agrees_with_skippable(std::span<const std::byte> bytes) {
    std::array<std::byte, 4> magic = skippable_magic;
    if (!bytes.empty()) magic[0] |= bytes[0] & std::byte{0x0F};
    return agrees(bytes, magic);
}

}  // namespace

bool begins_zstd(std::span<const std::byte> head) noexcept {
    return head.size() >= frame_magic.size() && (agrees(head, frame_magic) || agrees_with_skippable(head));
}

namespace {

constexpr std::size_t largest_frame_header = 18;

}  // namespace

std::uint64_t zstd_window_of(std::span<const std::byte> header) noexcept {  // RFC 8878, 3.1.1.1
    constexpr std::array<std::size_t, 4> id_sizes{0, 1, 2, 4}, content_sizes{1, 2, 4, 8};
    constexpr std::size_t at_descriptor = 4;
    if (header.size() <= at_descriptor + 1) return 0;
    const auto descriptor = std::to_integer<unsigned>(header[at_descriptor]);
    const auto next = std::to_integer<unsigned>(header[at_descriptor + 1]);
    if ((descriptor & 0x20u) == 0) {
        const std::uint64_t base = std::uint64_t{1} << (10 + (next >> 3u));
        return base + base / 8 * (next & 7u);
    }
    // In a single-segment frame, the window size is the content size.
    const std::size_t at = at_descriptor + 1 + id_sizes[descriptor & 3u], size = content_sizes[descriptor >> 6u];
    if (header.size() < at + size) return 0;
    std::uint64_t content = size == 2 ? 256 : 0;
    for (std::size_t i = 0; i < size; ++i)
        content += std::to_integer<std::uint64_t>(header[at + i]) << 8 * i;
    return content;
}

struct ZstdSource::Impl {
    Compressed input;
    std::uint64_t end_offset;
    Decompressor context = make_decompressor();
    std::vector<Frame> frames{};
    std::uint64_t raw_offset = 0;
    std::size_t wanted = 0;    // compressed bytes that zstd asked for; 0 between frames
    bool flushing = false;     // zstd may hold decompressed bytes that did not fit last time
    std::uint64_t window = 0;  // window size of the current frame
    bool limit_refused = false;
    State state = State::reading;

    Impl(Source& source, std::uint64_t offset, std::uint64_t end, const Limits& limits)
        : input(source, offset), end_offset(end) {
        limit_window(*context, static_cast<int>(std::bit_width(limits.zstd_window)) - 1);
    }

    /// Returns the bytes that may be read, limited by end_offset.
    std::span<const std::byte> peek(std::size_t count) {
        const auto bytes = input.peek(count);
        if (end_offset == 0) return bytes;
        const std::uint64_t left = end_offset > input.offset() ? end_offset - input.offset() : 0;
        return bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size())));
    }

    /// Starts the next frame, or sets the final state.
    void begin_frame() {
        const auto bytes = peek(frame_magic.size());
        const bool skippable = agrees_with_skippable(bytes);
        if (bytes.empty() || !(skippable || agrees(bytes, frame_magic)))
            state = State::ended;
        else if (bytes.size() < frame_magic.size())
            state = State::truncated;
        if (state != State::reading) return;
        if (!skippable) {
            frames.push_back({input.offset(), raw_offset});
            window = zstd_window_of(peek(largest_frame_header));
        }
        wanted = ZSTD_initDStream(context.get());
    }

    /// Returns the size of the next input. This is the size that zstd asks for, minus the header of the following
    /// block.
    std::size_t one_block() const noexcept {
        constexpr std::size_t block_header = 3;
        return std::min(wanted > block_header ? wanted - block_header : wanted, Compressed::capacity);
    }

    /// Runs one step of zstd with at most one block of input, because a failing step discards everything that it
    /// decompressed.
    std::size_t step(std::span<const std::byte> compressed, std::span<std::byte> into) {
        ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        const std::size_t result = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(result) != 0) {
            limit_refused = ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge;
            state = State::damaged;
            return 0;
        }
        input.consume(in.pos);
        flushing = out.pos == out.size;
        wanted = result;
        raw_offset += out.pos;
        return out.pos;
    }
};

ZstdSource::ZstdSource(Source& source, std::uint64_t file_offset, std::uint64_t end_offset, const Limits& limits)
    : impl_(std::make_unique<Impl>(source, file_offset, end_offset, limits)) {}
ZstdSource::~ZstdSource() = default;
ZstdSource::ZstdSource(ZstdSource&&) noexcept = default;
ZstdSource& ZstdSource::operator=(ZstdSource&&) noexcept = default;

std::size_t ZstdSource::read(std::span<std::byte> into) {
    Impl& impl = *impl_;
    while (impl.state == State::reading && !into.empty()) {
        if (impl.flushing && impl.wanted != 0) {
            if (const std::size_t count = impl.step({}, into); count > 0) return count;
            continue;
        }
        if (impl.wanted == 0) {
            impl.begin_frame();
            continue;
        }
        const std::size_t amount = impl.one_block();
        const auto compressed = impl.peek(amount);
        if (compressed.empty()) {
            impl.state = State::truncated;
            break;
        }
        if (const std::size_t count = impl.step(compressed.first(std::min(amount, compressed.size())), into); count > 0)
            return count;
    }
    return 0;
}

ZstdSource::State ZstdSource::state() const noexcept {
    return impl_->state;
}
bool ZstdSource::limit_refused() const noexcept {
    return impl_->limit_refused;
}
std::uint64_t ZstdSource::demanded() const noexcept {
    return impl_->window;
}
std::span<const ZstdSource::Frame> ZstdSource::frames() const noexcept {
    return impl_->frames;
}
std::uint64_t ZstdSource::file_offset() const noexcept {
    return impl_->input.offset();
}
std::size_t ZstdSource::read_behind(std::span<std::byte> into) {
    return impl_->input.drain(into);
}

// --- gzip ------------------------------------------------------------------------------------------------------------

bool inflate_whole(std::span<const std::byte> block, std::span<std::byte> raw) noexcept {
    constexpr int zlib_or_gzip = 32 + MAX_WBITS;
    if (block.size() > UINT_MAX || raw.size() > UINT_MAX) return false;
    z_stream stream{};
    if (inflateInit2(&stream, zlib_or_gzip) != Z_OK) return false;
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(block.data()));
    stream.avail_in = static_cast<uInt>(block.size());
    Bytef nothing = 0;  // zlib rejects null pointers even for zero bytes
    stream.next_out = raw.empty() ? &nothing : reinterpret_cast<Bytef*>(raw.data());
    stream.avail_out = static_cast<uInt>(raw.size());
    const bool ended = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    const bool whole = ended && stream.avail_in == 0 && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole;
}

void deflate_whole(std::span<const std::byte> raw, Deflate around, Appender& out) {
    constexpr int usual_memory = 8, gzip_offset = 16;
    z_stream stream{};
    const int window = around == Deflate::gzip ? gzip_offset + MAX_WBITS : MAX_WBITS;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    const uLong room = deflateBound(&stream, static_cast<uLong>(raw.size()));
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(raw.data()));
    stream.avail_in = static_cast<uInt>(raw.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.grow(room));
    stream.avail_out = static_cast<uInt>(room);
    const bool ended = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.shrink(stream.avail_out);
    deflateEnd(&stream);
    if (!ended) fail(Failure::internal, "zlib needs more room than it announced");
}

struct GzipSource::Impl {
    ResumableGzip gzip;
};

GzipSource::GzipSource(Source& source) : impl_(new Impl{ResumableGzip(source)}) {}
GzipSource::~GzipSource() = default;

std::size_t GzipSource::read(std::span<std::byte> into) {
    return impl_->gzip.read(into);
}
GzipSource::State GzipSource::state() const noexcept {
    return impl_->gzip.state();
}
std::uint64_t GzipSource::file_offset() const noexcept {
    return impl_->gzip.file_offset();
}

}  // namespace hwtrace

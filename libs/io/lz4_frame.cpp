#include "io/lz4_frame.hpp"

#include <lz4.h>
#include <lz4frame.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <new>
#include <vector>

#include "io/compressed.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"

namespace hwtrace {

namespace {

constexpr std::uint32_t frame_magic_number = 0x184D2204;
constexpr std::uint32_t skippable_magic_number = 0x184D2A50;  // up to 0x184D2A5F
constexpr std::uint32_t skippable_mask = 0xFFFFFFF0;
constexpr std::size_t magic_size = 4;
constexpr std::size_t smallest_header = 7;

bool is_magic(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < magic_size) return false;
    const auto magic = load_le<std::uint32_t>(bytes.data());
    return magic == frame_magic_number || (magic & skippable_mask) == skippable_magic_number;
}

struct FreeFrameDecompressor {
    void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
};
struct FreeFrameCompressor {
    void operator()(LZ4F_cctx* context) const noexcept { LZ4F_freeCompressionContext(context); }
};

}  // namespace

bool begins_lz4_frame(std::span<const std::byte> head) noexcept {
    return head.size() >= magic_size && load_le<std::uint32_t>(head.data()) == frame_magic_number;
}

std::size_t decompress_lz4_head(std::span<const std::byte> head, std::span<std::byte> into) noexcept {
    if (!begins_lz4_frame(head) || head.size() < smallest_header) return 0;
    constexpr unsigned has_size = 0x08, has_dictionary = 0x01, is_stored = 0x8000'0000;
    const auto flags = static_cast<unsigned>(head[magic_size]);
    const std::size_t header =
        smallest_header + ((flags & has_size) != 0 ? 8u : 0u) + ((flags & has_dictionary) != 0 ? 4u : 0u);
    if (head.size() < header + sizeof(std::uint32_t)) return 0;
    const auto word = load_le<std::uint32_t>(head.data() + header);
    std::span<const std::byte> block = head.subspan(header + sizeof word);
    block = block.first(std::min<std::size_t>(block.size(), word & ~is_stored));
    if ((word & is_stored) != 0) {
        const std::size_t count = std::min(block.size(), into.size());
        if (count != 0) std::memcpy(into.data(), block.data(), count);
        return count;
    }
    if (block.empty() || block.size() > INT_MAX || into.size() > INT_MAX) return 0;
    const int size = static_cast<int>(into.size());
    const int count =
        LZ4_decompress_safe_partial(reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(into.data()),
                                    static_cast<int>(block.size()), size, size);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

// --- reading ---------------------------------------------------------------------------------------------------------

struct Lz4FrameSource::Impl {
    Compressed input;
    std::unique_ptr<LZ4F_dctx, FreeFrameDecompressor> context;
    std::size_t wanted = 0;  // bytes of the next block and the header after it; 0 between frames
    bool any_frame = false;
    State state = State::reading;

    explicit Impl(Source& source) : input(source, 0) {
        LZ4F_dctx* made = nullptr;
        if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
        context.reset(made);
    }

    /// Starts the next frame, or sets the final state.
    void begin_frame() {
        const auto bytes = input.peek(magic_size);
        if (bytes.empty()) {
            state = any_frame ? State::ended : State::truncated;
        } else if (is_magic(bytes)) {
            wanted = smallest_header;
            any_frame = true;
        } else {
            state = bytes.size() < magic_size ? State::truncated : State::damaged;
        }
    }
};

Lz4FrameSource::Lz4FrameSource(Source& source) : impl_(std::make_unique<Impl>(source)) {}
Lz4FrameSource::~Lz4FrameSource() = default;

std::size_t Lz4FrameSource::read(std::span<std::byte> into) {
    Impl& impl = *impl_;
    while (impl.state == State::reading && !into.empty()) {
        if (impl.wanted == 0) {
            impl.begin_frame();
            continue;
        }
        // Decompress one block per call, because a failing call discards everything that it decompressed.
        const auto compressed = impl.input.peek(1);
        std::size_t taken = std::min(impl.wanted, compressed.size()), given = into.size();
        const std::size_t result =
            LZ4F_decompress(impl.context.get(), into.data(), &given, compressed.data(), &taken, nullptr);
        if (LZ4F_isError(result) != 0) {
            impl.state = State::damaged;
            return 0;
        }
        impl.input.consume(taken);
        impl.wanted = result;
        if (given > 0) return given;
        if (compressed.empty() && result != 0) impl.state = State::truncated;
    }
    return 0;
}

Lz4FrameSource::State Lz4FrameSource::state() const noexcept {
    return impl_->state;
}
std::uint64_t Lz4FrameSource::file_offset() const noexcept {
    return impl_->input.offset();
}

// --- writing ---------------------------------------------------------------------------------------------------------

struct Lz4FrameWriter::Impl {
    static constexpr std::size_t block = 64u << 10;

    Output& output;
    LZ4F_preferences_t preferences{};
    std::unique_ptr<LZ4F_cctx, FreeFrameCompressor> context;
    std::vector<std::byte> raw, compressed;

    explicit Impl(Output& to) : output(to) {
        preferences.frameInfo.blockSizeID = LZ4F_max64KB;
        preferences.frameInfo.blockMode = LZ4F_blockLinked;
        preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
        LZ4F_cctx* made = nullptr;
        if (LZ4F_isError(LZ4F_createCompressionContext(&made, LZ4F_VERSION)) != 0) throw std::bad_alloc();
        context.reset(made);
        raw.reserve(block);
        compressed.resize(LZ4F_compressBound(block, &preferences) + LZ4F_HEADER_SIZE_MAX);
        put(LZ4F_compressBegin(context.get(), compressed.data(), compressed.size(), &preferences));
    }

    void put(std::size_t size) {
        if (LZ4F_isError(size) != 0) fail(Failure::internal, "LZ4 could not compress a frame");
        output.append(std::span(compressed).first(size));
    }
    void flush() {
        if (raw.empty()) return;
        put(LZ4F_compressUpdate(context.get(), compressed.data(), compressed.size(), raw.data(), raw.size(), nullptr));
        raw.clear();
    }
};

Lz4FrameWriter::Lz4FrameWriter(Output& output) : impl_(std::make_unique<Impl>(output)) {}
Lz4FrameWriter::~Lz4FrameWriter() = default;

void Lz4FrameWriter::write(std::span<const std::byte> bytes) {
    Impl& impl = *impl_;
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), Impl::block - impl.raw.size());
        impl.raw.insert(impl.raw.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
        bytes = bytes.subspan(count);
        if (impl.raw.size() == Impl::block) impl.flush();
    }
}

void Lz4FrameWriter::finish() {
    Impl& impl = *impl_;
    impl.flush();
    impl.put(LZ4F_compressEnd(impl.context.get(), impl.compressed.data(), impl.compressed.size(), nullptr));
}

}  // namespace hwtrace

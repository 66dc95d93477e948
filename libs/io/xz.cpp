#include "io/xz.hpp"

#include <lzma.h>

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "io/compressed.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

constexpr std::array magic{std::byte{0xFD}, std::byte{'7'}, std::byte{'z'},
                           std::byte{'X'},  std::byte{'Z'}, std::byte{0}};

/// Owns a coder of liblzma.
struct Coder {
    lzma_stream stream = LZMA_STREAM_INIT;

    Coder() = default;
    ~Coder() { lzma_end(&stream); }
    Coder(const Coder&) = delete;
    Coder& operator=(const Coder&) = delete;
};

}  // namespace

bool begins_xz(std::span<const std::byte> head) noexcept {
    return head.size() >= magic.size() && std::equal(magic.begin(), magic.end(), head.begin());
}

// --- reading ---------------------------------------------------------------------------------------------------------

struct XzSource::Impl {
    Compressed input;
    Coder coder;
    bool limit_refused = false;
    State state = State::reading;

    std::uint64_t most_memory;

    Impl(Source& source, std::uint64_t memory) : input(source, 0), most_memory(memory) { begin_stream(); }

    void begin_stream() {
        if (lzma_stream_decoder(&coder.stream, most_memory, 0) != LZMA_OK) throw std::bad_alloc();
    }

    /// Skips the padding after a stream (zeros in multiples of four) and finds the next stream or the end. The decoder
    /// cannot do this: it would mistake a few other bytes for the beginning of a truncated stream.
    void end_stream() {
        std::uint64_t zeros = 0;
        auto rest = input.peek(1);
        while (!rest.empty() && rest.front() == std::byte{0}) {
            const auto end = std::find_if(rest.begin(), rest.end(), [](std::byte b) { return b != std::byte{0}; });
            const auto count = static_cast<std::size_t>(end - rest.begin());
            input.consume(count);
            zeros += count;
            rest = input.peek(1);
        }
        const auto head = input.peek(magic.size());
        const std::size_t seen = std::min(head.size(), magic.size());
        if (zeros % 4 != 0 || !std::equal(magic.begin(), magic.begin() + seen, head.begin())) {
            state = State::damaged;
        } else if (head.empty()) {
            state = State::ended;
        } else {
            begin_stream();
        }
    }

    void end(lzma_ret result) {
        switch (result) {
            case LZMA_OK:
                return;
            case LZMA_STREAM_END:
                end_stream();
                return;
            case LZMA_BUF_ERROR:  // more input is needed and none is left
                state = State::truncated;
                return;
            case LZMA_MEM_ERROR:
                throw std::bad_alloc();
            case LZMA_MEMLIMIT_ERROR:
                limit_refused = true;
                state = State::damaged;
                return;
            default:
                state = State::damaged;
                return;
        }
    }
};

XzSource::XzSource(Source& source, const Limits& limits)
    : impl_(std::make_unique<Impl>(source, std::max<std::uint64_t>(limits.zstd_window, 1))) {}
XzSource::~XzSource() = default;

std::size_t XzSource::read(std::span<std::byte> into) {
    Impl& impl = *impl_;
    while (impl.state == State::reading && !into.empty()) {
        const auto compressed = impl.input.peek(1);
        lzma_stream& stream = impl.coder.stream;
        stream.next_in = reinterpret_cast<const std::uint8_t*>(compressed.data());
        stream.avail_in = compressed.size();
        stream.next_out = reinterpret_cast<std::uint8_t*>(into.data());
        stream.avail_out = into.size();
        const lzma_ret result = lzma_code(&stream, compressed.empty() ? LZMA_FINISH : LZMA_RUN);
        impl.input.consume(compressed.size() - stream.avail_in);
        impl.end(result);
        if (const std::size_t count = into.size() - stream.avail_out; count > 0) return count;
    }
    return 0;
}

XzSource::State XzSource::state() const noexcept {
    return impl_->state;
}
bool XzSource::limit_refused() const noexcept {
    return impl_->limit_refused;
}
std::uint64_t XzSource::demanded() const noexcept {
    return ::lzma_memusage(&impl_->coder.stream);
}
std::uint64_t XzSource::file_offset() const noexcept {
    return impl_->input.offset();
}

// --- writing ---------------------------------------------------------------------------------------------------------

struct XzWriter::Impl {
    static constexpr std::uint32_t preset = 3;  // the preset of the reference library for .stf.xz; needs 32 MiB
    static constexpr std::size_t piece = 256u << 10;

    Output& output;
    std::vector<std::byte> compressed = std::vector<std::byte>(piece);
    Coder coder;

    explicit Impl(Output& to) : output(to) {
        if (lzma_easy_encoder(&coder.stream, preset, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
    }

    void code(lzma_action action) {
        lzma_ret result = LZMA_OK;
        do {
            coder.stream.next_out = reinterpret_cast<std::uint8_t*>(compressed.data());
            coder.stream.avail_out = compressed.size();
            result = lzma_code(&coder.stream, action);
            output.append(std::span(compressed).first(compressed.size() - coder.stream.avail_out));
        } while (result == LZMA_OK && (coder.stream.avail_in > 0 || action == LZMA_FINISH));
        if (result != LZMA_OK && result != LZMA_STREAM_END) fail(Failure::internal, "liblzma could not compress");
    }
};

XzWriter::XzWriter(Output& output) : impl_(std::make_unique<Impl>(output)) {}
XzWriter::~XzWriter() = default;

void XzWriter::write(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    impl_->coder.stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    impl_->coder.stream.avail_in = bytes.size();
    impl_->code(LZMA_RUN);
}

void XzWriter::finish() {
    impl_->coder.stream.next_in = nullptr;
    impl_->coder.stream.avail_in = 0;
    impl_->code(LZMA_FINISH);
}

}  // namespace hwtrace

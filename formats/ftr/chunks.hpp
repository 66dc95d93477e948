// formats/ftr/chunks.hpp - goes from chunk to chunk of a .ftr file without reading what is in them, and fetches it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "io/cbor.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

/// Where a chunk stands, and what its head says.
struct ChunkHead {
    enum class Form : std::uint8_t {
        bytes,   ///< one byte string
        pieces,  ///< a byte string in pieces
        item,    ///< the content itself, not wrapped
    };
    std::uint64_t offset = 0;
    std::uint64_t kind = 0;     ///< its tag; see Chunk
    std::uint64_t content = 0;  ///< offset of the content; of pieces: of the first one's head
    std::uint64_t stored = 0;   ///< bytes of it in the file; of pieces: with their heads
    Form form = Form::bytes;
    std::optional<std::uint64_t> raw;  ///< size of the content, of a compressed chunk
    std::uint64_t stream = 0;          ///< of a block, as the next two
    std::uint64_t start = 0, end = 0;
    bool cut = false;  ///< the file ends inside of it
    bool odd = false;  ///< `form` is not `bytes`, or something wraps it

    /// Bytes from `offset` to the end of the content.
    std::uint64_t size() const noexcept { return content + stored - offset; }
    bool is(Chunk plain) const noexcept {
        return kind == static_cast<std::uint64_t>(plain) ||
               (plain != Chunk::info && kind == static_cast<std::uint64_t>(plain) + 1);
    }
};

/// Walks over chunks by their heads. Reads a few bytes of each.
class ChunkWalk {
public:
    /// Findings are reported where `findings` is not null. `input` is seekable; both outlive the walk.
    ChunkWalk(const Input& input, const Limits& limits, Findings* findings);

    /// Reads the frame's beginning. False where the file does not begin as one of this format.
    bool begin();
    /// Whether that was because the file ends inside its first bytes.
    bool begin_is_cut() const noexcept { return begin_is_cut_; }
    /// The next chunk of a known kind, or the one in which the file ends. False behind the last one.
    bool next(ChunkHead& chunk);

    std::uint64_t position() const noexcept { return at_; }
    std::uint64_t chunks() const noexcept { return chunks_; }

private:
    enum class Outcome : std::uint8_t { chunk, skipped, cut, damaged };

    /// The bytes at `at`, at least as many as a head can have, where the file has them.
    std::span<const std::byte> peek(std::uint64_t at);
    Outcome parse(ChunkHead& chunk);
    Outcome parse_content(CborCursor& cursor, ChunkHead& chunk);
    Outcome measure_pieces(ChunkHead& chunk);
    Outcome measure_item(ChunkHead& chunk);
    Outcome skip_item();
    Outcome fault(const CborCursor& cursor);
    bool goes_on();
    void end_in_front_of_next(ChunkHead& chunk);
    bool find_again(std::uint64_t from, std::uint64_t until);
    bool leads_on(std::uint64_t at);
    void report(Check check, std::uint64_t offset, std::string expected, std::string got);

    const Input& input_;
    const Limits limits_;
    Findings* findings_;
    std::uint64_t size_ = 0;
    std::uint64_t at_ = 0;
    std::uint64_t behind_ = 0;  ///< of the chunk parsed last
    CborItems items_;
    std::uint64_t chunks_ = 0;
    bool ended_ = false;
    bool begin_is_cut_ = false;
    bool probing_ = false;  ///< looks for chunks as every writer writes them
    CborFault fault_;
    struct Buffer {
        std::vector<std::byte> bytes;
        std::uint64_t at = 0;
        std::size_t size = 0;
    };
    /// Several, because a probe looks at the same few places again and again, and these at ones that lie side by side.
    std::array<Buffer, 4> buffers_;
    std::size_t used_buffer_ = 0;
    std::vector<std::byte> item_;
};

/// The content of one chunk, decompressed.
struct Content {
    std::span<const std::byte> bytes;  ///< until the next one is fetched
    std::uint64_t base = 0;            ///< of cursors over it
    bool in_file = true;               ///< `base` is its offset in the file; else 0, in what was decompressed or joined
};

/// Fetches contents into buffers that are used again.
class ContentSource {
public:
    ContentSource(const Input& input, const Limits& limits, Findings& findings)
        : input_(input), limits_(limits), findings_(findings) {}

    /// False, after a finding, where there is no content to be had. Throws Failure::limit for too large ones.
    bool fetch(const ChunkHead& chunk, Content& content);

private:
    std::span<const std::byte> stored(const ChunkHead& chunk);

    const Input& input_;
    const Limits limits_;
    Findings& findings_;
    std::vector<std::byte> stored_, joined_, raw_;
};

/// "dictionary", ...: a chunk's kind for messages.
std::string_view name_of_chunk(std::uint64_t kind) noexcept;

}  // namespace hwtrace::ftr

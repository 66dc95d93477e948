// formats/ftr/chunks.hpp - finds the chunks of a .ftr file and fetches their contents.
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

/// The offset and the head of a chunk.
struct ChunkHead {
    enum class Form : std::uint8_t {
        bytes,   ///< one byte string
        pieces,  ///< a byte string of indefinite length, in pieces
        item,    ///< the content itself, without a byte string around it
    };
    std::uint64_t offset = 0;
    std::uint64_t kind = 0;     ///< the chunk's tag; see Chunk
    std::uint64_t content = 0;  ///< offset of the content, or of the first piece's head
    std::uint64_t stored = 0;   ///< bytes of the content in the file, including the heads of pieces
    Form form = Form::bytes;
    std::optional<std::uint64_t> raw;  ///< size of the decompressed content; compressed chunks only
    std::uint64_t stream = 0;          ///< set only for blocks, like the next two members
    std::uint64_t start = 0, end = 0;
    bool cut = false;  ///< the file ends inside the chunk
    bool odd = false;  ///< `form` is not `bytes`, or a tag wraps the byte string

    /// Returns the number of bytes from `offset` to the end of the content.
    std::uint64_t size() const noexcept { return content + stored - offset; }
    bool is(Chunk plain) const noexcept {
        return kind == static_cast<std::uint64_t>(plain) ||
               (plain != Chunk::info && kind == static_cast<std::uint64_t>(plain) + 1);
    }
};

/// Iterates over the chunks of a file. Reads only a few bytes of each chunk.
class ChunkWalk {
public:
    /// `input` must be seekable. `findings` may be null. Both must outlive the walk.
    ChunkWalk(const Input& input, const Limits& limits, Findings* findings);

    /// Reads the start of the frame. Returns false if the file is not FTR.
    bool begin();
    /// Returns true if begin() failed because the file ends within its first bytes.
    bool begin_is_cut() const noexcept { return begin_is_cut_; }
    /// Finds the next chunk of a known kind, or the chunk in which the file ends. Returns false at the end.
    bool next(ChunkHead& chunk);

    /// A place between two chunks.
    struct Place {
        std::uint64_t at = 0;    ///< offset of the next chunk
        std::uint64_t left = 0;  ///< chunks from there on, if the frame states their number
    };
    Place place() const noexcept { return {at_, items_.left}; }
    /// Continues at a place that another walk through the same file has reached. Call it after begin(). Returns false
    /// if the file is shorter.
    bool go_to(const Place& place) noexcept {
        if (place.at > size_) return false;
        at_ = place.at;
        if (!items_.indefinite) items_.left = place.left;
        ended_ = false;
        return true;
    }

    std::uint64_t position() const noexcept { return at_; }
    std::uint64_t chunks() const noexcept { return chunks_; }

private:
    enum class Outcome : std::uint8_t { chunk, skipped, cut, damaged };

    /// Returns the bytes at offset `at`: at least as many as the longest head, unless the file ends earlier.
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
    std::uint64_t behind_ = 0;  ///< end of the latest parsed chunk
    CborItems items_;
    std::uint64_t chunks_ = 0;
    bool ended_ = false;
    bool begin_is_cut_ = false;
    bool probing_ = false;  ///< accepts only chunks in the usual form
    CborFault fault_;
    struct Buffer {
        std::vector<std::byte> bytes;
        std::uint64_t at = 0;
        std::size_t size = 0;
    };
    /// There are several buffers, because a probe reads a few nearby offsets repeatedly.
    std::array<Buffer, 4> buffers_;
    std::size_t used_buffer_ = 0;
    std::vector<std::byte> item_;
};

/// The content of one chunk, decompressed.
struct Content {
    std::span<const std::byte> bytes;  ///< valid until the next fetch
    std::uint64_t base = 0;            ///< offset for cursors over `bytes`
    bool in_file = true;  ///< `base` is a file offset; false: the bytes were decompressed or joined, and `base` is 0
};

/// Fetches the contents of chunks into reused buffers.
class ContentSource {
public:
    ContentSource(const Input& input, const Limits& limits, Findings& findings)
        : input_(input), limits_(limits), findings_(findings) {}

    /// Fetches the content of a chunk. If the content is unavailable, reports a finding and returns false. Throws
    /// Failure::limit if the content is too large.
    bool fetch(const ChunkHead& chunk, Content& content);

private:
    std::span<const std::byte> stored(const ChunkHead& chunk);

    const Input& input_;
    const Limits limits_;
    Findings& findings_;
    std::vector<std::byte> stored_, joined_, raw_;
};

/// Returns the name of a chunk kind for messages, such as "dictionary".
std::string_view name_of_chunk(std::uint64_t kind) noexcept;

}  // namespace hwtrace::ftr

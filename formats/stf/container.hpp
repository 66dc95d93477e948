// formats/stf/container.hpp - opens the container of an STF stream: plain, ZSTF chunks, gzip, xz or zstd.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "chunk_index.hpp"
#include "codec/findings.hpp"
#include "frame_source.hpp"
#include "io/compression.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/resumable_gzip.hpp"
#include "io/xz.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::stf {

enum class ContainerKind : std::uint8_t { plain, zstf, gzip, zstd, xz };
/// Returns "plain STF", "ZSTF", ...
std::string_view name_of(ContainerKind kind) noexcept;

/// Recognises the container by the first bytes of a file. Decompresses a compressed head as far as possible; the result
/// must begin with STF's identifier. Returns nullopt if the file cannot be STF.
std::optional<ContainerKind> recognise(std::span<const std::byte> head);

/// A chunk found by the scan: one zstd frame of a ZSTF or zstd file.
struct Chunk {
    std::uint64_t file_offset = 0;
    std::uint64_t raw_offset = 0;  ///< offset of the chunk's first byte in the decompressed stream
    std::uint64_t raw_size = 0;    ///< known when the next chunk begins or the stream ends
    std::uint64_t start_pc = 0;    ///< pc of the first instruction, according to the records before the chunk
    std::uint64_t markers = 0;     ///< number of instructions (or transactions) in the chunk
};

/// Opens the container of an input and provides the STF stream inside. A container cannot be moved, because its sources
/// refer to it.
class Container {
public:
    /// Reads the container's header. If the input is not STF, reports the reason and throws Failure::input. All
    /// arguments must outlive the container. With `jobs` above 1, other threads decompress ahead.
    Container(Input& input, const Limits& limits, Findings& findings, unsigned jobs);
    Container(const Container&) = delete;
    Container& operator=(const Container&) = delete;

    ContainerKind kind() const noexcept { return kind_; }
    /// Returns the instructions per ZSTF chunk that the header states, or 0 for other containers.
    std::uint64_t chunk_size() const noexcept { return chunk_size_; }
    /// Returns the STF stream.
    Source& stream() noexcept;
    /// Looks up the chunk of an instruction in the index. An instruction after the end of the trace maps to the last
    /// chunk. Reports a fault of the index. Returns nullopt if there is no usable index, or if no frame begins at the
    /// indexed offset.
    std::optional<std::size_t> chunk_of(std::uint64_t instruction);
    /// Returns the first chunk of the index after `chunk` that begins with a frame. Returns nullopt if there is no such
    /// chunk, or if the index states another offset for `chunk` than `file_offset`. Reports nothing.
    std::optional<std::size_t> chunk_behind(std::size_t chunk, std::uint64_t file_offset);
    /// A chunk that was found without an index.
    struct FoundChunk {
        std::uint64_t searched_from, file_offset;
    };
    /// Searches for the first readable chunk after the chunk at `file_offset`, in a file without a usable index.
    /// Returns nullopt if there is no such chunk, or if the input is not seekable.
    std::optional<FoundChunk> find_chunk_behind(std::uint64_t file_offset);
    /// Moves the stream to the first byte of a found chunk. The chunk gets the index `chunk` and the stream offset
    /// `raw_offset`.
    void go_to_found(std::uint64_t file_offset, std::uint64_t raw_offset, std::size_t chunk);
    /// Returns the index. Requires that chunk_of() or chunk_behind() has returned a chunk.
    const ChunkIndex& index() const noexcept { return *index_; }
    /// Moves the stream to the first byte of an indexed chunk.
    void go_to(std::size_t chunk);
    /// Like go_to(), for reading only that chunk: no thread decompresses ahead.
    void peek_at(std::size_t chunk);
    /// Prepares save_place(). Returns false if the stream can be read only from its beginning.
    bool keep_places();
    /// A place of the stream.
    struct StreamPlace {
        std::uint64_t raw_offset = 0;   ///< of the next byte of the stream
        std::uint64_t file_offset = 0;  ///< of its chunk
        std::size_t chunk = 0;          ///< number of its chunk, or of its frame
    };
    /// Appends a place at or before the stream offset `raw_offset`, which is in the chunk `chunk` (0 without chunks).
    void save_place(std::uint64_t raw_offset, std::size_t chunk, Appender& out) const;
    /// Moves the stream to a saved place and returns it. Returns nullopt and moves nothing if the place does not fit.
    std::optional<StreamPlace> restore_place(Cursor& in);
    /// Returns the frames whose decompression has begun. The result is empty if the container has no frames.
    std::span<const ZstdSource::Frame> frames() const noexcept;
    /// Returns false if the container is cut or damaged. A record that is cut by this damage is not reported
    /// separately.
    bool sound() const noexcept;
    /// Returns true if check_end() has found that records are missing between this position and the end.
    bool broken() const noexcept { return broken_; }
    /// Reports damage of the container. Call at the end of the stream. For ZSTF, also compares the index with `chunks`.
    /// `header_pc` is the header's FORCE_PC. Throws Failure::limit if zstd or xz needs too large a window.
    void check_end(std::span<const Chunk> chunks, std::uint64_t header_pc);

private:
    void report_cut_beginning();
    void report_cut_packing();
    void read_zstf_header();
    bool has_index();
    bool is_chunk_start(const StreamPlace& place);
    bool begins_frame(std::size_t chunk) const;
    void report_index(Finding finding);
    void check_index(std::span<const Chunk> chunks, std::uint64_t header_pc);
    void check_entry(std::span<const Chunk> chunks, std::size_t number, std::span<const std::byte> entry,
                     std::uint64_t at, std::uint64_t header_pc);
    std::size_t read_behind(std::span<std::byte> into);
    void report_no_frame(std::uint64_t begin, std::string expected, std::uint64_t count);
    std::uint64_t rest_size();
    void check_unclaimed(std::uint64_t begin);

    Input& input_;
    const Limits& limits_;
    Findings& findings_;
    ContainerKind kind_ = ContainerKind::plain;
    std::uint64_t chunk_size_ = 0;
    std::uint64_t index_offset_ = 0;
    unsigned jobs_;
    bool index_read_ = false, index_told_ = false, broken_ = false;
    bool searched_ = false;          ///< chunks were found without an index, so their count is unknown
    std::uint64_t no_frame_at_ = 0;  ///< file offset where a frame is missing
    Finding index_fault_;
    std::optional<ChunkIndex> index_;
    std::optional<FrameSource> zstd_;
    std::optional<ResumableGzip> gzip_;
    std::optional<XzSource> xz_;
};

}  // namespace hwtrace::stf

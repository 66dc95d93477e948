// formats/stf/container.hpp - what an STF stream is wrapped in: nothing, ZSTF chunks, gzip, xz or plain zstd.
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
#include "io/xz.hpp"

namespace hwtrace::stf {

enum class ContainerKind : std::uint8_t { plain, zstf, gzip, zstd, xz };
/// "plain STF", "ZSTF", ...
std::string_view name_of(ContainerKind kind) noexcept;

/// What the first bytes of a file say; none when it cannot be STF. Compressed heads are decompressed as far as they go,
/// and must then begin with STF's identifier.
std::optional<ContainerKind> recognise(std::span<const std::byte> head);

/// What the scan saw of one chunk: one zstd frame of a ZSTF or zstd file.
struct Chunk {
    std::uint64_t file_offset = 0;
    std::uint64_t raw_offset = 0;  ///< of its first byte in the decompressed stream
    std::uint64_t raw_size = 0;    ///< known when the next chunk begins, or the stream ends
    std::uint64_t start_pc = 0;    ///< the pc that follows from the records before it
    std::uint64_t markers = 0;     ///< instructions in it
};

/// Opens the wrapping of an input and gives the STF stream inside, without seeking. Not movable: sources refer to it.
class Container {
public:
    /// Reads what stands before the stream. Throws Failure::input for an input that is not STF, after reporting
    /// why. All arguments outlive the container.
    Container(Input& input, const Limits& limits, Findings& findings, unsigned jobs);
    Container(const Container&) = delete;
    Container& operator=(const Container&) = delete;

    ContainerKind kind() const noexcept { return kind_; }
    /// Instructions a ZSTF chunk should hold; 0 for other containers.
    std::uint64_t chunk_size() const noexcept { return chunk_size_; }
    /// The STF stream.
    Source& stream() noexcept;
    /// The chunk that holds an instruction (the last one, for those behind the end), where its index tells and a frame
    /// stands there. None: the stream has no such places, or not the index of a file that can be read anywhere, whose
    /// fault is reported.
    std::optional<std::size_t> chunk_of(std::uint64_t instruction);
    /// The first chunk behind `chunk` that can be gone to, where chunk is where the index says; none where there is
    /// none. Nothing is reported.
    std::optional<std::size_t> chunk_behind(std::size_t chunk, std::uint64_t file_offset);
    /// A chunk that no index tells of.
    struct FoundChunk {
        std::uint64_t searched_from, file_offset;
    };
    /// The same where no index can be used: the first chunk behind the one at `file_offset` that can be read, by
    /// looking for it; none where there is none, and where the input cannot be read anywhere.
    std::optional<FoundChunk> find_chunk_behind(std::uint64_t file_offset);
    /// The next byte of the stream is the first one of the chunk found there. It becomes number `chunk`, and begins at
    /// `raw_offset` of the stream.
    void go_to_found(std::uint64_t file_offset, std::uint64_t raw_offset, std::size_t chunk);
    /// Of a container with chunks to go to.
    const ChunkIndex& index() const noexcept { return *index_; }
    /// The next byte of the stream is the first one of that chunk.
    void go_to(std::size_t chunk);
    /// The same, where no more than that chunk is going to be read.
    void peek_at(std::size_t chunk);
    /// Decompressed frames begun so far; empty where the container has none.
    std::span<const ZstdSource::Frame> frames() const noexcept;
    /// True when the stream ended where its container says; false when the container itself is cut or damaged, so that
    /// a record cut there is no finding of its own.
    bool sound() const noexcept;
    /// True when check_end() has seen that records are missing between here and the end.
    bool broken() const noexcept { return broken_; }
    /// Behind the end of the stream: reports damage of the container, and for ZSTF compares the index with the
    /// chunks seen. `header_pc` is the header's FORCE_PC. Throws Failure::limit for a refused window of zstd
    /// or xz.
    void check_end(std::span<const Chunk> chunks, std::uint64_t header_pc);

private:
    void report_cut_beginning();
    void report_cut_packing();
    void read_zstf_header();
    bool has_index();
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
    bool searched_ = false;          ///< chunks were found without an index, so that nobody knows how many there are
    std::uint64_t no_frame_at_ = 0;  ///< where a frame should have begun
    Finding index_fault_;
    std::optional<ChunkIndex> index_;
    std::optional<FrameSource> zstd_;
    std::optional<GzipSource> gzip_;
    std::optional<XzSource> xz_;
};

}  // namespace hwtrace::stf

// formats/uscope/segment_writer.hpp - compresses finished segments, several at the same time, and appends them in
// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <span>

#include "codec/settings.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"
#include "io/workers.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// The contents of a segment that is being filled, or that is being compressed and appended.
struct SegmentContent {
    SegmentHeader header;
    Appender checkpoint;
    Appender frames;
    Appender texts;  ///< a text block, or nothing
};

enum class Compression : std::uint8_t { lz4, zstd, none };

/// Returns the value of the option uscope-compression.
Compression chosen_compression(const Settings& settings);
/// Returns the flags of a file header that state this compression, and the frame format that this program writes.
std::uint64_t flags_of(Compression compression) noexcept;

/// Compresses the frames of segments, one after the other.
class FrameCompressor {
public:
    explicit FrameCompressor(Compression compression) : compression_(compression) {}

    /// Returns the bytes to store, valid until the next call or as long as `raw`.
    std::span<const std::byte> compressed(std::span<const std::byte> raw);

private:
    Compression compression_;
    Lz4 lz4_;
    // Rows repeat the fields of rows before: the fast levels with short matches find that, and take two thirds of the
    // time of level 3.
    ZstdBlock zstd_{2, 5};
    Appender compressed_;
};

/// Appends and commits finished segments (2.2; README.md#commit-order).
class SegmentSink {
public:
    SegmentSink(Output& output, bool sync) : output_(output), sync_(sync) {}

    /// Completes the header and appends the segment. `stored` are the compressed frames.
    void write(SegmentContent& segment, std::span<const std::byte> stored);
    /// If the option uscope-sync is `segment`, makes everything written so far durable. Called before readers can see
    /// the data.
    void make_durable() {
        if (sync_) output_.sync();
    }

    struct Entry {
        std::uint64_t offset, time_start, time_end;
    };
    /// Returns the segments written so far.
    const std::deque<Entry>& places() const noexcept { return places_; }

private:
    Output& output_;
    bool sync_;
    std::deque<Entry> places_;  // not a vector, whose growth would copy it
};

/// Compresses segments in several threads, of which the caller's is one, and appends each one after the one before it.
class SegmentWriter {
public:
    /// With one job, submit() does everything. `output` must outlive this object.
    SegmentWriter(Output& output, const Settings& settings);
    SegmentWriter(const SegmentWriter&) = delete;
    SegmentWriter& operator=(const SegmentWriter&) = delete;
    ~SegmentWriter();

    Compression compression() const noexcept { return compression_; }
    /// Returns true if other threads compress.
    bool has_threads() const noexcept { return most_pending_ != 0 && compression_ != Compression::none; }
    /// Writes a segment, now or later. With several jobs, swaps `segment` for one that has been written, whose contents
    /// the caller replaces. Rethrows the error of an earlier segment.
    void submit(SegmentContent& segment);
    /// Waits until all segments are written. Rethrows an error.
    void wait();
    /// The following must not be called while segments are being written.
    const std::deque<SegmentSink::Entry>& places() const noexcept { return sink_.places(); }
    void make_durable() { sink_.make_durable(); }

private:
    /// A segment that is compressed and appended, or waits for that.
    struct Sinking {
        explicit Sinking(Compression compression) : compressor(compression) {}

        SegmentContent segment;
        FrameCompressor compressor;
        std::shared_future<void> before, done;
    };

    void start(std::unique_ptr<Sinking> sinking);
    void wait_for_oldest();

    Compression compression_;
    SegmentSink sink_;  // used by one thread at a time, which appends the oldest segment
    FrameCompressor compressor_;
    std::size_t most_pending_;  // 0: this thread does everything
    std::size_t pending_bytes_ = 0;
    std::unique_ptr<Sinking> spare_;
    std::deque<std::unique_ptr<Sinking>> pending_;
    Workers workers_;  // last: their work uses the others
};

}  // namespace hwtrace::uscope

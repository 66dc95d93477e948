// formats/stf/frame_sink.hpp - compresses zstd frames in several threads and returns them in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <vector>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/workers.hpp"

namespace hwtrace::stf {

/// Bytes that are compressed into whole frames, back to back.
struct FrameRun {
    enum class Form : std::uint8_t {
        streamed,  ///< without content size, as the reference writes ZSTF chunks
        sized,     ///< with content size
    };
    struct Frame {
        std::size_t raw_end = 0, packed_end = 0;
    };

    /// Compresses `raw` into `packed` and sets `packed_end` of each frame.
    void compress(ZstdBlock& zstd, Form form);

    Appender raw;
    std::vector<Frame> frames;  ///< the last one ends at the end of `raw`
    Appender packed;
};

/// Compresses runs and returns them in order of arrival.
class FrameSink {
public:
    /// Compresses up to `threads` runs at a time, one per thread. The caller of take() is one of them.
    FrameSink(int level, FrameRun::Form form, unsigned threads)
        : level_(level), form_(form), threads_(threads), workers_(threads - 1) {}

    bool empty() const noexcept { return jobs_.empty(); }
    /// Returns true if more runs are in work than there are threads. Callers should then take() a run before they do
    /// other work.
    bool full() const noexcept { return jobs_.size() > threads_; }
    void put(FrameRun run);
    /// Waits for the oldest run and returns it. Rethrows an exception thrown by its compression.
    FrameRun take();

private:
    struct Job {
        FrameRun run;
        ZstdBlock zstd;
        std::future<void> done{};
    };

    int level_;
    FrameRun::Form form_;
    unsigned threads_;
    std::vector<ZstdBlock> idle_;
    std::deque<Job> jobs_;
    Workers workers_;  // last: their work uses the others
};

}  // namespace hwtrace::stf

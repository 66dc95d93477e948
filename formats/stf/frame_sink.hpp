// formats/stf/frame_sink.hpp - zstd frames, compressed by other threads, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <vector>

#include "io/appender.hpp"
#include "io/compression.hpp"

namespace hwtrace::stf {

/// Bytes that become whole frames, back to back.
struct FrameRun {
    enum class Form : std::uint8_t {
        streamed,  ///< as the reference writes the chunks of a ZSTF file
        sized,     ///< each says how much it holds
    };
    struct Frame {
        std::size_t raw_end = 0, packed_end = 0;
    };

    /// Fills `packed`, and says where each frame ends in it.
    void compress(ZstdBlock& zstd, Form form);

    Appender raw;
    std::vector<Frame> frames;  ///< as many as there are; the last one ends where `raw` does
    Appender packed;
};

/// Takes runs, and gives them back compressed, in the order in which they came.
class FrameSink {
public:
    /// As many threads, each with a run of its own, while the caller only waits.
    FrameSink(int level, FrameRun::Form form, unsigned threads) : level_(level), form_(form), threads_(threads) {}

    bool empty() const noexcept { return jobs_.empty(); }
    /// Every thread is busy: the caller takes a run before it goes on with what keeps a processor busy.
    bool full() const noexcept { return jobs_.size() >= threads_; }
    void put(FrameRun run);
    /// The oldest run, when it is ready. Throws what compressing it threw.
    FrameRun take();

private:
    struct Job {
        FrameRun run;
        ZstdBlock zstd;
        std::future<void> done{};  // last: its destructor waits, and what it uses still stands
    };

    int level_;
    FrameRun::Form form_;
    unsigned threads_;
    std::vector<ZstdBlock> idle_;
    std::deque<Job> jobs_;
};

}  // namespace hwtrace::stf

#include "frame_source.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hwtrace::stf {
namespace {

constexpr std::uint64_t usual_run = 1u << 20;     // bytes of small chunks that are decompressed together
constexpr std::uint64_t largest_run = 16u << 20;  // larger chunks are not kept in memory

}  // namespace

FrameSource::FrameSource(Input& input, std::uint64_t file_offset, const Limits& limits)
    : input_(input), limits_(limits), stream_(input, file_offset, 0, limits) {}

ZstdSource::State FrameSource::state() const noexcept {
    return stream_.state();
}
bool FrameSource::limit_refused() const noexcept {
    return stream_.limit_refused();
}

std::size_t FrameSource::read(std::span<std::byte> into) {
    while (ahead_ != nullptr && !into.empty()) {
        if (run_at_ == run_.raw.size()) {
            if (!next_run()) break;
            continue;
        }
        const std::size_t count = std::min(into.size(), run_.raw.size() - run_at_);
        std::memcpy(into.data(), run_.raw.data() + run_at_, count);
        run_at_ += count;
        return count;
    }
    const std::size_t count = stream_.read(into);
    note_frames();
    return count;
}

void FrameSource::note_frames() {
    for (const ZstdSource::Frame& frame : stream_.frames().subspan(noted_))
        frames_.push_back({frame.file_offset, raw_base_ + frame.raw_offset});
    noted_ = stream_.frames().size();
}

void FrameSource::go_to(const ChunkIndex& index, std::size_t chunk) {
    ahead_ = nullptr;
    for (const std::future<Run>& pending : pending_)
        pending.wait();
    pending_.clear();
    frames_.resize(std::min(frames_.size(), chunk));
    while (frames_.size() < chunk)
        frames_.push_back({index[frames_.size()].file_offset, index[frames_.size()].raw_offset});
    restart(index[chunk].file_offset, index[chunk].raw_offset);
}

void FrameSource::go_to_found(std::uint64_t file_offset, std::uint64_t raw_offset, std::size_t frame) {
    frames_.resize(frame, {file_offset, raw_offset});
    restart(file_offset, raw_offset);
}

void FrameSource::restart(std::uint64_t file_offset, std::uint64_t raw_offset) {
    raw_base_ = raw_offset;
    input_.seek(file_offset);
    stream_ = ZstdSource(input_, file_offset, 0, limits_);
    noted_ = 0;
}

// --- read ahead ------------------------------------------------------------------------------------------------------

void FrameSource::read_ahead(const ChunkIndex& index, std::size_t chunk, unsigned threads) {
    go_to(index, chunk);
    ahead_ = &index;
    threads_ = threads;
    if (!workers_) workers_.emplace(threads);
    next_chunk_ = chunk;
    run_.begin = run_.end = chunk;
    run_.raw.clear();
    run_at_ = 0;
    start_runs();
}

/// Starts runs until every thread has one.
void FrameSource::start_runs() {
    const ChunkIndex& index = *ahead_;
    while (pending_.size() < threads_ && next_chunk_ < index.size() && index.raw_size(next_chunk_) <= largest_run) {
        Run run{next_chunk_, next_chunk_ + 1, std::move(spare_), false};
        spare_.clear();
        while (run.end < index.size() && index[run.end + 1].raw_offset - index[run.begin].raw_offset <= usual_run)
            ++run.end;
        next_chunk_ = run.end;
        pending_.push_back(
            workers_->start([&index, &input = std::as_const(input_), &limits = limits_, of = std::move(run)]() mutable {
                return decompress(input, index, limits, std::move(of));
            }));
    }
}

/// Makes the next run current. Returns false if the rest of the stream must be read front to back.
bool FrameSource::next_run() {
    const std::size_t behind = run_.end;
    spare_ = std::move(run_.raw);
    run_.raw.clear();
    run_at_ = 0;
    if (!pending_.empty()) {
        std::future<Run> next = std::move(pending_.front());
        pending_.pop_front();  // result() may throw
        run_ = workers_->result(next);
        if (run_.as_told) {
            for (std::size_t chunk = run_.begin; chunk < run_.end; ++chunk)
                frames_.push_back({(*ahead_)[chunk].file_offset, (*ahead_)[chunk].raw_offset});
            input_.seek((*ahead_)[run_.end].file_offset);  // for progress reports, which use the position of the input
            start_runs();
            return true;
        }
        run_.raw.clear();
    }
    go_to(*ahead_, behind);
    return false;
}

FrameSource::Run FrameSource::decompress(const Input& input, const ChunkIndex& index, const Limits& limits, Run run) {
    const ChunkPlace& begin = index[run.begin];
    const ChunkPlace& end = index[run.end];
    Section section(input, begin.file_offset, end.file_offset);
    ZstdSource source(section, begin.file_offset, 0, limits);
    run.raw.resize(static_cast<std::size_t>(end.raw_offset - begin.raw_offset));
    std::size_t have = 0;
    while (have < run.raw.size()) {
        const std::size_t got = source.read(std::span(run.raw).subspan(have));
        if (got == 0) return run;
        have += got;
    }
    std::byte more{};
    const auto frames = source.frames();
    run.as_told = source.read({&more, 1}) == 0 && source.state() == ZstdSource::State::ended &&
                  source.file_offset() == end.file_offset && frames.size() == run.end - run.begin;
    for (std::size_t number = 0; run.as_told && number < frames.size(); ++number) {
        const ChunkPlace& told = index[run.begin + number];
        run.as_told = frames[number].file_offset == told.file_offset &&
                      frames[number].raw_offset == told.raw_offset - begin.raw_offset;
    }
    return run;
}

}  // namespace hwtrace::stf

#include "container_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "wire.hpp"

namespace hwtrace::stf {

ContainerWriter::ContainerWriter(Output& output, Wrapping wrapping)
    : output_(output), wrapping_(wrapping), zstd_(wrapping.level) {
    if (wrapping_.kind != Wrapping::Kind::zstf) wrapping_.chunk = 0;
    switch (wrapping_.kind) {
        case Wrapping::Kind::plain:
            return;
        case Wrapping::Kind::gzip:
            gzip_.emplace(output);
            return;
        case Wrapping::Kind::xz:
            xz_.emplace(output);
            return;
        case Wrapping::Kind::zstd:
            form_ = FrameRun::Form::sized;
            break;
        case Wrapping::Kind::zstf: {
            Appender head;
            head.text("ZSTF");
            head.le(wrapping_.chunk);
            head.le(std::uint64_t{0});  // offset of the index, patched when the index is written
            output_.append(head.span());
            chunks_end_ = head.size();
            break;
        }
    }
    // With `growing`, each chunk is written before the next one begins, so threads would not help.
    if (wrapping_.jobs > 1 && !wrapping_.growing) {
        sink_.emplace(wrapping_.level, form_, wrapping_.jobs);
        begin_at_ = largest_run;
    }
}

void ContainerWriter::hand_on() {
    switch (wrapping_.kind) {
        case Wrapping::Kind::plain:
            output_.append(stream_.span());
            break;
        case Wrapping::Kind::gzip:
            gzip_->write(stream_.span());
            break;
        case Wrapping::Kind::xz:
            xz_->write(stream_.span());
            break;
        case Wrapping::Kind::zstd:
            frames_.push_back({stream_.size(), 0});
            compress_frames();
            return;
        case Wrapping::Kind::zstf:
            hand_chunks_on();
            return;
    }
    stream_.clear();
}

// --- chunks ----------------------------------------------------------------------------------------------------------

void ContainerWriter::hand_chunks_on() {
    if (!frames_.empty()) compress_frames();
    if (chunk_full_) {
        if (stream_.size() - chunk_end_ <= longest_tail) {
            settle_at_ = chunk_end_ + longest_tail + 1;
            return;
        }
        end_chunk(chunk_end_);
        if (!frames_.empty()) compress_frames();
    }
    if (stream_.size() >= begin_at_ || (open_size_ > 0 && stream_.size() >= usual_run)) compress_open(stream_.size());
    settle_at_ = open_size_ > 0 ? usual_run : begin_at_;
}

/// Closes the open chunk at stream offset `end`.
void ContainerWriter::end_chunk(std::size_t end) {
    index_.push_back({0, start_pc_, open_size_ + (end - open_begin())});
    in_chunk_ = 0;
    chunk_full_ = false;
    start_pc_ = next_start_pc_;
    settle_at_ = usual_run;
    if (open_size_ > 0) {
        compress_open(end);
        zstd_.end_stream(open_packed_);
        write_open();
        end_frame();
        open_size_ = 0;
        return;
    }
    frames_.push_back({end, 0});
    if (wrapping_.growing) compress_frames();
}

/// Moves the bytes of frames_ out of the stream and compresses them.
void ContainerWriter::compress_frames() {
    const std::size_t end = open_begin();
    FrameRun run = std::exchange(spare_, {});
    run.raw.clear();
    run.raw.bytes(stream_.span().subspan(end));
    std::swap(run.raw, stream_);
    run.raw.shrink(run.raw.size() - end);
    run.frames.clear();
    std::swap(run.frames, frames_);
    if (chunk_full_) chunk_end_ -= end;
    if (sink_) {
        sink_->put(std::move(run));
        if (sink_->full()) take_run();
    } else {
        run.compress(zstd_, form_);
        write_run(run);
        spare_ = std::move(run);
    }
}

/// Compresses the stream up to `end` into the frame of the open chunk.
void ContainerWriter::compress_open(std::size_t end) {
    zstd_.stream(stream_.span().first(end), open_packed_);
    open_size_ += end;
    std::memmove(stream_.data(), stream_.data() + end, stream_.size() - end);
    stream_.shrink(end);
    if (open_packed_.size() >= held) write_open();
}

// --- output ----------------------------------------------------------------------------------------------------------

void ContainerWriter::take_run() {
    FrameRun run = sink_->take();
    write_run(run);
    spare_ = std::move(run);
}

void ContainerWriter::drain() {
    while (sink_ && !sink_->empty())
        take_run();
}

void ContainerWriter::write_run(const FrameRun& run) {
    if (wrapping_.kind != Wrapping::Kind::zstf) {
        output_.append(run.packed.span());
        return;
    }
    std::size_t begin = 0;
    for (const FrameRun::Frame& frame : run.frames) {
        append_frame(run.packed.span().subspan(begin, frame.packed_end - begin));
        end_frame();
        begin = frame.packed_end;
    }
}

void ContainerWriter::write_open() {
    drain();
    append_frame(open_packed_.span());
    open_packed_.clear();
}

/// Writes more bytes of the chunk that begins at chunks_end_.
void ContainerWriter::append_frame(std::span<const std::byte> bytes) {
    // If the program is killed before the new index is written, the file has no index instead of a wrong one.
    if (chunks_end_ + frame_bytes_ < output_.size()) point_at_index(0);
    put(chunks_end_ + frame_bytes_, bytes);
    frame_bytes_ += bytes.size();
}

void ContainerWriter::end_frame() {
    index_[written_++].offset = chunks_end_;
    chunks_end_ += frame_bytes_;
    frame_bytes_ = 0;
    if (wrapping_.growing) {
        write_index();
        output_.sync();
    }
}

/// Writes bytes at file offset `at`. Overwrites an earlier index and extends the file as needed.
void ContainerWriter::put(std::uint64_t at, std::span<const std::byte> bytes) {
    const auto over = static_cast<std::size_t>(std::min<std::uint64_t>(output_.size() - at, bytes.size()));
    if (over > 0) output_.patch(at, bytes.first(over));
    output_.append(bytes.subspan(over));
}

void ContainerWriter::point_at_index(std::uint64_t offset) {
    std::array<std::byte, 8> patch{};
    store_le(patch.data(), offset);
    output_.patch(zstf_index_at, patch);
}

/// Writes the index of all chunks written so far.
void ContainerWriter::write_index() {
    Appender bytes;
    bytes.le(std::uint64_t{written_});
    for (const Entry& entry : std::span(index_).first(written_)) {
        bytes.le(entry.offset);
        bytes.le(entry.start_pc);
        bytes.le(entry.raw_size);
    }
    put(chunks_end_, bytes.span());
    point_at_index(chunks_end_);
}

void ContainerWriter::finish() {
    if (wrapping_.kind != Wrapping::Kind::zstf) {
        if (!stream_.empty()) hand_on();
        drain();
        if (gzip_) gzip_->finish();
        if (xz_) xz_->finish();
        return;
    }
    if (chunk_full_ && stream_.size() - chunk_end_ > longest_tail) end_chunk(chunk_end_);
    if (open_size_ > 0 || stream_.size() > open_begin()) end_chunk(stream_.size());
    if (!frames_.empty()) compress_frames();
    drain();
    if (!wrapping_.growing || index_.empty()) write_index();
}

}  // namespace hwtrace::stf

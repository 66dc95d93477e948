#include "segment_writer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "io/little_endian.hpp"
#include "options.hpp"

namespace hwtrace::uscope {

namespace {

constexpr unsigned most_threads = 8;
constexpr std::size_t most_pending_bytes = std::size_t{32} << 20;  // of the frames of segments being written

std::array<std::byte, 8> bytes_of(std::uint64_t value) noexcept {
    std::array<std::byte, 8> bytes{};
    store_le(bytes.data(), value);
    return bytes;
}

}  // namespace

Compression chosen_compression(const Settings& settings) {
    const std::string text = settings.text(options, compression_option);
    return text == "none" ? Compression::none : text == "zstd" ? Compression::zstd : Compression::lz4;
}

std::uint64_t flags_of(Compression compression) noexcept {
    switch (compression) {
        case Compression::lz4:
            return flag_interleaved | flag_compressed | method_lz4 << method_shift;
        case Compression::zstd:
            return flag_interleaved | flag_compressed | method_zstd << method_shift;
        case Compression::none:
            break;
    }
    return flag_interleaved;
}

std::span<const std::byte> FrameCompressor::compressed(std::span<const std::byte> raw) {
    if (compression_ == Compression::none) return raw;
    compressed_.clear();
    if (compression_ == Compression::lz4) {
        compressed_.le(static_cast<std::uint32_t>(raw.size()));  // the size prefix (README.md#compression)
        lz4_.compress(raw, compressed_);
    } else {
        zstd_.compress(raw, compressed_);
    }
    return compressed_.span();
}

void SegmentSink::write(SegmentContent& segment, std::span<const std::byte> stored) {
    SegmentHeader& header = segment.header;
    header.previous = places_.empty() ? 0 : places_.back().offset;
    header.checkpoint_size = static_cast<std::uint32_t>(segment.checkpoint.size());
    header.raw_size = static_cast<std::uint32_t>(segment.frames.size());
    header.compressed_size = static_cast<std::uint32_t>(stored.size());
    const std::uint64_t offset = output_.size();
    output_.append(header.encode());
    output_.append(segment.checkpoint.span());
    output_.append(stored);
    output_.append(segment.texts.span());

    make_durable();
    places_.push_back({offset, header.time_start, header.time_end});
    output_.patch(at_tail_offset, bytes_of(offset));
    output_.patch(at_num_segments, std::span<const std::byte>(bytes_of(places_.size())).first(4));
}

SegmentWriter::SegmentWriter(Output& output, const Settings& settings)
    : compression_(chosen_compression(settings)),
      sink_(output, settings.text(options, sync_option) == "segment"),
      compressor_(compression_),
      most_pending_(settings.jobs > 1 ? 2 * std::min(settings.jobs, most_threads) - 1 : 0),
      workers_(std::min(settings.jobs, most_threads) - 1) {}

SegmentWriter::~SegmentWriter() {
    for (const std::unique_ptr<Sinking>& sinking : pending_)
        sinking->done.wait();  // the threads use this object
}

void SegmentWriter::submit(SegmentContent& segment) {
    if (most_pending_ == 0) {
        sink_.write(segment, compressor_.compressed(segment.frames.span()));
        return;
    }
    while (!pending_.empty() &&
           (pending_.size() >= most_pending_ || pending_bytes_ + segment.frames.size() > most_pending_bytes))
        wait_for_oldest();
    std::unique_ptr<Sinking> sinking = std::move(spare_);
    if (!sinking) sinking = std::make_unique<Sinking>(compression_);
    std::swap(segment, sinking->segment);
    start(std::move(sinking));
}

/// Starts to write the segment after those that are pending.
void SegmentWriter::start(std::unique_ptr<Sinking> sinking) {
    pending_bytes_ += sinking->segment.frames.size();
    Sinking* const before = pending_.empty() ? nullptr : pending_.back().get();
    Sinking& own = *sinking;
    pending_.push_back(std::move(sinking));
    if (before != nullptr) own.before = before->done;
    own.done = workers_
                   .start([this, &own] {
                       const auto stored = own.compressor.compressed(own.segment.frames.span());
                       if (own.before.valid()) own.before.get();  // appends in order; passes on an error
                       sink_.write(own.segment, stored);
                   })
                   .share();
}

void SegmentWriter::wait_for_oldest() {
    std::unique_ptr<Sinking> oldest = std::move(pending_.front());
    pending_.pop_front();
    pending_bytes_ -= oldest->segment.frames.size();
    workers_.result(oldest->done);
    oldest->before = {};
    spare_ = std::move(oldest);
}

void SegmentWriter::wait() {
    while (!pending_.empty())
        wait_for_oldest();
}

}  // namespace hwtrace::uscope

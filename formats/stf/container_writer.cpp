#include "container_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "wire.hpp"

namespace hwtrace::stf {

ContainerWriter::ContainerWriter(Output& output, Wrapping wrapping) : output_(output), wrapping_(wrapping) {
    if (wrapping_.kind != Wrapping::Kind::zstf) wrapping_.chunk = 0;
    switch (wrapping_.kind) {
        case Wrapping::Kind::plain:
            break;
        case Wrapping::Kind::gzip:
            gzip_.emplace(output);
            break;
        case Wrapping::Kind::xz:
            xz_.emplace(output);
            break;
        case Wrapping::Kind::zstd:
            zstd_.emplace(wrapping_.level);
            break;
        case Wrapping::Kind::zstf:
            zstd_.emplace(wrapping_.level);
            packed_.text("ZSTF");
            packed_.le(wrapping_.chunk);
            packed_.le(std::uint64_t{0});  // the index: patched when it stands
            output_.append(packed_.span());
            chunks_end_ = packed_.size();
            break;
    }
}

void ContainerWriter::flush_stream() {
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
        case Wrapping::Kind::zstf:
            packed_.clear();
            zstd_->compress(stream_.span(), packed_);
            output_.append(packed_.span());
            break;
    }
    stream_.clear();
}

void ContainerWriter::close_chunk(std::size_t size) {
    index_.push_back({chunks_end_, start_pc_, size});
    packed_.clear();
    zstd_->compress(stream_.span().first(size), packed_);
    // Whoever is stopped between here and the new index leaves a file without one, not one whose index is wrong.
    if (chunks_end_ < output_.size()) point_at_index(0);
    put(chunks_end_, packed_.span());
    chunks_end_ += packed_.size();
    std::memmove(stream_.data(), stream_.data() + size, stream_.size() - size);
    stream_.shrink(size);
    in_chunk_ = 0;
    chunk_end_ = 0;
    start_pc_ = next_start_pc_;
    if (wrapping_.growing) {
        write_index();
        output_.sync();
    }
}

/// Bytes over those that an earlier index has there, and behind them.
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

void ContainerWriter::write_index() {
    packed_.clear();
    packed_.le(std::uint64_t{index_.size()});
    for (const Entry& entry : index_) {
        packed_.le(entry.offset);
        packed_.le(entry.start_pc);
        packed_.le(entry.raw_size);
    }
    put(chunks_end_, packed_.span());
    point_at_index(chunks_end_);
}

void ContainerWriter::finish() {
    if (wrapping_.kind != Wrapping::Kind::zstf) {
        if (!stream_.empty()) flush_stream();
        if (gzip_) gzip_->finish();
        if (xz_) xz_->finish();
        return;
    }
    if (!stream_.empty()) close_chunk(stream_.size());
    if (!wrapping_.growing || index_.empty()) write_index();
}

}  // namespace hwtrace::stf

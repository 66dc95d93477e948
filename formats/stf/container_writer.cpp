#include "container_writer.hpp"

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
    index_.push_back({output_.size(), start_pc_, size});
    packed_.clear();
    zstd_->compress(stream_.span().first(size), packed_);
    output_.append(packed_.span());
    std::memmove(stream_.data(), stream_.data() + size, stream_.size() - size);
    stream_.shrink(size);
    in_chunk_ = 0;
    chunk_end_ = 0;
    start_pc_ = next_start_pc_;
}

void ContainerWriter::finish() {
    if (wrapping_.kind != Wrapping::Kind::zstf) {
        if (!stream_.empty()) flush_stream();
        if (gzip_) gzip_->finish();
        if (xz_) xz_->finish();
        return;
    }
    if (!stream_.empty()) close_chunk(stream_.size());
    const std::uint64_t index_offset = output_.size();
    packed_.clear();
    packed_.le(std::uint64_t{index_.size()});
    for (const Entry& entry : index_) {
        packed_.le(entry.offset);
        packed_.le(entry.start_pc);
        packed_.le(entry.raw_size);
    }
    output_.append(packed_.span());
    std::array<std::byte, 8> patch{};
    store_le(patch.data(), index_offset);
    output_.patch(zstf_index_at, patch);
}

}  // namespace hwtrace::stf

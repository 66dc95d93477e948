#include "block_writer.hpp"

#include "encode.hpp"
#include "hwtrace/flux_emitter.h"
#include "io/error.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t plain_block = 256u << 10;
constexpr std::uint8_t table_bits = 13;

}  // namespace

BlockWriter::BlockWriter(Output& output, Container container, std::optional<Pack> packing, std::size_t block_size)
    : output_(output, container), packing_(packing), block_size_(packing ? block_size : plain_block) {
    if (packing == Pack::fastlz) table_.resize(std::size_t{1} << table_bits);
}

void BlockWriter::flush_plain() {
    output_.write(entries_.span());
    entries_.clear();
}

void BlockWriter::flush() {
    if (entries_.empty()) return;
    packed_.clear();
    // If packing does not shrink the block, it is written unpacked.
    if (!packing_ || !pack() || packed_.size() >= entries_.size()) return flush_plain();
    head_.clear();
    append_tag(head_, Tag::packed);
    head_.le(static_cast<std::uint8_t>(*packing_));
    head_.leb128(entries_.size());
    head_.leb128(packed_.size());
    output_.write(head_.span());
    output_.write(packed_.span());
    entries_.clear();
}

void BlockWriter::finish() {
    flush();
    output_.finish();
}

bool BlockWriter::pack() {
    const std::span<const std::byte> raw = entries_.span();
    switch (*packing_) {
        case Pack::lz4:
            lz4_.compress(raw, packed_);
            return true;
        case Pack::fastlz: {
            flux_fastlz work{table_.data(), table_bits, 0};
            std::byte* const place = packed_.grow(raw.size());
            const std::uint32_t size = flux_fastlz_compress(
                &work, reinterpret_cast<const std::uint8_t*>(raw.data()), static_cast<std::uint32_t>(raw.size()),
                reinterpret_cast<std::uint8_t*>(place), static_cast<std::uint32_t>(raw.size()));
            const bool packed = size != 0 && size != UINT32_MAX;
            packed_.shrink(raw.size() - (packed ? size : 0));
            return packed;
        }
        case Pack::zlib:
        case Pack::gzip:
            deflate_whole(raw, *packing_ == Pack::zlib ? Deflate::zlib : Deflate::gzip, packed_);
            return true;
    }
    return false;
}

}  // namespace hwtrace::flux

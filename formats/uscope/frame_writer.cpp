#include "frame_writer.hpp"

#include <cstring>

#include "io/little_endian.hpp"

namespace hwtrace::uscope {

void FrameWriter::begin(std::uint64_t delta) {
    frame_at_ = frames_.size();
    frames_.leb128(delta);
    count_at_ = frames_.size();
    frames_.le(std::uint16_t{0});
    items_ = 0;
    make_room();
    open_ = true;
    wide_bits_ = 0;
    has_operations_ = false;
}

void FrameWriter::end() {
    open_ = false;
    if (has_operations_ && wide_bits_ <= 0xFFFF) make_compact();
    encoded_.clear();
    frames_.patch(count_at_, static_cast<std::uint16_t>(items_));
}

void FrameWriter::make_room() {
    frames_.make_room(wide_op_size);
    find_room();
}

void FrameWriter::item(std::span<const std::byte> bytes) {
    encoded_.emplace_back(frames_.size(), bytes.size());
    frames_.bytes(bytes);
    ++items_;
}

/// Replaces the wide operations of the open frame by compact ones, in place. Items from item() are not changed.
void FrameWriter::make_compact() {
    std::byte* const begin = frames_.data();
    const std::size_t end = frames_.size();
    std::size_t from = count_at_ + 2, to = from;
    auto next_encoded = encoded_.begin();
    while (from < end) {
        std::size_t size = 0;
        if (next_encoded != encoded_.end() && next_encoded->first == from) {
            size = (next_encoded++)->second;
        } else if (Tag{std::to_integer<std::uint8_t>(begin[from])} == Tag::event) {
            size = event_header_size + load_le<std::uint32_t>(begin + from + 4);
        } else {
            const auto head = load_le<std::uint64_t>(begin + from);
            const auto value = load_le<std::uint16_t>(begin + from + 8);
            std::byte* at = begin + to;
            at = store_le(at, static_cast<std::uint8_t>(Tag::compact_op));
            at = store_le(at, static_cast<std::uint8_t>(head >> 8));
            at = store_le(at, static_cast<std::uint8_t>(head >> 16));
            at = store_le(at, static_cast<std::uint32_t>(head >> 32));
            store_le(at, value);
            from += wide_op_size;
            to += compact_op_size;
            continue;
        }
        std::memmove(begin + to, begin + from, size);
        from += size;
        to += size;
    }
    frames_.shrink(from - to);
}

bool is_item(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty()) return false;
    switch (Tag{std::to_integer<std::uint8_t>(bytes[0])}) {
        case Tag::wide_op:
            return bytes.size() == wide_op_size;
        case Tag::compact_op:
            return bytes.size() == compact_op_size;
        case Tag::event:
            return bytes.size() >= event_header_size &&
                   bytes.size() - event_header_size == load_le<std::uint32_t>(bytes.data() + 4);
    }
    return false;
}

}  // namespace hwtrace::uscope

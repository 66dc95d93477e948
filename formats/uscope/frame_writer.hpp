// formats/uscope/frame_writer.hpp - encodes the frames of a segment (8.6.6; README.md#frames).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "io/appender.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// Appends frames, item by item. At most one frame is open. Operations are appended in the wide form. When the frame
/// ends, they are replaced by compact ones if all of them fit.
class FrameWriter {
public:
    /// Appends to `frames`, which must outlive this object. Its content may change between frames.
    explicit FrameWriter(Appender& frames) noexcept : frames_(frames) {}

    bool is_open() const noexcept { return open_; }
    /// Returns the number of items in the open or last frame.
    std::size_t items() const noexcept { return items_; }

    /// Opens a frame `delta` picoseconds after the last one. The last one must be closed.
    void begin(std::uint64_t delta);
    /// Closes the open frame.
    void end();

    /// Returns true if the frame or its buffer may be too full for another operation.
    bool lacks_room() const noexcept { return frames_.size() > room_end_; }
    /// Returns true if the frame must be continued in another one.
    bool is_full() const noexcept { return items_ >= most_frame_items || frames_.size() - frame_at_ >= frame_target; }
    /// Makes room in the buffer for another operation.
    void make_room();

    /// Appends an operation. There must be room for it.
    void operation(Action action, std::uint16_t storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        const std::uint64_t head = std::uint64_t{static_cast<std::uint8_t>(Tag::wide_op)} |
                                   std::uint64_t{static_cast<std::uint8_t>(action)} << 8 |
                                   std::uint64_t{storage} << 16 | std::uint64_t{slot} << 32 |
                                   std::uint64_t{field} << 48;
        std::byte* at = frames_.grow_in_room(wide_op_size);
        store_le(store_le(at, head), value);
        wide_bits_ |= value | (storage & 0xFF00u) << 8;
        has_operations_ = true;
        ++items_;
    }
    /// Appends an event and returns the place of its payload of `size` bytes. 8 more bytes can be written after it.
    std::byte* event(std::uint16_t type, std::uint32_t size) {
        std::byte* at = frames_.grow(event_header_size + size + store_slack);
        const std::uint64_t head = std::uint64_t{static_cast<std::uint8_t>(Tag::event)} | std::uint64_t{type} << 16 |
                                   std::uint64_t{size} << 32;
        frames_.shrink(store_slack);
        ++items_;
        return store_le(at, head);
    }
    /// Appends an encoded item, whose form does not change.
    void item(std::span<const std::byte> bytes);

private:
    static constexpr std::size_t frame_target = std::size_t{4} << 20;  // bytes; a larger frame is split
    static constexpr std::size_t store_slack = 8;  // fields are stored as 8 bytes; the next field overwrites the excess

    /// Finds the size up to which the buffer certainly has room for another operation and the frame for another item.
    void find_room() noexcept {
        const std::size_t buffer_end = frames_.size() + frames_.room() - wide_op_size;
        const std::size_t more_items = items_ < most_frame_items ? most_frame_items - 1 - items_ : 0;
        room_end_ = std::min({buffer_end, frames_.size() + more_items * event_header_size,
                              std::max(frames_.size(), frame_at_ + frame_target - 1)});
    }
    void make_compact();

    Appender& frames_;
    bool open_ = false;
    bool has_operations_ = false;
    std::size_t frame_at_ = 0, count_at_ = 0;
    std::size_t room_end_ = 0;  // size of the frames up to which there is room for an operation
    std::size_t items_ = 0;
    std::uint64_t wide_bits_ = 0;  // exceeds 65535 if an operation does not fit the compact form
    std::vector<std::pair<std::size_t, std::size_t>> encoded_;  // offset and size of the items from item()
};

/// Returns true if the bytes are one item of a frame.
bool is_item(std::span<const std::byte> bytes) noexcept;

}  // namespace hwtrace::uscope

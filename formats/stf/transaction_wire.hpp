// formats/stf/transaction_wire.hpp - the byte layout of transaction traces: protocols, TileLink messages, metadata
// (formats/stf/README.md#transactions, #tilelink-messages).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "wire.hpp"

namespace hwtrace::stf {

inline constexpr std::uint8_t protocol_tilelink = 1;
/// Returns "TILELINK" for TileLink, and an empty string for any other protocol.
std::string_view protocol_name(std::uint8_t protocol) noexcept;

inline constexpr std::size_t protocol_id_size = 2;
inline constexpr std::size_t clock_id_head = 4;      // descriptor, id u8, n u16
inline constexpr std::size_t dependency_size = 18;   // descriptor, id u64, cycle delta u64, clock u8
inline constexpr std::size_t transaction_head = 20;  // descriptor, id u64, cycle delta u64, clock u8, metadata u16
inline constexpr std::size_t transaction_id_at = 1, transaction_delta_at = 9, transaction_clock_at = 17;
inline constexpr std::size_t metadata_count_at = 18;

/// Sizes of metadata values in bytes, indexed by type. The type byte precedes the value.
inline constexpr std::array<std::size_t, 4> metadata_sizes{1, 2, 4, 8};

enum class Channel : std::uint8_t { a = 1, b, c, d, e };
inline constexpr std::size_t channel_count = 5;
constexpr bool has_request(Channel channel) noexcept {
    return channel != Channel::e;  // code, param, size, source, data
}
constexpr bool has_mask(Channel channel) noexcept {
    return channel == Channel::a || channel == Channel::b;
}
constexpr bool has_address(Channel channel) noexcept {
    return has_mask(channel) || channel == Channel::c;
}
constexpr bool has_sink(Channel channel) noexcept {
    return channel == Channel::d || channel == Channel::e;
}
constexpr bool is_channel(std::uint8_t channel) noexcept {
    return channel >= static_cast<std::uint8_t>(Channel::a) && channel <= static_cast<std::uint8_t>(Channel::e);
}
constexpr std::size_t bytes_of_mask(std::uint16_t bits) noexcept {
    return (std::size_t{bits} + 7) / 8;
}

/// The size of a TRANSACTION record, as far as the available bytes determine it.
struct TransactionExtent {
    enum class State : std::uint8_t { whole, more, metadata_undefined, channel_undefined } state = State::more;
    std::size_t size = 0;   ///< bytes of the record; State::more: a lower bound
    std::size_t at = 0;     ///< offset of the undefined byte in the record
    std::uint8_t code = 0;  ///< the undefined byte
};
/// Measures a TRANSACTION with a TileLink message. `bytes` must begin with the record's descriptor.
TransactionExtent transaction_extent(std::span<const std::byte> bytes) noexcept;

/// A TileLink message. Fields that its channel lacks are 0 or empty. The spans refer to the record.
struct Message {
    Channel channel = Channel::a;
    std::uint8_t code = 0, param = 0, size = 0;
    std::uint64_t source = 0, address = 0, sink = 0;
    std::span<const std::byte> data;
    std::uint16_t mask_bits = 0;
    std::span<const std::byte> mask;  ///< lowest bit first, in (mask_bits + 7) / 8 bytes
};
/// Decodes the message of a whole record.
Message message_of(const RawRecord& transaction) noexcept;

/// Iterates over the metadata elements of a whole record.
class MetadataWalk {
public:
    explicit MetadataWalk(const RawRecord& transaction) noexcept
        : record_(transaction), left_(transaction.at<std::uint16_t>(metadata_count_at)) {}
    /// Moves to the next element. Returns false after the last element.
    bool next() noexcept;
    std::uint8_t type() const noexcept { return type_; }
    std::uint64_t value() const noexcept { return value_; }
    /// Returns the offset of the message in the record. Call after the last element.
    std::size_t at() const noexcept { return at_; }

private:
    const RawRecord& record_;
    std::size_t at_ = transaction_head;
    std::uint16_t left_;
    std::uint8_t type_ = 0;
    std::uint64_t value_ = 0;
};

}  // namespace hwtrace::stf

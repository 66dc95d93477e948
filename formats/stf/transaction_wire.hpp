// formats/stf/transaction_wire.hpp - the bytes of transaction traces: protocols, TileLink messages, metadata
// (README.md, "Transactions").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "wire.hpp"

namespace hwtrace::stf {

inline constexpr std::uint8_t protocol_tilelink = 1;
/// "TILELINK"; empty for protocols without a name.
std::string_view protocol_name(std::uint8_t protocol) noexcept;

inline constexpr std::size_t protocol_id_size = 2;
inline constexpr std::size_t clock_id_head = 4;      // descriptor, id u8, n u16
inline constexpr std::size_t dependency_size = 18;   // descriptor, id u64, cycle delta u64, clock u8
inline constexpr std::size_t transaction_head = 20;  // descriptor, id u64, cycle delta u64, clock u8, metadata u16
inline constexpr std::size_t transaction_id_at = 1, transaction_delta_at = 9, transaction_clock_at = 17;
inline constexpr std::size_t metadata_count_at = 18;

/// Bytes of a metadata element's value, by its type; the type's byte stands before it.
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

/// How long a TRANSACTION is, as far as its first bytes tell.
struct TransactionExtent {
    enum class State : std::uint8_t { whole, more, metadata_undefined, channel_undefined } state = State::more;
    std::size_t size = 0;   ///< of the record; of State::more: it has at least as many bytes
    std::size_t at = 0;     ///< of the undefined byte, which is `code`
    std::uint8_t code = 0;  ///< what is undefined
};
/// `bytes` begin with the descriptor of a TRANSACTION with a TileLink message.
TransactionExtent transaction_extent(std::span<const std::byte> bytes) noexcept;

/// A TileLink message; what its channel does not have is 0 or empty. The spans refer to the record.
struct Message {
    Channel channel = Channel::a;
    std::uint8_t code = 0, param = 0, size = 0;
    std::uint64_t source = 0, address = 0, sink = 0;
    std::span<const std::byte> data;
    std::uint16_t mask_bits = 0;
    std::span<const std::byte> mask;  ///< lowest bit first, in (mask_bits + 7) / 8 bytes
};
/// Of a whole record.
Message message_of(const RawRecord& transaction) noexcept;

/// The elements of a whole record's metadata, one after the other.
class MetadataWalk {
public:
    explicit MetadataWalk(const RawRecord& transaction) noexcept
        : record_(transaction), left_(transaction.at<std::uint16_t>(metadata_count_at)) {}
    /// False behind the last one.
    bool next() noexcept;
    std::uint8_t type() const noexcept { return type_; }
    std::uint64_t value() const noexcept { return value_; }
    /// Behind the last one: where the message begins.
    std::size_t at() const noexcept { return at_; }

private:
    const RawRecord& record_;
    std::size_t at_ = transaction_head;
    std::uint16_t left_;
    std::uint8_t type_ = 0;
    std::uint64_t value_ = 0;
};

}  // namespace hwtrace::stf

#include "transaction_wire.hpp"

namespace hwtrace::stf {

std::string_view protocol_name(std::uint8_t protocol) noexcept {
    return protocol == protocol_tilelink ? "TILELINK" : std::string_view{};
}

TransactionExtent transaction_extent(std::span<const std::byte> bytes) noexcept {
    using State = TransactionExtent::State;
    const auto more = [](std::size_t size) { return TransactionExtent{State::more, size}; };
    if (bytes.size() < transaction_head) return more(transaction_head);
    std::size_t at = transaction_head;
    for (std::size_t left = load_le<std::uint16_t>(bytes.data() + metadata_count_at); left > 0; --left) {
        constexpr std::size_t shortest = 2;  // bytes of the shortest element; a higher lower bound saves calls
        if (at >= bytes.size()) return more(at + shortest * left);
        const auto type = static_cast<std::uint8_t>(bytes[at]);
        if (type >= metadata_sizes.size()) return {State::metadata_undefined, 0, at, type};
        at += 1 + metadata_sizes[type];
    }
    if (at >= bytes.size()) return more(at + 1);
    const auto code = static_cast<std::uint8_t>(bytes[at]);
    if (!is_channel(code)) return {State::channel_undefined, 0, at, code};
    const auto channel = static_cast<Channel>(code);
    ++at;
    if (has_request(channel)) {
        at += 3 + 8;  // code, param, size, source
        if (at + 2 > bytes.size()) return more(at + 2);
        at += 2 + std::size_t{load_le<std::uint16_t>(bytes.data() + at)};
    }
    if (has_address(channel)) at += 8;
    if (has_mask(channel)) {
        if (at + 2 > bytes.size()) return more(at + 2);
        at += 2 + bytes_of_mask(load_le<std::uint16_t>(bytes.data() + at));
    }
    if (has_sink(channel)) at += 8;
    return {at > bytes.size() ? State::more : State::whole, at};
}

bool MetadataWalk::next() noexcept {
    if (left_ == 0) return false;
    --left_;
    type_ = record_.at<std::uint8_t>(at_);
    value_ = 0;
    const std::size_t size = metadata_sizes[type_];
    for (std::size_t i = size; i > 0; --i)
        value_ = value_ << 8u | record_.at<std::uint8_t>(at_ + i);
    at_ += 1 + size;
    return true;
}

Message message_of(const RawRecord& transaction) noexcept {
    MetadataWalk metadata(transaction);
    while (metadata.next()) {
    }
    std::size_t at = metadata.at();
    const auto take = [&]<std::integral T>(T& value) {
        value = transaction.at<T>(at);
        at += sizeof(T);
    };
    const auto take_bytes = [&](std::size_t count) {
        const std::span<const std::byte> bytes = transaction.bytes().subspan(at, count);
        at += count;
        return bytes;
    };
    Message message;
    std::uint8_t channel = 0;
    take(channel);
    message.channel = static_cast<Channel>(channel);
    if (has_request(message.channel)) {
        take(message.code);
        take(message.param);
        take(message.size);
        take(message.source);
        std::uint16_t count = 0;
        take(count);
        message.data = take_bytes(count);
    }
    if (has_address(message.channel)) take(message.address);
    if (has_mask(message.channel)) {
        take(message.mask_bits);
        message.mask = take_bytes(bytes_of_mask(message.mask_bits));
    }
    if (has_sink(message.channel)) take(message.sink);
    return message;
}

}  // namespace hwtrace::stf

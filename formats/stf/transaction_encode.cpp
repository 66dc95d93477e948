#include "transaction_encode.hpp"

#include <algorithm>

namespace hwtrace::stf {
namespace {

constexpr std::size_t words_of(std::size_t bytes) noexcept {
    return (bytes + 7) / 8;
}

void append_words(Appender& out, std::span<const std::uint64_t> words, std::size_t bytes) {
    for (const std::uint64_t word : words) {
        const std::size_t used = std::min<std::size_t>(bytes, 8);
        std::byte* at = out.grow(used);
        for (std::size_t i = 0; i < used; ++i)
            at[i] = static_cast<std::byte>(word >> 8u * i);
        bytes -= used;
    }
}

constexpr std::size_t most_metadata = 0xFFFF;

}  // namespace

bool Transaction::assign(std::span<const Attribute> attributes) {
    fields.fill(0);
    has_delta = false;
    metadata_types.clear();
    metadata.clear();
    data.clear();
    mask.clear();
    for (const Attribute& attribute : attributes) {
        switch (attribute.field) {
            case field_metadata_type:
                if (attribute.value >= metadata_sizes.size()) return false;
                metadata_types.push_back(static_cast<std::uint8_t>(attribute.value));
                break;
            case field_metadata:
                metadata.push_back(attribute.value);
                break;
            case field_data:
                data.push_back(attribute.value);
                break;
            case field_mask:
                mask.push_back(attribute.value);
                break;
            default:
                if (attribute.field >= fields.size()) return false;
                fields[attribute.field] = attribute.value;
                has_delta = has_delta || attribute.field == field_cycle_delta;
                break;
        }
    }
    if (fields[field_channel] > 0xFF || !is_channel(static_cast<std::uint8_t>(fields[field_channel]))) return false;
    const auto channel = static_cast<Channel>(fields[field_channel]);
    for (const TransactionField byte : {field_code, field_param, field_size})
        if (fields[byte] > 0xFF) return false;
    if (fields[field_data_size] > 0xFFFF || fields[field_mask_bits] > 0xFFFF) return false;
    if (!has_request(channel) && !data.empty()) return false;
    if (!has_mask(channel) && !mask.empty()) return false;
    return metadata_types.size() == metadata.size() && metadata.size() <= most_metadata &&
           data.size() == (has_request(channel) ? words_of(fields[field_data_size]) : 0) &&
           mask.size() ==
               (has_mask(channel) ? words_of(bytes_of_mask(static_cast<std::uint16_t>(fields[field_mask_bits]))) : 0);
}

namespace {

/// Appends a message. `data` and `mask` are functions that append these parts.
template <typename Data, typename Mask>
void append_parts(Appender& out, const Message& message, std::uint16_t data_size, Data data, Mask mask) {
    out.le(static_cast<std::uint8_t>(message.channel));
    if (has_request(message.channel)) {
        out.le(message.code);
        out.le(message.param);
        out.le(message.size);
        out.le(message.source);
        out.le(data_size);
        data();
    }
    if (has_address(message.channel)) out.le(message.address);
    if (has_mask(message.channel)) {
        out.le(message.mask_bits);
        mask();
    }
    if (has_sink(message.channel)) out.le(message.sink);
}

}  // namespace

void append_message(Appender& out, const Message& message) {
    append_parts(
        out, message, static_cast<std::uint16_t>(message.data.size()), [&] { out.bytes(message.data); },
        [&] { out.bytes(message.mask); });
}

void append_transaction(Appender& out, const Transaction& transaction, std::uint64_t delta, std::uint8_t clock) {
    const auto& fields = transaction.fields;
    std::byte* at = out.grow(transaction_head);
    at = store_le(at, static_cast<std::uint8_t>(Descriptor::transaction));
    at = store_le(at, fields[field_id]);
    at = store_le(at, delta);
    at = store_le(at, clock);
    store_le(at, static_cast<std::uint16_t>(transaction.metadata.size()));
    for (std::size_t i = 0; i < transaction.metadata.size(); ++i) {
        out.le(transaction.metadata_types[i]);
        append_words(out, std::span(transaction.metadata).subspan(i, 1), metadata_sizes[transaction.metadata_types[i]]);
    }
    Message message;
    message.channel = static_cast<Channel>(fields[field_channel]);
    message.code = static_cast<std::uint8_t>(fields[field_code]);
    message.param = static_cast<std::uint8_t>(fields[field_param]);
    message.size = static_cast<std::uint8_t>(fields[field_size]);
    message.source = fields[field_source];
    message.address = fields[field_address];
    message.sink = fields[field_sink];
    message.mask_bits = static_cast<std::uint16_t>(fields[field_mask_bits]);
    const auto data_size = static_cast<std::uint16_t>(fields[field_data_size]);
    append_parts(
        out, message, data_size, [&] { append_words(out, transaction.data, data_size); },
        [&] { append_words(out, transaction.mask, bytes_of_mask(message.mask_bits)); });
}

}  // namespace hwtrace::stf

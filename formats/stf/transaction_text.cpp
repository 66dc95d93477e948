#include "transaction_text.hpp"

#include "code_text.hpp"
#include "io/error.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {
namespace {

constexpr std::size_t label_columns = 20;

}  // namespace

void TransactionText::label(std::string_view name) {
    out_.put(name);
    for (std::size_t column = name.size(); column < label_columns; ++column)
        out_.put(' ');
}

void TransactionText::line(std::string_view name, std::string_view text) {
    label(name);
    append_one_line(text, out_);
    out_.put('\n');
}

void TransactionText::line_decimal(std::string_view name, std::uint64_t value) {
    label(name);
    out_.decimal(value);
    out_.put('\n');
}

void TransactionText::line_hex(std::string_view name, std::uint64_t value, unsigned digits) {
    label(name);
    out_.hex(value, digits);
    out_.put('\n');
}

/// Prints a list: calls `put(i)` for each element.
template <typename Put>
void TransactionText::list(std::string_view name, std::size_t count, Put put) {
    label(name);
    out_.put('[');
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) out_.put(", ");
        put(i);
    }
    out_.put("]\n");
}

void TransactionText::header(std::span<const HeaderRecord> records) {
    for (const HeaderRecord& header : records)
        if (header.descriptor == Descriptor::protocol_id) record(header.raw());
    for (const HeaderRecord& header : records) {
        const RawRecord raw = header.raw();
        if (raw.descriptor != Descriptor::clock_id) continue;
        record(raw);
        const auto id = raw.at<std::uint8_t>(1);
        if (known_clocks_[id]) continue;
        known_clocks_[id] = true;
        clocks_[id] = raw.text(clock_id_head);
    }
}

bool TransactionText::record(const RawRecord& record) {
    switch (record.descriptor) {
        case Descriptor::protocol_id:
            label("PROTOCOL");
            append_name_or_number(protocol_name(record.at<std::uint8_t>(1)), record.at<std::uint8_t>(1), out_);
            out_.put('\n');
            return true;
        case Descriptor::clock_id:
            label("CLOCK_ID");
            out_.decimal(record.at<std::uint8_t>(1));
            out_.put(' ');
            append_one_line(record.text(clock_id_head), out_);
            out_.put('\n');
            return true;
        case Descriptor::transaction_dependency:
            dependencies_.insert(dependencies_.end(), record.bytes().begin(), record.bytes().end());
            check_limit(dependencies_.size(), limits_.record, "a transaction's group of records", "--max-record");
            return true;
        case Descriptor::transaction:
            line_decimal("TXN_ID", record.at<std::uint64_t>(transaction_id_at));
            moment(record);
            dependencies();
            metadata(record);
            message(record);
            return true;
        default:
            return false;
    }
}

void TransactionText::end() {
    dependencies();
}

void TransactionText::moment(const RawRecord& record) {
    const auto clock = record.at<std::uint8_t>(transaction_clock_at);
    label("CLOCK");
    if (known_clocks_[clock]) {
        append_one_line(clocks_[clock], out_);
    } else {
        append_name_or_number({}, clock, out_);
    }
    out_.put('\n');
    line_decimal("DELTA", record.at<std::uint64_t>(transaction_delta_at));
}

void TransactionText::dependencies() {
    if (dependencies_.empty()) return;
    line("DEPENDENCIES", {});
    for (std::size_t at = 0; at < dependencies_.size(); at += dependency_size) {
        const RawRecord dependency{Descriptor::transaction_dependency, dependencies_.data() + at, dependency_size};
        line_decimal("DEPENDENCY ID", dependency.at<std::uint64_t>(transaction_id_at));
        moment(dependency);
        out_.put('\n');
    }
    dependencies_.clear();
}

void TransactionText::metadata(const RawRecord& record) {
    const std::size_t count = record.at<std::uint16_t>(metadata_count_at);
    if (count == 0) return;
    MetadataWalk element(record);
    list("METADATA", count, [&](std::size_t) {
        element.next();
        out_.hex(element.value(), static_cast<unsigned>(2 * metadata_sizes[element.type()]));
    });
}

void TransactionText::message(const RawRecord& record) {
    const Message message = message_of(record);
    constexpr std::string_view channels[] = {"", "CHANNEL_A ", "CHANNEL_B ", "CHANNEL_C ", "CHANNEL_D ", "CHANNEL_E "};
    line("CHANNEL", channels[static_cast<std::size_t>(message.channel)]);
    if (has_request(message.channel)) {
        line_hex("Code", message.code, 2);
        line_hex("Param", message.param, 2);
        line_hex("Size", message.size, 2);
        line_hex("Source", message.source, 16);
        list("Data", message.data.size(),
             [&](std::size_t i) { out_.hex(std::to_integer<std::uint64_t>(message.data[i]), 2); });
    }
    if (has_address(message.channel)) line_hex("Address", message.address, 16);
    if (has_mask(message.channel)) {
        list("Mask", message.mask_bits, [&](std::size_t bit) {
            out_.hex(std::to_integer<std::uint64_t>(message.mask[bit / 8]) >> bit % 8 & 1u, 2);
        });
    }
    if (has_sink(message.channel)) line_hex("Sink", message.sink, 16);
}

}  // namespace hwtrace::stf

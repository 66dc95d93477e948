#include "payload_writer.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "header_json.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "payload_layout.hpp"

namespace hwtrace::pccx {

void PayloadWriter::fail_events() {
    fail(Failure::usage, "--pccx-layout raw is only for opaque payloads; this trace has events");
}

void PayloadWriter::fail_core() {
    fail(Failure::input,
         "core 843268944 cannot be written as flatbuf: readers mistake its number for the mark of "
         "the name table; use --pccx-layout bincode");
}

void PayloadWriter::begin(std::optional<std::uint64_t> total, std::uint64_t events) {
    begin_ = output_.size();
    if (layout_ == Layout::bincode || layout_ == Layout::bincode4) {
        begun_total_ = total.value_or(0);
        begun_events_ = events;
        hashes_at_end_ = !total && events == 0;
        buffer_.le(begun_total_);
        buffer_.le(begun_events_);
    } else if (layout_ == Layout::json) {
        buffer_.text("{");
        states_total_ = total.has_value();
        if (total) {
            buffer_.text("\"total_cycles\":");
            buffer_.text(std::to_string(*total));
            buffer_.text(",");
        }
        buffer_.text("\"events\":[");
    }
}

void PayloadWriter::append_opaque(std::span<const std::byte> bytes) {
    if (layout_ != Layout::opaque)
        fail(Failure::usage, std::string("the payload of this trace is opaque and cannot be written as ")
                                 .append(encoding_of(layout_))
                                 .append("; omit --pccx-layout"));
    buffer_.bytes(bytes);
    if (buffer_.size() >= flush_size) flush();
}

void PayloadWriter::finish(std::uint64_t total) {
    if (layout_ == Layout::json) {
        buffer_.text("]");
        if (!states_total_) {
            buffer_.text(",\"total_cycles\":");
            buffer_.text(std::to_string(total));
        }
        buffer_.text("}");
    }
    if (layout_ == Layout::flatbuf && name_count_ != 0) {
        flush();
        buffer_.le(trailer_magic);
        buffer_.le(name_count_);
        buffer_.bytes(names_.span());
    }
    flush();
    const bool has_head = layout_ == Layout::bincode || layout_ == Layout::bincode4;
    const bool patches = has_head && (total != begun_total_ || events_ != begun_events_);
    if (patches) {
        Appender head;
        head.le(total);
        head.le(events_);
        output_.patch(begin_, head.span());
    }
    if (with_checksum_ && (patches || hashes_at_end_)) hash_whole();
}

void PayloadWriter::append_name(std::string_view name) {
    const std::string_view text = valid_name(name);
    buffer_.le(static_cast<std::uint64_t>(text.size()));
    buffer_.text(text);
}

void PayloadWriter::append_flat_name(std::string_view name) {
    if (events_ > std::numeric_limits<std::uint32_t>::max()) {
        losses_.count(Loss::part_dropped, names_of_events,
                      [&] { return std::string("event ").append(std::to_string(events_)).append(" is beyond 2^32"); });
        return;
    }
    std::string_view text = valid_name(name);
    if (text.size() > longest_flat_name) {
        std::size_t size = longest_flat_name;
        while ((static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80)
            --size;
        losses_.count(Loss::value_narrowed, names_of_events,
                      [&] { return counted(text.size(), "byte").append("; flatbuf has room for 65535"); });
        text = text.substr(0, size);
    }
    names_.le(static_cast<std::uint32_t>(events_));
    names_.le(static_cast<std::uint16_t>(text.size()));
    names_.text(text);
    ++name_count_;
}

void PayloadWriter::json_event(const Lane& lane, std::uint64_t start, std::uint64_t duration,
                               const std::string_view* name) {
    if (events_ != 0) buffer_.text(",");
    const auto member = [&](std::string_view key, std::uint64_t value) {
        buffer_.text(key);
        buffer_.text(std::to_string(value));
    };
    member("{\"core_id\":", lane.core);
    member(",\"start_cycle\":", start);
    member(",\"duration\":", duration);
    buffer_.text(",\"event_type\":");
    buffer_.text(lane.type);
    if (name != nullptr) {
        buffer_.text(",\"api_name\":");
        buffer_.text(json_text(valid_name(*name)));
    }
    buffer_.text("}");
}

/// Returns the name, or what replaces it, valid until the next call.
std::string_view PayloadWriter::valid_name(std::string_view name) {
    if (is_utf8(name)) [[likely]]
        return name;
    count_name_change(losses_, names_of_events, "a name that is not UTF-8");
    replaced_name_ = as_utf8(name);
    return replaced_name_;
}

void PayloadWriter::flush() {
    if (with_checksum_ && !hashes_at_end_) hash_.add(buffer_.span());
    output_.append(buffer_.span());
    buffer_.clear();
}

/// Hashes the written payload, after its first bytes were changed.
void PayloadWriter::hash_whole() {
    const std::uint64_t size = this->size();
    hash_ = {};
    const std::optional<Input> written = output_.reopen();
    if (!written) fail(Failure::internal, "the output cannot be read back");
    std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(size, 4 * flush_size)));
    for (std::uint64_t at = begin_; at < begin_ + size;) {
        const std::uint64_t left = begin_ + size - at;
        const std::size_t count = written->read_at(
            at, std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()))));
        if (count == 0) fail(Failure::io, "the output cannot be read back");
        hash_.add(std::span(block).first(count));
        at += count;
    }
}

}  // namespace hwtrace::pccx

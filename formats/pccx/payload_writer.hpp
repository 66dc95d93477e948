// formats/pccx/payload_writer.hpp - writes the payload in one of its layouts and hashes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/losses.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/fnv1a.hpp"
#include "io/output.hpp"
#include "lanes.hpp"
#include "schema_losses.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// Writes the payload at the end of the output.
class PayloadWriter {
public:
    /// `output` and `losses` must outlive this object. `with_checksum` states whether checksum() is needed.
    PayloadWriter(Output& output, Layout layout, bool with_checksum, Losses& losses) noexcept
        : output_(output), losses_(losses), layout_(layout), with_checksum_(with_checksum) {}

    /// Begins the payload. `total` is the number of cycles if it is known in advance; JSON states an unknown one at the
    /// end. `events` is the expected number of events.
    void begin(std::optional<std::uint64_t> total, std::uint64_t events);

    /// Appends an event. `name` is null if the event has none. Fails for an opaque payload.
    void event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        switch (layout_) {
            case Layout::bincode:
            case Layout::bincode4:
                bincode_event(lane, start, duration, name);
                break;
            case Layout::flatbuf:
                flat_event(lane, start, duration, name);
                break;
            case Layout::json:
                json_event(lane, start, duration, name);
                break;
            case Layout::opaque:
                fail_events();
        }
        ++events_;
        if (buffer_.size() >= flush_size) flush();
    }
    /// Appends bytes of an opaque payload. Fails for other layouts.
    void append_opaque(std::span<const std::byte> bytes);

    /// Ends the payload. `total` is the number of cycles. Patches the numbers at the beginning if they differ from
    /// those that begin() got.
    void finish(std::uint64_t total);

    /// Returns the number of events so far.
    std::uint64_t events() const noexcept { return events_; }
    /// Returns the size of the finished payload in bytes.
    std::uint64_t size() const noexcept { return output_.size() - begin_; }
    /// Returns the FNV-1a hash of the finished payload.
    std::uint64_t checksum() const noexcept { return hash_.value(); }

private:
    static constexpr std::size_t flush_size = 256u << 10;

    [[noreturn]] static void fail_events();
    [[noreturn]] static void fail_core();

    void bincode_event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        const std::size_t size = bincode_event_head_size + lane.type.size();
        std::byte* at = buffer_.grow(size + (layout_ == Layout::bincode ? 1 : 0));
        at = store_le(at, lane.core);
        at = store_le(at, start);
        at = store_le(at, duration);
        at = store_le(at, static_cast<std::uint64_t>(lane.type.size()));
        std::memcpy(at, lane.type.data(), lane.type.size());
        if (layout_ == Layout::bincode4) {
            if (name != nullptr) losses_.count(Loss::part_dropped, names_of_events, [&] { return std::string(*name); });
            return;
        }
        at[lane.type.size()] = name != nullptr ? std::byte{1} : std::byte{0};
        if (name == nullptr) return;
        append_name(*name);
    }

    void flat_event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name) {
        if (lane.core == trailer_magic) [[unlikely]]
            fail_core();
        if (lane.flat_lossy) [[unlikely]]
            count_name_change(losses_, lane.type, "flatbuf has no number for this type; it becomes UNKNOWN");
        std::byte* at = buffer_.grow(flat_event_size);
        at = store_le(at, lane.core);
        at = store_le(at, start);
        at = store_le(at, duration);
        store_le(at, lane.flat_id);
        if (name == nullptr) return;
        append_flat_name(*name);
    }

    void json_event(const Lane& lane, std::uint64_t start, std::uint64_t duration, const std::string_view* name);
    void append_name(std::string_view name);       // of bincode
    void append_flat_name(std::string_view name);  // to the name table
    std::string_view valid_name(std::string_view name);
    void flush();
    void hash_whole();

    Output& output_;
    Losses& losses_;
    Layout layout_;
    bool with_checksum_;
    std::uint64_t begin_ = 0;  ///< bytes before the payload
    Appender buffer_;
    Fnv1a64 hash_;
    bool hashes_at_end_ = false;                        ///< the first bytes will change, so hash_ is made by finish()
    std::uint64_t begun_total_ = 0, begun_events_ = 0;  ///< predictions written at the start of a bincode payload
    bool states_total_ = false;                         ///< a JSON payload began with the total
    std::uint64_t events_ = 0;
    std::string replaced_name_;  ///< see valid_name()
    Appender names_;             ///< entries of the name table
    std::uint32_t name_count_ = 0;
};

}  // namespace hwtrace::pccx

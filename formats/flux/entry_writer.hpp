// formats/flux/entry_writer.hpp - appends entries to a stream or a ring.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "block_writer.hpp"
#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "entry.hpp"
#include "io/appender.hpp"
#include "item_plan.hpp"
#include "ring.hpp"
#include "writer_options.hpp"

namespace hwtrace::flux {

/// Appends entries to a stream or a ring, and switches between traces.
class EntryWriter {
public:
    /// Calls `section_entered` when a ring enters another section. `output` and `losses` must outlive this object.
    EntryWriter(Output& output, const Settings& settings, Losses& losses, std::function<void()> section_entered);

    /// States that the stream has several traces. Sections of a ring then begin with a SWTH.
    void expect_several_traces() noexcept { several_traces_ = true; }
    /// Returns the buffer to which the next entry is appended. Call end() after each entry.
    Appender& out() noexcept { return out_; }
    void end() {
        if (!ring_) [[likely]]
            return blocks_.entry_ended();
        ring_->put(out_.span());
        out_.clear();
    }
    /// Returns true if another thread compresses the file.
    bool has_thread() const noexcept { return blocks_.has_thread(); }
    /// Writes all entries and finishes the output.
    void finish();
    /// Returns true if the stream has no entry of a trace.
    bool is_empty() const noexcept { return current_ == nullptr && !ring_; }

    // --- rings ---

    /// Makes the entries so far the head of a ring.
    void start_ring(const WantedRing& wanted);
    /// Returns the ring, or null.
    Ring* ring() noexcept { return ring_ ? &*ring_ : nullptr; }
    /// Prepares for an entry of `trace` with at most `room` bytes. Returns false if the ring has no room for it.
    bool begin(const TracePlan& trace, std::size_t room);
    /// Prepares the ring for `room` bytes. Returns false if it has no room for them. `what` is a noun phrase.
    bool make_room(std::size_t room, std::string_view what);
    /// Number of bytes that emitters reserve for SWTH.
    static constexpr std::size_t room_of_switch = 7;
    static std::size_t room_of_current(const ContextPlan& context) {
        return context.in_ring ? 30 + context.open.domain.size() : 16;
    }
    static std::size_t room_of_label(std::uint64_t item, std::string_view label) {
        return 13 + number_size(item) + number_size(label.size()) + label.size();
    }
    static std::size_t room_of_definition(const Entry& entry) {
        return 48 + entry.name.size() + entry.description.size() + entry.tags.size() + entry.descriptor.size();
    }
    /// Returns the size of a PInt.
    static std::size_t number_size(std::uint64_t number) {
        return (static_cast<std::size_t>(std::bit_width(number | 1)) + 6) / 7;
    }

    // --- traces and definitions ---

    void append_head(const TracePlan& trace);
    /// Appends a HEAD that restarts the trace. Returns false if a ring has no room for it.
    bool append_head_again(const TracePlan& trace, const Entry& entry);
    /// Makes `trace` the current trace. Appends a SWTH if necessary.
    void switch_to(const TracePlan& trace) {
        if (current_ != &trace) change_to(trace);
    }
    void append_item(const TracePlan& trace, const ItemPlan& item);
    void append_reference(const TracePlan& trace, const ReferenceFacts& reference);
    void append_definition(const TracePlan& trace, const Entry& entry);
    void append_member(const TracePlan& trace, std::uint64_t item, const MemberPlan& member);
    void append_member(const TracePlan& trace, const Entry& entry);
    /// Appends a label. Returns false if a ring has no room for it.
    bool append_label(const TracePlan& trace, std::uint64_t item, std::uint64_t domain, std::string_view label,
                      std::uint64_t value);

    // --- positions and samples ---

    void open(const TracePlan& trace, ContextPlan& context);
    void append_open(std::uint64_t item, const OpenFacts& facts, std::int64_t start);
    void close(const TracePlan& trace, const ContextPlan& context);
    void append_current(const TracePlan& trace, ContextPlan& context, std::int64_t position);
    /// States the position of an item: appends an OPEN if it was opened inside the ring, otherwise a CURR.
    void append_position(const ContextPlan& context);
    /// Appends the fields before the header of a sample. Advances the position of the context.
    void append_sample_head(ContextPlan& context, std::uint64_t item, std::int64_t position, std::uint64_t mark) {
        const std::uint64_t delta = static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(context.position);
        context.position = position;
        const bool tagged = mark > 1;
        std::uint64_t front = item << item_shift;
        if (delta != 0) front |= flag_delta;
        if (mark != 0) front |= flag_marked;
        if (tagged) front |= flag_tag;
        out_.leb128(front);
        if (tagged) out_.le(static_cast<std::uint8_t>(mark));
        if (delta != 0) out_.leb128(delta);
    }

private:
    void change_to(const TracePlan& trace);
    void append_ring();

    Losses& losses_;
    const std::function<void()> section_entered_;
    const bool is_packed_;
    BlockWriter blocks_;
    Appender& out_;
    std::optional<Ring> ring_;
    const TracePlan* current_ = nullptr;
    bool any_head_ = false, several_traces_ = false;
};

}  // namespace hwtrace::flux

// formats/flux/context_writer.hpp - restarts traces, opens items again, and finds the positions of samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/losses.hpp"
#include "entry_writer.hpp"
#include "item_plan.hpp"
#include "label_writer.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

/// Writes what changes the contexts of samples: HEADs that restart a trace, and OPENs between the samples.
class ContextWriter {
public:
    /// All arguments must outlive this object.
    ContextWriter(const Schema& schema, StreamPlan& plan, EntryWriter& entries, LabelWriter& labels, Losses& losses)
        : schema_(schema), plan_(plan), entries_(entries), labels_(labels), losses_(losses) {}

    /// Writes the entry of a flux.opening record in the layout of the trace.
    void opening(std::span<const std::byte> bytes, const TrackPlan& track);
    /// Updates the context of a track: the item if it is open, else the nearest open scope around it. If the context
    /// has another time base, opens the item itself.
    void settle(TrackPlan& track, const Record& record);
    /// Returns the time of a record in steps of the domain. Counts a loss if it exceeds 64 bits.
    std::int64_t position_of(const Record& record, const ContextPlan& context) {
        if (context.multiply == 1) [[likely]]
            return record.time;
        return far_position_of(record, context);
    }

private:
    void no_entry(std::span<const std::byte> bytes);
    void begin_anew(TracePlan& trace, const Entry& entry);
    void open_anew(TracePlan& trace, const Entry& entry);
    void open_in(const TimeBase& base, TrackPlan& track, const Record& record);
    std::int64_t far_position_of(const Record& record, const ContextPlan& context);

    const Schema& schema_;
    StreamPlan& plan_;
    EntryWriter& entries_;
    LabelWriter& labels_;
    Losses& losses_;
};

}  // namespace hwtrace::flux

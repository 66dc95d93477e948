// formats/flux/relation_writer.hpp - writes the relations and labels that belong to samples.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "codec/losses.hpp"
#include "entry_writer.hpp"
#include "item_plan.hpp"
#include "label_writer.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

/// Writes the relations and labels that belong to samples. In a ring, they need their sample in the same section.
class RelationWriter {
public:
    /// All arguments must outlive this object.
    RelationWriter(const Schema& schema, const StreamPlan& plan, EntryWriter& entries, LabelWriter& labels,
                   Losses& losses)
        : schema_(schema), plan_(plan), entries_(entries), labels_(labels), losses_(losses) {}

    /// Notes that the current section of the ring contains a sample of the item.
    void note_sample(std::uint64_t trace, std::uint64_t item) { sampled_[{trace, item}] = entries_.ring()->lap(); }
    /// Write a relation or a label. `cells` are the fields of its event.
    void relation(std::span<const std::uint64_t> cells, const TrackPlan& track);
    void label(std::span<const std::uint64_t> cells, const TrackPlan& track);

private:
    bool has_sample_here(const TrackPlan& track, std::uint64_t item, std::string_view subject);

    const Schema& schema_;
    const StreamPlan& plan_;
    EntryWriter& entries_;
    LabelWriter& labels_;
    Losses& losses_;
    /// Lap of the last sample, by trace and item id.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> sampled_;
};

}  // namespace hwtrace::flux

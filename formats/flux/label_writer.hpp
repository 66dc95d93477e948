// formats/flux/label_writer.hpp - writes the labels of values, and the strings of relations and labels.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "entry_writer.hpp"
#include "item_plan.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

/// Writes the labels of values, and the strings of relations and labels, before their first use.
class LabelWriter {
public:
    /// All arguments must outlive this object.
    LabelWriter(const Schema& schema, StreamPlan& plan, EntryWriter& entries)
        : schema_(schema), plan_(plan), entries_(entries) {}

    /// Forgets the labels of values that an earlier section of the ring states. Call this before each sample.
    void begin_sample() {
        if (relabels_) [[unlikely]]
            forget_labels();
    }
    /// Forgets the strings of a trace that restarts.
    void forget_texts(std::size_t trace) {
        std::erase_if(texts_, [&](const auto& texts) { return std::get<0>(texts.first) == trace; });
    }
    /// Each section of a ring states its own strings and labels.
    void enter_section();
    /// Appends the labels of all fields of a track. They must precede the values.
    void append_first_labels(TrackPlan& track);
    /// Appends the labels of a field, unless they were written before.
    void append_labels(const TrackPlan& track, FieldPlan& field);
    /// Appends one label.
    void append_label(const TracePlan& trace, std::uint64_t item, std::uint64_t domain, std::string_view label,
                      std::uint64_t value);
    /// Returns the id of a string used by an item's relations or labels. A new string is written first.
    std::uint64_t number_of(const TrackPlan& track, std::uint64_t item, EnumDomain domain, std::uint64_t cell);
    /// Returns the room for the entry that defines a string; 0 if the section defines it already.
    std::size_t room_of_text(const TrackPlan& track, std::uint64_t item, EnumDomain domain, std::uint64_t cell) const;

private:
    void forget_labels();

    const Schema& schema_;
    StreamPlan& plan_;
    EntryWriter& entries_;
    std::set<std::tuple<std::size_t, std::uint64_t, std::uint64_t, EnumId>> labels_written_;
    std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, HashMap<std::uint64_t, std::string>> labels_;
    /// The ids of the strings used by an item's relations and labels.
    struct Texts {
        HashMap<StringId, std::uint64_t> numbers;
        std::uint64_t last = 0;           ///< last assigned id
        std::set<std::uint64_t> taken{};  ///< ids of unused strings
    };
    std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, Texts> texts_;
    bool labels_in_ring_ = false, relabels_ = false;
};

}  // namespace hwtrace::flux

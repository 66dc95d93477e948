// formats/flux/item_numbers.hpp - finds the trace of every scope and track, and assigns item ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "item_plan.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"
#include "stream_facts.hpp"

namespace hwtrace::flux {

/// Returns true if the records of a track are entries that restarted a trace or opened items.
bool is_opening(const Track& track);

/// The item ids of a trace that are not used yet.
class FreeNumbers {
public:
    /// Reserves the id `wanted`. Returns false if it exceeds `greatest` or belongs to another item.
    bool keep(std::uint64_t wanted, std::uint64_t greatest) {
        return wanted != 0 && wanted <= greatest && used_.insert(wanted).second;
    }
    std::uint64_t take() {
        while (!used_.insert(next_).second)
            ++next_;
        return next_;
    }
    std::uint64_t greatest() const {
        std::uint64_t greatest = 1;
        for (const std::uint64_t id : used_)
            greatest = std::max(greatest, id);
        return greatest;
    }
    void reserve(std::uint64_t id) { used_.insert(id); }

private:
    HashSet<std::uint64_t> used_;
    std::uint64_t next_ = 1;
};

/// Plans the traces, and finds the trace and item of every scope and signal. Keeps the ids of the source if possible.
class ItemNumbers {
public:
    /// Appends the traces to `plan`, and what happened to ids of the source. All arguments must outlive this object.
    ItemNumbers(const Schema& schema, const StreamFacts& facts, const WantedLayout& wanted, StreamPlan& plan);

    /// Returns true if the scope is a trace, not an item.
    bool is_trace(ScopeId scope) const { return is_trace_.contains(scope); }
    struct Place {
        std::size_t trace = 0;
        std::uint64_t item = 0;  ///< 0: the root
    };
    Place place_of(ScopeId scope) const { return places_[scope]; }
    std::size_t trace_of(const Track& track) const {
        return track.scope == none ? plan_.traces.size() - 1 : places_[track.scope].trace;
    }
    /// Returns true if the source redefined the item of the track, and the last definition has a type that does not
    /// hold the values of the track. Such a track gets an item of its own.
    bool has_earlier_type(TrackId track) const;
    std::uint64_t item_of(TrackId track) const { return track_items_[track]; }
    FreeNumbers& free_numbers(std::size_t trace) { return numbers_[trace]; }

    /// A part of a scattered signal: its item and the facts about it.
    using Part = std::pair<std::uint64_t, const ItemFacts*>;
    /// Returns the parts of the scattered signal of a track.
    std::span<const Part> parts_of(std::size_t trace, const Track& track) const;

    /// Returns the facts about a trace or an item of the source, or null.
    const TraceFacts* facts_of(std::size_t trace) const;
    const ItemFacts* facts_of(std::size_t trace, std::optional<std::uint64_t> item) const;

private:
    void find_roots();
    ScopeId root_of(ScopeId scope) const;
    void add_trace(ScopeId root);
    void number_items();
    std::uint64_t greatest_number(std::size_t trace) const;
    bool keep_number(ScopeId id);
    bool keep_number_of(TrackId id);
    void choose_number_of(TrackId id);

    const Schema& schema_;
    const StreamFacts& facts_;
    const WantedLayout wanted_;
    StreamPlan& plan_;
    std::vector<Place> places_;  ///< by ScopeId
    HashSet<ScopeId> is_trace_;
    HashMap<ScopeId, std::size_t> trace_by_root_;
    std::vector<FreeNumbers> numbers_;  ///< by trace
    std::vector<std::uint64_t> track_items_;
    struct SameItem {
        bool kept = false;                    ///< the item keeps its id
        std::optional<std::uint64_t> chosen;  ///< its new id, if it cannot keep the old one
        std::vector<TrackId> tracks;
    };
    std::map<std::pair<std::size_t, std::uint64_t>, SameItem> same_item_;
    /// The parts of scattered signals, by trace and first part.
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<Part>> parts_;
};

}  // namespace hwtrace::flux

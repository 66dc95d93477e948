// formats/perfetto/interval_drawer.hpp - draws intervals as slices, and relations between them as arrows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/record_sorter.hpp"
#include "codec/text_fetch.hpp"
#include "domain/interval_ids.hpp"
#include "domain/lanes.hpp"
#include "id_places.hpp"
#include "model/id_set.hpp"
#include "model/record.hpp"
#include "timelines.hpp"

namespace hwtrace::perfetto {

/// Overlapping intervals of a track get rows of their own. Without relations, intervals must come sorted by begin and
/// are drawn at once. With relations, all intervals are kept until finish(), in a temporary file if there are many,
/// because the later end of an arrow must know the other one. A relation takes 36 bytes of memory, and
/// about 50 while relations are sorted.
class IntervalDrawer {
public:
    /// Intervals that do not fit in memory are spilled to `folder`. Further relations than `most_relations` are losses.
    IntervalDrawer(Timelines& to, const std::string& folder, std::size_t most_relations = IdPlaces::most_ids);

    void draw(const Batch& batch, const Record& interval);
    /// Adds an arrow for a relation.
    void relate(const Batch& batch, const Record& relation);
    void finish();

    /// Returns true if the schema has relations, so that intervals are kept until finish().
    static bool keeps_intervals(const Schema& schema) noexcept;

private:
    struct Relation {
        std::uint64_t from, to;
        TrackId track;
    };
    struct Rows {
        Lanes lanes;
        std::vector<RowId> rows;  ///< by lane
    };

    void draw_now(const Batch& batch, const Record& interval);
    /// Collects the arrows of the interval `id`, and adds the other ids as arguments.
    void find_arrows(std::uint64_t id);
    void count_undrawn();

    Timelines& to_;
    std::size_t most_relations_;
    bool keeps_;
    IntervalIds ids_;
    std::vector<Rows> rows_;  ///< by track
    RecordSorter sorter_;
    TextFetch fetch_texts_;
    std::vector<Relation> relations_;       ///< sorted by `from` in finish()
    std::vector<std::uint32_t> by_target_;  ///< indexes of relations, sorted by `to`
    IdPlaces origins_, targets_;            ///< of the ids `from` in relations_, and of `to` in by_target_
    IdSet drawn_;
    std::vector<ArrowEnd> arrows_;
};

}  // namespace hwtrace::perfetto

// select/relation_ends.hpp - the stage that keeps the relations that lead to intervals of a slice.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "domain/interval_ids.hpp"
#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "select/stage.hpp"

namespace hwtrace {

/// Passes on all records except relations unchanged. Keeps a relation to a kept interval even if its other interval is
/// left out, because the id of that interval is information. Such a relation is counted as Loss::part_dropped.
class RelationEnds final : public Stage {
public:
    /// Selects the relations to keep.
    enum class Keep : std::uint8_t {
        all,
        leading_in,  ///< relations that lead to an interval of the slice, at any position
    };

    /// `source` and `losses` must outlive the stage. `losses` may be null. `place` is the position of relations in the
    /// trace. A relation that waits for its interval is written directly before it. Timeless relations are collected
    /// and written as soon as records follow.
    RelationEnds(const Schema& source, Keep keep, RelationPlace place, const Limits& limits, Losses* losses)
        : source_(source), keep_(keep), place_(place), limits_(limits), losses_(losses), ids_(source) {}

    /// Returns true if the trace has relations.
    static bool is_needed(const Schema& source) noexcept;

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// A relation whose first interval may still follow. If relations precede the intervals to which they lead, `from`
    /// is higher than all interval ids so far.
    struct Open {
        std::uint64_t from = 0, to = 0;
        TrackId track = none;
        friend bool operator>(const Open& a, const Open& b) noexcept { return a.from > b.from; }
    };
    /// The waiting relations to one interval, as a linked list of indexes.
    struct Chain {
        std::uint32_t first = 0, last = 0;
    };

    void learn(std::uint64_t id);
    void check_source(const Open& relation);
    void close_up_to(std::uint64_t id);
    void count(const Open& relation);
    void check_size() const;

    void put(const Batch& from, const Record& record, Batch& out);
    void wait(const Batch& in, const Record& record);
    void release(std::uint64_t id, Batch& out);
    void append_ready(Batch& out);
    void forget_released();

    const Schema& source_;
    Keep keep_;
    RelationPlace place_;
    Limits limits_;
    Losses* losses_;
    IntervalIds ids_;
    IdSet there_;                            ///< ids of the intervals in the slice
    std::optional<std::uint64_t> greatest_;  ///< the highest id in there_
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
    /// By the interval where the relations start. Used only if intervals may have any order.
    std::map<std::uint64_t, std::vector<Open>> missing_;
    std::size_t missing_relations_ = 0;

    Batch waiting_;                         ///< relations that wait for their intervals
    std::vector<std::uint32_t> next_;       ///< by waiting relation: the next one to the same interval
    HashMap<std::uint64_t, Chain> chains_;  ///< by interval id
    std::size_t released_ = 0;              ///< number of waiting relations that were passed on
    Batch ready_;                           ///< timeless relations whose intervals have arrived
    Tick now_ = 0;                          ///< time of the last record written
};

}  // namespace hwtrace

// pipeline/relation_ends.hpp - the stage that knows, in a part of a trace, which relations lead to what is in it.
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
#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "pipeline/interval_ids.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Lets all but relations through. A relation from an interval that the part does not have stays, because the other's
/// identity is a fact, and is counted as Loss::part_dropped.
class RelationEnds final : public Stage {
public:
    /// Which relations stay.
    enum class Keep : std::uint8_t {
        all,
        leading_in,  ///< those that lead to an interval of the part, wherever they stand
    };

    /// `source` and `losses` outlive the stage; losses may be null. `place`: where relations stand. One that has to
    /// wait for its interval then comes right in front of it, but a timeless one as soon as others come, and together.
    RelationEnds(const Schema& source, Keep keep, RelationPlace place, const Limits& limits, Losses* losses)
        : source_(source), keep_(keep), place_(place), limits_(limits), losses_(losses), ids_(source) {}

    /// Whether a trace has relations.
    static bool is_needed(const Schema& source) noexcept;

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// A relation from an interval that may still come: where relations stand before the intervals that they lead to,
    /// one above all that have come.
    struct Open {
        std::uint64_t from = 0, to = 0;
        TrackId track = none;
        friend bool operator>(const Open& a, const Open& b) noexcept { return a.from > b.from; }
    };
    /// Relations that lead to one interval, as indices of what waits, in their order.
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
    IdSet there_;                            ///< intervals of the part
    std::optional<std::uint64_t> greatest_;  ///< of them
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
    std::map<std::uint64_t, std::vector<Open>> missing_;  ///< where intervals come in any order: by the first end
    std::size_t missing_relations_ = 0;

    Batch waiting_;                         ///< for their intervals
    std::vector<std::uint32_t> next_;       ///< by relation that waits: the next one to the same interval
    HashMap<std::uint64_t, Chain> chains_;  ///< by the interval's identity
    std::size_t released_ = 0;              ///< of those that wait
    Batch ready_;                           ///< timeless ones whose intervals have come
    Tick now_ = 0;                          ///< of the record put out last
};

}  // namespace hwtrace

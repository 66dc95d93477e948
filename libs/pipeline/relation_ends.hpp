// pipeline/relation_ends.hpp - the stage that counts, in a part of a trace, the relations whose first end is not in it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "codec/losses.hpp"
#include "io/limits.hpp"
#include "pipeline/interval_ids.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Lets everything through. A relation from an interval that the part does not have stays, because the other's identity
/// is a fact, and is counted as Loss::part_dropped.
class RelationEnds final : public Stage {
public:
    /// `source` and `losses` outlive the stage.
    RelationEnds(const Schema& source, const Limits& limits, Losses& losses)
        : source_(source), limits_(limits), losses_(losses), ids_(source) {}

    /// Whether a trace has relations.
    static bool is_needed(const Schema& source) noexcept;

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// A relation from an interval above all that have come, which may still come.
    struct Open {
        std::uint64_t from = 0, to = 0;
        TrackId track = none;
        friend bool operator>(const Open& a, const Open& b) noexcept { return a.from > b.from; }
    };

    void learn(std::uint64_t id);
    bool is_there(std::uint64_t id) const;
    void relation(const Open& relation);
    void close_up_to(std::uint64_t id);
    void count(const Open& relation);
    void check_size() const;

    const Schema& source_;
    Limits limits_;
    Losses& losses_;
    IntervalIds ids_;
    // Identities mostly count up: runs [first, last] in order, and apart from them those that come late.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> runs_;
    std::map<std::uint64_t, std::uint64_t> late_;  ///< runs by their first
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
};

}  // namespace hwtrace

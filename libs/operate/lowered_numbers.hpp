// operate/lowered_numbers.hpp - finds shards whose intervals are numbered from 0 again.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Follows the numbers that the lowering of intervals gave them. If a trace was cut before it was lowered, they begin
/// at 0 in each shard.
class LoweredNumbers {
public:
    /// `schema` is the schema of the whole trace. It must outlive this object and may grow.
    explicit LoweredNumbers(const Schema& schema) : schema_(schema) {}

    /// Begins a shard.
    void begin_shard() noexcept { before_ = intervals_; }
    /// Returns false if the numbers start again with `record` of `batch`, whose track in the whole trace is `track`.
    bool follow(const Batch& batch, const Record& record, TrackId track);

private:
    enum class Meaning : std::uint8_t { other, begin, positioned };
    Meaning meaning_of(const Track& track) const;

    const Schema& schema_;
    std::vector<Meaning> meanings_;  // by track
    bool has_first_ = false;         // an interval has number 0
    std::uint64_t intervals_ = 0;    // so far
    std::uint64_t before_ = 0;       // in the shards before this one
};

}  // namespace hwtrace

// formats/uscope/summary.hpp - the trace summary (TSUM): instruction density and counter sums at growing zoom levels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/appender.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "model/protocols.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// The storage and field whose sets are counted as instructions: `entity_id` of the first sparse storage that has it
/// and is no buffer (formats/uscope.md 1.11).
struct InstructionField {
    TrackId storage = none;
    std::uint16_t field = 0xFFFF;
};
InstructionField find_instruction_field(const Schema& schema) noexcept;

/// The sums of a counter's cycles in one bucket of cycles (6.2).
struct SummaryBucket {
    std::uint64_t min = 0, max = 0, sum = 0;
};

/// Computes a summary while a trace goes by: absolute cycles of one clock, sums for each cycle, every count in the
/// bucket of its own cycle. Memory is bounded: when there would be too many buckets, pairs are merged and the base
/// interval doubles.
class SummaryBuilder {
public:
    /// Counters are the storages of `schema` for which is_counter holds. `period_ps` is the clock's; 0 counts as 1000.
    SummaryBuilder(const Schema& schema, std::uint64_t period_ps);

    /// The number of a storage among the counters, or `none`.
    std::uint32_t counter_of(TrackId storage) const noexcept;

    /// What follows happens at `time`, in ps; times do not decrease.
    void begin_frame(std::uint64_t time) {
        if (time - cycle_start_ >= period_ || empty_) [[unlikely]]
            advance_to(time);
    }
    void instruction() {
        if (bucket_ >= density_.size()) [[unlikely]]
            density_.resize(bucket_ + 1);
        ++density_[bucket_];
        ++instructions_;
    }
    void add(std::uint32_t counter, std::uint64_t value) {
        Counter& c = counters_[counter];
        if (c.cycle != cycle_) {
            settle(c);
            c.cycle = cycle_;
        }
        c.pending += value;
    }

    std::uint64_t instructions() const noexcept { return instructions_; }
    /// The sum of everything added to a counter, modulo 2^64, and its name.
    std::uint64_t total(std::uint32_t counter) const noexcept;
    /// True before the first frame.
    bool empty() const noexcept { return empty_; }
    /// Appends the section's payload (spec/uscope.txt 6.1), with a base interval so long that it takes about
    /// `most_bytes` at most. Ends the summary.
    void encode(std::uint64_t most_bytes, Appender& out);

private:
    using Bucket = SummaryBucket;
    struct Counter {
        std::string name;
        std::uint16_t storage = 0;
        std::uint64_t cycle = 0, pending = 0;
        std::vector<Bucket> buckets;
    };

    void advance_to(std::uint64_t time);
    void settle(Counter& counter);
    void coarsen();
    /// Puts what lies behind the first `most_buckets` (1 or more) buckets into the last of them.
    void fold(std::size_t most_buckets);
    std::size_t bucket_of(std::uint64_t cycle) const noexcept;
    static std::vector<Bucket> merged(const std::vector<Bucket>& buckets, std::size_t group);

    std::uint64_t period_;
    std::size_t most_buckets_;
    unsigned shift_;  // a bucket is 2^shift_ cycles
    std::uint64_t cycle_ = 0, cycle_start_ = 0;
    std::size_t bucket_ = 0;
    bool empty_ = true;
    std::uint64_t instructions_ = 0;
    std::vector<std::uint32_t> density_;
    std::vector<Counter> counters_;
    std::vector<std::uint32_t> counter_of_;  // by storage
};

/// What a stored summary says in total.
struct SummaryTotals {
    struct Counter {
        std::string name;
        std::uint16_t storage = 0;
        std::uint64_t sum = 0;
    };
    std::uint32_t base_interval = 0;
    bool has_instructions = false;  ///< false for the legacy CSUM
    std::uint64_t instructions = 0;
    std::vector<Counter> counters;
};
/// Reads the totals of the summary that stands at `offset`, `size` bytes long, without reading all of it. None when its
/// structure is broken; `counters` and names are bounded by `schema`'s storages and the pool's size.
std::optional<SummaryTotals> read_summary_totals(const Input& input, std::uint64_t offset, std::uint64_t size,
                                                 std::size_t storages);

/// A stored summary as a whole (6.1); of a legacy CSUM, without instructions (6.3).
struct Summary {
    struct Counter {
        std::string name;
        std::uint16_t storage = 0;
        std::vector<std::vector<SummaryBucket>> levels;
    };
    std::uint32_t base_interval = 0, fan_out = 0;
    std::uint64_t instructions = 0;
    std::vector<std::vector<std::uint32_t>> density;  ///< by level
    std::vector<Counter> counters;
};
/// Reads the summary that stands at `offset`, `size` bytes long: none when its structure is broken. Throws
/// Failure::limit where it is larger than a block may be.
std::optional<Summary> read_summary(const Input& input, std::uint64_t offset, std::uint64_t size, std::size_t storages,
                                    const Limits& limits);

}  // namespace hwtrace::uscope

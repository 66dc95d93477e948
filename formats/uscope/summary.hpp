// formats/uscope/summary.hpp - builds and reads the trace summary (TSUM): instruction density and counter sums in
// buckets of growing length (README.md#trace-summary).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/protocols.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// The field whose set records count as instructions: `entity_id` of the first sparse storage that has this field and
/// is not a buffer. `none` if there is no such storage.
struct InstructionField {
    TrackId storage = none;
    std::uint16_t field = 0xFFFF;
};
InstructionField find_instruction_field(const Schema& schema) noexcept;

/// Minimum, maximum and sum of the increments per cycle of one counter, within one bucket of cycles (6.2).
struct SummaryBucket {
    std::uint64_t min = 0, max = 0, sum = 0;
};

/// Builds a summary in one pass over a trace. Time is in absolute cycles of one clock, and each count is added to the
/// bucket of its cycle. At the memory limit, pairs of buckets are merged and the base interval doubles.
class SummaryBuilder {
public:
    /// Counters are the storages of `schema` for which is_counter() returns true. `period_ps` is the clock's period; 0
    /// means 1000.
    SummaryBuilder(const Schema& schema, std::uint64_t period_ps);

    /// Returns the index of a storage among the counters, or `none`.
    std::uint32_t counter_of(TrackId storage) const noexcept;

    /// Sets the time of the following counts in ps. Times must not decrease.
    void begin_frame(std::uint64_t time) {
        if (time - cycle_start_ >= period_ || empty_) [[unlikely]]
            advance_to(time);
    }
    void instruction() {
        ++instructions_;
        if (bucket_ >= density_.size()) [[unlikely]]
            return count_in_new_bucket();
        ++density_[bucket_];
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
    /// Returns the sum of everything added to a counter, modulo 2^64.
    std::uint64_t total(std::uint32_t counter) const noexcept;
    /// Returns true before the first frame.
    bool empty() const noexcept { return empty_; }
    /// Appends the section's payload (6.1) and ends the summary. Chooses a base interval that limits the payload to
    /// approximately `most_bytes`.
    void encode(std::uint64_t most_bytes, Output& out);

private:
    using Bucket = SummaryBucket;
    struct Counter {
        std::string name;
        std::uint16_t storage = 0;
        std::uint64_t cycle = 0, pending = 0;
        std::vector<Bucket> buckets;
    };

    void advance_to(std::uint64_t time);
    [[gnu::cold]] void count_in_new_bucket();
    void settle(Counter& counter);
    void choose_base(std::uint64_t most_bytes);
    void coarsen();
    /// Keeps the first `most_buckets` buckets (at least 1) and adds all later ones to the last kept bucket.
    void fold(std::size_t most_buckets);
    std::size_t bucket_of(std::uint64_t cycle) const noexcept;
    static std::vector<Bucket> merged(const std::vector<Bucket>& buckets, std::size_t group);

    std::uint64_t period_;
    std::size_t most_buckets_;
    unsigned shift_;  // a bucket covers 2^shift_ cycles
    std::uint64_t cycle_ = 0, cycle_start_ = 0;
    std::size_t bucket_ = 0;
    bool empty_ = true;
    std::uint64_t instructions_ = 0;
    std::vector<std::uint32_t> density_;
    std::vector<Counter> counters_;
    std::vector<std::uint32_t> counter_of_;  // by storage id
};

/// The totals of a stored summary.
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
/// Reads the totals of the summary of `size` bytes at file offset `offset`, without reading all of it. Returns nothing
/// if its structure is broken, or if it has more counters than `storages` or a name too long for a string pool.
std::optional<SummaryTotals> read_summary_totals(const Input& input, std::uint64_t offset, std::uint64_t size,
                                                 std::size_t storages);

/// A complete stored summary (6.1). The older CSUM has no instructions (6.3).
struct Summary {
    struct Counter {
        std::string name;
        std::uint16_t storage = 0;
        std::vector<std::vector<SummaryBucket>> levels;
    };
    std::uint32_t base_interval = 0, fan_out = 0;
    std::uint64_t instructions = 0;
    std::vector<std::vector<std::uint32_t>> density;  ///< instructions by level and bucket
    std::vector<Counter> counters;
};
/// Reads the summary of `size` bytes at file offset `offset`. Returns nothing if its structure is broken. Throws
/// Failure::limit if it is larger than limits.block.
std::optional<Summary> read_summary(const Input& input, std::uint64_t offset, std::uint64_t size, std::size_t storages,
                                    const Limits& limits);

}  // namespace hwtrace::uscope

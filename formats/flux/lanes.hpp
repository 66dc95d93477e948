// formats/flux/lanes.hpp - decodes runs of usual samples directly into a batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/settings.hpp"
#include "entries.hpp"
#include "items.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "values.hpp"

namespace hwtrace::flux {

/// Ids of short texts that were interned recently.
class RecentTexts {
public:
    static constexpr std::size_t longest = 16;

    explicit RecentTexts(Schema& schema) : schema_(schema) {}
    /// Interns a text. Reads `longest` bytes at `at`, even if the text is shorter.
    StringId id_of(const std::byte* at, std::size_t size);

private:
    struct Known {
        std::uint64_t low = 0, high = 0;
        std::size_t size = ~std::size_t{0};
        StringId id = none;
    };
    Schema& schema_;
    std::array<Known, 256> known_;
};

/// The fast path of the scan. A lane decodes the samples of one item that are usual: complete, of a form that the item
/// had before, with a known position, and without any finding. The scan reads everything else, so it alone decides what
/// is reported; for the samples of lanes, it would make the same records.
class Lanes {
public:
    /// All arguments must outlive this object.
    Lanes(Schema& schema, Entries& entries, Values& values, const Settings& settings);

    /// Appends the records of the usual samples at the current place of the stream, until the batch is full or another
    /// entry follows. Adds their number to `samples`. Returns true if a lane might decode more samples like the next
    /// one: call prepare() after the scan has read it.
    bool run(Trace& trace, const Gaps& gaps, Batch& batch, std::uint64_t& samples);

    /// Prepares the lane of an item. `entry` is the sample of which the scan made the last record.
    void prepare(Trace& trace, const Gaps& gaps, const Entry& entry);

private:
    struct Run;

    static Item* find_prepared(Trace& trace, const Gaps& gaps, std::uint64_t id);

    Entries& entries_;
    Values& values_;
    RecentTexts texts_;
    const bool enabled_, structs_;
    const std::size_t longest_text_;
};

}  // namespace hwtrace::flux

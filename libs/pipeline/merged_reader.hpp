// pipeline/merged_reader.hpp - several traces as one, in order of time.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "pipeline/picosecond_scale.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/stage_run.hpp"
#include "pipeline/translated_copy.hpp"

namespace hwtrace {

/// One of the traces that are merged.
struct MergedSource {
    std::string name;        ///< of the scope that all of it comes to be in; no two are the same
    Reader* reader;          ///< not read yet
    const Schema* complete;  ///< all that its records refer to
    Plan plan;               ///< what happens to it before it is merged
};

// What becomes of a source: its scopes stand in one of its name, its clocks and enumerations beside those of the
// others, but once where they are equal. What several traces number from the same beginning is numbered so that it
// stays apart: of n traces whose intervals have numbers (conventions::interval_id), number i of trace k becomes n * i +
// k, in relations too; the native numbers of scopes become free ones, and a track's is left out, where another trace
// has them. A fact that the traces state differently is kept as "merge.<name>.<key>". Native records say nothing
// outside of their own file, and are lost.

/// Records in order of time, as exact as a picosecond; of equal times those of the earlier source first, so that frames
/// stay together. Ticks that have no length have that of `time` (1 ns where it is not said either).
class MergedReader final : public Reader {
public:
    /// What the readers refer to, and `losses`, outlive this one. Sources that are not in order of time are sorted:
    /// what does not fit in memory goes to a file in `folder`.
    MergedReader(std::vector<MergedSource> sources, const TimeModel& time, const std::string& folder, Losses& losses);
    ~MergedReader() override;

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override;
    /// Of all sources together.
    std::uint64_t records_read() const noexcept { return records_read_; }
    /// How numbers of intervals are made of those of the sources; empty where they stay.
    std::string renumbering() const;

private:
    struct Lane;

    void declare_objects(Lane& lane);
    void declare_scopes(Lane& lane, std::set<std::uint64_t>& taken, std::uint64_t& greatest);
    void declare_tracks(Lane& lane, const TimeModel& time, std::set<std::uint64_t>& taken);
    void describe();
    void assume_lengths(const TimeModel& time);
    void begin(Lane& lane);
    bool fill(Lane& lane);
    void advance(Lane& lane);
    Tick time_of(const Lane& lane, const Record& record) const noexcept;
    void put(Lane& lane, Batch& out);
    std::uint64_t number_of(const Lane& lane, std::uint64_t number);

    Losses& losses_;
    Schema schema_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::uint64_t numbered_ = 0;  // lanes whose intervals have numbers
    std::uint64_t records_read_ = 0;
};

/// The descriptor of what a MergedReader reads: it can deliver what any of the formats can.
Format merged_format(std::span<const Format* const> formats);

}  // namespace hwtrace

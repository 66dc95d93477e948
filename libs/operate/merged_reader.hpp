// operate/merged_reader.hpp - merges several traces into one, in time order.
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
#include "convert/plan.hpp"
#include "convert/stage_run.hpp"
#include "convert/translated_copy.hpp"
#include "domain/picosecond_scale.hpp"

namespace hwtrace {

/// One of the traces to be merged.
struct MergedSource {
    std::string name;        ///< name of the scope that will contain the trace; unique
    Reader* reader;          ///< has not been read yet
    const Schema* complete;  ///< the complete schema of its records
    Plan plan;               ///< applied before merging
};

// Mapping of a source into the merged trace: a new scope with the name of the source contains the scopes of the source.
// Clocks and enums are kept, but equal clocks and equal enums are merged. Ids that several traces use are made unique.
// If n traces have interval ids (conventions::interval_id), id i of trace k becomes n * i + k, also in relations. If a
// native id is already taken, a scope gets a free one, and a track gets none. Metadata that differs between the traces
// is kept as "merge.<name>.<key>". Native records are lost, because they have no meaning outside their own file.

/// Delivers records in time order, exact to the picosecond. Records with equal times are in the order of the sources,
/// so that frames stay together. Ticks of unknown length get the length that `time` states, or 1 ns.
class MergedReader final : public Reader {
public:
    /// The schemas of the readers and `losses` must outlive this object. Sources that are not in time order are sorted.
    /// Data that does not fit in memory is spilled to `folder`.
    MergedReader(std::vector<MergedSource> sources, const TimeModel& time, const std::string& folder, Losses& losses);
    ~MergedReader() override;

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override;
    /// Returns the number of records read from all sources.
    std::uint64_t records_read() const noexcept { return records_read_; }
    /// Returns a description of how intervals were renumbered, or an empty string if they were not renumbered.
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
    std::uint64_t numbered_ = 0;  // number of lanes whose intervals have ids
    std::uint64_t records_read_ = 0;
};

/// Returns the format of a MergedReader's records. This format can deliver everything that one of `formats` can
/// deliver.
Format merged_format(std::span<const Format* const> formats);

}  // namespace hwtrace

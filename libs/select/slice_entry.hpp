// select/slice_entry.hpp - starts a slice without reading what precedes it: by the format's own places, or by an index.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codec/reader.hpp"
#include "codec/trace_index.hpp"
#include "domain/interval_ids.hpp"
#include "domain/occupancy.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "select/stage.hpp"

namespace hwtrace {

/// Moves an unread reader to a place before which `stage`, the first stage behind it, needs no records: to
/// Stage::entry() if the reader can seek to it, otherwise to the last suitable checkpoint of `index` (null: no index).
/// Does nothing if there is neither. The records that leave the stage do not depend on this.
void enter_slice(Reader& reader, Stage& stage, const TraceIndex* index);

/// Moves a reader to a checkpoint of `index`, the index of its input, and restores the state of `stage` (null: none)
/// there. Returns false and changes nothing if that is impossible. Throws Failure::input if the index was made for
/// another trace.
bool resume_at(const TraceIndex& index, const Checkpoint& checkpoint, Reader& reader, Stage* stage = nullptr);

/// Appends the occupied slots.
void append_occupied(const Occupancy& slots, Appender& out);
/// Occupies the slots that append_occupied() wrote. Throws Truncated or Failure::input if they do not exist.
void restore_occupied(Occupancy& slots, Cursor& in);

/// Appends the contents of all storages of `schema`. `state` may be empty; nothing is appended then.
void append_storages(const Schema& schema, const StateTable& state, Appender& out);
/// Restores contents that append_storages() wrote. Throws Truncated or Failure::input if they do not fit the schema.
void restore_storages(const Schema& schema, StateTable& state, Cursor& in);

/// Relations whose intervals have not arrived yet. A slice that begins here may keep them.
class WaitingRelations {
public:
    /// `schema` must outlive this object and may grow. Limits::block bounds the memory, in bytes.
    WaitingRelations(const Schema& schema, const Limits& limits) : schema_(schema), limits_(limits), ids_(schema) {}

    void add(const Batch& batch);
    /// Appends the relations. Requires that is_exact().
    void save(Appender& out) const;
    /// Returns false if it cannot be told which relations wait: ids of intervals repeat, values depend on other
    /// records, or the memory does not suffice.
    bool is_exact() const noexcept { return is_exact_; }

private:
    struct Relation {
        TrackId track = none;
        Tick time = 0;
        std::vector<std::uint64_t> cells;
    };
    void give_up() noexcept;
    bool is_plain(TrackId track);

    const Schema& schema_;
    const Limits& limits_;
    IntervalIds ids_;
    IdSet seen_;                                                 // ids of intervals
    std::map<std::uint64_t, Relation> relations_;                // by number
    HashMap<std::uint64_t, std::vector<std::uint64_t>> by_end_;  // numbers, by the interval to which they lead
    std::uint64_t next_ = 0;                                     // number of the next relation
    std::uint64_t bytes_ = 0;
    bool is_exact_ = true;
};
/// Appends the relations that WaitingRelations::save() wrote to `batch`. Throws Truncated or Failure::input if they do
/// not fit the schema.
void restore_relations(const Schema& schema, Cursor& in, Batch& batch);

/// Appends what `append` appends to `out`, with its size in front.
template <typename Append>
void append_section(Appender& out, Append&& append) {
    const std::size_t at = out.size();
    out.le(std::uint32_t{0});
    append();
    out.patch(at, static_cast<std::uint32_t>(out.size() - at - sizeof(std::uint32_t)));
}
/// Returns the next section that append_section() wrote, and skips it.
inline Cursor section_of(Cursor& in) {
    const auto size = in.le<std::uint32_t>();
    const std::uint64_t at = in.offset();
    return Cursor(in.take(size), at);
}

}  // namespace hwtrace

// operate/position_count.hpp - counts the positions of a trace, which are the units of ranges.
#pragma once

#include <cstdint>
#include <memory>

#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "model/record_kinds.hpp"
#include "select/criteria.hpp"
#include "select/positions.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// Returns true if the trace has instructions whose times are their positions, so that the last one states the count.
bool has_numbered_instructions(const Schema& schema);

/// Reads `reader` to its end and counts the positions after the plan's stages. Without stages, takes the number from
/// the plan's index, or reads only the last part of a trace of instructions whose format has an index (Reader::seek).
/// position_kind() of the schema before the stages decides what counts. `plan` is for the reader's schema, and `shapes`
/// are the shapes of its format.
std::uint64_t count_positions(Reader& reader, Plan& plan, Shapes shapes = {});

/// Returns the number of positions of `input`, a trace in the format `from`. Rewinds the input. A pipe is spooled.
/// `index` is an index of the input, or null.
std::uint64_t count_positions(Input& input, const Format& from, const Settings& settings,
                              const std::shared_ptr<const TraceIndex>& index = {});
/// Does the same for a conversion to `to`. Counts the positions of the raised trace.
std::uint64_t count_positions(Input& input, const Format& from, const Format& to, const Choices& choices);

/// Returns the range that ends behind the first `count` positions of `input` that satisfy `criteria`. If no position of
/// the trace can satisfy them, as with kind=note in a trace of instructions, every selected record counts. The trace is
/// in the format `from`. Rewinds the input. A pipe is spooled, unless there are no criteria.
Range first_range(std::uint64_t count, const Criteria& criteria, Input& input, const Format& from,
                  const Settings& settings);
/// Does the same for a conversion to `to`. Counts the positions of the raised trace that satisfy `choices.criteria`.
Range first_range(std::uint64_t count, Input& input, const Format& from, const Format& to, const Choices& choices);

/// Returns the range that begins with the last `count` positions of `input` that satisfy `criteria`, as first_range()
/// counts them.
Range last_range(std::uint64_t count, const Criteria& criteria, Input& input, const Format& from,
                 const Settings& settings, const std::shared_ptr<const TraceIndex>& index = {});
/// Does the same for a conversion to `to`. Counts the positions of the raised trace that satisfy `choices.criteria`.
Range last_range(std::uint64_t count, Input& input, const Format& from, const Format& to, const Choices& choices);

/// Returns true if the range of `input` holds a record that satisfies `criteria`. Reads up to this record, and rewinds
/// the input. A pipe is spooled. `index` is an index of the input, or null.
bool holds_any(const Range& range, const Criteria& criteria, Input& input, const Format& from, const Settings& settings,
               const std::shared_ptr<const TraceIndex>& index = {});

/// Returns the range of a shard of `input`, a trace in the format `from`, see count_positions().
Range shard_range(const Shard& shard, Input& input, const Format& from, const Settings& settings,
                  const std::shared_ptr<const TraceIndex>& index = {});
/// Does the same for a conversion to `to`.
Range shard_range(const Shard& shard, Input& input, const Format& from, const Format& to, const Choices& choices);

}  // namespace hwtrace

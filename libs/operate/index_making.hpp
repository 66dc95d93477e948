// operate/index_making.hpp - reads a trace once and writes its index.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "codec/format.hpp"
#include "codec/trace_index.hpp"
#include "convert/convert.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// The distance of checkpoints.
struct IndexSpacing {
    static constexpr std::uint64_t least = 65'536;  ///< positions between checkpoints that are chosen automatically

    /// Positions between checkpoints. 0: at least `least`, and more if the checkpoints would take more than 1/128 of
    /// the trace.
    std::uint64_t every = 0;
    /// The index becomes not much larger than this, by checkpoints that are ever farther apart. 0: no limit.
    std::uint64_t most_bytes = 0;
};

/// What an index contains.
struct IndexContents {
    IndexTotals totals;
    std::size_t checkpoints = 0;
    bool has_states = false;  ///< the format has checkpoints, and the trace is sound
};

/// Reads `input`, a seekable trace in the format `from`, from its beginning, and appends its index to `output`. The
/// caller commits the output. The index depends only on the trace and the spacing. If the trace is damaged or
/// incomplete, or if slices cannot restore its state, the index has no checkpoints. Rewinds the input.
IndexContents write_index(Input& input, const Format& from, const Settings& settings, Findings& findings,
                          const IndexSpacing& spacing, Output& output, const ProgressListener& progress = {});

/// Returns true if all bytes of `input`, a seekable trace, are those of which `index` was made. `stop` is asked for
/// every MiB; if it returns true, the result is false.
bool has_same_bytes(const TraceIndex& index, const Input& input, const std::function<bool()>& stop);

/// Returns an index of `input` in memory, for reading several slices of it. Rewinds the input.
std::shared_ptr<const TraceIndex> index_in_memory(Input& input, const Format& from, const Settings& settings,
                                                  Findings& findings);

}  // namespace hwtrace

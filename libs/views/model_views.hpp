// views/model_views.hpp - the views of hwtrace-dump that work for every format.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "convert/convert.hpp"
#include "select/range.hpp"
#include "select/selection.hpp"
#include "views/terminal_canvas.hpp"

namespace hwtrace {

/// The options of a view.
struct ViewOptions {
    bool schema_upfront = true;           ///< schema() of the reader is complete before the first read()
    std::optional<std::uint64_t> entity;  ///< timeline: only lifetimes with this id
    std::string counter;                  ///< counters: only counters whose scope/name contains this
    std::optional<Tick> interval;         ///< counters, buffers: cycles per row
    const Track* track = nullptr;         ///< model as CSV: the track, if exactly one was selected by name
    std::optional<Range> range;           ///< the range to which the trace was reduced
    Drawing drawing;                      ///< text of lanes, histogram, heatmap, pipeline: how to draw
    bool following = false;               ///< the trace is still being written; each complete row is written at once
};

/// A view that shows the records of a reader. Every view supports every output form.
struct ModelView {
    std::string_view name;
    std::string_view title;
    bool follows;     ///< supports --follow
    Earlier earlier;  ///< for a slice: how state from before the slice is handled
    /// Reads to the end and writes the view. The caller flushes `out`. Returns notes for the user: assumptions,
    /// records that the view could not interpret, or the fact that nothing is shown.
    std::vector<std::string> (*render)(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);
};

/// Returns all views; the first is the model itself.
std::span<const ModelView> model_views() noexcept;
/// Returns the view with this name, or nullptr.
const ModelView* find_model_view(std::string_view name) noexcept;

}  // namespace hwtrace

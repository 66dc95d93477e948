// views/model_views.hpp - what hwtrace-dump can show of any trace, whatever its format: views of the model.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/selection.hpp"

namespace hwtrace {

/// What is wanted of a view.
struct ViewOptions {
    bool schema_upfront = true;           ///< the reader's schema() is complete before the first read()
    std::optional<std::uint64_t> entity;  ///< timeline: only lives of this id
    std::string counter;                  ///< counters: only those whose scope/name contains this
    std::optional<Tick> interval;         ///< counters, buffers: a row for each so many cycles
    const Track* track = nullptr;         ///< model as CSV: the only one that there are records of, where it was named
    bool following = false;               ///< the trace is still being written: what is complete is shown at once
};

/// A rendering of what a reader delivers; every one can be written in every form.
struct ModelView {
    std::string_view name;
    std::string_view title;
    bool follows;     ///< shows what a trace that is still being written brings as it comes
    Earlier earlier;  ///< of a part of a trace: what it needs of what was before
    /// Reads to the end and writes. The caller flushes `out`. Returns what the user should be told beside the output:
    /// that the trace has nothing to show in this view, what was assumed, what could not be followed.
    std::vector<std::string> (*render)(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);
};

/// All of them; the first is the model itself.
std::span<const ModelView> model_views() noexcept;
/// The view of that name, or nullptr.
const ModelView* find_model_view(std::string_view name) noexcept;

}  // namespace hwtrace

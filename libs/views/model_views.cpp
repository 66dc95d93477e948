#include "views/model_views.hpp"

#include <algorithm>

#include "convert/model_dump.hpp"
#include "views/counters.hpp"
#include "views/flamegraph.hpp"
#include "views/histogram_view.hpp"
#include "views/model_data.hpp"
#include "views/pipeline_view.hpp"
#include "views/samples.hpp"
#include "views/schema_tree.hpp"
#include "views/time_drawings.hpp"
#include "views/timeline_view.hpp"

namespace hwtrace {

namespace {

using Notes = std::vector<std::string>;

Notes show_model(Reader& reader, TextForm form, const ViewOptions& options, const Settings& settings, TextOutput& out,
                 const ProgressListener& progress) {
    if (form == TextForm::csv && options.track != nullptr && dump_track(reader, *options.track, out, progress))
        return {};
    if (form == TextForm::text)
        dump_model(reader, out, progress, settings.symbols);
    else
        dump_model_data(reader, form, settings, out, progress);
    return {};
}

Notes show_schema(Reader& reader, TextForm form, const ViewOptions& options, const Settings& settings, TextOutput& out,
                  const ProgressListener& progress) {
    Batch batch;
    for (; !options.schema_upfront && reader.read(batch); batch.clear())
        if (progress) progress(reader.position());
    dump_schema_tree(reader.schema(), form, settings, out);
    return {};
}

constexpr ModelView views[] = {
    {"model", "the records of the common model", true, Earlier::left_out, show_model},
    {"schema", "scopes with their clocks, protocols and tracks", false, Earlier::restated, show_schema},
    {"timeline", "the lifetime of each instruction (protocol cpu), transaction (noc) and interval", true,
     Earlier::restated, show_timeline},
    {"pipeline", "drawing: the stages of each instruction (cpu) and transaction (noc); as data like timeline", false,
     Earlier::restated, show_pipeline},
    {"counters", "the values of counters over time", true, Earlier::restated, show_counters},
    {"buffers", "the occupancy of buffers over time", true, Earlier::occupied, show_buffers},
    {"samples", "every change of every signal", true, Earlier::restated, show_samples},
    {"lanes", "drawing: intervals, events, instructions and values over time", false, Earlier::occupied, show_lanes},
    {"histogram", "drawing: the distribution of durations, lifetimes and values", false, Earlier::occupied,
     show_histogram},
    {"flamegraph", "the instructions of each call stack, as folded stacks (needs --elf)", false, Earlier::left_out,
     show_flamegraph},
    {"heatmap", "drawing: the utilisation of each scope over time", false, Earlier::restated, show_heatmap},
};

}  // namespace

std::span<const ModelView> model_views() noexcept {
    return views;
}

const ModelView* find_model_view(std::string_view name) noexcept {
    const auto found = std::ranges::find(views, name, &ModelView::name);
    return found == std::end(views) ? nullptr : &*found;
}

}  // namespace hwtrace

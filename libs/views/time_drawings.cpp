#include "views/time_drawings.hpp"

#include <algorithm>
#include <iterator>

#include "io/counted.hpp"
#include "views/drawn_intervals.hpp"
#include "views/drawn_records.hpp"

namespace hwtrace {

namespace {

bool has_rows(const std::vector<DrawnRow>& rows, RowSort sort) {
    return std::ranges::any_of(rows, [&](const DrawnRow& row) { return row.sort == sort && row.count != 0; });
}

/// Collects the rows of a trace.
std::vector<DrawnRow> rows_of(Reader& reader, DrawnIntervals& intervals, DrawnRecords& records,
                              const ProgressListener& progress) {
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        intervals.add(batch);
        records.add(batch);
        if (progress) progress(reader.position());
    }
    intervals.finish();
    records.finish();
    std::vector<DrawnRow> rows = intervals.take_rows();
    std::vector<DrawnRow> others = records.take_rows();
    rows.insert(rows.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    return rows;
}

std::vector<std::string> show_rows(const std::vector<DrawnRow>& rows, RowStyle style, const RowLimits& limits,
                                   std::string_view schema, TextForm form, const ViewOptions& options,
                                   const Settings& settings, TextOutput& out, std::vector<std::string> notes) {
    if (form == TextForm::text) {
        TerminalCanvas canvas(options.drawing, out);
        draw_rows(rows, style, limits, canvas);
    } else {
        append_rows(rows, schema, form, settings, out);
    }
    if (std::ranges::all_of(rows, [](const DrawnRow& row) { return row.count == 0; }))
        notes.emplace_back("the trace has no intervals, instructions, events or values to draw");
    return notes;
}

void note_uncollected(const DrawnRecords& records, std::vector<std::string>& notes) {
    if (records.not_collected() != 0)
        notes.push_back(counted(records.not_collected(), "more row") +
                        " beyond the limit of the view; use --select to choose");
}

}  // namespace

std::vector<std::string> show_lanes(Reader& reader, TextForm form, const ViewOptions& options, const Settings& settings,
                                    TextOutput& out, const ProgressListener& progress) {
    DrawnIntervals intervals(reader.schema(), DrawnIntervals::By::lane, options.range);
    DrawnRecords records(reader.schema(), {});
    const std::vector<DrawnRow> rows = rows_of(reader, intervals, records, progress);
    std::vector<std::string> notes = intervals.notes();
    note_uncollected(records, notes);
    return show_rows(rows, RowStyle::bars, {}, "hwtrace-lanes/1", form, options, settings, out, std::move(notes));
}

std::vector<std::string> show_heatmap(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    DrawnIntervals intervals(reader.schema(), DrawnIntervals::By::scope, options.range);
    DrawnRecords records(reader.schema(),
                         {.values = false, .densities = true, .instructions = true, .lifetimes = true});
    std::vector<DrawnRow> rows = rows_of(reader, intervals, records, progress);
    if (has_rows(rows, RowSort::busy) || has_rows(rows, RowSort::load))
        std::erase_if(rows, [](const DrawnRow& row) { return row.sort == RowSort::density; });
    std::vector<std::string> notes = intervals.notes();
    note_uncollected(records, notes);
    return show_rows(rows, RowStyle::shades, {.lanes = 60, .others = 40}, "hwtrace-heatmap/1", form, options, settings,
                     out, std::move(notes));
}

}  // namespace hwtrace

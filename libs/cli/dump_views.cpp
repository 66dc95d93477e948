#include "cli/dump_views.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/json.hpp"
#include "cli/terminal.hpp"
#include "codec/findings.hpp"
#include "convert/prescan.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "io/similar_text.hpp"
#include "io/text_output.hpp"
#include "select/record_selection.hpp"

namespace hwtrace::cli {

namespace {

bool can_write(const View& view, TextForm form) noexcept {
    return form == TextForm::text || view.render_data != nullptr;
}

/// Returns true for a shard of a trace whose positions are records of tables. A row of a view, such as an instruction,
/// has several of them, and would be shown by more than one shard. Formats that store the model have a row per record.
bool cuts_rows(const Format& format, const Range& range) noexcept {
    return range.is_shard && format.reads.shapes.has(Shape::storage) && !format.writes.accepts_any_trace();
}

/// Returns true if the view can show a range in this unit.
bool shows(const View& view, const Format& format, const std::optional<Range>& range) noexcept {
    if (!range) return true;
    if (!view.windows) return view.parts && !cuts_rows(format, *range);
    const bool counts_records = range->unit == Range::Unit::record;
    return (*view.windows == TraceWindow::Unit::records) == counts_records;
}

bool suits(const View& view, const Format& format, const ViewRequest& request) noexcept {
    return can_write(view, request.form) && shows(view, format, request.range) &&
           (!request.criteria.any() || view.parts);
}

/// Returns the names of the views that can print the request: first the views of the format, then those of the model.
std::string names_of_views(const Format& format, const ViewRequest& request) {
    std::string names;
    const auto add = [&](std::string_view name) { names += fmt::format("{}{}", names.empty() ? "" : ", ", name); };
    for (const View& view : format.views)
        if (suits(view, format, request)) add(view.name);
    for (const ModelView& view : model_views())
        add(view.name);
    return names;
}

/// Throws Failure::usage with the reason why the named view cannot show the request.
[[noreturn]] void refuse(const View& view, const Format& format, const ViewRequest& request) {
    const std::string others = names_of_views(format, request);
    if (!can_write(view, request.form))
        fail(Failure::usage, fmt::format("--view {}: has no {} output; views that have it: {}", view.name,
                                         name_of(request.form), others));
    if (!shows(view, format, request.range))
        fail(Failure::usage,
             fmt::format("{}: the view {} {}; views that can: {}", request.range_option, view.name,
                         view.parts && !view.windows                   ? "shows rows that belong to several shards"
                         : !view.windows                               ? "always shows whole files"
                         : *view.windows == TraceWindow::Unit::records ? "takes positions such as 100#:200#"
                                                                       : "takes time and cycles only",
                         others));
    const std::string fact = fmt::format("--select: the view {} {}; views that can: {}", view.name,
                                         view.windows ? "selects no records" : "always shows whole files", others);
    if (!format.can_write()) fail(Failure::usage, fact);
    throw AdvisedError(
        Failure::usage, fact,
        fmt::format("or write the records with hwtrace-convert --select to a {} file, and show that", format.name));
}

/// Returns false if a selection in a trace of instructions leaves other records than whole instructions, because a view
/// of instructions shows only these.
bool leaves_instructions(const Schema& schema, const Criteria& criteria) {
    if (!has_hart(schema)) return true;
    Criteria settled = criteria;
    settle(schema, settled);
    const RecordCriteria& records = settled.records;
    return records.tracks.empty() && records.fields.empty() &&
           (records.kinds.empty() || std::ranges::find(records.kinds, Kind::instruction) != records.kinds.end());
}

/// Returns true if a default view has something to show for this trace. Rewinds the input. Spools a pipe if its first
/// bytes are not enough to decide.
bool has_something_for(const View& view, TraceFile& trace, const ViewRequest& request, const Settings& settings) {
    if (view.suits == nullptr) return true;
    Settings quick = settings;
    quick.jobs = 1;
    quick.wait_for_growth = nullptr;
    Findings reported_later(0);
    const auto is_shown = [&](Input& input) {
        const std::unique_ptr<Reader> reader = trace.format->open(input, quick, reported_later);
        if (!view.suits(reader->schema())) return false;
        return !request.criteria.any() || leaves_instructions(reader->schema(), request.criteria);
    };
    if (!trace.input.seekable()) {
        try {
            Input head = Input::memory(trace.name(), trace.input.head());
            return is_shown(head);
        } catch (const Error&) {
            trace.input.spool(settings.temporary_folder);
        }
    }
    bool is_suitable = true;
    try {
        is_suitable = is_shown(trace.input);
    } catch (const Error&) {
        // The view will report the error.
    }
    trace.input.seek(0);
    return is_suitable;
}

/// Returns the view of the model that is the default for a format: the samples if it is about signals.
const ModelView& default_model_view(const Format& format, const Criteria& criteria) noexcept {
    const Shapes& shapes = format.reads.shapes;
    const std::vector<Kind>& kinds = criteria.records.kinds;
    const bool holds_others = shapes.has(Shape::hart) || shapes.has(Shape::stream) || shapes.has(Shape::storage);
    const bool wants_samples = kinds.empty() || std::ranges::find(kinds, Kind::change) != kinds.end();
    const ModelView* const samples = find_model_view("samples");
    return shapes.has(Shape::signal) && !holds_others && wants_samples ? *samples : model_views().front();
}

/// Throws Failure::usage for a name that no view has.
[[noreturn]] void reject_name(const Format& format, const ViewRequest& request) {
    SimilarText similar(request.name);
    for (const View& view : format.views)
        similar.consider(view.name);
    for (const ModelView& view : model_views())
        similar.consider(view.name);
    fail(Failure::usage, fmt::format("--view {}: {} has no such view{}; it has {}", request.name, format.name,
                                     similar.question(), names_of_views(format, ViewRequest{})));
}

}  // namespace

TextForm text_form_of(std::string_view name) {
    for (const TextForm form : {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv})
        if (name_of(form) == name) return form;
    fail(Failure::usage, fmt::format("--format {}: takes text, json, jsonl or csv", name));
}

ChosenView choose_view(TraceFile& trace, const ViewRequest& request, const Settings& settings) {
    const Format& format = *trace.format;
    for (const View& view : format.views) {
        if (request.name.empty()) {
            if (suits(view, format, request) && has_something_for(view, trace, request, settings))
                return {&view, nullptr};
        } else if (view.name == request.name) {
            if (!suits(view, format, request)) refuse(view, format, request);
            return {&view, nullptr};
        }
    }
    if (request.name.empty()) return {nullptr, &default_model_view(format, request.criteria)};
    const ModelView* const model = find_model_view(request.name);
    if (model == nullptr) reject_name(format, request);
    return {nullptr, model};
}

Exit list_views(FormatList formats, bool as_json) {
    TextOutput out(STDOUT_FILENO);
    if (as_json) {
        Json json = json_head("hwtrace-views/1", "hwtrace-dump");
        json["views"] = Json::array();
        const auto add = [&](Json format, std::string_view name, std::string_view title, bool has_data) {
            Json view;
            view["format"] = std::move(format);
            view["name"] = name;
            view["title"] = title;
            view["has_data"] = has_data;
            json["views"].push_back(std::move(view));
        };
        for (const Format* format : formats)
            for (const View& view : format->views)
                add(format->name, view.name, view.title, can_write(view, TextForm::json));
        for (const ModelView& view : model_views())
            add(nullptr, view.name, view.title, true);
        out.put(to_pretty_text(json));
        out.flush();
        return Exit::done;
    }
    std::string text;
    const auto row = [&](std::string_view format, std::string_view name, std::string_view title, bool has_data) {
        const std::string head = fmt::format("{:<10} {:<12} ", format, name);
        text += head;
        append_wrapped(fmt::format("{}{}", title, has_data ? " (also json, jsonl, csv)" : ""), head.size(), head.size(),
                       list_columns(), text);
    };
    for (const Format* format : formats)
        for (const View& view : format->views)
            row(format->name, view.name, view.title, can_write(view, TextForm::json));
    for (const ModelView& view : model_views())
        row("any", view.name, view.title, true);
    out.put(text);
    out.flush();
    return Exit::done;
}

std::vector<std::string> view_names(FormatList formats) {
    std::vector<std::string> names;
    const auto add = [&](std::string_view name) {
        if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    };
    for (const Format* const format : formats)
        for (const View& view : format->views)
            add(view.name);
    for (const ModelView& view : model_views())
        add(view.name);
    return names;
}

}  // namespace hwtrace::cli

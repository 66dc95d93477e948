#include "cli/dump_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/dump_tables.hpp"
#include "cli/follow.hpp"
#include "cli/index_file.hpp"
#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "cli/version.hpp"
#include "codec/state_at.hpp"
#include "convert/prescan.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/number_text.hpp"
#include "io/similar_text.hpp"
#include "io/text_output.hpp"
#include "operate/place_search.hpp"
#include "operate/position_count.hpp"
#include "select/range.hpp"
#include "select/record_selection.hpp"
#include "select/selection.hpp"
#include "views/model_views.hpp"
#include "views/state_dump.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view dump_tool = "hwtrace-dump";

TextForm form_of(std::string_view name) {
    for (const TextForm form : {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv})
        if (name_of(form) == name) return form;
    fail(Failure::usage, fmt::format("--format {}: takes text, json, jsonl or csv", name));
}

bool can_write(const View& view, TextForm form) noexcept {
    return form == TextForm::text || view.render_data != nullptr;
}

/// Returns true if the view can show a range in this unit.
bool shows(const View& view, const std::optional<Range>& range) noexcept {
    if (!range || view.parts) return true;
    const bool counts_records = range->unit == Range::Unit::record;
    return view.windows && (*view.windows == TraceWindow::Unit::records) == counts_records;
}

/// Returns the names of the views that support this output form: first the views of the format, then the views of the
/// model.
std::string view_names(const Format& format, TextForm form) {
    std::string names;
    const auto add = [&](std::string_view name) { names += fmt::format("{}{}", names.empty() ? "" : ", ", name); };
    for (const View& view : format.views)
        if (can_write(view, form)) add(view.name);
    for (const ModelView& view : model_views())
        add(view.name);
    return names;
}

/// Returns the option that gives the range.
std::string_view range_option(const DumpOptions& options) noexcept {
    return options.around ? "--around" : options.part.first ? "--first" : options.part.last ? "--last" : "--range";
}

/// Returns the view to show if it is a view of the format. Returns nullptr if it is a view of the model.
const View* chosen_view(const Format& format, const DumpOptions& options, const std::optional<Range>& range,
                        TextForm form) {
    const std::string& name = options.view;
    const bool selects = !options.part.select.empty();
    const auto suits = [&](const View& view) {
        return can_write(view, form) && shows(view, range) && (!selects || view.parts);
    };
    for (const View& view : format.views) {
        if (name.empty() ? !suits(view) : view.name != name) continue;
        if (suits(view)) return &view;
        if (can_write(view, form) && selects)
            fail(Failure::usage,
                 fmt::format("--select: the view {} {}; use --view model", name,
                             view.windows ? "supports only --range and --last" : "always shows whole files"));
        if (can_write(view, form))
            fail(Failure::usage,
                 fmt::format("{}: the view {} {}; use --view model", range_option(options), name,
                             !view.windows                                 ? "always shows whole files"
                             : *view.windows == TraceWindow::Unit::records ? "takes positions such as 100#:200#"
                                                                           : "takes time and cycles only"));
        fail(Failure::usage, fmt::format("--view {}: has no {} output; views that have it: {}", name, name_of(form),
                                         view_names(format, form)));
    }
    if (name.empty() || find_model_view(name) != nullptr) return nullptr;
    SimilarText similar(name);
    for (const View& view : format.views)
        similar.consider(view.name);
    for (const ModelView& view : model_views())
        similar.consider(view.name);
    fail(Failure::usage, fmt::format("--view {}: {} has no such view{}; it has {}", name, format.name,
                                     similar.question(), view_names(format, TextForm::text)));
}

/// Returns the view of the model to show.
const ModelView& model_view_of(const DumpOptions& options) {
    return options.view.empty() ? model_views().front() : *find_model_view(options.view);
}

/// Returns true if a default view has something to show for this trace. Rewinds the input. Spools a pipe if its first
/// bytes are not enough to decide.
bool has_something_for(const View& view, TraceFile& trace, const Settings& settings) {
    if (view.suits == nullptr) return true;
    Settings quick = settings;
    quick.jobs = 1;
    quick.wait_for_growth = nullptr;
    Findings reported_later(0);
    const auto suits = [&](Input& input) {
        return view.suits(trace.format->open(input, quick, reported_later)->schema());
    };
    if (!trace.input.seekable()) {
        try {
            Input head = Input::memory(trace.name(), trace.input.head());
            return suits(head);
        } catch (const Error&) {
            trace.input.spool(settings.temporary_folder);
        }
    }
    bool suitable = true;
    try {
        suitable = suits(trace.input);
    } catch (const Error&) {
        // The view will report the error.
    }
    trace.input.seek(0);
    return suitable;
}

void check_choices(const DumpOptions& options, TextForm form) {
    if (options.input.empty()) fail(Failure::usage, "a file is needed; try hwtrace-dump --help");
    if (options.at && (options.part.any() || options.follow || !options.view.empty()))
        fail(Failure::usage, "--at cannot be combined with --view, --range, --last, --select or --follow");
    if (options.around &&
        (options.part.range || options.part.first || options.part.last || options.at || options.follow))
        fail(Failure::usage, "--around cannot be combined with --range, --first, --last, --at or --follow");
    if (options.context != DumpOptions(options.common.formats()).context && !options.around)
        fail(Failure::usage, "--context requires --around");
    if (options.part.last && options.follow)
        fail(Failure::usage, "--last and --follow cannot be combined: the end is not known yet");
    if (options.follow && form == TextForm::json)
        fail(Failure::usage, "--follow cannot write json; use --format jsonl");
    if (options.view == "flamegraph" && !options.elf.any())
        fail(Failure::usage,
             "--view flamegraph: requires --elf FILE, the program that ran, for the names of functions");
    if (options.view == "model" && options.elf.any() && form != TextForm::text)
        fail(Failure::usage,
             fmt::format("--elf: the view model names functions only as text; leave out --format {}", options.format));
    if (const ModelView* view = find_model_view(options.view); options.follow && view != nullptr && !view->follows)
        fail(Failure::usage,
             fmt::format("--follow: the view {} does not show appended records; leave out --follow", view->name));
}

/// Parses a whole number, decimal or hexadecimal with 0x.
std::uint64_t number_of(std::string_view option, std::string_view text) {
    if (const auto value = parse_number(text)) return *value;
    fail(Failure::usage, fmt::format("{} {}: takes a number", option, text));
}

ViewOptions view_options(const DumpOptions& options, const Format& format) {
    ViewOptions wanted;
    wanted.schema_upfront = format.reads.schema_upfront;
    if (options.entity) wanted.entity = number_of("--entity", *options.entity);
    wanted.counter = options.counter;
    wanted.following = options.follow;
    wanted.drawing = drawing_of(options.common, options.ascii);
    if (options.interval) {
        std::string_view cycles = *options.interval;
        if (cycles.ends_with("cyc")) cycles.remove_suffix(3);
        const std::uint64_t number = number_of("--interval", cycles);
        if (number == 0 || number > static_cast<std::uint64_t>(std::numeric_limits<Tick>::max()))
            fail(Failure::usage, fmt::format("--interval {}: takes a number of cycles, at least 1", *options.interval));
        wanted.interval = static_cast<Tick>(number);
    }
    return wanted;
}

/// Throws Failure::usage if an option has no effect on the view. `view` is the name of the view, or empty for --at.
void check_options(const DumpOptions& options, std::string_view view) {
    const auto belongs = [&](std::string_view option, bool given, std::initializer_list<std::string_view> views) {
        if (given && std::ranges::find(views, view) == views.end())
            fail(Failure::usage, fmt::format("{} requires --view {}", option, fmt::join(views, " or ")));
    };
    belongs("--entity", options.entity.has_value(), {"timeline", "pipeline"});
    belongs("--counter", !options.counter.empty(), {"counters"});
    belongs("--ascii", options.ascii, {"pipeline", "lanes", "histogram", "heatmap"});
    belongs("--disasm", !options.disassembly.empty(), {"instructions"});
    belongs("--elf", options.elf.any() && options.tables.empty(), {"instructions", "model", "flamegraph"});
    belongs("--interval", options.interval.has_value(), {"counters", "buffers"});
    options.common.refuse_unused(nullptr, view);
}

void check_follows(const Format& format) {
    if (!format.reads.follows())
        fail(Failure::usage, fmt::format("--follow: {} files cannot be read while they are written", format.name));
}

/// Returns true if a followed file is still too short to be opened.
bool is_too_young(const Input& input, const CommonOptions& options) {
    const auto is_young_as = [&](const Format* format) {
        return format->reads.follows() && format->reads.is_too_young(input);
    };
    if (const Format* const forced = options.source_format()) return is_young_as(forced);
    return std::ranges::any_of(options.formats(), is_young_as);
}

/// Waits until a followed file can be opened. Returns false if the user ended the waiting.
bool wait_for_beginning(const Input& input, const CommonOptions& options, Follow& follow) {
    while (is_too_young(input, options) && follow.wait())
        continue;
    return !follow.is_over();
}

/// Converts a range to records or time, for views that have no clock.
TraceWindow window_of(const Range& range, TraceFile& trace, const Settings& settings) {
    switch (range.unit) {
        case Range::Unit::record:
            return {TraceWindow::Unit::records, range.begin, range.end};
        case Range::Unit::time_ps:
            return {TraceWindow::Unit::time_ps, range.begin, range.end};
        case Range::Unit::cycle:
            break;
    }
    Findings reported_later;  // discarded; the view opens the file again and reports them
    Settings as_it_is = settings;
    as_it_is.wait_for_growth = nullptr;
    const std::unique_ptr<Reader> reader = trace.format->open(trace.input, as_it_is, reported_later);
    const std::uint64_t period = common_period(reader->schema(), "--range");
    if (period == 0)
        fail(Failure::usage, "--range: the trace does not state the length of a cycle; use ps, ns, us, ms or s");
    const auto time = [period](std::uint64_t cycle) {
        std::uint64_t ps = 0;
        return __builtin_mul_overflow(cycle, period, &ps) ? std::numeric_limits<std::uint64_t>::max() : ps;
    };
    return {TraceWindow::Unit::time_ps, time(range.begin), range.end ? std::optional(time(*range.end)) : std::nullopt};
}

/// Reads a slice of a trace for a view that can show slices. Sets `is_empty` if the slice holds no records.
class ShownPart final : public Reader {
public:
    ShownPart(Reader& whole, const Range& range, const SelectionOptions& options, const RecordCriteria& criteria,
              const Schema* complete, bool& is_empty)
        : part_(whole, range, options, criteria, complete), is_empty_(is_empty) {}

    Schema& schema() override { return part_.schema(); }
    bool read(Batch& batch) override {
        const bool any = part_.read(batch);
        is_empty_ = part_.is_empty();
        return any;
    }
    Facts facts() const override { return part_.facts(); }
    std::uint64_t position() const override { return part_.position(); }

private:
    RangedReader part_;
    bool& is_empty_;
};

/// Prints one view of an open trace.
class Dump {
public:
    Dump(const DumpOptions& options, const std::optional<Range>& range, const Criteria& criteria, TextForm form,
         const std::shared_ptr<const TraceIndex>& index, TraceFile& trace, Settings& settings, Findings& findings,
         Messages& messages, TextOutput& out)
        : options_(options),
          form_(form),
          trace_(trace),
          settings_(settings),
          findings_(findings),
          messages_(messages),
          out_(out),
          wanted_(view_options(options, *trace.format)),
          range_(range),
          criteria_(criteria),
          index_(index) {
        wanted_.range = range;
    }

    void state() {
        const Moment moment = parse_moment(*options_.at, "--at");
        const std::unique_ptr<Reader> reader = open();
        const Tick time = tick_of(moment, reader->schema(), "--at");
        const StateTable state = state_at(*reader, time, settings_.limits);
        dump_state(reader->schema(), state, time, form_, settings_, out_);
    }

    void own_view(const View& view) {
        settings_.window = range_ && !view.parts ? std::optional(window_of(*range_, trace_, settings_))
                                                 : reading_window(range_, criteria_);
        bool is_empty = false;
        Findings reported_later(0);  // discarded; the view opens the file again and reports them
        std::optional<PreparedSource> known;
        if (view.parts && criteria_.any()) {
            known.emplace(trace_.input, *trace_.format, settings_, reported_later, criteria_.records);
            trace_.input.seek(0);
        }
        if (view.parts && (range_ || criteria_.any())) {
            settings_.part = [&](Reader& whole) -> std::unique_ptr<Reader> {
                return std::make_unique<ShownPart>(whole, range_.value_or(everything), selection(Earlier::left_out),
                                                   criteria_.records, known ? &known->schema() : nullptr, is_empty);
            };
        }
        if (form_ == TextForm::text)
            view.render(trace_.input, out_, settings_, findings_);
        else
            view.render_data(trace_.input, form_, out_, settings_, findings_);
        settings_.part = nullptr;
        if (is_empty) settings_.note(nothing_in_part());
    }

    std::vector<std::string> model_view(const ModelView& view) {
        // Only the first view can skip records. The other views need the schema or the records before the range.
        if (&view == &model_views().front()) settings_.window = reading_window(range_, criteria_);
        PreparedSource prepared(trace_.input, *trace_.format, settings_, findings_, criteria_.records);
        Progress progress(messages_, options_.follow ? ProgressForm::off : options_.common.progress(), trace_.name(),
                          trace_.input.size());
        const auto show = [&](Reader& source) {
            return view.render(source, form_, wanted_, settings_, out_, [&](std::uint64_t bytes) { progress(bytes); });
        };
        if (!range_ && !criteria_.any()) return show(prepared.reader());
        RangedReader part(prepared.reader(), range_.value_or(everything), selection(view.earlier), criteria_.records,
                          &prepared.schema());
        std::optional<RecordSelection> named;
        if (form_ == TextForm::csv && !criteria_.records.tracks.empty()) {
            named.emplace(prepared.schema(), criteria_.records);
            if (named->schema().tracks().size() == 1) wanted_.track = &named->schema().tracks().front();
        }
        std::vector<std::string> notes = show(part);
        const bool holds = view.earlier == Earlier::left_out &&
                           std::ranges::any_of(prepared.schema().tracks(),
                                               [](const Track& track) { return track.kind == Track::Kind::signal; });
        if (part.is_empty())
            notes.emplace_back(fmt::format("{}{}", nothing_in_part(),
                                           holds ? "; --view samples shows the values of signals there" : ""));
        return notes;
    }

private:
    static constexpr Range everything{Range::Unit::record, 0, std::nullopt};

    std::string_view nothing_in_part() const noexcept {
        return criteria_.any() ? "nothing was selected" : "nothing is in the range";
    }

    SelectionOptions selection(Earlier earlier) const {
        return {std::nullopt, earlier, settings_.limits, criteria_.instructions, trace_.format->reads, false, index_};
    }

    std::unique_ptr<Reader> open() { return trace_.format->open(trace_.input, settings_, findings_); }

    const DumpOptions& options_;
    TextForm form_;
    TraceFile& trace_;
    Settings& settings_;
    Findings& findings_;
    Messages& messages_;
    TextOutput& out_;
    ViewOptions wanted_;
    const std::optional<Range>& range_;
    const Criteria& criteria_;
    std::shared_ptr<const TraceIndex> index_;  // null: none
};

}  // namespace

Exit list_views(FormatList formats) {
    TextOutput out(STDOUT_FILENO);
    for (const Format* format : formats) {
        for (const View& view : format->views)
            out.put(fmt::format("{:<10} {:<12} {}{}\n", format->name, view.name, view.title,
                                can_write(view, TextForm::json) ? " (also json, jsonl, csv)" : ""));
    }
    for (const ModelView& view : model_views())
        out.put(fmt::format("{:<10} {:<12} {} (also json, jsonl, csv)\n", "any", view.name, view.title));
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

Exit dump_command(const DumpOptions& options) {
    Messages messages = options.common.messages(dump_tool);
    const TextForm form = form_of(options.format);
    check_choices(options, form);
    if (!options.tables.empty()) {
        check_options(options, {});
        return dump_tables(options);
    }
    if (options.force) fail(Failure::usage, "--force requires -o");
    if (!options.view.empty()) check_options(options, options.view);  // before any file is opened
    Settings settings = options.common.settings();
    settings.tool = dump_tool;
    settings.version = version();
    if (options.disassembly == "off") settings.disassembly = Disassembly::off;
    const Format* const forced = options.common.source_format();
    if (options.follow && forced != nullptr) check_follows(*forced);
    TraceFile trace{Input::open(options.input), nullptr};
    const std::string file = trace.name();
    std::optional<Range> range = options.part.chosen_range();
    const std::optional<std::uint64_t> last = options.part.last_count();
    const std::optional<Shard> shard = options.part.chosen_shard();
    const Criteria criteria = options.part.criteria();
    std::optional<Follow> follow;
    if (options.follow) {
        if (!trace.input.seekable()) fail(Failure::usage, "--follow takes a file, not a pipe");
        follow.emplace(trace.input, options.input);
        if (!wait_for_beginning(trace.input, options.common, *follow)) return Exit::done;
        if (!follow->loss().empty()) throw Error(Failure::input, about(file, follow->loss()));
    }
    trace.format = &known_format(trace.input, options.common, messages);
    if (follow) check_follows(*trace.format);
    std::shared_ptr<const TraceIndex> index;
    if (!follow && (options.around || options.part.any())) index = index_beside(options.input, trace, messages);
    if (options.around)
        naming(file, [&] {
            const TracePlace place = parse_trace_place(*options.around, "--around");
            range = range_around(place, options.context, trace.input, *trace.format, settings, index.get());
            if (!range) fail(Failure::usage, fmt::format("--around {}: the trace has no such place", *options.around));
        });
    if (last) naming(file, [&] { range = last_range(*last, trace.input, *trace.format, settings, index); });
    if (shard) naming(file, [&] { range = shard_range(*shard, trace.input, *trace.format, settings, index); });
    const View* view = options.at ? nullptr : chosen_view(*trace.format, options, range, form);
    if (options.view.empty() && view != nullptr) {
        if (!naming(file, [&] { return has_something_for(*view, trace, settings); })) view = nullptr;
    }
    const std::string_view shown = options.at        ? std::string_view()
                                   : view != nullptr ? view->name
                                                     : model_view_of(options).name;
    check_options(options, shown);
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());
    settings.symbols = options.elf.load(trace, settings, messages);

    Findings findings(findings_shown_per_rule);
    TextOutput out(STDOUT_FILENO);
    // If the user ends the waiting, the missing end of the file is not reported.
    bool was_broken = false;
    if (options.follow) {
        settings.wait_for_growth = [&] {
            out.flush();
            if (follow->wait()) return true;
            was_broken = breaks_its_format(findings);
            return false;
        };
    }
    const auto is_over = [&] { return follow && follow->is_over(); };
    findings.listen([&](const Finding& finding) {
        if (!is_over()) messages.finding(file, finding, findings.severity(*finding.rule));
    });
    std::vector<std::string> notes;
    settings.note = [&](std::string_view text) { notes.emplace_back(text); };
    naming(file, [&] {
        Dump dump(options, range, criteria, form, index, trace, settings, findings, messages, out);
        try {
            if (options.at)
                dump.state();
            else if (view != nullptr)
                dump.own_view(*view);
            else
                notes = dump.model_view(model_view_of(options));
        } catch (const Error&) {
            out.flush();  // prints the records before the fault
            throw;
        }
    });
    out.flush();
    for (const std::string& note : notes)
        messages.note(file, note);
    if (follow && !follow->loss().empty()) messages.note(file, follow->loss());
    if (is_over() && !was_broken) return Exit::done;
    report_hidden_findings(findings, file, messages);
    if (!breaks_its_format(findings) || options.allow_incomplete) return Exit::done;
    messages.error(file, fmt::format("{}; --allow-incomplete accepts this", findings.effect() == Effect::harmless
                                                                                ? "the file violates its format"
                                                                                : "not everything could be read"));
    return Exit::incomplete;
}

}  // namespace hwtrace::cli

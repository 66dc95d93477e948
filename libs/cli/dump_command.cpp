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
#include "cli/dump_views.hpp"
#include "cli/follow.hpp"
#include "cli/index_file.hpp"
#include "cli/pager.hpp"
#include "cli/process.hpp"
#include "cli/shown_part.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "cli/version.hpp"
#include "codec/state_at.hpp"
#include "convert/prescan.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "io/number_text.hpp"
#include "io/text_output.hpp"
#include "operate/position_count.hpp"
#include "select/range.hpp"
#include "select/record_selection.hpp"
#include "select/selection.hpp"
#include "views/model_views.hpp"
#include "views/state_dump.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view dump_tool = "hwtrace-dump";

/// Returns the option that gives the range.
std::string_view range_option(const DumpOptions& options) noexcept {
    return options.around.place ? "--around"
           : options.part.first ? "--first"
           : options.part.last  ? "--last"
           : options.part.shard ? "--shard"
                                : "--range";
}

void check_choices(const DumpOptions& options, TextForm form) {
    if (options.input.empty()) fail(Failure::usage, "a file is needed; try hwtrace-dump --help");
    if (options.at && (options.part.any() || options.follow || !options.view.empty()))
        fail(Failure::usage, "--at cannot be combined with --view, --range, --last, --select or --follow");
    if (options.around.place && (options.at || options.follow))
        fail(Failure::usage, "--around cannot be combined with --at or --follow");
    options.around.check(options.part);
    if (options.part.last && options.follow)
        fail(Failure::usage, "--last and --follow cannot be combined: the end is not known yet");
    if (options.part.require_match && options.follow)
        fail(Failure::usage, "--require-match and --follow cannot be combined: records may still be appended");
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
        fail(Failure::usage, fmt::format("--follow: {} files cannot be read while they are written; leave out --follow "
                                         "when the file is complete",
                                         format.name));
}

/// Returns true if a followed file is still too short to be opened.
bool is_too_young(const Input& input, const CommonOptions& options) {
    const auto is_young_as = [&](const Format* format) {
        return format->reads.follows() && format->reads.is_too_young(input);
    };
    if (const Format* const forced = options.source_format()) return is_young_as(forced);
    return std::ranges::any_of(options.formats(), is_young_as);
}

/// Waits until the file of --follow can be opened, or until the user ends the waiting.
void follow_beginning(const DumpOptions& options, TraceFile& trace, std::optional<Follow>& follow) {
    if (!trace.input.seekable() || is_url(options.input))
        fail(Failure::usage, "--follow takes a file, not a pipe or URL; leave out --follow to read it to its end");
    follow.emplace(trace.input, options.input);
    while (is_too_young(trace.input, options.common) && follow->wait())
        continue;
    if (!follow->is_over() && !follow->loss().empty()) throw Error(Failure::input, about(trace.name(), follow->loss()));
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

constexpr Range everything{Range::Unit::record, 0, std::nullopt};

/// The slice of the trace to print.
struct ShownSlice {
    std::optional<Range> range{};
    Criteria criteria{};
    std::shared_ptr<const TraceIndex> index{};  ///< null: none
    std::string unplaced{};                     ///< why nothing is around the place of --around
};

/// Finds the slice that the options choose. A followed file has no index, and its end is not known.
ShownSlice find_slice(const DumpOptions& options, TraceFile& trace, const Settings& settings, Messages& messages) {
    ShownSlice slice;
    slice.criteria = options.part.criteria();
    if (!options.follow && (options.around.place || options.part.any()))
        slice.index = index_beside(options.input, trace, messages);
    naming(trace.name(), [&] {
        if (!options.around.place) {
            slice.range = options.part.range_in(trace, settings, slice.index);
            return;
        }
        AroundOptions::Found found = options.around.find(trace, settings, slice.index.get());
        slice.range = found.range;
        slice.unplaced = std::move(found.unplaced);
    });
    return slice;
}

/// Answers --require-match: returns true if the slice holds a record, otherwise prints why not.
bool has_match(const ShownSlice& slice, TraceFile& trace, const Settings& settings, Messages& messages) {
    if (slice.unplaced.empty() && naming(trace.name(), [&] {
            return holds_any(slice.range.value_or(everything), slice.criteria, trace.input, *trace.format, settings,
                             slice.index);
        }))
        return true;
    messages.error(trace.name(), slice.unplaced.empty() ? std::string(no_match) : slice.unplaced);
    return false;
}

/// Prints one view of an open trace.
class Dump {
public:
    Dump(const DumpOptions& options, const ShownSlice& slice, TextForm form, TraceFile& trace, Settings& settings,
         Findings& findings, Messages& messages, TextOutput& out)
        : options_(options),
          form_(form),
          trace_(trace),
          settings_(settings),
          findings_(findings),
          messages_(messages),
          out_(out),
          wanted_(view_options(options, *trace.format)),
          range_(slice.range),
          criteria_(slice.criteria),
          index_(slice.index) {
        wanted_.range = range_;
    }

    /// Prints the view, or the state for --at. Returns notes about it.
    std::vector<std::string> print(const ChosenView& view) {
        std::vector<std::string> notes;
        settings_.note = [&](std::string_view text) { notes.emplace_back(text); };
        try {
            if (options_.at)
                state();
            else if (view.own != nullptr)
                own_view(*view.own);
            else
                notes = model_view(*view.model);
            out_.flush();
        } catch (const Error&) {
            out_.flush();  // prints the records before the fault
            throw;
        }
        settings_.note = nullptr;
        return notes;
    }

private:
    void state() {
        const Moment moment = parse_moment(*options_.at, "--at");
        const std::unique_ptr<Reader> reader = open();
        const Tick time = tick_of(moment, reader->schema(), "--at");
        const StateTable state = state_at(*reader, time, settings_.limits);
        dump_state(reader->schema(), state, time, form_, settings_, out_);
    }

    void own_view(const View& view) {
        // A view that supports both finds a range faster as a window.
        const bool is_window = range_ && view.windows && !criteria_.any();
        settings_.window =
            is_window ? std::optional(window_of(*range_, trace_, settings_)) : reading_window(range_, criteria_);
        bool is_empty = false;
        Findings reported_later(0);  // discarded; the view opens the file again and reports them
        std::optional<PreparedSource> known;
        if (view.parts && criteria_.any()) {
            known.emplace(trace_.input, *trace_.format, settings_, reported_later, criteria_.records, index_);
            trace_.input.seek(0);
        }
        if (view.parts && !is_window && (range_ || criteria_.any())) {
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
        PreparedSource prepared(trace_.input, *trace_.format, settings_, findings_, criteria_.records, index_);
        Progress progress(messages_, hides_progress() ? ProgressForm::off : options_.common.progress(), trace_.name(),
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

    /// Returns true if the text and a bar would share a terminal, or if the end is not known.
    bool hides_progress() const noexcept {
        const bool is_bar = options_.common.progress() == ProgressForm::bar;
        return options_.follow || (is_bar && ::isatty(STDOUT_FILENO) != 0);
    }

    std::string_view nothing_in_part() const noexcept {
        return criteria_.any() ? "nothing was selected" : "nothing is in the range";
    }

    SelectionOptions selection(Earlier earlier) const {
        return {.earlier = earlier,
                .limits = settings_.limits,
                .instructions = criteria_.instructions,
                .reads = trace_.format->reads,
                .index = index_,
                .keeps_positions = true};
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

/// Returns the exit code of a trace that was read to its end, and reports what is wrong with it.
Exit conclude(const DumpOptions& options, const Findings& findings, const std::string& file, Messages& messages) {
    report_hidden_findings(findings, file, messages);
    if (!breaks_its_format(findings) || options.allow_incomplete) return Exit::done;
    messages.error(file, fmt::format("{}; --allow-incomplete accepts this", findings.effect() == Effect::harmless
                                                                                ? "the file violates its format"
                                                                                : "not everything could be read"));
    return Exit::incomplete;
}

/// Prints the slice of an open trace. `follow` is empty without --follow.
Exit dump_trace(const DumpOptions& options, TextForm form, const ShownSlice& slice, TraceFile& trace,
                Settings& settings, std::optional<Follow>& follow, Messages& messages) {
    const std::string file = trace.name();
    ChosenView view;
    if (!options.at)
        view = naming(file, [&] {
            return choose_view(trace, {options.view, form, slice.range, range_option(options), slice.criteria},
                               settings);
        });
    check_options(options, options.at ? std::string_view() : view.name());
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());
    settings.symbols = options.elf.load(trace, settings, messages);

    Findings findings(findings_shown_per_rule);
    TextOutput out(STDOUT_FILENO);
    if (form == TextForm::text) fit_to_terminal(out);
    // If the user ends the waiting, the missing end of the file is not reported.
    bool was_broken = false;
    if (follow) {
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
    std::optional<Pager> pager;
    std::vector<std::string> notes;
    naming(file, [&] {
        Dump dump(options, slice, form, trace, settings, findings, messages, out);
        if (options.pager && form == TextForm::text && !follow) pager.emplace();
        notes = dump.print(view);
    });
    if (!slice.unplaced.empty()) notes = {slice.unplaced};
    for (const std::string& note : notes)
        messages.note(file, note);
    if (follow && !follow->loss().empty()) messages.note(file, follow->loss());
    return is_over() && !was_broken ? Exit::done : conclude(options, findings, file, messages);
}

}  // namespace

Exit dump_command(const DumpOptions& options) {
    Messages messages = options.common.messages(dump_tool);
    const TextForm form = text_form_of(options.format);
    check_choices(options, form);
    options.csv.apply(form == TextForm::csv);
    if (!options.tables.empty()) {
        check_options(options, {});
        return dump_tables(options);
    }
    if (options.force) fail(Failure::usage, "--force replaces the folder of -o; add -o FOLDER, or leave out --force");
    if (!options.view.empty()) check_options(options, options.view);  // before any file is opened
    options.part.check();
    Settings settings = options.common.settings();
    settings.tool = dump_tool;
    settings.version = version();
    if (options.disassembly == "off") settings.disassembly = Disassembly::off;
    const Format* const forced = options.common.source_format();
    if (options.follow && forced != nullptr) check_follows(*forced);
    refuse_written_folder(options.input, options.common.formats());
    TraceFile trace{Input::open(options.input), nullptr};
    std::optional<Follow> follow;
    if (options.follow) {
        follow_beginning(options, trace, follow);
        if (follow->is_over()) return Exit::done;
    }
    trace.format = &known_format(trace.input, options.common, messages);
    if (follow) check_follows(*trace.format);
    const ShownSlice slice = find_slice(options, trace, settings, messages);
    if (options.part.require_match && !has_match(slice, trace, settings, messages)) return Exit::no;
    return dump_trace(options, form, slice, trace, settings, follow, messages);
}

}  // namespace hwtrace::cli

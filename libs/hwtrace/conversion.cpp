#include "hwtrace/conversion.hpp"

#include <algorithm>
#include <utility>

#include "codec/behind_writer.hpp"
#include "convert/prescan.hpp"
#include "hwtrace/identify.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "operate/position_count.hpp"

namespace hwtrace {

struct Conversion::State {
    State(const Format& target, ConversionOptions chosen) : to(target), options(std::move(chosen)) {
        report.to = &to;
        if (!to.can_write())
            fail(Failure::usage, std::string(to.name) + ": hwtrace reads this format, but does not write it");
        report.findings = Findings(options.findings_per_rule);
        choices = {options.time, options.range, options.settings, options.criteria, options.index};
        if (int{options.range.has_value()} + int{options.first.has_value()} + int{options.last.has_value()} +
                int{options.shard.has_value()} >
            1)
            fail(Failure::usage, "a range, a number of first or last positions and a shard exclude each other");
        if (options.verify) check_verifiable(to);
    }

    bool has_input() const noexcept { return input.has_value(); }
    Reader& reader() noexcept { return own != nullptr ? *own : prepared->reader(); }
    const Schema& schema() const noexcept { return own != nullptr ? own->schema() : prepared->schema(); }
    void make_plan();

    const Format& to;
    ConversionOptions options;
    Choices choices;
    ConversionReport report;

    std::optional<Input> input;
    Reader* own = nullptr;  // a reader of the program instead of an input
    Format own_format{};    // describes `own`
    std::optional<PreparedSource> prepared;
    std::optional<Plan> plan;
    Output* output = nullptr;
    Settings for_writer;
    std::unique_ptr<Writer> writer;
    bool took_back = false;  // see PartLosses
};

void Conversion::State::make_plan() {
    if (own != nullptr) {
        plan = hwtrace::make_plan(own->schema(), own_format, to, choices, report.losses);
        return;
    }
    const Format& from = *report.from;
    if (needs_spooling(*input, from)) input->spool(choices.settings.temporary_folder);
    naming(report.source, [&] {
        if (options.first) choices.range = first_range(*options.first, *input, from, to, choices);
        if (options.last) choices.range = last_range(*options.last, *input, from, to, choices);
        if (options.shard) choices.range = shard_range(*options.shard, *input, from, to, choices);
        prepared.emplace(*input, from, to, choices.settings, report.findings, choices.criteria.records, choices.index);
        plan = hwtrace::make_plan(prepared->schema(), prepared->format(), to, choices, report.losses);
    });
}

Conversion::Conversion(Input input, const Format& from, const Format& to, ConversionOptions options)
    : state_(std::make_unique<State>(to, std::move(options))) {
    State& s = *state_;
    s.report.source = input.name();
    s.report.from = &from;
    s.input.emplace(std::move(input));
    Settings& settings = s.choices.settings;
    settings.source_format = from.name;
    settings.window = reading_window(s.choices.range, s.choices.criteria, &to);
    // Seeking to a range would skip records that a verification must check.
    if (s.options.verify && !s.options.range && !s.options.first && !s.options.last && !s.options.shard)
        settings.check = CheckLevel::full;
}

Conversion::Conversion(Reader& reader, const Format& to, ConversionOptions options)
    : state_(std::make_unique<State>(to, std::move(options))) {
    State& s = *state_;
    if (s.options.first || s.options.last || s.options.shard)
        fail(Failure::usage, "the first and last positions and shards are known only for files; give a range instead");
    s.own = &reader;
    s.own_format.name = "program";
    s.own_format.title = "the data of a program";
    s.own_format.reads.time_ordered = s.options.time_ordered;
    for (const Track& track : reader.schema().tracks())
        s.own_format.reads.shapes.add(track.kind);
}

Conversion::Conversion(Conversion&& other) noexcept = default;
Conversion& Conversion::operator=(Conversion&& other) noexcept = default;
Conversion::~Conversion() = default;

Plan& Conversion::plan() {
    if (!state_->plan) state_->make_plan();
    return *state_->plan;
}
const Schema& Conversion::schema() const noexcept {
    return state_->schema();
}
const Choices& Conversion::choices() const noexcept {
    return state_->choices;
}
ConversionReport& Conversion::report() noexcept {
    return state_->report;
}

void Conversion::begin(Output& output) {
    State& s = *state_;
    s.output = &output;
    if (s.options.verify && s.has_input()) s.input->spool(s.choices.settings.temporary_folder);
    const Plan& made = plan();
    naming(s.report.source, [&] {
        s.for_writer = s.prepared ? s.prepared->for_writer(s.to, s.choices.settings) : s.choices.settings;
        const Schema& schema = made.target_schema(s.schema());
        // Without stages, a copy of the schema and all texts would cost more than another thread saves.
        if (made.stages.empty())
            s.writer = create_writer(s.to, output, schema, s.for_writer, s.report.losses, &s.report.findings);
        else
            s.writer = create_behind(s.to, output, schema, s.for_writer, s.report.losses, &s.report.findings);
    });
}

void Conversion::run() {
    State& s = *state_;
    const std::optional<std::uint64_t> size = s.has_input() ? s.input->size() : std::nullopt;
    const auto progress = [&](std::uint64_t bytes) {
        if (s.options.progress) s.options.progress(bytes, size);
    };
    progress(0);
    naming(s.report.source, [&] { hwtrace::convert(s.reader(), *s.plan, *s.writer, progress, &s.report.counts); });
    s.took_back = s.plan->part && s.plan->part->took_back();
    s.report.size = s.output->size();
    s.writer.reset();
    s.plan.reset();
    s.prepared.reset();  // verify() reads the input again
}

bool Conversion::is_refused() const noexcept {
    return state_->options.strict && !state_->report.is_whole();
}

const Verification& Conversion::verify() {
    State& s = *state_;
    const Format* const from = s.report.from;
    std::string reason =
        reason_not_to_compare(s.to, s.choices, s.report.losses, s.report.findings.effect(), s.took_back);
    if (reason.empty() && from == nullptr) reason = "the source is a program";
    VerifiedOutput written{*s.output, s.to, s.choices, std::move(reason), {}, {}};
    written.compare = [&](Input& output, Findings& findings) {
        return verify_conversion(*s.input, *from, output, s.to, s.choices, findings);
    };
    // The input of a slice has been checked only as far as it was needed for the slice.
    const bool is_checked = s.choices.settings.check >= CheckLevel::full;
    FaultsOfSources faults;
    if (from == &s.to) {
        faults.add(*s.input, *from, s.choices.settings);
        written.faults_of_source = [&](std::string_view rule) {
            return is_checked ? s.report.findings.total(rule) : faults.total(rule);
        };
    }
    return s.report.verification = verify_output(written);
}

namespace {

const Format& target_format(const std::string& target, const ConversionOptions& options) {
    refuse_url_as_output(target);
    if (options.to != nullptr) return *options.to;
    if (const Format* const format = format_by_extension(options.formats, target)) return *format;
    fail(Failure::usage, target + ": the extension names no known format; known formats are " +
                             format_names(writable(options.formats)));
}

ConversionReport finish(Conversion conversion, Output& output, bool verifies) {
    conversion.begin(output);
    conversion.run();
    ConversionReport& report = conversion.report();
    if (conversion.is_refused() || (verifies && !conversion.verify().passed())) return std::move(report);
    output.commit();
    report.written = true;
    return std::move(report);
}

ConversionOptions named(ConversionOptions options, const std::string& target) {
    options.settings.output_name = target;
    return options;
}

}  // namespace

ConversionReport convert(const std::string& source, const std::string& target, const ConversionOptions& options) {
    const Format& to = target_format(target, options);
    Input input = Input::open(source);
    const Format& from = options.from != nullptr ? *options.from : known_format(input, options.formats, options.note);
    const auto output = open_target(to, options.settings, target, options.existing, {input.identity()});
    return finish(Conversion(std::move(input), from, to, named(options, target)), *output, options.verify);
}

ConversionReport convert(Reader& reader, const std::string& target, const ConversionOptions& options) {
    const Format& to = target_format(target, options);
    const auto output = open_target(to, options.settings, target, options.existing);
    return finish(Conversion(reader, to, named(options, target)), *output, options.verify);
}

}  // namespace hwtrace

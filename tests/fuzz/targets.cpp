#include "fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "operate/merged_reader.hpp"
#include "operate/recovery.hpp"
#include "support/testdata.hpp"
#include "views/model_views.hpp"

namespace hwtrace::fuzz {

namespace {

using Bytes = std::vector<std::byte>;

/// Returns settings with low limits, so that runs are fast and large allocations are found.
Settings careful(CheckLevel level) {
    Settings settings;
    settings.check = level;
    settings.limits.block = 4u << 20;
    settings.limits.record = 1u << 20;
    settings.limits.string = 1u << 20;
    settings.limits.schema_objects = 1u << 14;
    settings.limits.zstd_window = 8u << 20;
    return settings;
}

/// The maximum number of records to read, because a small input can hold very many.
constexpr std::uint64_t enough_records = 20'000;

void check(const Error& error) {
    if (error.failure() == Failure::internal) broken(error.what());
    if (std::string_view(error.what()).empty()) broken("an error without a message");
}

void check(const Findings& findings) {
    for (const Finding& finding : findings.kept())
        if (describe(finding).empty()) broken("a finding without a description");
}

void read_with(std::span<const std::byte> bytes, const Format& format, bool verify) {
    const Settings settings = careful(verify ? CheckLevel::semantic : CheckLevel::delivery);
    Findings findings;
    try {
        Input input = Input::memory("fuzz", bytes);
        const auto reader = format.open(input, settings, findings);
        TextOutput text(-1, 4096);
        dump_schema(reader->schema(), text);
        Batch batch;
        std::uint64_t records = 0;
        for (; records < enough_records && reader->read(batch); batch.clear()) {
            if (batch.empty()) broken("a read that returns true but no records");
            records += batch.records().size();
            text.clear();
            dump_records(reader->schema(), batch, text);
        }
        if (reader->facts().empty()) broken("a reader without facts");
    } catch (const Error& error) {
        check(error);
        // An unsupported feature is not a fault of the input. Every other refusal must have a finding.
        const bool unsupported = std::string_view(error.what()).find("not supported") != std::string_view::npos;
        if (error.failure() == Failure::input && findings.kept().empty() && !unsupported)
            broken(std::string("refused without a finding: ") + error.what());
    }
    check(findings);
}

void view_with(std::span<const std::byte> bytes, const View& view) {
    Findings findings;
    TextOutput text(-1, 4096);
    try {
        Input input = Input::memory("fuzz", bytes);
        view.render(input, text, careful(CheckLevel::delivery), findings);
    } catch (const Error& error) {
        check(error);
    }
    check(findings);
}

/// A reader that stops early.
class ShortReader final : public Reader {
public:
    ShortReader(Reader& reader, std::uint64_t most) : reader_(reader), left_(most) {}

    Schema& schema() override { return reader_.schema(); }
    bool read(Batch& batch) override {
        if (left_ == 0 || !reader_.read(batch)) return false;
        left_ -= std::min<std::uint64_t>(left_, batch.records().size());
        return true;
    }
    Facts facts() const override { return reader_.facts(); }
    std::uint64_t position() const override { return reader_.position(); }

private:
    Reader& reader_;
    std::uint64_t left_;
};

/// Renders one view of the model in one form. `choice` selects both.
void view_model_with(std::span<const std::byte> bytes, const Format& format, std::size_t choice) {
    constexpr TextForm forms[] = {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv};
    const std::span<const ModelView> views = model_views();
    const ModelView& view = views[choice % views.size()];
    const TextForm form = forms[choice / views.size() % std::size(forms)];
    const Settings settings = careful(CheckLevel::delivery);
    Findings findings;
    try {
        Input input = Input::memory("fuzz", bytes);
        const auto reader = format.open(input, settings, findings);
        ShortReader first(*reader, enough_records);
        TextOutput text(-1, 4096);
        ViewOptions options;
        options.schema_upfront = format.reads.schema_upfront;
        view.render(first, form, options, settings, text, {});
    } catch (const Error& error) {
        check(error);
    }
}

struct Converted {
    Bytes bytes;
    Losses losses;
    bool valid = false;      ///< the input is valid; it may have notes and warnings
    bool complete = false;   ///< the input is valid without any finding
    std::string unexpected;  ///< losses that were not predicted
};

/// Selects whether lowerings are kept or undone when converting to a target that keeps them by default.
enum class Lowered : std::uint8_t { as_it_is, raised };

Converted convert_to(std::span<const std::byte> bytes, const Format& from, const Format& to,
                     Lowered lowered = Lowered::as_it_is) {
    Converted converted;
    Findings findings;
    Choices choices;
    Settings& settings = choices.settings;
    settings = careful(CheckLevel::delivery);
    if (to.writes.accepts_any_trace() && lowered == Lowered::raised)
        settings.set(*std::ranges::find(to.options, "jsonl-raise", &Option::key), "on");
    Input input = Input::memory("fuzz", bytes);
    PreparedSource source(input, from, to, settings, findings);
    Plan plan = make_plan(source.schema(), source.format(), to, choices, converted.losses);
    std::vector<ExpectedLoss> foretold = plan.losses;
    const auto output = open_memory_output("fuzz", [&](Bytes all) { converted.bytes = std::move(all); });
    const auto writer = to.create(*output, plan.target_schema(source.schema()), settings, converted.losses);
    for (const auto& entry : converted.losses.entries())  // the schema alone may have losses, too
        foretold.push_back({entry.first.first, entry.first.second, {}});
    convert(source.reader(), plan, *writer);
    output->commit();
    converted.valid = findings.verdict() == Verdict::valid;
    converted.complete = findings.total_at_least(Severity::note) == 0;
    for (const auto& entry : converted.losses.entries()) {
        const Losses::Key& key = entry.first;
        const bool known = std::any_of(foretold.begin(), foretold.end(), [&](const ExpectedLoss& loss) {
            return loss.loss == key.first && (loss.subject == key.second || loss.subject == "*");
        });
        if (!known) converted.unexpected += " " + std::string(name_of(key.first)) + " " + key.second;
    }
    return converted;
}

/// Returns true if two traces of one format are equal. Schemas are compared only if `with_schema` is set.
bool same_model(std::span<const std::byte> bytes, std::span<const std::byte> other, const Format& format,
                bool with_schema) {
    Input input = Input::memory("fuzz", bytes), other_input = Input::memory("fuzz", other);
    Findings findings, other_findings;
    const Choices choices{.time = {}, .range = {}, .settings = careful(CheckLevel::delivery)};
    const Comparison comparison = compare(
        {ComparedTrace{input, format, choices, findings}, ComparedTrace{other_input, format, choices, other_findings}},
        {});
    return with_schema ? comparison.equal() : comparison.totals().same();
}

std::uint64_t records_in(std::span<const std::byte> bytes, const Format& format) {
    Findings findings;
    const Settings settings = careful(CheckLevel::delivery);
    Input input = Input::memory("fuzz", bytes);
    const auto reader = format.open(input, settings, findings);
    std::uint64_t records = 0;
    Batch batch;
    for (; records < enough_records && reader->read(batch); batch.clear())
        records += batch.records().size();
    return records;
}

/// Returns true if anything was lost except metadata of the two formats about their files. Even a lossless conversion
/// drops this metadata, for example if a trace has no records.
bool lost_but_facts_of(const Losses& losses, const Format& a, const Format& b) {
    const auto is_fact_of = [](std::string_view key, const Format& format) {
        return key.starts_with(format.name) && key.substr(format.name.size()).starts_with('.');
    };
    return std::any_of(losses.entries().begin(), losses.entries().end(), [&](const auto& entry) {
        const auto& [loss, subject] = entry.first;
        return loss != Loss::metadata_dropped || !(is_fact_of(subject, a) || is_fact_of(subject, b));
    });
}

void there_and_back(std::span<const std::byte> bytes, const Format& from, const Format& to) {
    Converted there;
    try {
        there = convert_to(bytes, from, to);
    } catch (const Error& error) {
        check(error);
        return;
    }
    const std::string names = std::string(from.name) + " -> " + std::string(to.name);
    // A plan cannot predict the effects of damage. These effects are counted like other losses.
    if (there.valid && !there.unexpected.empty())
        broken(names + ": losses that were not predicted:" + there.unexpected);

    Findings findings;
    const Settings settings = careful(CheckLevel::full);  // the source was already inconsistent
    try {
        Input input = Input::memory("fuzz", there.bytes);
        const auto reader = to.open(input, settings, findings);
        Batch batch;
        for (; reader->read(batch); batch.clear()) {
        }
    } catch (const Error& error) {
        if (error.failure() == Failure::limit) return;
        broken(names + ": cannot read what was written: " + error.what());
    }
    // The output may have the faults of the source's contents, but no fault in its encoding.
    if (there.complete && there.losses.none() && findings.total_at_least(Severity::error) != 0)
        broken(names + ": wrote an invalid file: " + describe(findings.kept().front()));
    if (!there.complete || !there.losses.none()) return;

    const bool same_schema = &from == &to || to.writes.time == TimeLimit::only_picoseconds;
    if (&from == &to) {
        if (!same_model(bytes, there.bytes, from, same_schema)) broken(names + ": another model");
        return;
    }
    const Converted back = convert_to(there.bytes, to, from, Lowered::raised);
    if (lost_but_facts_of(back.losses, from, to)) broken(names + " and back: losses");
    if (to.writes.holds.has(Shape::hart) &&
        !to.writes.accepts_any_trace()) {  // the target has no time, so converting back may use another clock
        if (convert_to(back.bytes, from, to).bytes != there.bytes) broken(names + ", back, and there: other bytes");
        return;
    }
    // A declaration may depend on metadata whose loss was counted.
    if (!same_model(bytes, back.bytes, from, same_schema && back.losses.none()))
        broken(names + " and back: another model");
}

constexpr std::size_t short_heads = 64;

/// Runs format detection for each format alone and for all formats together, on the whole head and on its first
/// `length` bytes.
void sniff(std::span<const std::byte> bytes, std::size_t length) {
    const Head head = bytes.first(std::min(bytes.size(), longest_head));
    const std::vector<const Format*> readable = test::readable_formats();
    if (std::ranges::count_if(readable, [&](const Format* format) { return format->sniff(head); }) > 1)
        broken("claimed by more than one format");
    for (const Format* const format : readable)
        static_cast<void>(format->sniff(head.first(std::min(head.size(), length))));
}

std::size_t ways_to_read(const Format& format) {
    return 3 + format.views.size();
}

/// Reads `bytes` as the tools do: with and without verification, through a view of the model and through the format's
/// views.
void read_as(const Format& format, std::span<const std::byte> bytes, std::size_t way) {
    if (way < 2)
        read_with(bytes, format, way == 1);
    else if (way == 2)
        view_model_with(bytes, format, bytes.size() / ways_to_read(format));
    else
        view_with(bytes, format.views[way - 3]);
}

/// Converts `bytes`, which may be a `from` trace, to another format and back. Without findings and losses, the model
/// must be unchanged. Every loss must have been predicted, and the output must be valid.
void round_trip_of(const Format& from, std::span<const std::byte> bytes, std::size_t to) {
    Input input = Input::memory("fuzz", bytes);
    if (sniff_format(formats(), input) != &from) return;
    try {
        if (records_in(bytes, from) >= enough_records) return;
    } catch (const Error& error) {
        check(error);
        return;
    }
    there_and_back(bytes, from, *formats()[to]);
}

/// Compares the trace in `bytes` with itself. There must be no difference. Also recovers the trace. The result must be
/// valid.
void compare_and_recover(std::span<const std::byte> bytes, std::size_t) {
    Input input = Input::memory("fuzz", bytes), again = Input::memory("fuzz", bytes);
    const Format* const format = sniff_format(formats(), input);
    if (format == nullptr) return;
    try {
        if (records_in(bytes, *format) >= enough_records) return;
        Findings findings, findings_again, findings_about_input;
        const Choices choices{.time = {}, .range = {}, .settings = careful(CheckLevel::delivery)};
        const Comparison comparison = compare(
            {ComparedTrace{input, *format, choices, findings}, ComparedTrace{again, *format, choices, findings_again}},
            {});
        if (!comparison.equal()) broken("a trace differs from itself");
        Settings settings = careful(CheckLevel::full);
        settings.source_format = format->name;
        Bytes result;
        const Recovery recovery =
            recover(input, *format, *format, findings_about_input,
                    {.settings = settings, .make_output = [&] {
                         return open_memory_output("recovered", [&](Bytes all) { result = std::move(all); });
                     }});
        if (!recovery.output) return;
        recovery.output->commit();
        Findings findings_about_result;
        Input recovered = Input::memory("recovered", result);
        const auto reader = format->open(recovered, settings, findings_about_result);
        for (Batch batch; reader->read(batch);)
            batch.clear();
        if (findings_about_result.verdict() != Verdict::valid) broken("the recovered trace is not valid");
    } catch (const Error& error) {
        check(error);
    }
}

/// Returns the two traces in `bytes`. The first two bytes state the length of the first one.
std::array<std::span<const std::byte>, 2> pair_in(std::span<const std::byte> bytes) {
    if (bytes.size() < 2) return {};
    const std::size_t cut = std::to_integer<std::size_t>(bytes[0]) * 256 + std::to_integer<std::size_t>(bytes[1]);
    bytes = bytes.subspan(2);
    return {bytes.first(std::min(cut, bytes.size())), bytes.subspan(std::min(cut, bytes.size()))};
}

/// Compares two traces in both orders.
void compare_pair(std::span<const std::byte> bytes, std::size_t) {
    const auto parts = pair_in(bytes);
    const auto compared = [&](std::size_t first) {
        std::array<Findings, 2> findings;
        std::vector<ComparedTrace> traces;
        std::deque<Input> inputs;
        const Choices choices{.time = {}, .range = {}, .settings = careful(CheckLevel::delivery)};
        for (const std::size_t part : {first, 1 - first}) {
            Input& input = inputs.emplace_back(Input::memory("fuzz", parts[part]));
            const Format* const format = sniff_format(formats(), input);
            if (format == nullptr || records_in(parts[part], *format) >= enough_records)
                return std::optional<Comparison>();
            traces.push_back({input, *format, choices, findings[part]});
        }
        return std::optional(compare({traces[0], traces[1]}, {}));
    };
    try {
        const auto there = compared(0), back = compared(1);
        if (!there || !back) return;
        if (there->equal() != back->equal()) broken("equality depends on the order of the two traces");
        if (there->records[0] != back->records[1] || there->records[1] != back->records[0])
            broken("the number of records depends on the order of the two traces");
    } catch (const Error& error) {
        check(error);
    }
}

/// Merges two traces into JSON lines. The result must be a valid trace. If nothing was lost, the result has all
/// records of both traces.
void merge(std::span<const std::byte> bytes, std::size_t) {
    const auto parts = pair_in(bytes);
    const Settings settings = careful(CheckLevel::delivery);
    const Choices choices{.time = {}, .range = {}, .settings = settings};
    const Format& to = **std::ranges::find(formats(), "jsonl", &Format::name);
    try {
        Losses losses;
        std::deque<Input> inputs;
        std::deque<Findings> findings;
        std::deque<PreparedSource> prepared;
        std::vector<MergedSource> sources;
        std::vector<const Format*> from;
        for (const auto& part : parts) {
            Input& input = inputs.emplace_back(Input::memory("fuzz", part));
            const Format* const format = sniff_format(formats(), input);
            if (format == nullptr || records_in(part, *format) >= enough_records) return;
            from.push_back(format);
            PreparedSource& source =
                prepared.emplace_back(input, *format, whole_model(), settings, findings.emplace_back());
            Plan plan = make_source_plan(source.schema(), source.format(), to, choices, losses, false);
            sources.push_back({std::to_string(sources.size()), &source.reader(), &source.schema(), std::move(plan)});
        }
        Bytes merged;
        ConversionCounts counts;
        MergedReader reader(std::move(sources), {}, {}, losses);
        {
            const Format merged_from = merged_format(from);
            Plan plan = make_plan(reader.schema(), merged_from, to, choices, losses);
            const auto output = open_memory_output("fuzz", [&](Bytes all) { merged = std::move(all); });
            const auto writer = to.create(*output, plan.target_schema(reader.schema()), settings, losses);
            counts = convert(reader, plan, *writer);
            output->commit();
        }
        Findings about_result;
        Input written = Input::memory("merged", merged);
        const Settings checking = careful(CheckLevel::full);
        const auto again = to.open(written, checking, about_result);
        std::uint64_t records = 0;
        for (Batch batch; again->read(batch); batch.clear())
            records += batch.records().size();
        if (about_result.verdict() != Verdict::valid)
            broken("merged into an invalid trace: " + describe(about_result.kept().front()));
        if (losses.none() && records != counts.records_written) broken("merged traces lack records");
    } catch (const Error& error) {
        check(error);
    }
}

/// Adds the target of a format.
void add(std::vector<Target>& targets, const std::string& name, const Format& format,
         std::size_t (*parts)(const Format&), void (*run)(const Format&, std::span<const std::byte>, std::size_t)) {
    targets.push_back({name + "-" + std::string(format.name), Seeds::traces,
                       [&format, run](std::span<const std::byte> bytes, std::size_t part) { run(format, bytes, part); },
                       parts(format), &format});
}

/// Adds one target per format.
void add_for_formats(std::vector<Target>& targets, const std::string& name, std::size_t (*parts)(const Format&),
                     void (*run)(const Format&, std::span<const std::byte>, std::size_t)) {
    for (const Format* const format : formats())
        add(targets, name, *format, parts, run);
}

}  // namespace

void broken(const std::string& what) {
    std::fprintf(stderr, "broken: %s\n", what.c_str());
    std::abort();
}

const std::vector<Target>& targets() {
    static const std::vector<Target> all = [] {
        std::vector<Target> made{{"sniff", Seeds::heads, sniff, short_heads}};
        add_for_formats(made, "read", ways_to_read, read_as);
        for (const Format* const format : test::read_only_formats())
            add(made, "read", *format, ways_to_read, read_as);
        add_for_formats(
            made, "round-trip", [](const Format&) { return formats().size(); }, round_trip_of);
        made.push_back({"compare-and-recover", Seeds::traces, compare_and_recover});
        made.push_back({"compare", Seeds::pairs_of_traces, compare_pair});
        made.push_back({"merge", Seeds::pairs_of_traces, merge});
        add_decoders(made);
        return made;
    }();
    return all;
}

const Target* find_target(std::string_view name) {
    const auto found = std::ranges::find(targets(), name, &Target::name);
    return found == targets().end() ? nullptr : &*found;
}

}  // namespace hwtrace::fuzz

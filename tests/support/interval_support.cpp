#include "support/interval_support.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <sstream>

#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"

namespace hwtrace::test {

namespace {

Format format_of_intervals(bool ordered) {
    Format format{};
    format.name = "waits";
    format.title = "intervals";
    format.reads = {.shapes = {Shape::stream, Shape::event_type, Shape::notes, Shape::native, Shape::storage},
                    .schema_upfront = ordered,
                    .time_ordered = ordered};
    format.writes = {.holds = {Shape::stream, Shape::event_type, Shape::notes, Shape::native, Shape::storage},
                     .growing_schema = true};
    return format;
}

}  // namespace

const Format intervals_only = format_of_intervals(true);
const Format unordered_intervals = format_of_intervals(false);

TrackId IntervalTrace::stream(ScopeId scope, std::string name, TimeBase time, std::vector<Field> attributes) {
    Track track;
    track.kind = Track::Kind::stream;
    track.scope = scope;
    track.name = std::move(name);
    track.time = time;
    track.fields = std::move(attributes);
    return schema.declare(std::move(track));
}

Batch& IntervalTrace::batch() {
    if (batches.empty() || batches.back().full()) batches.emplace_back();
    return batches.back();
}

std::vector<const Batch*> IntervalTrace::pointers() const {
    std::vector<const Batch*> all;
    for (const Batch& one : batches)
        all.push_back(&one);
    return all;
}

IntervalTrace random_intervals(const Wanted& wanted) {
    IntervalTrace trace;
    std::mt19937_64 random(wanted.seed);
    trace.schema.describe("waits.version", "3");
    const ScopeId root = trace.schema.declare(Scope{"npu", none, {}, none});
    std::vector<TrackId> streams;
    for (const std::string core : {"core0", "core7"}) {
        const ScopeId scope = trace.schema.declare(Scope{core, root, {}, none});
        for (const std::string name : {"MAC", "DMA", "WAIT"}) {
            std::vector<Field> attributes;
            if (wanted.attributes && name != "WAIT")
                attributes = {{"api_name", Type::text}, {"bytes", Type::u32}, {"delta", Type::i64}};
            streams.push_back(trace.stream(scope, name, wanted.time, attributes));
        }
    }
    std::vector<Tick> begins;
    for (std::size_t i = 0; i < wanted.count; ++i)
        begins.push_back(static_cast<Tick>(random() % wanted.spread));
    if (wanted.ordered) std::sort(begins.begin(), begins.end());
    for (const Tick begin : begins) {
        const TrackId track = streams[random() % streams.size()];
        std::uint64_t duration = random() % 5 == 0 ? 0 : random() % 40;
        if (wanted.huge && random() % 4 == 0) duration = random() >> (random() % 64);
        std::vector<Attribute> attributes;
        if (!trace.schema.tracks()[track].fields.empty()) {
            const std::array<std::uint64_t, 3> values{trace.schema.intern(std::string(random() % 4, 'x')),
                                                      random() & 0xFFFF'FFFF, random()};
            for (std::uint32_t field = 0; field < values.size(); ++field)
                if (random() % 2 == 0) attributes.push_back({field, values[field]});
        }
        trace.batch().interval(track, begin, duration, attributes);
    }
    return trace;
}

std::string model_of(Reader& reader, const Schema& source, Plan& plan) {
    TextOutput records(-1), text(-1);
    const Schema& schema = plan.target_schema(source);
    StageRun stages(plan);
    const auto put = [&](const Batch& batch) { dump_records(schema, batch, records); };
    Batch batch;
    for (; reader.read(batch); batch.clear())
        put(stages.apply(batch));
    stages.finish(put);
    dump_schema(schema, text);
    return std::string(text.text()).append(records.text());
}

std::string model_of(IntervalTrace& trace) {
    Canned reader(trace.schema, trace.pointers());
    Plan nothing;
    return model_of(reader, trace.schema, nothing);
}

std::vector<std::string> records_behind(IntervalTrace& trace, Plan& plan) {
    Canned reader(trace.schema, trace.pointers());
    std::istringstream text(model_of(reader, trace.schema, plan));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
        if (!line.empty() && (line[0] == '-' || (line[0] >= '0' && line[0] <= '9'))) lines.push_back(line);
    return lines;
}

std::string through(std::string_view format, IntervalTrace& trace, const Format& from, const Choices& choices,
                    Losses& losses, std::vector<std::byte>* file) {
    const Format& to = *find_format(formats(), format);
    std::vector<std::byte> bytes;
    const auto output = open_memory_output("made", [&](std::vector<std::byte> all) { bytes = std::move(all); });
    Canned reader(trace.schema, trace.pointers());
    Plan there = make_plan(trace.schema, from, to, choices, losses);
    const auto writer = to.create(*output, there.target_schema(trace.schema), choices.settings, losses);
    convert(reader, there, *writer);
    output->commit();
    if (file != nullptr) *file = bytes;

    Findings findings;
    Settings careful;
    careful.check = CheckLevel::full;
    Input input = Input::memory("made", bytes);
    PreparedSource back(input, to, from, careful, findings);
    Plan raising = make_raising_plan(back.schema(), from, choices, losses);
    std::string model = model_of(back.reader(), back.schema(), raising);
    for (const Finding& finding : findings.kept())
        model.append("finding ").append(describe(finding)).append("\n");
    return model;
}

std::string through_uscope(IntervalTrace& trace, const Format& from, const Choices& choices, Losses& losses,
                           std::vector<std::byte>* file) {
    return through("uscope", trace, from, choices, losses, file);
}

}  // namespace hwtrace::test

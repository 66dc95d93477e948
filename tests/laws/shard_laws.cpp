// Laws of shards: they divide a trace, and put together they are the trace again.
#include <doctest/doctest.h>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "laws/law_support.hpp"
#include "laws/trace_story.hpp"
#include "operate/concatenated_reader.hpp"
#include "operate/position_count.hpp"
#include "select/positions.hpp"

namespace shard_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 60'000;

bool is_rewritten(const Format& format) {
    return format.make_writer != nullptr && !format.writes.is_picture;
}

std::uint64_t positions_of(const Bytes& file, const Format& format) {
    Input input = Input::memory("sample", file);
    return count_positions(input, format, format, Choices{});
}

/// Returns true for files whose shards cannot be put together.
bool is_exception(const Sample& sample) {
    // Logs of pipelines cannot restate tables.
    if (sample.format->name == "kanata" || sample.format->name == "o3pipeview") return true;
    // Some records use a string before it is declared.
    if (sample.name.ends_with("jsonl/valid/everything.jsonl")) return true;
    // A control entry closes the trace and opens it again, so its positions begin again.
    if (sample.name.ends_with("flux/v4/v4_21_control.flux")) return true;
    // Only some shards need femtoseconds.
    return sample.name.ends_with("txlog/valid/recorder.lwtrt");
}

/// Returns true for files whose shards make the same trace with other bytes: the form of relations depends on the
/// streams that a shard knows, and empty blocks belong to no shard.
bool has_other_bytes(const Sample& sample) {
    return sample.name.ends_with("my_db_c.ftr") || sample.name.ends_with("48_empty_txblock.ftr") ||
           sample.name.ends_with("relation_old.hex");
}

/// A shard while it is read.
struct OpenShard {
    OpenShard(const Bytes& bytes, const Format& format)
        : input(Input::memory("shard", bytes)), source(input, format, format, settings, findings) {}
    Settings settings{};
    Findings findings{};
    Input input;
    PreparedSource source;
};

/// Puts shards together as hwtrace-merge --concat does.
Bytes concatenated(const std::vector<Bytes>& files, const Format& format) {
    Losses losses;
    std::deque<OpenShard> shards;
    std::vector<ShardSource> sources;
    Choices raising;
    raising.range = Range{Range::Unit::record, 0, std::nullopt};
    for (const Bytes& file : files) {
        OpenShard& shard = shards.emplace_back(file, format);
        Plan plan = make_raising_plan(shard.source.schema(), format, raising, losses);
        sources.push_back({"shard", &shard.source.reader(), &shard.source.schema(), std::move(plan)});
    }
    SourceFormat from = shards.front().source.format();
    const bool is_raised = !sources.front().plan.stages.empty();
    from.lateness.reset();
    for (const Shape shape : all_shapes)
        if (is_raised) from.reads.shapes.add(shape);
    from.reads.schema_upfront = from.reads.schema_upfront || is_raised;
    Choices choices;
    choices.settings.source_format = format.name;
    ConcatenatedReader reader(std::move(sources), choices.settings.limits);
    from.reads.time_ordered = from.reads.time_ordered || (is_raised && has_hart(reader.schema()));
    Plan plan = make_plan(reader.schema(), from, format, choices, losses);
    Bytes made;
    const auto output = open_memory_output("whole", [&](Bytes bytes) { made = std::move(bytes); });
    const Settings for_writer = shards.front().source.for_writer(format, choices.settings);
    const auto writer = format.create(*output, plan.target_schema(reader.schema()), for_writer, losses);
    convert(reader, plan, *writer);
    output->commit();
    return made;
}

/// Returns why the shards of `file` are not the whole, or an empty string.
std::string fault_of(const Bytes& file, const Bytes& whole, const Format& format, std::uint64_t count,
                     std::uint64_t positions) {
    try {
        std::vector<Bytes> shards;
        for (std::uint64_t number = 1; number <= count; ++number) {
            Choices choices;
            choices.range = range_of({number, count}, positions);
            shards.push_back(convert_bytes(file, format, format, choices).bytes);
        }
        const Bytes made = concatenated(shards, format);
        if (made == whole) return "";
        const TraceStory is = track_story(made, format, false), wanted = track_story(whole, format, false);
        return is.records == wanted.records && is.facts == wanted.facts ? "the bytes differ" : "the records differ";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("shards of a trace, put together, are the bytes of the whole") {
    std::uint64_t compared = 0;
    for (const Sample& sample : law_samples(corpus_limit)) {
        const Format& format = *sample.format;
        if (!is_rewritten(format) || is_exception(sample) || !read_story(sample.content.bytes, format).good()) continue;
        CAPTURE(sample.name);
        std::optional<Bytes> whole;
        try {
            whole = convert_bytes(sample.content.bytes, format, format).bytes;
        } catch (const Error&) {
            continue;  // the format reads more than it writes
        }
        const std::uint64_t positions = positions_of(sample.content.bytes, format);
        std::vector<std::uint64_t> counts{2, 3, 8};
        if (positions < 40) counts.push_back(positions + 2);
        for (const std::uint64_t count : counts) {
            CAPTURE(count);
            const std::string fault = fault_of(sample.content.bytes, *whole, format, count, positions);
            if (!has_other_bytes(sample) || fault != "the bytes differ") CHECK(fault == "");
            ++compared;
        }
    }
    CHECK(compared >= at_least(100));
}

}  // namespace shard_laws

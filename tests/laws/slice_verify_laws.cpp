// Laws of --verify for slices: a correct slice never reads back as another trace, in any format.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domain/picosecond_scale.hpp"
#include "formats.hpp"
#include "hwtrace/conversion.hpp"
#include "io/error.hpp"
#include "laws/law_support.hpp"
#include "select/positions.hpp"

namespace slice_verify_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t size_limit = 20'000;  // of a file; larger ones have the same records
constexpr std::size_t sample_step = 8;        // a sample run tries one conversion in so many

/// A slice as the command line states it.
struct Part {
    std::string name;
    std::optional<Range> range = {};
    std::optional<Shard> shard = {};
    Criteria criteria = {};
};

/// The extent of a trace.
struct Extent {
    std::uint64_t positions = 0;
    std::uint64_t end_ps = 0, end_cycle = 0;
    std::vector<std::string> tracks;
};

Extent extent_of(const Bytes& file, const Format& format) {
    Extent extent;
    Findings findings(0);
    Input input = Input::memory("sample", file);
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    PositionCounter counter(position_kind(reader->schema(), format.reads.shapes));
    std::vector<bool> used;
    for (Batch batch; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const Track& track = reader->schema().tracks()[record.track];
            counter.add(record, track);
            used.resize(std::max<std::size_t>(used.size(), record.track + 1));
            used[record.track] = true;
            const auto time = static_cast<std::uint64_t>(std::max<Tick>(record.time, 0));
            if (track.time.kind == TimeBase::Kind::cycles) extent.end_cycle = std::max(extent.end_cycle, time);
            if (track.time.kind != TimeBase::Kind::seconds) continue;
            const auto ps = PicosecondScale(track.time, 0).ps(static_cast<Tick>(time));
            extent.end_ps = std::max(extent.end_ps, static_cast<std::uint64_t>(ps.value_or(0)));
        }
    }
    extent.positions = counter.positions();
    for (TrackId id = 0; id < used.size(); ++id)
        if (used[id]) extent.tracks.push_back(reader->schema().tracks()[id].name);
    return extent;
}

/// Returns slices by position, time, cycle, shard and track, at the begin, in the middle and at the end.
std::vector<Part> parts_of(const Extent& extent) {
    std::vector<Part> parts;
    const auto add = [&](Range::Unit unit, std::string_view suffix, std::uint64_t begin,
                         std::optional<std::uint64_t> end) {
        const std::string last = end ? std::to_string(*end).append(suffix) : std::string();
        parts.push_back({std::to_string(begin).append(suffix).append(":").append(last), Range{unit, begin, end}});
    };
    const auto add_all = [&](Range::Unit unit, std::string_view suffix, std::uint64_t count) {
        if (count == 0) return;
        add(unit, suffix, 0, count / 2);
        add(unit, suffix, 1, count / 3);
        add(unit, suffix, 5, 20);
        add(unit, suffix, count / 3, count / 3 * 2);
        add(unit, suffix, count / 2, count / 2 + 1);
        add(unit, suffix, count / 2, std::nullopt);
        add(unit, suffix, count - 1, std::nullopt);
    };
    add_all(Range::Unit::record, "#", extent.positions);
    add_all(Range::Unit::time_ps, "ps", extent.end_ps);
    add_all(Range::Unit::cycle, "cyc", extent.end_cycle);
    for (std::uint64_t number = 1; number <= 3; ++number)
        parts.push_back({"shard " + std::to_string(number), {}, Shard{number, 3}});
    for (std::size_t i = 0; i < std::min<std::size_t>(extent.tracks.size(), 4); ++i) {
        Part part{"track=" + extent.tracks[i]};
        part.criteria.records.tracks = {extent.tracks[i]};
        parts.push_back(part);
        part.name += ", second half";
        part.range = Range{Range::Unit::record, extent.positions / 2, std::nullopt};
        parts.push_back(std::move(part));
    }
    return parts;
}

/// Returns the bug that --verify reports about a slice. Returns an empty string if there is none, or if the slice
/// cannot be converted.
std::string bug_of(const Sample& sample, const Format& to, const Part& part, std::size_t& compared) {
    try {
        ConversionOptions options;
        options.verify = true;
        options.range = part.range;
        options.shard = part.shard;
        options.criteria = part.criteria;
        Conversion conversion(Input::memory("sample", sample.content.bytes), *sample.format, to, options);
        const auto output = open_memory_output("output", [](Bytes) {});
        conversion.begin(*output);
        conversion.run();
        const Verification& result = conversion.verify();
        if (result.not_compared.empty()) ++compared;
        if (result.violation) return "the output violates " + std::string(result.violation->rule->id);
        if (result.difference)
            return "line " + std::to_string(result.difference->line) + ": expected '" + result.difference->expected +
                   "', found '" + result.difference->got + "'";
        return {};
    } catch (const Error& error) {
        return error.failure() == Failure::internal ? error.what() : "";
    }
}

}  // namespace

TEST_CASE("a correct slice verifies in any format, or the reason why it is not compared is stated") {
    std::size_t compared = 0;
    std::vector<Sample> samples = law_samples(0);
    for (Sample& sample : picture_samples())
        samples.push_back(std::move(sample));
    std::erase_if(samples, [](const Sample& sample) {
        return !sample.valid || sample.content.bytes.size() > size_limit ||
               read_story(sample.content.bytes, *sample.format, CheckLevel::full).verdict != Verdict::valid;
    });
    std::size_t tried = 0;
    for (const Sample& sample : samples) {
        CAPTURE(sample.name);
        for (const Part& part : parts_of(extent_of(sample.content.bytes, *sample.format))) {
            CAPTURE(part.name);
            for (const Format* to : formats()) {
                if (tried++ % (is_full_run() ? 1 : sample_step) != 0) continue;
                CAPTURE(to->name);
                CHECK(bug_of(sample, *to, part, compared) == "");
            }
        }
    }
    CHECK(compared >= at_least(5'000));
    MESSAGE(compared << " compared");
}

}  // namespace slice_verify_laws

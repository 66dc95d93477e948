// Laws of time ranges of .ftr files: a slice is the same whether or not the reader skips blocks outside it.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "ftr/chunks.hpp"
#include "ftr/time_window.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "select/selection.hpp"
#include "support/corpus.hpp"

namespace ftr_window_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 2'000'000;

const Format& ftr_format() {
    return *find_format(formats(), "ftr");
}

Range ps(std::uint64_t begin, std::optional<std::uint64_t> end) {
    return {Range::Unit::time_ps, begin, end};
}

/// The result of reading a slice.
struct PartStory {
    std::string records;
    std::vector<std::string> findings;
};

/// Reads the records in the range. With `windowed`, the reader knows the range.
PartStory read_part(const Bytes& file, const Range& range, bool windowed) {
    PartStory part;
    Input input = Input::memory("sample", file);
    Findings findings;
    findings.listen([&](const Finding& finding) { part.findings.emplace_back(finding.rule->id); });
    Settings settings;
    if (windowed) settings.window = reading_window(range, {});
    const auto reader = ftr_format().open(input, settings, findings);
    SelectionOptions options;
    options.earlier = Earlier::left_out;
    options.reads = ftr_format().reads;
    RangedReader ranged(*reader, range, options);
    TextOutput text(-1);
    Batch batch;
    for (; ranged.read(batch); batch.clear())
        dump_records(ranged.schema(), batch, text);
    part.records = std::string(text.text());
    return part;
}

/// Returns times in picoseconds at and around the start and end of each transaction. Returns an empty list if a time is
/// not a whole number.
std::vector<std::uint64_t> moments_of(const Bytes& file) {
    Input input = Input::memory("sample", file);
    Findings findings;
    const Settings settings;  // the reader refers to them
    const auto reader = ftr_format().open(input, settings, findings);
    std::set<std::uint64_t> ticks;
    std::uint64_t tick_ps = 0;
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            if (record.kind != Kind::interval) continue;
            const TimeBase& base = reader->schema().tracks()[record.track].time;
            const Scaled tick = scale(1, Ratio{base.num * (picoseconds_per_second / base.den), 1});
            if (base.den > picoseconds_per_second || tick.saturated || record.time < 0) continue;
            tick_ps = static_cast<std::uint64_t>(tick.value);
            ticks.insert(static_cast<std::uint64_t>(record.time));
            ticks.insert(static_cast<std::uint64_t>(record.time) + record.value);
        }
    }
    std::vector<std::uint64_t> moments;
    const std::size_t step = std::max<std::size_t>(1, ticks.size() / 6);
    std::size_t number = 0;
    for (const std::uint64_t tick : ticks) {
        std::uint64_t moment = 0;
        if (number++ % step != 0 || __builtin_mul_overflow(tick, tick_ps, &moment)) continue;
        if (moment > 0) moments.push_back(moment - 1);
        moments.push_back(moment);
        moments.push_back(moment + 1);
    }
    return moments;
}

std::vector<Range> ranges_of(const Bytes& file) {
    const std::vector<std::uint64_t> moments = moments_of(file);
    std::vector<Range> ranges;
    for (std::size_t i = 0; i < moments.size(); ++i) {
        ranges.push_back(ps(moments[i], moments[i] + 1));
        ranges.push_back(ps(moments[i], std::nullopt));
        ranges.push_back(ps(0, moments[i]));
        if (i + 4 < moments.size()) ranges.push_back(ps(moments[i], moments[i + 4]));
    }
    return ranges;
}

/// Returns true if the file has no mark that it was made from another trace.
bool is_plain(const Bytes& file) {
    Input input = Input::memory("sample", file);
    Findings findings;
    const Settings settings;  // the reader refers to them
    const auto reader = ftr_format().open(input, settings, findings);
    const auto& facts = reader->schema().metadata();
    return std::ranges::all_of(facts, [](const Metadata& fact) { return fact.key.starts_with("ftr."); });
}

std::vector<Sample> recordings() {
    std::vector<Sample> samples = law_samples(corpus_limit);
    std::erase_if(samples, [](const Sample& sample) {
        return sample.format != &ftr_format() || read_story(sample.content.bytes, ftr_format()).failure;
    });
    return samples;
}

Bytes convert_part(const Bytes& file, const Format& to, const Range& range, bool windowed) {
    Choices choices;
    choices.range = range;
    if (windowed) choices.settings.window = reading_window(range, {}, &to);
    return convert_bytes(file, ftr_format(), to, choices).bytes;
}

/// Returns a file written by our writer, with one stream of `count` transactions, one per tick.
Bytes many_blocks(std::uint64_t count, std::string_view block_times) {
    Schema schema;
    Track track;
    track.kind = Track::Kind::stream;
    track.scope = schema.declare(Scope{"s", none, "kind", none, 1});
    track.name = "g";
    track.time = picoseconds;
    track.native_id = 2;
    track.fields = {{"id", Type::u64}};
    for (int i = 0; i < 20; ++i) {
        Field field{"a" + std::to_string(i), Type::u64};
        field.phase = Phase::record;
        track.fields.push_back(field);
    }
    const TrackId generator = schema.declare(std::move(track));
    Settings settings;
    for (const Option& option : ftr_format().options)
        if (option.key == "ftr-block-times") settings.set(option, std::string(block_times));
    Bytes bytes;
    Losses losses;
    const auto output = open_memory_output("trace", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = ftr_format().create(*output, schema, settings, losses);
    Batch batch;
    std::vector<Attribute> attributes;
    for (std::uint64_t i = 0; i < count; ++i) {
        attributes.assign(1, {0, i + 1});
        // One attribute first occurs in the second half.
        for (std::uint32_t a = 1; a <= 20; ++a)
            if (a != 20 || i > count / 2) attributes.push_back({a, ~std::uint64_t{0}});
        batch.interval(generator, static_cast<Tick>(1000 + 10 * i), 25, attributes);
        if (!batch.full()) continue;
        writer->write(batch);
        batch.clear();
    }
    writer->write(batch);
    writer->finish();
    output->commit();
    return bytes;
}

std::vector<ftr::ChunkHead> blocks_of(const Bytes& file) {
    Input input = Input::memory("sample", file);
    const Limits limits;
    ftr::ChunkWalk walk(input, limits, nullptr);
    walk.begin();
    std::vector<ftr::ChunkHead> blocks;
    for (ftr::ChunkHead chunk; walk.next(chunk);)
        if (chunk.is(ftr::Chunk::block)) blocks.push_back(chunk);
    return blocks;
}

}  // namespace

TEST_CASE("the conversion of a time range to ticks of a file is exact") {
    using ftr::TimeWindow;
    const TraceWindow window{TraceWindow::Unit::time_ps, 1500, 3000};
    const TimeWindow nanoseconds(window, -9), picoseconds_too(window, -12), femtoseconds(window, -15);
    CHECK(nanoseconds.leaves_out(1, 1));
    CHECK_FALSE(nanoseconds.leaves_out(1, 2));
    CHECK_FALSE(nanoseconds.leaves_out(2, 2));
    CHECK(nanoseconds.leaves_out(3, 9));
    CHECK(picoseconds_too.leaves_out(1000, 1500));
    CHECK_FALSE(picoseconds_too.leaves_out(1500, 1500));
    CHECK_FALSE(picoseconds_too.leaves_out(0, 1501));
    CHECK_FALSE(picoseconds_too.leaves_out_block(1000, 1500));
    CHECK(picoseconds_too.leaves_out_block(1000, 1499));
    CHECK_FALSE(picoseconds_too.leaves_out_block(1499, 1000));
    CHECK(femtoseconds.leaves_out(0, 1'500'000));
    CHECK_FALSE(femtoseconds.leaves_out(0, 1'500'001));
    CHECK_FALSE(femtoseconds.leaves_out(2'999'999, 2'999'999));
    CHECK(femtoseconds.leaves_out(3'000'000, 3'000'000));
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const TimeWindow endless({TraceWindow::Unit::time_ps, most, std::nullopt}, 19);
    CHECK(endless.leaves_out(0, 0));
    CHECK_FALSE(endless.leaves_out(1, 1));
    CHECK_FALSE(endless.leaves_out(most, most));
}

TEST_CASE("a range has the same records whether blocks outside it are read or not") {
    std::size_t ranges = 0;
    for (const Sample& sample : recordings()) {
        CAPTURE(sample.name);
        for (const Range& range : ranges_of(sample.content.bytes)) {
            CAPTURE(range.begin);
            CAPTURE(range.end.value_or(0));
            const PartStory whole = read_part(sample.content.bytes, range, false);
            const PartStory part = read_part(sample.content.bytes, range, true);
            CHECK(difference(whole.records, part.records) == "");
            ++ranges;
        }
    }
    CHECK(ranges >= at_least(301));
}

TEST_CASE("a range becomes the same file whether blocks outside it are read or not") {
    std::size_t files = 0;
    for (const Sample& sample : recordings()) {
        const Bytes& file = sample.content.bytes;
        if (file.size() > 200'000 || !is_plain(file) || !read_story(file, ftr_format(), CheckLevel::full).good())
            continue;
        CAPTURE(sample.name);
        const std::vector<Range> ranges = ranges_of(sample.content.bytes);
        for (std::size_t i = 0; i < ranges.size(); i += 5) {
            CAPTURE(ranges[i].begin);
            CAPTURE(ranges[i].end.value_or(0));
            const Bytes part = convert_part(sample.content.bytes, ftr_format(), ranges[i], true);
            CHECK(part == convert_part(sample.content.bytes, ftr_format(), ranges[i], false));
            // Records outside the slice must not lead to declarations. Converting the slice therefore equals converting
            // a file that has only the slice.
            if (!convert_bytes(file, ftr_format(), ftr_format()).losses.none()) continue;
            for (const char* const name : {"uscope", "flux", "txlog"}) {
                const Format& to = *find_format(formats(), name);
                const Story story = read_story(convert_part(sample.content.bytes, to, ranges[i], true), to);
                const Story again = read_story(convert_bytes(part, ftr_format(), to).bytes, to);
                CHECK(difference(story.records, again.records) == "");
            }
            ++files;
        }
    }
    CHECK(files >= at_least(51));
}

TEST_CASE("blocks outside a range are not read") {
    for (const char* const times : {"block", "stream"}) {
        CAPTURE(times);
        const Bytes file = many_blocks(60'000, times);
        const std::vector<ftr::ChunkHead> blocks = blocks_of(file);
        REQUIRE(blocks.size() > 100);
        // The damage is in a block that is not examined in advance.
        Bytes damaged = file;
        const ftr::ChunkHead& block = blocks[blocks.size() / 4 | 1u];
        for (std::uint64_t at = block.content + 100; at < block.content + 300; ++at)
            damaged[static_cast<std::size_t>(at)] = std::byte{0xFF};
        const Range late = ps(blocks.back().end - 2000, blocks.back().end - 1000);
        const PartStory part = read_part(damaged, late, true);
        CHECK(part.findings == std::vector<std::string>{});
        CHECK(part.records == read_part(file, late, false).records);
        CHECK(std::count(part.records.begin(), part.records.end(), '\n') == 102);
        CHECK(read_part(damaged, late, false).findings != std::vector<std::string>{});
    }
}

TEST_CASE("if blocks state wrong times, all blocks are read, and a finding reports this") {
    const Bytes file = many_blocks(6'000, "block");
    const std::vector<ftr::ChunkHead> blocks = blocks_of(file);
    REQUIRE(blocks.size() > 8);
    // The head has a tag, an array, the stream, and a start and an end time of two bytes each. The second block gets
    // the times of the last block.
    Bytes lying = file;
    const auto head_of = [&](const ftr::ChunkHead& block) { return static_cast<std::size_t>(block.offset) + 3; };
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(head_of(blocks.back())), 6,
                lying.begin() + static_cast<std::ptrdiff_t>(head_of(blocks[1])));
    REQUIRE(blocks_of(lying)[1].start == blocks.back().start);
    const Range range = ps(blocks[1].start + 100, blocks[1].start + 200);
    const PartStory part = read_part(lying, range, true);
    CHECK(part.findings == std::vector<std::string>{"FTR044"});
    CHECK(part.records == read_part(file, range, false).records);
    CHECK(!part.records.empty());
    CHECK(convert_part(lying, ftr_format(), range, true) == convert_part(file, ftr_format(), range, true));
}

}  // namespace ftr_window_laws

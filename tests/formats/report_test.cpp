// Tests HTML reports: the numbers in the page are those of the trace, texts of a trace cannot break out of the page,
// and a sample stands for many slices.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/shows_findings.hpp"
#include "domain/length_counts.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "report/slice_sample.hpp"
#include "report/time_scale.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace report_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Json = nlohmann::json;
using Bytes = std::vector<std::byte>;

/// A page, and the data in it.
struct Page {
    std::string html;
    Json data;
};

/// Writes a report of batches.
Page report_of(const Schema& schema, const std::vector<Batch>& batches, const Findings* findings = nullptr) {
    Page page;
    Losses losses;
    const Settings settings;
    const auto output = open_memory_output("report.html", [&](Bytes bytes) {
        page.html.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    const auto writer = find_format(targets(), "report")->create(*output, schema, settings, losses);
    if (findings != nullptr) {
        auto* const shows = dynamic_cast<ShowsFindings*>(writer.get());
        REQUIRE(shows != nullptr);
        shows->show(*findings);
    }
    for (const Batch& batch : batches)
        writer->write(batch);
    writer->finish();
    output->commit();
    constexpr std::string_view mark = "id=\"data\">";
    const std::size_t begin = page.html.find(mark) + mark.size();
    page.data = Json::parse(page.html.substr(begin, page.html.find("</script>", begin) - begin));
    return page;
}

/// Returns an integer, which is a string if it is beyond 2^53.
std::uint64_t integer(const Json& value) {
    return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<std::uint64_t>();
}

/// A trace in memory.
struct Trace {
    Bytes content;
    Input input;
    std::unique_ptr<Reader> reader;
    std::vector<Batch> batches;
    Findings findings;
    Settings settings;

    /// Without `format`, the content decides.
    Trace(const std::string& name, Bytes bytes, const Format* format = nullptr)
        : content(std::move(bytes)), input(Input::memory(name, content)) {
        if (format == nullptr) format = sniff_format(formats(), input);
        REQUIRE_MESSAGE(format != nullptr, name);
        reader = format->open(input, settings, findings);
        for (;;) {
            Batch batch;
            if (!reader->read(batch)) break;
            batches.push_back(std::move(batch));
        }
    }
};

/// The counts and durations of a trace, taken from its records.
struct Counted {
    std::map<std::string, std::uint64_t> kinds;
    std::map<TrackId, std::uint64_t> tracks;
    std::map<TrackId, std::vector<std::uint64_t>> durations;

    explicit Counted(const std::vector<Batch>& batches) {
        for (const Batch& batch : batches)
            for (const Record& record : batch.records()) {
                ++kinds[std::string(name_of(record.kind))];
                ++tracks[record.track];
                if (record.kind == Kind::interval) durations[record.track].push_back(record.value);
            }
        for (auto& [track, list] : durations)
            std::ranges::sort(list);
    }
};

/// Returns the smallest duration that `per_cent` per cent do not exceed.
std::uint64_t exact_percentile(const std::vector<std::uint64_t>& sorted, std::uint64_t per_cent) {
    return sorted[(sorted.size() * per_cent + 99) / 100 - 1];
}

void check_durations(const Json& type, const std::vector<std::uint64_t>& sorted) {
    CHECK(integer(type["count"]) == sorted.size());
    CHECK(integer(type["least"]) == sorted.front());
    CHECK(integer(type["greatest"]) == sorted.back());
    CHECK(type["is_exact"] == true);
    CHECK(integer(type["p50"]) == exact_percentile(sorted, 50));
    CHECK(integer(type["p90"]) == exact_percentile(sorted, 90));
    CHECK(integer(type["p99"]) == exact_percentile(sorted, 99));
    std::uint64_t in_histogram = 0;
    for (std::size_t i = 1; i < type["histogram"].size(); i += 2)
        in_histogram += integer(type["histogram"][i]);
    CHECK(in_histogram == sorted.size());
}

/// Compares a report with its trace. Returns the number of intervals.
std::size_t check_report(const Trace& trace) {
    const Page page = report_of(trace.reader->schema(), trace.batches, &trace.findings);
    const Counted counted(trace.batches);
    std::map<std::string, std::uint64_t> kinds;
    for (const auto& [kind, count] : page.data["kinds"].items())
        kinds[kind] = integer(count);
    CHECK(kinds == counted.kinds);
    CHECK(page.data["tracks"].size() == trace.reader->schema().tracks().size());
    for (const Json& track : page.data["tracks"]) {
        const auto found = counted.tracks.find(track["id"].get<TrackId>());
        CHECK(integer(track["records"]) == (found == counted.tracks.end() ? 0 : found->second));
    }
    std::size_t intervals = 0;
    for (const Json& type : page.data["types"]) {
        const auto found = counted.durations.find(type["track"].get<TrackId>());
        if (found == counted.durations.end()) continue;  // entities
        check_durations(type, found->second);
        intervals += found->second.size();
    }
    CHECK(intervals == (kinds.contains("interval") ? kinds["interval"] : 0));
    CHECK(page.data["findings"]["verdict"] == name_of(trace.findings.verdict()));
    return intervals;
}

Track stream_track(ScopeId scope, const std::string& name, TimeBase base = picoseconds) {
    return make_track(Track::Kind::stream, scope, name, base, {{"id", Type::u64}, {"name", Type::text}});
}

}  // namespace

TEST_CASE("reports of all formats have the counts and percentiles of the trace") {
    std::size_t files = 0, intervals = 0;
    for (const char* const format : {"stf", "uscope", "pccx", "flux", "ftr", "kanata", "txlog", "jsonl"}) {
        std::size_t of_format = 0;
        for (const auto& entry : std::filesystem::directory_iterator(testdata(std::string(format) + "/valid"))) {
            if (entry.path().filename().string().starts_with("everything")) continue;
            CAPTURE(entry.path().string());
            const Trace trace(entry.path().filename().string(), load_sample(entry.path()).bytes);
            intervals += check_report(trace);
            ++of_format;
        }
        CHECK_MESSAGE(of_format >= 4, format);
        files += of_format;
    }
    CHECK(files >= 60);
    CHECK(intervals >= 1000);
}

TEST_CASE("the same trace gives the same bytes") {
    const auto path = testdata("uscope/valid/queue.uscope");
    const Trace one("queue", load_sample(path).bytes), two("queue", load_sample(path).bytes);
    CHECK(report_of(one.reader->schema(), one.batches).html == report_of(two.reader->schema(), two.batches).html);
}

TEST_CASE("texts of a trace cannot break out of the page") {
    const std::string hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\xE2\x80\xA8\"\\";
    Schema schema;
    const ScopeId scope = schema.declare(Scope{hostile, none, hostile, none});
    const TrackId track = schema.declare(stream_track(scope, hostile));
    schema.describe(hostile, hostile);
    std::vector<Batch> batches(1);
    const std::array<Attribute, 2> attributes{{{0, 1}, {1, schema.intern(hostile)}}};
    batches[0].interval(track, 0, 10, attributes);
    const Page page = report_of(schema, batches);
    CHECK(page.data["metadata"][0][1] == hostile);
    CHECK(page.data["tracks"][0]["label"] == hostile);
    CHECK(page.data["names"][0][1] == hostile);
    const auto count = [&](std::string_view text) {
        std::size_t found = 0;
        for (std::size_t at = page.html.find(text); at != std::string::npos; at = page.html.find(text, at + 1))
            ++found;
        return found;
    };
    const Page plain = report_of(Schema{}, {});
    CHECK(count("<script") == 2);
    CHECK(count("</script") == 2);
    CHECK(count("<!--") == 0);
    CHECK(count("<img") == 0);
    CHECK(plain.data["is_empty"] == true);
}

TEST_CASE("a sample stands for many slices, and all of them are counted") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"bus", none, {}, none});
    const TrackId busy = schema.declare(stream_track(scope, "busy")),
                  rare = schema.declare(stream_track(scope, "rare"));
    std::vector<Batch> batches;
    constexpr std::uint64_t count = 200'000;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i % 500 == 0) batches.emplace_back();
        batches.back().interval(busy, static_cast<Tick>(10 * i), i == 123'457 ? 9 : 5);
        if (i % 50'000 == 0) batches.back().interval(rare, static_cast<Tick>(10 * i), 7);
    }
    const Page page = report_of(schema, batches);
    const Json& row = page.data["rows"][0];
    CHECK(integer(row["total"]) == count);
    CHECK(row["begin"].size() > 15'000);
    CHECK(row["begin"].size() <= 40'000);
    CHECK(std::ranges::find(row["length"], Json(9)) != row["length"].end());
    CHECK(page.data["rows"][1]["begin"].size() == 4);
    std::uint64_t ticks = 0, begins = 0;
    for (const Json& value : row["load"]["busy"])
        ticks += integer(value);
    for (const Json& value : row["load"]["count"])
        begins += integer(value);
    CHECK(ticks == 5 * count + 4);
    CHECK(begins == count);
    CHECK(integer(row["load"]["total"]) == ticks);
    CHECK(integer(page.data["omitted"]["slices"]) == count + 4);
    CHECK(integer(page.data["omitted"]["slices_kept"]) == row["begin"].size() + 4);
    CHECK(page.html.size() < 3'000'000);
}

TEST_CASE("tracks need no scope") {
    Schema schema;
    const TrackId track = schema.declare(stream_track(none, "read"));
    std::vector<Batch> batches(1);
    batches[0].interval(track, 5, 10);
    const Page page = report_of(schema, batches);
    for (const char* const list : {"rows", "scope_loads", "types"}) {
        REQUIRE(page.data[list].size() == 1);
        CHECK_FALSE(page.data[list][0].contains("scope"));
    }
    CHECK(integer(page.data["scope_loads"][0]["load"]["total"]) == 10);
}

TEST_CASE("integers beyond 2^53 are exact") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"bus", none, {}, none});
    const TrackId track = schema.declare(stream_track(scope, "read"));
    const TrackId counter =
        schema.declare(make_track(Track::Kind::signal, scope, "level", picoseconds, {{"level", Type::i64}}));
    constexpr std::uint64_t large = (std::uint64_t{1} << 60) + 1;
    std::vector<Batch> batches(1);
    batches[0].interval(track, -3, large);
    batches[0].change(counter, 0, Attribute{0, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min())});
    batches[0].change(counter, 5, Attribute{0, large});
    const Page page = report_of(schema, batches);
    CHECK(page.data["begin"] == "-3");
    CHECK(page.data["end"] == std::to_string(large - 3));
    CHECK(page.data["rows"][0]["length"][0] == std::to_string(large));
    CHECK(page.data["types"][0]["sum"] == std::to_string(large));
    const Json& curve = page.data["curves"][0];
    CHECK(curve["least"] == "-9223372036854775808");
    CHECK(curve["greatest"] == std::to_string(large));
    CHECK(curve["time"] == Json::array({3, 8}));
}

TEST_CASE("curves with many values keep the extremes of each bin") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"core", none, {}, none});
    const TrackId level =
        schema.declare(make_track(Track::Kind::signal, scope, "level", picoseconds, {{"level", Type::f64}}));
    std::vector<Batch> batches(1);
    for (int i = 0; i < 5000; ++i)
        batches[0].change(level, i, Attribute{0, std::bit_cast<std::uint64_t>(i == 1234 ? -7.5 : i % 10 * 1.0)});
    const Page page = report_of(schema, batches);
    const Json& curve = page.data["curves"][0];
    CHECK(integer(curve["values"]) == 5000);
    CHECK(curve["least"] == -7.5);
    CHECK(curve["greatest"] == 9.0);
    CHECK(curve["last"] == 9.0);
    CHECK(curve["low"].size() <= 256);
    CHECK(std::ranges::find(curve["low"], Json(-7.5)) != curve["low"].end());
}

TEST_CASE("a curve has a gap where its signal has no value") {
    Schema schema;
    const TrackId bus =
        schema.declare(make_track(Track::Kind::signal, none, "bus", picoseconds, {{"", Type::u8}, {"", Type::text}}));
    std::vector<Batch> batches(1);
    Batch& batch = batches[0];
    batch.change(bus, 0, Attribute{0, 5});
    batch.change(bus, 20, std::span<const Attribute>()).flags |= record_no_value;
    batch.change(bus, 30, std::span<const Attribute>()).flags |= record_no_value;
    batch.change(bus, 50, Attribute{0, 6});
    batch.change(bus, 60, Attribute{1, schema.intern("1x0z")});
    batch.change(bus, 90, Attribute{0, 7});
    const Page page = report_of(schema, batches);
    const Json& curve = page.data["curves"][0];
    CHECK(integer(curve["values"]) == 3);
    CHECK(curve["time"] == Json::array({0, 20, 50, 60, 90}));
    CHECK(curve["value"] == Json::array({5, nullptr, 6, nullptr, 7}));
    CHECK(page.data["rows"][0]["begin"] == Json::array({60}));
    CHECK(page.data["rows"][0]["length"] == Json::array({30}));
}

TEST_CASE("a curve in bins states where its value ends") {
    Schema schema;
    const TrackId bus = schema.declare(make_track(Track::Kind::signal, none, "bus", picoseconds, {{"", Type::u8}}));
    std::vector<Batch> batches(1);
    for (Tick time = 0; time < 1000; ++time)
        batches[0].change(bus, time, Attribute{0, 5});
    batches[0].change(bus, 1000, std::span<const Attribute>()).flags |= record_no_value;
    batches[0].change(bus, 2000, Attribute{0, 6});
    const Page page = report_of(schema, batches);
    const Json& curve = page.data["curves"][0];
    REQUIRE(curve["ended"].size() == 1);
    CHECK(curve["ended"][0] == 1000 >> curve["bin_shift"].get<unsigned>());
    CHECK(curve["last"] == 6);
}

TEST_CASE("NaN and infinities are not part of the extremes of a curve") {
    Schema schema;
    const TrackId real =
        schema.declare(make_track(Track::Kind::signal, none, "real", picoseconds, {{"real", Type::f64}}));
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    for (const int repeats : {1, 300}) {  // as points, and in bins
        CAPTURE(repeats);
        std::vector<Batch> batches(1);
        Tick time = 0;
        for (int i = 0; i < repeats; ++i)
            for (const double value : {1.0, nan, 3.0, -infinity, infinity})
                batches[0].change(real, time++, Attribute{0, std::bit_cast<std::uint64_t>(value)});
        const Page page = report_of(schema, batches);
        const Json& curve = page.data["curves"][0];
        CHECK(integer(curve["values"]) == static_cast<std::uint64_t>(5 * repeats));
        CHECK(curve["least"] == 1.0);
        CHECK(curve["greatest"] == 3.0);
        CHECK(curve["last"].is_string());
        if (repeats == 1) continue;
        for (const char* const extreme : {"low", "high"})
            for (const Json& value : curve[extreme])
                CHECK_FALSE(value.is_string());
    }
}

TEST_CASE("a tick too long for the unit of a report is shown at the end of time, not at its begin") {
    Schema schema;
    const TrackId ps = schema.declare(make_track(Track::Kind::event_type, none, "ps", picoseconds));
    const TrackId ages = schema.declare(
        make_track(Track::Kind::event_type, none, "ages", {TimeBase::Kind::seconds, std::uint64_t{1} << 63, 1}));
    Losses losses;
    report::TimeScale times(schema, losses);
    CHECK(times.at(ps, 5) == 5);
    CHECK(times.at(ages, 0) == 0);
    CHECK(losses.none());
    CHECK(times.at(ages, 1) == std::numeric_limits<Tick>::max());
    CHECK(times.at(ages, -1) == std::numeric_limits<Tick>::min());
    CHECK_FALSE(losses.none());
}

TEST_CASE("the unit of a report makes the times of all tracks exact") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"soc", none, {}, none});
    const TrackId third = schema.declare(stream_track(scope, "third", {TimeBase::Kind::cycles, 1, 3'000'000'000}));
    const TrackId ps = schema.declare(stream_track(scope, "ps"));
    const TrackId position = schema.declare(make_track(Track::Kind::event_type, scope, "mark", ordinals));
    Losses losses;
    report::TimeScale times(schema, losses);
    CHECK(times.unit() == TimeBase{TimeBase::Kind::seconds, 1, 3'000'000'000'000});
    CHECK(times.at(third, 5) == 5000);
    CHECK(times.at(ps, -7) == -21);
    CHECK(times.at(position, 9) == 9);
    CHECK(times.unknown_tracks() == 1);
    CHECK(times.may_round(ps));
    CHECK_FALSE(times.may_round(position));
    CHECK(times.end(ps, 4, 6) == 30);
    CHECK(losses.none());
    CHECK(times.end(ps, 4, ~std::uint64_t{0}) == std::numeric_limits<Tick>::max());
    CHECK_FALSE(losses.none());
}

TEST_CASE("losses of a report are foretold") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"soc", none, {}, none});
    schema.declare(make_track(Track::Kind::event_type, scope, "exact", picoseconds));
    const auto foretold = [&] {
        std::vector<ExpectedLoss> losses;
        find_format(targets(), "report")->writes.foresee(schema, Settings(), losses);
        return losses;
    };
    CHECK(foretold().empty());
    schema.declare(make_track(Track::Kind::native, none, "stf.native", picoseconds));
    schema.declare(stream_track(scope, "slow", {TimeBase::Kind::cycles, 1, 1'000'000'000}));
    const std::vector<ExpectedLoss> losses = foretold();
    REQUIRE(losses.size() == 2);
    CHECK(losses[0].loss == Loss::native_dropped);
    CHECK(losses[1].loss == Loss::time_rounded);
    CHECK(losses[1].subject == "slow");
}

TEST_CASE("reports of damaged traces list the findings of the reading") {
    std::size_t listed = 0, refused = 0;
    for (const Format* const format : formats())
        for (const auto& entry :
             std::filesystem::directory_iterator(testdata(std::string(format->name) + "/invalid"))) {
            CAPTURE(entry.path().string());
            std::unique_ptr<Trace> trace;
            try {
                trace = std::make_unique<Trace>(entry.path().string(), load_sample(entry.path()).bytes, format);
            } catch (const Error&) {
                ++refused;  // nothing can be read
                continue;
            }
            const Page page = report_of(trace->reader->schema(), trace->batches, &trace->findings);
            const Json& findings = page.data["findings"];
            REQUIRE(findings["kept"].size() == trace->findings.kept().size());
            for (std::size_t i = 0; i < trace->findings.kept().size(); ++i) {
                CHECK(findings["kept"][i][0] == trace->findings.kept()[i].rule->id);
                CHECK(integer(findings["kept"][i][2]) == trace->findings.kept()[i].offset);
                ++listed;
            }
            CHECK(findings["verdict"] == name_of(trace->findings.verdict()));
        }
    CHECK(listed >= 50);
    CHECK(refused < 200);
}

TEST_CASE("a thinned sample keeps the longest slices") {
    report::SliceSample sample;
    for (Tick i = 0; i < 10'000; ++i) {
        const Tick end = i * 100 + (i == 77 ? 90 : i == 9001 ? 80 : 10);
        if (sample.wants(i * 100, end)) {
            report::Slice slice;
            slice.begin = i * 100;
            slice.end = end;
            sample.keep(std::move(slice));
        }
        if (sample.cost() > 1000) sample.thin(600);
    }
    CHECK(sample.total() == 10'000);
    CHECK(sample.cost() <= 1000);
    CHECK(sample.cost() >= 200);
    const auto has = [&](Tick length) {
        return std::ranges::any_of(sample.kept(),
                                   [&](const report::Slice& slice) { return slice.end - slice.begin == length; });
    };
    CHECK(has(90));
    CHECK(has(80));
}

}  // namespace report_test

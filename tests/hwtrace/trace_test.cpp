// tests/hwtrace/trace_test.cpp - opens and reads traces by the facade.
#include "hwtrace/trace.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/error.hpp"
#include "support/corpus.hpp"

namespace hwtrace::trace_test {

namespace {

std::string path_of(const std::string& relative) {
    return test::testdata(relative).string();
}

Failure failure_of(const std::string& path, TraceOptions options = {}) {
    try {
        Trace::open(path, std::move(options));
    } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with(path));
        return error.failure();
    }
    FAIL("the trace was opened");
    return Failure::internal;
}

// Whether open() takes these settings: only settings that outlive the reader.
template <typename Given>
concept opens_with = requires(const Format& format, Input& input, Findings& findings) {
    format.open(input, std::declval<Given>(), findings);
};
template <typename Given>
concept creates_with = requires(const Format& format, Output& output, const Schema& schema, Losses& losses) {
    format.create(output, schema, std::declval<Given>(), losses);
};
template <typename Given>
concept creates_for = requires(const Format& format, Output& output, const Settings& settings, Losses& losses) {
    format.create(output, std::declval<Given>(), settings, losses);
};

}  // namespace

static_assert(opens_with<const Settings&> && opens_with<Settings&>);
static_assert(!opens_with<Settings> && !opens_with<const Settings>);
static_assert(creates_with<const Settings&> && !creates_with<Settings>);
static_assert(creates_for<const Schema&> && !creates_for<Schema>);
static_assert(!std::is_copy_constructible_v<Trace> && std::is_nothrow_move_constructible_v<Trace>);

TEST_CASE("a trace is read batch by batch") {
    Trace trace = Trace::open(path_of("stf/valid/sum.zstf"));
    CHECK(trace.format().name == "stf");
    CHECK(trace.name() == path_of("stf/valid/sum.zstf"));
    std::size_t batches = 0, records = 0;
    for (const Batch& batch : trace) {
        ++batches;
        records += batch.records().size();
    }
    CHECK(batches > 1);
    CHECK(records == 2001);
    CHECK(trace.findings().verdict() == Verdict::valid);
    CHECK(trace.begin() == trace.end());  // a trace is read once
    CHECK(!trace.next());
    CHECK(text_of(trace.facts(), "chunks") != "");
}

TEST_CASE("a loop continues after the batch at which another one was left") {
    Trace trace = Trace::open(path_of("stf/valid/sum.zstf"));
    std::size_t first = 0, rest = 0;
    for (const Batch& batch : trace) {
        first = batch.records().size();
        break;
    }
    for (const Batch& batch : trace)
        rest += batch.records().size();
    CHECK(first != 0);
    CHECK(first + rest == 2001);
}

TEST_CASE("records know their track, path and values") {
    Trace trace = Trace::open(path_of("ftr/valid/soc.ftr"));
    std::set<std::string> paths;
    std::vector<std::string> first;
    for (const RecordView& record : trace.records()) {
        paths.insert(record.path());
        if (record.path() != "soc.bus/read" || !first.empty()) continue;
        CHECK(record.kind() == Kind::interval);
        CHECK(record.time() == 1000);
        CHECK(record.duration() == 3000);
        CHECK(record.track().name == "read");
        CHECK(record.find("addr")->cell == 0x80000000);
        CHECK(!record.find("colour"));
        CHECK(record.note().empty());
        CHECK(record.instruction() == nullptr);
        for (const FieldValue value : record)
            first.push_back(std::string(value.name()) + "=" + value.text());
    }
    CHECK(paths.contains("soc.bus/read"));
    CHECK(first == std::vector<std::string>{"id=0x3", "addr=0x80000000", "size=8", "data=0x123456789abcdef0"});
}

TEST_CASE("every record of every kind has values of its fields") {
    Trace trace = Trace::open(path_of("jsonl/valid/everything.jsonl"));
    std::set<Kind> kinds;
    std::set<std::string> texts;
    for (const RecordView& record : trace.records()) {
        kinds.insert(record.kind());
        for (const FieldValue value : record)
            texts.insert(std::string(value.name()) + "=" + value.text());
        CHECK((record.instruction() != nullptr) == (record.kind() == Kind::instruction));
        if (record.kind() == Kind::note) texts.insert(std::string(record.note()));
        if (record.kind() == Kind::instruction) CHECK(record.operands().size() + record.accesses().size() < 100);
    }
    CHECK(kinds.size() >= 8);
    CHECK(texts.size() > 5);
}

TEST_CASE("a trace can be moved while it is read, and iterators stay valid") {
    Trace first = Trace::open(path_of("ftr/valid/soc.ftr"));
    auto record = first.records().begin();
    std::size_t count = 0;
    Trace second = std::move(first);
    Trace third = Trace::open(path_of("pccx/valid/npu.pccx"));
    third = std::move(second);
    CHECK(third.format().name == "ftr");
    for (; record != std::default_sentinel; ++record) {
        ++count;
        CHECK((*record).track().name != "");
    }
    std::size_t all = 0;
    Trace again = Trace::open(path_of("ftr/valid/soc.ftr"));
    for (const Batch& batch : again)
        all += batch.records().size();
    CHECK(count == all);
    CHECK(third.findings().kept().empty());
}

TEST_CASE("options outlive the call of open, because the trace keeps them") {
    const auto opened = [] {
        TraceOptions options;
        options.settings.check = CheckLevel::full;
        options.settings.temporary_folder = std::string(100, '/') + "tmp";
        return Trace::open(path_of("stf/valid/sum.zstf"), options);
    };
    Trace trace = opened();
    std::size_t records = 0;
    for (const Batch& batch : trace)
        records += batch.records().size();
    CHECK(records == 2001);
}

TEST_CASE("a slice of a trace delivers its records only") {
    const auto times = [](const std::string& path, const TraceOptions& options) {
        std::vector<Tick> found;
        Trace trace = Trace::open(path_of(path), options);
        for (const Batch& batch : trace)
            for (const Record& record : batch.records())
                if (record.kind == Kind::instruction || record.kind == Kind::interval) found.push_back(record.time);
        return found;
    };
    TraceOptions options;
    options.range = parse_range("100#:103#");
    CHECK(times("stf/valid/sum.zstf", options) == std::vector<Tick>{100, 101, 102});
    options.criteria = parse_criteria("kind=note");
    CHECK(times("stf/valid/sum.zstf", options).empty());

    TraceOptions last;
    last.last = 2;
    CHECK(times("stf/valid/sum.zstf", last) == std::vector<Tick>{1982, 1983});
    TraceOptions read;  // the schema of FTR grows, and a selection needs all of it
    read.criteria = parse_criteria("track=read,addr>=0x1000");
    CHECK(times("ftr/valid/soc.ftr", read) == std::vector<Tick>{1000});

    TraceOptions wrong;
    wrong.range = parse_range("0#:1#");
    wrong.last = 1;
    CHECK(failure_of(path_of("stf/valid/sum.zstf"), wrong) == Failure::usage);
    TraceOptions picture;
    picture.formats = targets();
    picture.format = find_format(targets(), "perfetto");
    CHECK(failure_of(path_of("stf/valid/sum.zstf"), picture) == Failure::usage);
}

TEST_CASE("a damaged trace delivers its whole records and a finding") {
    const test::TemporaryFolder folder;
    const auto bytes = test::read_file(test::testdata("stf/valid/sum.zstf"));
    Trace trace = Trace::open(Input::memory("cut.zstf", std::span(bytes).first(9000)));
    std::size_t records = 0;
    for (const Batch& batch : trace)
        records += batch.records().size();
    CHECK(records == 1011);
    CHECK(trace.findings().verdict() == Verdict::incomplete);
    REQUIRE(trace.findings().kept().size() == 1);
    CHECK(trace.findings().kept().front().rule->id == "STF062");
}

TEST_CASE("what is not a trace is refused") {
    const test::TemporaryFolder folder;
    CHECK(failure_of((folder / "missing.ftr").string()) == Failure::io);
    const std::string other = test::source_file("LICENSE").string();
    CHECK(failure_of(other) == Failure::input);
    TraceOptions as_stf;
    as_stf.format = find_format(formats(), "stf");
    CHECK(failure_of(other, as_stf) == Failure::input);
    TraceOptions no_formats;
    no_formats.formats = {};
    CHECK(failure_of(path_of("ftr/valid/soc.ftr"), no_formats) == Failure::input);
}

TEST_CASE("a name that does not match the content causes a note") {
    const auto bytes = test::read_file(test::testdata("ftr/valid/soc.ftr"));
    std::string said;
    TraceOptions options;
    options.note = [&](std::string_view text) { said = text; };
    CHECK(Trace::open(Input::memory("soc.stf", bytes), options).format().name == "ftr");
    CHECK(said == "is ftr by its content, stf by its name; the content decides");
}

}  // namespace hwtrace::trace_test

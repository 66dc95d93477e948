#include "convert/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "io/output.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"
#include "support/interval_support.hpp"

namespace verify_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;

const Format& format(std::string_view name) {
    const Format* found = find_format(formats(), name);
    REQUIRE(found != nullptr);
    return *found;
}

Settings settings(const Format& of, std::initializer_list<std::pair<std::string_view, std::string>> chosen) {
    Settings settings;
    for (const auto& [key, value] : chosen)
        for (const Option& option : of.options)
            if (option.key == key) settings.set(option, value);
    return settings;
}

struct Converted {
    Bytes bytes;
    Losses losses;
};

Converted converted(const Bytes& file, const Format& from, const Format& to, const Choices& choices = {}) {
    Converted result;
    Findings findings;
    Input input = Input::memory("source", file);
    PreparedSource source(input, from, to, choices.settings, findings, choices.criteria.records);
    Plan plan = make_plan(source.schema(), source.format(), to, choices, result.losses);
    const auto output = open_memory_output("made", [&](Bytes all) { result.bytes = std::move(all); });
    const auto writer = to.create(*output, plan.target_schema(source.schema()), choices.settings, result.losses);
    convert(source.reader(), plan, *writer);
    output->commit();
    return result;
}

std::optional<ModelDifference> verified(const Bytes& file, const Format& from, const Bytes& made, const Format& to,
                                        const Choices& choices = {}) {
    Input source = Input::memory("source", file);
    Input output = Input::memory("made", made);
    return verify_conversion(source, from, output, to, choices);
}

std::string text_of(const std::optional<ModelDifference>& difference) {
    if (!difference) return "equal";
    return std::to_string(difference->line) + ": '" + difference->expected + "' / '" + difference->got + "'";
}

bool has_findings(const Bytes& file, const Format& of) {
    Findings findings;
    Settings careful;
    careful.check = CheckLevel::full;
    Input input = Input::memory("file", file);
    const auto reader = of.open(input, careful, findings);
    Batch batch;
    while (reader->read(batch))
        batch.clear();
    return findings.total_at_least(Severity::note) != 0;
}

/// Returns a .pccx file that our writer makes from a model in the form that our reader delivers.
Bytes made_pccx(std::size_t count, std::string layout) {
    const Format& pccx = format("pccx");
    Schema schema;
    const ScopeId root = schema.declare(Scope{"npu", none, {}, none});
    const ScopeId core = schema.declare(Scope{"core0", root, {}, none});
    const ScopeId other = schema.declare(Scope{"core1", root, {}, none});
    std::vector<TrackId> streams;
    for (const auto& [scope, name] : {std::pair{core, "API_CALL"}, {core, "MAC_COMPUTE"}, {other, "DMA_READ"}}) {
        Track track;
        track.kind = Track::Kind::stream;
        track.scope = scope;
        track.name = name;
        track.time = gigahertz;
        streams.push_back(schema.declare(std::move(track)));
    }
    schema.add_attribute(streams[0], Field{"api_name", Type::text});
    const Attribute name{0, schema.intern("uca_init")};
    Bytes bytes;
    Losses losses;
    const Settings chosen = settings(pccx, {{"pccx-layout", std::move(layout)}, {"pccx-order", "source"}});
    const auto output = open_memory_output("made", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = pccx.create(*output, schema, chosen, losses);
    Batch batch;
    for (std::size_t i = 0; i < count; ++i) {
        batch.clear();
        const auto begin = static_cast<Tick>(i * 7919 % 1000);
        if (i % 9 == 0)
            batch.interval(streams[0], begin, i % 50, std::span(&name, 1));
        else
            batch.interval(streams[1 + i % 2], begin, i % 50);
        writer->write(batch);
    }
    writer->finish();
    output->commit();
    return bytes;
}

}  // namespace

TEST_CASE("tracks with the same name are compared one by one") {
    const auto lines = [](const std::string& records) {
        const std::string time = R"("scope":0,"time":{"base":"seconds","num":1,"den":1000},"fields":[)";
        const std::string text =
            R"({"schema":"hwtrace-jsonl/1"})"
            "\n"
            R"({"type":"scope","id":0,"name":"s"})"
            "\n"
            R"({"type":"track","id":0,"kind":"signal","name":"t","native_id":1,)" +
            time + R"({"name":"v","type":"u64"}]})" + "\n" +
            R"({"type":"track","id":1,"kind":"signal","name":"t","native_id":2,)" + time +
            R"({"name":"v","type":"u64"}]})" + "\n" + R"({"type":"track","id":2,"kind":"stream","name":"i",)" + time +
            R"({"name":"id","type":"u64"}]})" + "\n" + records +
            R"({"type":"interval","time":11,"track_id":2,"duration":30,"attributes":{"id":1}})" + "\n";
        const auto bytes = std::as_bytes(std::span(text));
        return Bytes(bytes.begin(), bytes.end());
    };
    const auto change = [](int time, int track, int value) {
        return R"({"type":"change","time":)" + std::to_string(time) + R"(,"track_id":)" + std::to_string(track) +
               R"(,"values":{"v":)" + std::to_string(value) + "}}\n";
    };
    const auto made = [&](const Bytes& source) { return converted(source, format("jsonl"), format("ftr")); };
    // FTR sorts intervals by their ends, so that value 9 precedes value 7.
    const Bytes source = lines(change(1, 1, 8) + change(1, 0, 7) + change(1, 1, 9) + change(5, 1, 10));
    CHECK(made(source).losses.none());
    CHECK(text_of(verified(source, format("jsonl"), made(source).bytes, format("ftr"))) == "equal");
    // Within a track, the order counts.
    const Bytes other = lines(change(1, 1, 9) + change(1, 0, 7) + change(1, 1, 8) + change(5, 1, 10));
    CHECK(verified(source, format("jsonl"), made(other).bytes, format("ftr")));
}

TEST_CASE("a boolean above 1 comes back from FTR, with a loss") {
    const std::string text = R"({"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"s"}
{"type":"track","id":0,"kind":"event","name":"t","scope":0,"time":{"base":"seconds","num":1,"den":1000},"fields":[{"name":"b","type":"bool"}]}
{"type":"event","time":1,"track_id":0,"fields":{"b":true}}
{"type":"event","time":2,"track_id":0,"fields":{"b":7}}
)";
    const auto bytes = std::as_bytes(std::span(text));
    const Bytes source(bytes.begin(), bytes.end());
    const Converted there = converted(source, format("jsonl"), format("ftr"));
    REQUIRE(there.losses.entries().contains({Loss::type_changed, "t.b"}));
    CHECK(there.losses.entries().at({Loss::type_changed, "t.b"}).count == 1);
    CHECK(text_of(verified(source, format("jsonl"), there.bytes, format("ftr"))) == "equal");
}

TEST_CASE("a slice of a log is renumbered and not compared with the whole") {
    Choices part;
    part.range = Range{Range::Unit::record, 1, std::nullopt};
    CHECK(can_verify(format("kanata"), {}, Effect::incomplete));
    CHECK_FALSE(can_verify(format("kanata"), part, Effect::harmless));
    CHECK(can_verify(format("uscope"), part, Effect::harmless));
    CHECK_FALSE(can_verify(format("uscope"), {}, Effect::damaged));
    for (const auto& [key, value] :
         {std::pair("ftr-order", "end"), std::pair("ftr-blocks", "stream"), std::pair("ftr-relations", "streams")}) {
        Choices restated;
        for (const Option& option : format("ftr").options)
            if (option.key == key) restated.settings.set(option, value);
        CHECK(restated.settings.chosen(key));
        CHECK_FALSE(can_verify(format("ftr"), restated, Effect::harmless));
        CHECK(can_verify(format("uscope"), restated, Effect::harmless));
    }
}

TEST_CASE("additions that the target format requires are not differences, but omissions are") {
    const Bytes pccx = made_pccx(0, "bincode");
    const Bytes log = [] {
        const std::string text = "Kanata\t0004\n";
        const auto bytes = std::as_bytes(std::span(text));
        return Bytes(bytes.begin(), bytes.end());
    }();
    const Converted there = converted(log, format("kanata"), format("pccx"));
    CHECK(there.losses.entries().contains({Loss::part_dropped, "tracks"}));
    CHECK_FALSE(verified(log, format("kanata"), there.bytes, format("pccx")));
    CHECK(verified(log, format("kanata"), pccx, format("pccx")));
}

TEST_CASE("a lowered trace is verified against its source; a changed one fails") {
    const Format& pccx = format("pccx");
    const Format& uscope = format("uscope");
    const Bytes file = made_pccx(700, "bincode");
    const Converted there = converted(file, pccx, uscope);
    CHECK(there.losses.none());
    CHECK(text_of(verified(file, pccx, there.bytes, uscope)) == "equal");
    const Bytes other = converted(made_pccx(699, "bincode"), pccx, uscope).bytes;
    CHECK(text_of(verified(file, pccx, other, uscope)) != "equal");

    const Converted back = converted(there.bytes, uscope, pccx);
    CHECK(back.losses.none());
    CHECK(back.bytes == file);
    CHECK(text_of(verified(there.bytes, uscope, back.bytes, pccx)) == "equal");
    CHECK(text_of(verified(there.bytes, uscope, made_pccx(701, "bincode"), pccx)) != "equal");
}

TEST_CASE("a raised trace may be stored in another order") {
    const Format& pccx = format("pccx");
    const Format& uscope = format("uscope");
    for (const std::string layout : {"flatbuf", "json", "bincode"}) {
        CAPTURE(layout);
        const Bytes file = made_pccx(700, layout == "flatbuf" ? "flatbuf" : "bincode");
        const Bytes lowered = converted(file, pccx, uscope).bytes;
        Choices choices;
        choices.settings = settings(pccx, {{"pccx-layout", layout}, {"pccx-order", "start"}});
        const Converted again = converted(file, pccx, pccx, choices);
        CHECK(again.losses.none());
        CHECK(text_of(verified(file, pccx, again.bytes, pccx, choices)) == "equal");
        const Converted raised = converted(lowered, uscope, pccx, choices);
        CHECK(raised.losses.none());
        CHECK(text_of(verified(lowered, uscope, raised.bytes, pccx, choices)) == "equal");
        CHECK(text_of(verified(file, pccx, again.bytes, pccx)) != "equal");  // this run lacks the chosen order
    }
}

TEST_CASE("the samples of several domains of flux have no order, also if they come from another format") {
    const Format &flux = format("flux"), &uscope = format("uscope");
    const Bytes file = load_sample(testdata("flux/valid/domains.hex")).bytes;
    const Converted there = converted(file, flux, uscope);
    const Converted back = converted(there.bytes, uscope, flux);
    CHECK(back.losses.none());
    CHECK(text_of(verified(there.bytes, uscope, back.bytes, flux)) == "equal");
    CHECK(text_of(verified(there.bytes, uscope, load_sample(testdata("flux/valid/control.hex")).bytes, flux)) !=
          "equal");
}

TEST_CASE("a trace in picoseconds is verified against a log that counts cycles of its clock") {
    const Format &uscope = format("uscope"), &kanata = format("kanata");
    // One log states its clock. The other log's clock is known only to the user.
    for (const char* const name : {"kanata/valid/names.kanata", "kanata/valid/pipeline.kanata"}) {
        CAPTURE(name);
        Choices choices;
        choices.time.period_ps = 500;
        const Bytes trace = converted(read_file(testdata(name)), kanata, uscope, choices).bytes;
        Converted log = converted(trace, uscope, kanata);
        CHECK(log.losses.none());
        CHECK(text_of(verified(trace, uscope, log.bytes, kanata)) == "equal");
        // Changes the last digit of the last cycle, so that the log ends one cycle later.
        const auto digit = std::find(log.bytes.rbegin(), log.bytes.rend(), std::byte{'C'}) - 2;
        *digit ^= std::byte{1};
        CHECK(text_of(verified(trace, uscope, log.bytes, kanata)) != "equal");
    }
}

TEST_CASE("a cycle of more items than a frame holds is verified") {
    const Format &uscope = format("uscope"), &kanata = format("kanata");
    std::string log = "Kanata\t0004\nC=\t0\n";
    for (int id = 0; id < 30'000; ++id)  // each instruction has three items
        log.append("I\t").append(std::to_string(id)).append("\t0\t0\n");
    Bytes file;
    for (const char c : log)
        file.push_back(static_cast<std::byte>(c));
    const Converted trace = converted(file, kanata, uscope);
    CHECK(trace.losses.none());
    CHECK(text_of(verified(file, kanata, trace.bytes, uscope)) == "equal");
}

TEST_CASE("a converted slice is verified against the slice of the source") {
    const Format& pccx = format("pccx");
    const Format& uscope = format("uscope");
    const Bytes file = made_pccx(700, "bincode");
    for (const std::string_view text : {"#100:#200", "250cyc:500cyc", "100ns:"}) {
        CAPTURE(text);
        Choices choices;
        choices.range = parse_range(text);
        for (const Format* to : {&pccx, &uscope}) {
            const Converted part = converted(file, pccx, *to, choices);
            CHECK(part.losses.none());
            CHECK(text_of(verified(file, pccx, part.bytes, *to, choices)) == "equal");
            CHECK(text_of(verified(file, pccx, part.bytes, *to)) != "equal");
        }
        const Bytes lowered = converted(file, pccx, uscope).bytes;
        const Converted part = converted(lowered, uscope, pccx, choices);
        CHECK(part.bytes == converted(file, pccx, pccx, choices).bytes);
        CHECK(text_of(verified(lowered, uscope, part.bytes, pccx, choices)) == "equal");
    }
}

TEST_CASE("the output of a slice may lack facts of the source's format, but no others") {
    const auto trace = [](std::string_view key) {
        std::string text = "{\"schema\":\"hwtrace-jsonl/1\"}\n";
        if (!key.empty()) text.append(R"({"type":"metadata","key":")").append(key).append("\",\"value\":\"1\"}\n");
        const auto bytes = std::as_bytes(std::span(text));
        return Bytes(bytes.begin(), bytes.end());
    };
    const Format& jsonl = format("jsonl");
    Choices slice;
    slice.range = Range{Range::Unit::record, 0, std::nullopt};
    CHECK(text_of(verified(trace("jsonl.count"), jsonl, trace(""), jsonl, slice)) == "equal");
    CHECK(text_of(verified(trace("jsonl.count"), jsonl, trace(""), jsonl)) != "equal");
    CHECK(text_of(verified(trace("jsonlike.count"), jsonl, trace(""), jsonl, slice)) != "equal");
}

TEST_CASE("a source whose tracks appear while reading is read twice if the target needs all tracks first") {
    const Format& pccx = format("pccx");
    const Format& uscope = format("uscope");
    CHECK(PreparedSource::reads_twice(pccx, uscope));
    CHECK_FALSE(PreparedSource::reads_twice(pccx, pccx));
    CHECK_FALSE(PreparedSource::reads_twice(uscope, pccx));
    CHECK_FALSE(PreparedSource::reads_twice(uscope, uscope));

    const Bytes file = made_pccx(700, "bincode");
    Findings findings;
    const Settings plain;
    Input input = Input::memory("source", file);
    PreparedSource twice(input, pccx, uscope, plain, findings);
    CHECK(twice.schema().tracks().size() == 3);
    CHECK(twice.format().reads.schema_upfront);
    CHECK_FALSE(twice.format().reads.time_ordered);
    Batch batch;
    std::size_t records = 0;
    std::uint64_t lateness = 0;
    Tick latest = 0;
    for (; twice.reader().read(batch); batch.clear()) {
        records += batch.records().size();
        for (const Record& record : batch.records()) {
            latest = std::max(latest, record.time);
            lateness = std::max(lateness, static_cast<std::uint64_t>(latest - record.time));
        }
    }
    CHECK(lateness != 0);
    CHECK(twice.format().lateness == lateness);
    CHECK(records == 700);

    const Bytes one = made_pccx(1, "bincode");
    Input single = Input::memory("source", one);
    CHECK(PreparedSource(single, pccx, uscope, plain, findings).format().reads.time_ordered);
    CHECK(findings.totals().empty());
}

TEST_CASE("faults of a source that is read twice are reported once") {
    const Format& pccx = format("pccx");
    const Format& uscope = format("uscope");
    Bytes cut = made_pccx(700, "bincode");
    cut.resize(cut.size() - 5);
    const auto found = [&](const Format& to) {
        Findings findings;
        const Settings plain;
        Input input = Input::memory("source", cut);
        PreparedSource source(input, pccx, to, plain, findings);
        Batch batch;
        while (source.reader().read(batch))
            batch.clear();
        return findings.totals();
    };
    CHECK_FALSE(found(pccx).empty());
    CHECK(found(uscope) == found(pccx));

    cut.resize(10);
    Findings findings;
    const Settings plain;
    Input input = Input::memory("source", cut);
    CHECK_THROWS_AS(PreparedSource(input, pccx, uscope, plain, findings), Error);
    CHECK(findings.kept().size() == 1);
}

TEST_CASE("an empty trace of intervals round-trips; intervals are not instructions") {
    const Format& pccx = format("pccx");
    const Format& uscope = format("uscope");
    const Bytes empty = made_pccx(0, "bincode");
    const Converted there = converted(empty, pccx, uscope);
    CHECK(there.losses.none());
    const Converted back = converted(there.bytes, uscope, pccx);
    CHECK(back.losses.none());
    CHECK(back.bytes == empty);

    CHECK_THROWS_AS(converted(made_pccx(3, "bincode"), pccx, format("stf")), Error);
}

TEST_CASE("every trace of the corpus is restored from µScope unchanged") {
    std::size_t traces = 0;
    for (const std::string folder : {"samples", "gen", "gen_g1", "hand"}) {
        const auto path = corpus("pccx/" + folder);
        if (!path) return;
        for (const auto& entry : std::filesystem::directory_iterator(*path)) {
            if (entry.path().extension() != ".pccx") continue;
            CAPTURE(entry.path());
            const Format& pccx = format("pccx");
            const Format& uscope = format("uscope");
            const Bytes file = read_file(entry.path());
            try {
                const Converted there = converted(file, pccx, uscope);
                if (!there.losses.none()) {
                    for (const auto& [key, loss] : there.losses.entries())
                        MESSAGE(entry.path().filename().string()
                                << ": " << name_of(key.first) << " " << key.second << ": " << loss.first);
                    continue;
                }
                CHECK_FALSE(verified(file, pccx, there.bytes, uscope));
                ++traces;
                const Converted back = converted(there.bytes, uscope, pccx);
                if (back.losses.none())
                    CHECK_FALSE(verified(there.bytes, uscope, back.bytes, pccx));
                else
                    CHECK(has_findings(file, pccx));  // writing leaves out only the faults of the source
            } catch (const Error& error) {
                CHECK(error.failure() == Failure::input);
            }
        }
    }
    CHECK(traces >= 40);
    MESSAGE(traces << " traces");
}

TEST_CASE("the output of a slice is checked as fully as that of a whole conversion") {
    const Bytes good = read_file(testdata("uscope/valid/queue.uscope"));
    Bytes contradicting = good;  // the last checkpoint disagrees with the operations, which only a full check finds
    const auto segment = static_cast<std::size_t>(load_le<std::uint64_t>(good.data() + 40));
    contradicting[segment + 56 + load_le<std::uint32_t>(good.data() + segment + 32) - 8] = std::byte{0xFF};
    Choices slice;
    slice.range = Range{Range::Unit::time_ps, 0, std::nullopt};
    for (const Bytes& made : {good, contradicting}) {
        Input source = Input::memory("source", good), output = Input::memory("made", made);
        Findings findings;
        CHECK(text_of(verify_conversion(source, format("uscope"), output, format("uscope"), slice, findings)) ==
              "equal");
        CHECK(findings.total("USC029") == (made == good ? 0 : 1));
    }
}

}  // namespace verify_test

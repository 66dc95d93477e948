// Tests reading and writing O3PipeView traces. Small parsers of this file, independent of the codecs, compare traces
// with the Kanata logs that are made of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "codec/format.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "formats/uscope_support.hpp"
#include "o3pipeview/assembly.hpp"
#include "o3pipeview/schema.hpp"
#include "o3pipeview/stages.hpp"
#include "o3pipeview/timeline.hpp"
#include "support/out_of_order.hpp"

namespace o3pipeview_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

Bytes bytes_of(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const Format& format(std::string_view name) {
    return *find_format(formats(), name);
}

const Settings plain_settings;

/// Reads a whole trace.
struct Reading {
    Bytes bytes;
    Input input;
    Findings findings;
    std::unique_ptr<Reader> reader;
    Lines records, rules;

    explicit Reading(std::string_view text) : bytes(bytes_of(text)), input(Input::memory("trace", bytes)) {
        reader = format("o3pipeview").open(input, plain_settings, findings);
        Batch batch;
        Tick before = std::numeric_limits<Tick>::min();
        while (reader->read(batch)) {
            for (const Record& record : batch.records()) {
                CHECK(record.time >= before);
                CHECK(((record.flags & record_first_of_frame) != 0) == (record.time != before));
                before = record.time;
                records.push_back(record_line(reader->schema(), batch, record));
            }
            batch.clear();
        }
        for (const Finding& finding : findings.kept())
            rules.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.offset));
    }
    std::string fact(std::string_view key) const { return hwtrace::text_of(reader->facts(), key); }
    /// Returns the records whose text contains `part`.
    Lines with(std::string_view part) const {
        Lines found;
        for (const std::string& line : records)
            if (line.find(part) != std::string::npos) found.push_back(line);
        return found;
    }
};

/// Converts without the planner: all formats here hold the records of the protocol `cpu`.
std::string converted(std::string_view text, std::string_view from, std::string_view to, Losses& losses,
                      const Settings& settings = plain_settings) {
    const Bytes bytes = bytes_of(text);
    Input input = Input::memory("source", bytes);
    Findings findings;
    const auto reader = format(from).open(input, settings, findings);
    Bytes made;
    const auto output = open_memory_output("made", [&](Bytes all) { made = std::move(all); });
    const auto writer = format(to).create(*output, reader->schema(), settings, losses);
    for (Batch batch; reader->read(batch); batch.clear())
        writer->write(batch);
    writer->finish();
    output->commit();
    return text_of(made);
}
std::string converted(std::string_view text, std::string_view from, std::string_view to) {
    Losses losses;
    return converted(text, from, to, losses);
}
std::string normalised(std::string_view text) {
    Losses losses;
    std::string made = converted(text, "o3pipeview", "o3pipeview", losses);
    CHECK(losses.none());
    return made;
}

Lines codes(const Losses& losses) {
    Lines lines;
    for (const auto& [key, entry] : losses.entries())
        lines.push_back(std::string(name_of(key.first)) + " " + key.second + " " + std::to_string(entry.count));
    return lines;
}

Lines split(std::string_view text, char at) {
    Lines parts(1);
    for (const char c : text)
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

// --- what a viewer shows -----------------------------------------------------------------------------------------

/// The stages of an instruction on lane 0 as {name, first cycle, cycles}, whether it was flushed, and the cycles in
/// which its store began and completed.
struct Shown {
    std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> stages;
    bool is_flushed = false;
    std::pair<std::int64_t, std::int64_t> store{};
    std::string label;
};
using AllShown = std::map<std::uint64_t, Shown>;  ///< by sequence number

/// Parses O3PipeView text, as Konata's page and gem5's source describe it.
AllShown shown_by_trace(const std::string& text, std::int64_t ticks_per_cycle) {
    const std::map<std::string, std::string> names{{"fetch", "F"},     {"decode", "Dc"}, {"rename", "Rn"},
                                                   {"dispatch", "Ds"}, {"issue", "Is"},  {"complete", "Cm"},
                                                   {"retire", "Rt"}};
    AllShown all;
    std::vector<std::pair<std::string, std::int64_t>> begins;
    std::uint64_t seq = 0;
    for (const std::string& line : split(text, '\n')) {
        const Lines columns = split(line, ':');
        if (columns[0] != "O3PipeView") continue;
        const std::int64_t tick = std::stoll(columns[2]);
        if (columns[1] == "fetch") {
            begins.clear();
            seq = std::stoull(columns[5]);
            std::string address = columns[3].substr(2);
            all[seq].label = address + ": ";
            for (std::size_t at = 6; at < columns.size(); ++at)
                all[seq].label += (at == 6 ? "" : ":") + columns[at];
        }
        if (tick != 0) begins.emplace_back(names.at(columns[1]), tick / ticks_per_cycle);
        if (columns[1] != "retire") continue;
        Shown& shown = all[seq];
        shown.is_flushed = tick == 0;
        for (std::size_t at = 0; at < begins.size(); ++at) {
            const std::int64_t begin = begins[at].second;
            const std::int64_t end = at + 1 < begins.size() ? begins[at + 1].second : begin + 1;
            shown.stages.emplace_back(begins[at].first, begin, end - begin);
        }
        if (columns.size() > 4 && columns[4] != "0")
            shown.store = {begins.back().second, std::stoll(columns[4]) / ticks_per_cycle};
    }
    return all;
}

/// Parses a Kanata log.
AllShown shown_by_log(const std::string& text) {
    struct Open {
        std::uint64_t seq = 0;
        Shown shown;
        bool is_running = false;
    };
    std::map<std::string, Open> open;
    AllShown all;
    std::int64_t cycle = 0;
    for (const std::string& line : split(text, '\n')) {
        const Lines columns = split(line, '\t');
        if (columns[0] == "C=") cycle = std::stoll(columns[1]);
        if (columns[0] == "C") cycle += std::stoll(columns[1]);
        if (columns.size() < 4) continue;
        Open& op = open[columns[1]];
        const auto end = [&] {
            if (!op.is_running) return;
            auto& last = op.shown.stages.back();
            std::get<2>(last) = cycle - std::get<1>(last);
            op.is_running = false;
        };
        if (columns[0] == "I") op.seq = std::stoull(columns[2]);
        if (columns[0] == "L") op.shown.label += columns[3];
        if (columns[0] == "S" && columns[2] == "0") {
            end();
            op.shown.stages.emplace_back(columns[3], cycle, 0);
            op.is_running = true;
        }
        if (columns[0] == "S" && columns[2] == "1") op.shown.store.first = cycle;
        if (columns[0] == "E" && columns[2] == "1") op.shown.store.second = cycle;
        if (columns[0] == "E" && columns[2] == "0") end();
        if (columns[0] == "R") {
            end();
            op.shown.is_flushed = columns[3] != "0";
            all[op.seq] = op.shown;
            open.erase(columns[1]);
        }
    }
    return all;
}

std::string small_trace() {
    return "O3PipeView:fetch:1000:0x00001000:0:10: add r1, r2\n"
           "O3PipeView:decode:2000\n"
           "O3PipeView:rename:3000\n"
           "O3PipeView:dispatch:4000\n"
           "O3PipeView:issue:5000\n"
           "O3PipeView:complete:6000\n"
           "O3PipeView:retire:7000\n";
}

}  // namespace

TEST_CASE("an instruction becomes its stages, and leaves a cycle after its last one") {
    const Reading read(small_trace());
    CHECK(read.rules == Lines{});
    const Lines stages = read.with("stage_transition");
    REQUIRE(stages.size() == 7);
    CHECK(read.with("retire").size() == 1);
    CHECK(read.with("flush").empty());
    CHECK(read.records.back().find("8000") != std::string::npos);
    CHECK(read.fact("ticks_per_cycle") == "1000");
    CHECK(read.fact("retired") == "1");
    const Schema& schema = read.reader->schema();
    CHECK(*schema.metadata(conventions::cpu_pipeline_stages) == "F,Dc,Rn,Ds,Is,Cm,Rt");
    CHECK(schema.clocks().front().period_ps == 1000);
    CHECK(schema.tracks().front().time == TimeBase{TimeBase::Kind::seconds, 1, 1'000'000'000'000});
    CHECK(normalised(small_trace()) == small_trace().substr(0, small_trace().size() - 1) + ":store:0\n");
}

TEST_CASE("a squashed instruction is flushed a cycle after its last stage, a store leaves when it completes") {
    const std::string squashed =
        "O3PipeView:fetch:1000:0x1000:3:10: add\nO3PipeView:decode:2000\nO3PipeView:rename:0\nO3PipeView:dispatch:0\n"
        "O3PipeView:issue:0\nO3PipeView:complete:0\nO3PipeView:retire:0:store:0\n";
    const Reading read(squashed);
    CHECK(read.with("flush").size() == 1);
    CHECK(read.with("committed_insns").empty());
    CHECK(read.with("upc").size() == 1);
    CHECK(read.records.back().find("3000") != std::string::npos);
    CHECK(*read.reader->schema().metadata(conventions::cpu_pipeline_stages) == "F,Dc");

    const Reading store(small_trace().substr(0, small_trace().size() - 1) + ":store:9500\n");
    CHECK(store.with("lane_stage").size() == 1);
    CHECK(store.with("lane_stage").front().find("7000") != std::string::npos);
    CHECK(store.with("stage_end").size() == 2);
    CHECK(store.records.back().find("9500") != std::string::npos);
    CHECK(store.fact("stores") == "1");
}

TEST_CASE("the order of instructions in the file does not matter") {
    Lines blocks;
    run_out_of_order({.instructions = 3000, .seed = 9}, [&](std::string_view lines) { blocks.emplace_back(lines); });
    const auto joined = [&] {
        std::string text;
        for (const std::string& block : blocks)
            text += block;
        return text;
    };
    const std::string as_made = joined();
    const Reading first(as_made);
    CHECK(first.rules == Lines{});
    const std::string wanted = normalised(as_made);
    std::mt19937 random(4);
    for (std::size_t at = blocks.size() - 1; at > 0; --at)
        std::swap(blocks[at], blocks[random() % (at + 1)]);
    const std::string shuffled = joined();
    CHECK(shuffled != as_made);
    const Reading second(shuffled);
    CHECK(second.rules == Lines{});
    CHECK(second.records == first.records);
    CHECK(normalised(shuffled) == wanted);
    CHECK(normalised(wanted) == wanted);
}

TEST_CASE("a trace, and the Kanata log made of it, show the same cycles of each stage and the same flushes") {
    for (const std::uint64_t ticks : {500u, 1000u, 333u}) {
        CAPTURE(ticks);
        const std::string text = out_of_order_text({.instructions = 4000, .seed = 3, .ticks_per_cycle = ticks});
        const AllShown wanted = shown_by_trace(text, static_cast<std::int64_t>(ticks));
        REQUIRE(wanted.size() > 5000);
        const AllShown shown = shown_by_log(converted(text, "o3pipeview", "kanata"));
        REQUIRE(shown.size() == wanted.size());
        std::size_t flushed = 0, stores = 0;
        for (const auto& entry : wanted) {
            const std::uint64_t seq = entry.first;
            const Shown& instruction = entry.second;
            CAPTURE(seq);
            const Shown& other = shown.at(seq);
            REQUIRE(other.stages == instruction.stages);
            REQUIRE(other.is_flushed == instruction.is_flushed);
            REQUIRE(other.store == instruction.store);
            REQUIRE(other.label == instruction.label);
            flushed += instruction.is_flushed ? 1u : 0u;
            stores += instruction.store.second != 0 ? 1u : 0u;
        }
        CHECK(flushed > 500);
        CHECK(stores > 300);
    }
}

TEST_CASE("a trace that goes through µScope is the same, byte by byte") {
    const std::string text = out_of_order_text({.instructions = 2000, .seed = 7, .replays = true});
    const std::string wanted = normalised(text);
    Losses losses;
    const std::string trace = converted(text, "o3pipeview", "uscope", losses);
    CHECK(converted(trace, "uscope", "o3pipeview", losses) == wanted);
    CHECK(codes(losses) == Lines{});
    CHECK(std::ranges::count(wanted, '\n') == std::ranges::count(text, '\n'));
}

TEST_CASE("lines of other debug flags are skipped, and replays are kept as they are") {
    const OutOfOrder plain{.instructions = 500, .seed = 2, .replays = true};
    OutOfOrder mixed = plain;
    mixed.other_lines = true;
    const Reading with(out_of_order_text(mixed)), without(out_of_order_text(plain));
    CHECK(with.records == without.records);
    CHECK(with.fact("other_lines") != "");
    CHECK(without.fact("other_lines") == "");
    CHECK(std::ranges::any_of(without.rules, [](const std::string& id) { return id.starts_with("O3P011"); }));
    const std::string replay =
        "O3PipeView:fetch:1000:0x1000:0:10: "
        "ldr\nO3PipeView:issue:9000\nO3PipeView:complete:5000\nO3PipeView:retire:10000:store:0\n";
    const std::string made = normalised(replay);
    CHECK(made.find("issue:9000\nO3PipeView:complete:5000\n") != std::string::npos);
}

TEST_CASE("lines with the name of a CPU belong to its core, and are written with it") {
    std::string text;
    const Lines lines = split(small_trace(), '\n');
    for (const std::string name : {"system.cpu0", "system.cpu1"})
        for (const std::string& line : lines)
            if (!line.empty()) text += "1000: " + name + ": " + line + "\n";
    const Reading read(text);
    CHECK(read.rules == Lines{});
    CHECK(read.fact("cores") == "system.cpu0,system.cpu1");
    CHECK(read.with("stage_transition").size() == 14);
    const std::string made = normalised(text);
    CHECK(made.find("1000: system.cpu1: O3PipeView:retire:7000:store:0\n") != std::string::npos);
    CHECK(normalised(made) == made);
    // A prefix of another form is another line.
    CHECK(Reading("see O3PipeView:decode:1\n" + small_trace()).rules == Lines{"O3P016@0"});
}

TEST_CASE("the file states the length of a cycle only if its ticks do not") {
    CHECK(normalised(small_trace()).find('#') == std::string::npos);
    const std::string stated = "#hwtrace: ticks_per_cycle 250\n" + small_trace();
    CHECK(Reading(stated).fact("ticks_per_cycle") == "250");
    const std::string made = normalised(stated);
    CHECK(made.ends_with("#hwtrace: ticks_per_cycle 250\n"));
    CHECK(Reading(made).fact("ticks_per_cycle") == "250");
    const std::string slow = "#hwtrace: ticks_per_second 1000000000\n" + small_trace();
    const Reading read(slow);
    CHECK(read.reader->schema().clocks().front().period_ps == 1'000'000);
    CHECK(normalised(slow).starts_with("#hwtrace: ticks_per_second 1000000000\n"));
}

TEST_CASE("stages of other traces are written by their names; others are lost by their names") {
    using o3pipeview::Stage;
    const auto stages = o3pipeview::counterparts({"IF", "ID", "X", "Is", "WB", "commit", "Mem", "ex"});
    CHECK(stages[0] == Stage::fetch);
    CHECK(stages[1] == Stage::decode);
    CHECK(stages[2] == std::nullopt);  // Is is the issue
    CHECK(stages[3] == Stage::issue);
    CHECK(stages[4] == Stage::complete);
    CHECK(stages[5] == Stage::retire);
    CHECK(stages[6] == std::nullopt);
    CHECK(o3pipeview::counterparts({"F", "X"})[1] == Stage::issue);

    const std::string log =
        "Kanata\t0004\t#hwtrace: clock_ps 2000\nC=\t0\nI\t0\t7\t2\nL\t0\t0\t80001000: "
        "addi\nL\t0\t1\tdetail\nS\t0\t0\tF\n"
        "C\t1\nS\t0\t0\tMem\nC\t1\nS\t0\t0\tWB\nI\t1\t8\t0\nS\t1\t0\tF\nC\t1\nR\t0\t0\t0\nW\t1\t0\t0\nC\t1\nR\t1\t1\t1"
        "\n";
    Losses losses;
    const std::string made = converted(log, "kanata", "o3pipeview", losses);
    // Time 0 becomes tick 2000, because tick 0 means that a stage was not reached.
    CHECK(made ==
          "O3PipeView:fetch:2000:0x80001000:0:7:addi\nO3PipeView:thread:2000:2\nO3PipeView:decode:0\nO3PipeView:rename:"
          "0\n"
          "O3PipeView:dispatch:0\nO3PipeView:issue:0\nO3PipeView:complete:6000\nO3PipeView:retire:6000:store:0\n"
          "O3PipeView:fetch:6000:0x00000000:0:8:\nO3PipeView:decode:0\nO3PipeView:rename:0\nO3PipeView:dispatch:0\n"
          "O3PipeView:issue:0\nO3PipeView:complete:0\nO3PipeView:retire:0:store:0\n");
    CHECK(codes(losses) == Lines{"kind-dropped annotate 1", "kind-dropped dependency 1", "type-changed annotate 2",
                                 "type-changed committed_insns 1", "type-changed dependency 1",
                                 "type-changed entities 1", "type-changed flush 1", "type-changed label_type 1",
                                 "type-changed retire 2", "type-changed stage_transition 4",
                                 "metadata-dropped kanata.version 1", "part-dropped Mem 1",
                                 "part-dropped stage_transition 1"});
    CHECK(losses.assumptions().size() == 1);
}

TEST_CASE("clocks that a trace cannot keep are losses by their names") {
    Losses losses;
    std::string lines = converted(small_trace(), "o3pipeview", "jsonl", losses);
    const std::string fact = std::string(R"({"type":"metadata","key":")").append(o3pipeview::cycle_key);
    REQUIRE(lines.find("core_clk") != std::string::npos);
    REQUIRE(lines.find(fact) != std::string::npos);
    lines.replace(lines.find("core_clk"), 8, "fast_clk");
    lines.erase(lines.find(fact), lines.find('\n', lines.find(fact)) + 1 - lines.find(fact));
    converted(lines, "jsonl", "o3pipeview", losses);
    CHECK(losses.entries().contains({Loss::name_changed, "fast_clk"}));
}

TEST_CASE("instructions in flight at the end are written as squashed ones") {
    const std::string log = "Kanata\t0004\nC=\t5\nI\t0\t0\t0\nS\t0\t0\tF\nC\t1\nS\t0\t0\tD\n";
    Losses losses;
    const std::string made = converted(log, "kanata", "o3pipeview", losses);
    CHECK(made.find("fetch:5000:0x00000000:0:0:\nO3PipeView:decode:6000\n") != std::string::npos);
    CHECK(made.find("retire:0:store:0\n") != std::string::npos);
    CHECK(losses.entries().at({Loss::part_dropped, "entities"}).count == 1);
}

TEST_CASE("the timeline delivers steps in order of time, and needs no wider window than it states") {
    std::mt19937 random(11);
    std::vector<o3pipeview::Instruction> instructions;
    for (std::uint64_t seq = 0; seq < 2000; ++seq) {
        o3pipeview::Instruction instruction;
        Tick tick = static_cast<Tick>(seq / 4 * 10 + 10);
        for (Tick& stage : instruction.ticks) {
            stage = random() % 9 == 0 ? 0 : tick;
            tick += static_cast<Tick>(random() % 5 * 10);
        }
        instruction.ticks[0] = static_cast<Tick>(seq / 4 * 10 + 10);
        instruction.seq = seq;
        instructions.push_back(instruction);
    }
    for (std::size_t at = 0; at + 50 <= instructions.size(); at += 50)
        std::shuffle(instructions.begin() + static_cast<std::ptrdiff_t>(at),
                     instructions.begin() + static_cast<std::ptrdiff_t>(at) + 50, random);
    std::size_t window = o3pipeview::Timeline::widest_window;
    std::vector<std::pair<Tick, std::uint64_t>> wanted;
    for (int pass = 0; pass < 3; ++pass) {
        o3pipeview::Timeline timeline(window);
        std::size_t next = 0, refused = 0;
        const auto refill = [&] {
            if (next == instructions.size()) return timeline.end();
            refused += timeline.add(instructions[next++]) ? 0u : 1u;
        };
        std::vector<std::pair<Tick, std::uint64_t>> steps;
        o3pipeview::Underway::Place place;
        while (const auto* const underway = timeline.next(place, refill, [] { return Tick{10}; }))
            steps.emplace_back(place.tick, underway->instruction.seq);
        if (pass < 2) CHECK(std::ranges::is_sorted(steps));
        if (pass == 0) wanted = steps;
        if (pass < 2) {
            CHECK(refused == 0);
            CHECK(steps == wanted);
        } else {
            CHECK(steps != wanted);  // two less are too narrow
        }
        if (pass == 0) {
            window = timeline.needed_window();
            CHECK(window > 1);
            CHECK(window <= 50);
        } else {
            window -= 2;
        }
    }
}

TEST_CASE("complete instructions wait for older ones, but not for ever") {
    o3pipeview::Assembly assembly;
    const std::uint32_t old = assembly.begin(10);
    assembly[old].instruction.ticks[0] = 10;
    const std::uint32_t young = assembly.begin(20);
    assembly[young].instruction.ticks[0] = 20;
    assembly.complete(young);
    CHECK(assembly.next(100) == nullptr);
    CHECK(assembly.oldest() == old);
    assembly.complete(old);
    REQUIRE(assembly.next(15) != nullptr);
    CHECK(assembly.next(15) == nullptr);
    const o3pipeview::Assembled* const last = assembly.next(100);
    REQUIRE(last != nullptr);
    CHECK(last->instruction.fetch() == 20);

    assembly.begin(30);  // never completes
    std::size_t written = 0;
    for (Tick tick = 31; tick < 200'000; ++tick) {
        const std::uint32_t index = assembly.begin(tick);
        assembly[index].instruction.ticks[0] = tick;
        assembly.complete(index);
        while (assembly.next(tick) != nullptr)
            ++written;
    }
    CHECK(written > 200'000 - 31 - o3pipeview::Assembly::most_complete - 2);
}

TEST_CASE("a trace is recognised by a line with a tick, and text that mentions the form is not") {
    const auto claims = [](std::string_view text) { return format("o3pipeview").sniff(bytes_of(text)); };
    CHECK(claims("warn: x\nO3PipeView:fetch:500:0x00001000:0:1:  nop\n"));
    CHECK(claims("O3PipeView:fetch:500:1000:0:1:  nop\n"));  // a wrong address
    CHECK(claims("  500: system.cpu0: O3PipeView:decode:500\n"));
    CHECK_FALSE(claims("\"\"\"\nO3PipeView:fetch:TICK:0xPC:UPC:SEQ:TEXT\n\"\"\"\n"));
    CHECK_FALSE(claims("O3PipeView:fetch:%llu:0x%08llx:%d:%llu:%s\n"));
    CHECK_FALSE(claims("O3PipeView: gem5's format\n"));
}

TEST_CASE("the latest possible ticks do not overflow") {
    const Reading reading(
        "O3PipeView:fetch:4611686018427387903:0x1:0:1:x\nO3PipeView:retire:4611686018427387903:store:0\n");
    CHECK(reading.fact("ticks_per_cycle") == "4611686018427387903");
    CHECK(reading.records.size() > 4);
}

}  // namespace o3pipeview_test

// Laws of Kanata logs: conversion to µScope and back, and comparison with traces that another tool made from the logs.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "formats.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace kanata_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

const Format& format_named(std::string_view name) {
    return *find_format(formats(), name);
}

/// Returns the lines of a log as "cycle command columns". The parser shares no code with the codec. It counts cycles,
/// and drops blanks at the ends of columns except in a label's text.
Lines commands_of(const std::string& log) {
    std::istringstream lines(log);
    Lines commands;
    long long cycle = 0;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::vector<std::string> columns(1);
        const std::size_t most = line.starts_with("L\t") ? 4 : 100;
        for (const char c : line)
            if (c == '\t' && columns.size() < most)
                columns.emplace_back();
            else
                columns.back() += c;
        if (columns[0] == "C=") {
            cycle = std::stoll(columns.at(1));
        } else if (columns[0] == "C") {
            cycle += std::stoll(columns.at(1));
        } else {
            const std::size_t meant = columns[0] == "I" || columns[0] == "L" || columns[0] == "S" ||
                                              columns[0] == "E" || columns[0] == "R" || columns[0] == "W"
                                          ? 4
                                          : columns.size();
            std::string command = std::to_string(cycle);
            for (std::size_t i = 0; i < meant; ++i)
                command.append(" ").append(columns.at(i));
            commands.push_back(command);
        }
    }
    return commands;
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the first difference of two lists, or an empty string if they are equal.
std::string first_difference(const Lines& a, const Lines& b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (in_a == a.end() && in_b == b.end()) return {};
    return std::to_string(in_a - a.begin()) + ": " + (in_a == a.end() ? "(end)" : *in_a) + " / " +
           (in_b == b.end() ? "(end)" : *in_b);
}

/// The history of each instruction by id, independent of its slot: one line per record, in order.
using Lives = std::map<std::uint64_t, Lines>;

/// Reads a trace of the protocol. Times are in cycles. A cycle has `period` ticks.
Lives lives_of(const Bytes& file, const Format& format, Tick period) {
    Input input = Input::memory("trace", file);
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    const std::vector<CpuScope> cores = cpu_scopes(reader->schema());
    REQUIRE(cores.size() == 1);
    const CpuScope& core = cores[0];
    std::map<std::uint32_t, std::uint64_t> by_slot;
    Lives lives;
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const std::string cycle = std::to_string(record.time / period);
            const auto say = [&](std::uint64_t entity, const std::string& what) {
                lives[entity].push_back(cycle + ' ' + what);
            };
            if (record.track == core.entities) {
                if (record.kind == Kind::clear)
                    say(by_slot[record.ref], "retire");
                else if (record.field == core.entity_id)
                    say(by_slot[record.ref] = record.value, "begin");
                else if (record.field == core.pc && record.value != 0)
                    say(by_slot[record.ref], "pc " + std::to_string(record.value));
            }
            if (record.kind != Kind::event) continue;
            const auto cells = batch.cells(record);
            if (record.track == core.stage_transition)
                say(cells[0], "stage " + core.stage_name(cells[1]));
            else if (record.track == core.flush)
                say(cells[0], "flush");
            else if (record.track == core.dependency)
                say(cells[1], "waits for " + std::to_string(cells[0]));
        }
    }
    return lives;
}

/// Removes the lines after a flush. The other tool does not clear the slot at a flush, so it stores the address of a
/// later label in that slot.
Lives without_what_follows_a_flush(Lives lives) {
    for (auto& life : lives) {
        Lines& lines = life.second;
        const auto flush =
            std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with("flush"); });
        if (flush != lines.end()) lines.erase(flush + 1, lines.end());
    }
    return lives;
}

constexpr const char* logs[] = {"kanata-basic", "kanata-sample-1", "kanata-sample-2", "uscope-sample"};

}  // namespace

TEST_CASE("every log converts to µScope and back to the same log: instructions, stages, labels, dependencies, cycles") {
    const Format &kanata = format_named("kanata"), &uscope = format_named("uscope");
    std::size_t checked = 0;
    for (const char* const name : logs) {
        CAPTURE(name);
        const auto path = corpus(std::string("uscope/logs/") + name + ".log");
        if (!path) continue;
        const Bytes log = read_file(*path);
        for (const std::uint64_t period : {std::uint64_t{1000}, std::uint64_t{333}}) {
            TimeModel clock;
            clock.period_ps = period;
            const Rewritten trace = convert_bytes(log, kanata, uscope, clock);
            CHECK(trace.losses.none());
            const Story story = read_story(trace.bytes, uscope, CheckLevel::full);
            // Upstream's sample has commands about instructions that have not begun. The trace keeps these commands.
            CHECK((story.good() || (std::string_view(name) == "uscope-sample" && story.warning_count == 1)));
            const Rewritten back = convert_bytes(trace.bytes, uscope, kanata);
            CHECK(back.losses.none());
            const Lines before = commands_of(text_of(log));
            CHECK_FALSE(before.empty());
            CHECK(first_difference(before, commands_of(text_of(back.bytes))) == "");
        }
        ++checked;
    }
    if (checked != 0) CHECK(checked == std::size(logs));
}

TEST_CASE("instructions, stages, addresses and cycles equal the output of another converter for the same logs") {
    std::size_t checked = 0;
    for (const char* const name : {"kanata-basic", "kanata-sample-2", "uscope-sample"}) {
        CAPTURE(name);
        const auto path = corpus(std::string("uscope/logs/") + name + ".log");
        const auto other = corpus(std::string("uscope/konata_") + name + "_v03.uscope");
        if (!path || !other) continue;
        const Lives ours = without_what_follows_a_flush(lives_of(read_file(*path), format_named("kanata"), 1));
        const Lives theirs = without_what_follows_a_flush(lives_of(read_file(*other), format_named("uscope"), 1000));
        CHECK(ours.size() == theirs.size());
        for (const auto& life : theirs) {
            const auto entity = life.first;
            CAPTURE(entity);
            REQUIRE(ours.contains(entity));
            REQUIRE(first_difference(ours.at(entity), life.second) == "");
        }
        ++checked;
    }
    if (checked != 0) CHECK(checked == 3);
}

TEST_CASE("retirements and flushes are restored from traces of µScope 0.1, whose frames lost the order") {
    // Counts cycles from the first R, because the other tool ignored a start below 0.
    const auto leavings = [](const Bytes& log) {
        Lines lines;
        std::optional<long long> first;
        for (const std::string& command : commands_of(text_of(log))) {
            std::istringstream columns(command);
            long long cycle = 0, type = 0;
            std::string letter, id, retire_id;
            columns >> cycle >> letter >> id >> retire_id >> type;
            if (letter != "R") continue;
            if (!first) first = cycle;
            lines.push_back(std::to_string(cycle - *first) + " " + id + (type == 0 ? " retires" : " is flushed"));
        }
        return lines;
    };
    const Format &kanata = format_named("kanata"), &uscope = format_named("uscope");
    std::size_t checked = 0;
    struct Pair {
        std::string log, trace;
    };
    for (const Pair& pair :
         {Pair{"kanata-basic", "konata_kanata-basic_v01"}, Pair{"kanata-sample-2", "reflex_sample_v01"},
          Pair{"uscope-sample", "konata_uscope-sample_v01"}}) {
        CAPTURE(pair.trace);
        const auto from = corpus("uscope/" + pair.trace + ".uscope"),
                   original = corpus("uscope/logs/" + pair.log + ".log");
        if (!from || !original) continue;
        const Rewritten made = convert_bytes(read_file(*from), uscope, kanata);
        CHECK(first_difference(leavings(read_file(*original)), leavings(made.bytes)) == "");
        CHECK_FALSE(made.losses.entries().contains({Loss::kind_dropped, "flush"}));
        CHECK_FALSE(made.losses.entries().contains({Loss::kind_dropped, "committed_insns"}));
        CHECK(read_story(made.bytes, kanata).good());
        ++checked;
    }
    if (checked != 0) CHECK(checked == 3);
}

TEST_CASE("STF converts to a log with one begin, one label and one retirement for each instruction") {
    const Format &kanata = format_named("kanata"), &stf = format_named("stf");
    std::size_t checked = 0;
    for (const Sample& sample : testdata_samples()) {
        if (sample.format != &stf || !sample.valid) continue;
        CAPTURE(sample.name);
        const Story story = read_story(sample.content.bytes, stf);
        std::size_t instructions = 0;
        for (std::size_t at = 0; (at = story.records.find(" instruction ", at)) != std::string::npos; ++at)
            ++instructions;
        if (instructions == 0) continue;
        const Rewritten log = convert_bytes(sample.content.bytes, stf, kanata);
        CHECK(log.unexpected() == Lines{});
        CHECK(read_story(log.bytes, kanata, CheckLevel::full).silent());
        std::map<char, std::size_t> letters;
        for (const std::string& command : commands_of(text_of(log.bytes)))
            ++letters[command[command.find(' ') + 1]];
        CHECK(letters['I'] == instructions);
        CHECK(letters['L'] == instructions);
        CHECK(letters['S'] == instructions);
        CHECK(letters['R'] == instructions);
        ++checked;
    }
    CHECK(checked >= 4);
}

TEST_CASE("a trace without instructions in flight cannot become a log") {
    const Format &kanata = format_named("kanata"), &pccx = format_named("pccx");
    CHECK_THROWS_AS(convert_bytes(read_file(testdata("pccx/valid/npu.pccx")), pccx, kanata), Error);
    CHECK_THROWS_AS(convert_bytes(read_file(testdata("uscope/valid/queue.uscope")), format_named("uscope"), kanata),
                    Error);
}

TEST_CASE("a log's clock is the stated clock, otherwise the user's clock, otherwise 1 ns") {
    const Format &kanata = format_named("kanata"), &uscope = format_named("uscope");
    const auto clock_line = [&](const Bytes& log, std::optional<std::uint64_t> period) {
        TimeModel time;
        time.period_ps = period;
        const Story story = read_story(convert_bytes(log, kanata, uscope, time).bytes, uscope);
        return story.schema.substr(0, story.schema.find('\n'));
    };
    const Bytes unstated = read_file(testdata("kanata/valid/pipeline.kanata"));
    const Bytes stated = read_file(testdata("kanata/valid/names.kanata"));
    CHECK(clock_line(unstated, std::nullopt) == "clock 0 \"core_clk\" period_ps=1000");
    CHECK(clock_line(unstated, 250) == "clock 0 \"core_clk\" period_ps=250");
    CHECK(clock_line(stated, 250) == "clock 0 \"core_clk\" period_ps=400");
}

}  // namespace kanata_laws

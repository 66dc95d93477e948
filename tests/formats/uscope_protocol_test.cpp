#include <doctest/doctest.h>

#include <algorithm>

#include "formats/uscope_encoder.hpp"
#include "formats/uscope_support.hpp"

namespace uscope_protocol_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint16_t entities = 0, transactions = 1;                                     // storages
constexpr std::uint16_t stage = 0, annotate = 1, dependency = 2, flush = 3, txn_stage = 4;  // events

/// Makes a cpu and a noc scope with everything that tools need.
HandMade cpu_and_noc(const Dialect& dialect = dialects().back().second) {
    HandMade file(dialect);
    file.clock("clk", 1000);
    file.scope("/", 0xFFFF, "", 0);
    file.scope("core0", 0, "cpu", 0);
    file.scope("mesh", 0, "noc", 0);
    file.enumeration("pipeline_stage", {"fetch", "execute"});
    file.storage("entities", 4, 1, 1, {{"entity_id", 3}, {"pc", 4}});
    file.storage(
        "transactions", 4, 1, 2,
        {{"txn_id", 3}, {"opcode", 1}, {"addr", 4}, {"len", 2}, {"size", 1}, {"src_port", 2}, {"dst_port", 2}});
    file.event("stage_transition", 1, {{"entity_id", 3}, {"stage", 11, 0}});
    file.event("annotate", 1, {{"entity_id", 3}, {"text", 10}});
    file.event("dependency", 1, {{"src", 3}, {"dst", 3}, {"type", 1}});
    file.event("flush", 1, {{"entity_id", 3}, {"reason", 1}});
    file.event("stage_transition", 2, {{"txn_id", 3}, {"stage", 11, 0}});
    file.string("text");
    return file;
}

HandItem enters(std::uint16_t event, std::uint64_t id, std::uint64_t number) {
    return happens(event, payload({{4, id}, {1, number}}));
}
HandItem flushed(std::uint64_t id) {
    return happens(flush, payload({{4, id}, {1, 0}}));
}

using Ids = std::vector<std::string>;

Ids rules_of(HandMade& file) {
    return read_trace(file.file(), true).rule_ids();
}

std::string finding_of(HandMade& file, const std::string& rule) {
    for (const std::string& finding : read_trace(file.file(), true).findings)
        if (finding.starts_with(rule)) return finding;
    return {};
}

}  // namespace

TEST_CASE("entities that are created, staged, linked, flushed and cleared cause no findings") {
    HandMade file = cpu_and_noc();
    for (std::uint64_t i = 0; i < 20; ++i) {
        const auto slot = static_cast<std::uint16_t>(i % 4);
        std::vector<HandItem> items{set(entities, slot, 0, i),
                                    enters(stage, i, 0),
                                    happens(annotate, payload({{4, i}, {4, 0}})),
                                    enters(stage, i, 1),
                                    set(transactions, slot, 0, slot),
                                    enters(txn_stage, slot, 1),
                                    clear(transactions, slot)};
        if (i > 0) items.push_back(happens(dependency, payload({{4, i - 1}, {4, i}, {1, 0}})));
        if (i % 3 == 0) items.push_back(flushed(i));
        items.push_back(clear(entities, slot));
        items.push_back(
            happens(annotate, payload({{4, i}, {4, 0}})));  // after the clear, but about an entity that existed
        file.frame(1000, items);
        if (i % 7 == 6) file.end_segment();
    }
    CHECK(rules_of(file) == Ids{});
}

TEST_CASE("events of entities and transactions that were never created are counted once per segment") {
    HandMade file = cpu_and_noc();
    file.frame(1000, {enters(stage, 0, 0), set(entities, 0, 0, 0), enters(stage, 0, 0), enters(txn_stage, 0, 0)});
    file.frame(1000, {happens(dependency, payload({{4, 0}, {4, 9}, {1, 0}})), clear(entities, 0)});
    CHECK(rules_of(file) == Ids{"USC052"});
    CHECK(finding_of(file, "USC052").find("found 3 other ids") != std::string::npos);
}

TEST_CASE("ids of cpu and noc are independent") {
    HandMade file = cpu_and_noc();
    file.frame(1000, {set(entities, 0, 0, 5), clear(entities, 0), enters(txn_stage, 5, 0)});
    CHECK(rules_of(file) == Ids{"USC052"});
}

TEST_CASE("after an unreadable segment, unknown entities are not reported") {
    HandMade file = cpu_and_noc();
    file.frame(1000, {set(entities, 0, 0, 0)});
    file.end_segment();
    file.frame(1000, {enters(stage, 0, 0), clear(entities, 0)});
    Bytes bytes = file.file();
    const std::uint32_t first = static_cast<std::uint32_t>(bytes[0x1C]) | static_cast<std::uint32_t>(bytes[0x1D]) << 8;
    CHECK(read_trace(bytes, true).rule_ids() == Ids{});
    bytes[first] = std::byte{0};
    const Trace trace = read_trace(bytes, true);
    CHECK(trace.has("USC018"));
    CHECK_FALSE(trace.has("USC052"));
}

TEST_CASE("a slot may be taken again after a clear, or by the same entity") {
    HandMade file = cpu_and_noc();
    file.frame(1000, {set(entities, 0, 0, 1), set(entities, 0, 0, 1), set(entities, 1, 0, 2), clear(entities, 0),
                      set(entities, 0, 0, 3), clear(entities, 0), clear(entities, 1)});
    CHECK(rules_of(file) == Ids{});
    HandMade other = cpu_and_noc();
    other.frame(1000, {set(entities, 0, 0, 1), set(entities, 0, 0, 2), clear(entities, 0)});
    CHECK(rules_of(other) == Ids{"USC054"});
}

TEST_CASE("a flush is followed by a clear; in frames of 0.1 the clear comes first") {
    HandMade kept = cpu_and_noc();
    kept.frame(1000, {set(entities, 0, 0, 1), flushed(1)});
    CHECK(finding_of(kept, "USC055").find("1 flushed entity that keeps its slot to the end") != std::string::npos);
    HandMade taken = cpu_and_noc();
    taken.frame(1000, {set(entities, 0, 0, 1), flushed(1), set(entities, 0, 0, 2), clear(entities, 0)});
    CHECK(rules_of(taken) == Ids{"USC055"});
    HandMade old = cpu_and_noc(dialects().front().second);
    old.frame(1000, {set(entities, 0, 0, 1)});
    old.frame(1000, {flushed(1), clear(entities, 0)});
    CHECK_FALSE(read_trace(old.file(), true).has("USC055"));
}

TEST_CASE("ids in random order are tracked up to the memory limit") {
    HandMade file = cpu_and_noc();
    for (std::uint64_t i = 0; i < 70'000; i += 7) {
        std::vector<HandItem> items;
        for (std::uint64_t k = 0; k < 7; ++k)
            items.push_back(wide(set(entities, 100, 0, (i + k) * 2)));
        items.push_back(enters(stage, i * 2, 0));
        file.frame(1000, items);
    }
    HandMade more = file;
    CHECK(rules_of(file) == Ids{"USC025", "USC036"});
    more.frame(1000, {enters(stage, 1, 0)});  // too many ranges to track, so id 1 may have been created
    CHECK_FALSE(read_trace(more.file(), true).has("USC052"));
}

TEST_CASE("protocol events with other payloads are ignored") {
    HandMade file(dialects().back().second);
    file.clock("clk", 1000);
    file.scope("core0", 0xFFFF, "cpu", 0xFF);
    file.storage("entities", 4, 1, 0, {{"entity_id", 3}, {"pc", 4}});
    file.event("stage_transition", 0, {{"entity_id", 3}});
    file.event("annotate", 0, {{"entity_id", 4}, {"text", 10}});
    file.event("flush", 0, {{"entity_id", 3}, {"reason", 1}});
    file.frame(1000, {happens(0, payload({{4, 7}})), happens(1, payload({{8, 1ull << 40}, {4, 0}}))});
    Ids rules = rules_of(file);
    CHECK(std::ranges::find(rules, "USC049") != rules.end());
    CHECK(std::ranges::find(rules, "USC050") != rules.end());
    CHECK(std::ranges::find(rules, "USC051") != rules.end());
    CHECK(finding_of(file, "USC051").find("expected fields of 4, 1 bytes, found 4") != std::string::npos);
}

TEST_CASE("many cpu scopes with large tables do not exceed the memory limit") {
    HandMade file(dialects().back().second);
    file.clock("clk", 1000);
    file.scope("/", 0xFFFF, "", 0);
    for (std::uint16_t i = 1; i <= 30; ++i) {
        file.scope("core", 0, "cpu", 0);
        file.storage("entities", 65'535, 1, i, {{"entity_id", 1}, {"pc", 1}});
        file.event("stage_transition", i, {{"entity_id", 3}, {"stage", 1}});
        file.event("annotate", i, {{"entity_id", 3}, {"text", 10}});
        file.event("dependency", i, {{"src", 3}, {"dst", 3}, {"type", 1}});
        file.event("flush", i, {{"entity_id", 3}, {"reason", 1}});
    }
    file.frame(1000, {enters(0, 7, 0), enters(29 * 4, 7, 0)});  // the second slot is beyond 2^20 slots
    const Trace trace = read_trace(file.file(), true);
    CHECK(trace.rule_ids() == Ids{"USC052"});
    CHECK(trace.findings.front().find("found 1 other") != std::string::npos);
}

}  // namespace uscope_protocol_test

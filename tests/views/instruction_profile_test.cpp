#include "views/instruction_profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "domain/conventions.hpp"
#include "views/core_trace.hpp"
#include "views/statistics.hpp"

namespace instruction_profile_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t beq = 0x0000'0063, nop = 0x0000'0013;

/// A random walk over a small program, and plain counts of everything.
struct Walk {
    struct Branch {
        std::uint64_t taken = 0, not_taken = 0;
        std::map<std::uint64_t, std::uint64_t> targets;
    };
    Schema schema;
    Batch batch;
    std::map<std::uint64_t, std::uint64_t> executions, block_runs, block_instructions;
    std::map<std::uint64_t, Branch> branches;
    std::set<std::uint64_t> lines, pages;
    std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
    std::array<std::uint64_t, ReuseDistances::buckets> reuse{};
    std::uint64_t first_uses = 0;
    std::vector<std::uint64_t> recent;  // lines, the latest first

    explicit Walk(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        schema.describe(std::string(conventions::isa), "1");
        const ScopeId scope = schema.declare(Scope{"core0", none, {}, none});
        Track track;
        track.kind = Track::Kind::hart;
        track.scope = scope;
        track.name = "instructions";
        track.time = TimeBase{TimeBase::Kind::ordinal, 1, 1};
        const TrackId hart = schema.declare(std::move(track));
        std::uint64_t pc = 0x1000, begin = pc, length = 0;
        for (Tick i = 0; i < 4000; ++i) {
            for (std::uint64_t n = random() % 3; n > 1; --n)
                access(random() % 4 == 0, 0x8000 + random() % 64 * 40, static_cast<std::uint16_t>(1u << random() % 5));
            const bool is_branch = pc % 12 == 0;
            Instruction& instruction = batch.instruction(hart, i, pc);
            instruction.encoding = is_branch ? beq : nop;
            instruction.size = 4;
            ++executions[pc];
            ++length;
            std::uint64_t next = pc + 4;
            if (is_branch && (random() % 3 != 0 || pc > 0x1200)) {
                next = 0x1000 + random() % 4 * 32;
                instruction.has_target = true;
                instruction.target = next;
                ++branches[pc].taken;
                ++branches[pc].targets[next];
            } else if (is_branch) {
                ++branches[pc].not_taken;
            }
            const bool jumps = !instruction.has_target && random() % 500 == 0;  // an interrupt
            if (jumps) next = 0x1080;
            if (instruction.has_target || jumps || i == 3999) {
                ++block_runs[begin];
                block_instructions[begin] += length;
                begin = next;
                length = 0;
            }
            pc = next;
        }
    }

    void access(bool writes_memory, std::uint64_t address, std::uint16_t size) {
        batch.access(address, size, 0, writes_memory ? AccessType::write : AccessType::read);
        ++(writes_memory ? writes : reads);
        (writes_memory ? bytes_written : bytes_read) += size;
        for (std::uint64_t line = address / 64; line <= (address + size - 1) / 64; ++line) {
            lines.insert(line);
            pages.insert(line / 64);
            const auto known = std::ranges::find(recent, line);
            if (known == recent.end()) {
                ++first_uses;
            } else {
                ++reuse[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(known - recent.begin())))];
                recent.erase(known);
            }
            recent.insert(recent.begin(), line);
        }
    }
};

}  // namespace

TEST_CASE("profiles of instructions are those of plain counts") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const Walk walk(seed);
        InstructionProfileMeter meter(walk.schema, ReuseMode::measured);
        meter.add(walk.batch);
        const auto profile = meter.result();
        REQUIRE(profile);
        CHECK(profile->different_pcs == walk.executions.size());
        CHECK(profile->different_blocks == walk.block_runs.size());
        CHECK(profile->pcs.size() == std::min<std::size_t>(walk.executions.size(), 64));
        for (std::size_t i = 0; i < profile->pcs.size(); ++i) {
            CHECK(profile->pcs[i].executions == walk.executions.at(profile->pcs[i].pc));
            if (i != 0) CHECK(profile->pcs[i].executions <= profile->pcs[i - 1].executions);
        }
        for (const InstructionProfile::Block& block : profile->blocks) {
            CHECK(block.executions == walk.block_runs.at(block.begin));
            CHECK(block.instructions == walk.block_instructions.at(block.begin));
        }
        CHECK(profile->branches.size() == walk.branches.size());
        for (const InstructionProfile::Branch& branch : profile->branches) {
            const Walk::Branch& plain = walk.branches.at(branch.pc);
            CHECK(branch.kind == "branch");
            CHECK(branch.taken == plain.taken);
            CHECK(branch.not_taken == plain.not_taken);
            CHECK(branch.targets.size() == plain.targets.size());
            for (const InstructionProfile::Branch::Target& target : branch.targets)
                CHECK(target.times == plain.targets.at(target.pc));
        }
        REQUIRE(profile->memory);
        CHECK(profile->memory->reads == walk.reads);
        CHECK(profile->memory->writes == walk.writes);
        CHECK(profile->memory->bytes_read == walk.bytes_read);
        CHECK(profile->memory->bytes_written == walk.bytes_written);
        CHECK(profile->memory->lines == walk.lines.size());
        CHECK(profile->memory->pages == walk.pages.size());
        REQUIRE(profile->reuse);
        CHECK(profile->reuse->first_uses == walk.first_uses);
        CHECK(profile->reuse->counts == walk.reuse);
        CHECK(profile->reuse->sampled == 1);
    }
}

TEST_CASE("reuse distances are measured only on request, and a trace without instructions has no profile") {
    const Walk walk(1);
    InstructionProfileMeter meter(walk.schema, ReuseMode::skipped);
    meter.add(walk.batch);
    CHECK_FALSE(meter.result()->reuse);
    CHECK_FALSE(InstructionProfileMeter(walk.schema, ReuseMode::measured).result());
}

TEST_CASE("an access that ends beyond the last address counts up to it") {
    Walk walk(1);
    walk.batch.clear();
    walk.batch.access(~std::uint64_t{0} - 3, 64, 0, AccessType::read);
    walk.batch.instruction(0, 0, 0x1000).size = 4;
    InstructionProfileMeter meter(walk.schema, ReuseMode::measured);
    meter.add(walk.batch);
    CHECK(meter.result()->memory->lines == 1);
}

TEST_CASE("stages have latencies in cycles, and waits have reasons") {
    Core core;  // a cycle lasts 500 ps
    for (std::uint64_t id = 0; id < 3; ++id) {
        const auto begin = static_cast<Tick>(id * 1000);
        const auto slot = static_cast<std::uint32_t>(id);
        core.batch.set(core.entities, begin, slot, 0, id);
        const auto stage = [&](Tick time, std::uint64_t number) {
            const std::array<std::uint64_t, 2> cells{id, number};
            core.batch.event(core.stage, time, cells);
        };
        stage(begin, 0);
        stage(begin + 500 + static_cast<Tick>(id) * 500, 1);
        core.batch.clear_slot(core.entities, begin + 5000, slot);
    }
    const std::array<std::uint64_t, 3> depends{0, 2, 1};
    core.batch.event(core.dependency, 2500, depends);
    HistogramBudget histograms;
    StatisticsMeter meter(core.schema, &histograms);
    meter.add(core.batch);
    const auto statistics = meter.result();
    REQUIRE(statistics);
    REQUIRE(statistics->units.size() == 1);
    const StageLatencies& latencies = statistics->units[0].latencies;
    CHECK(latencies.lifetimes.count == 3);
    CHECK(latencies.lifetimes.median == 10);
    REQUIRE(latencies.stages.size() == 2);
    CHECK(latencies.stages[0].name == "F");
    CHECK(latencies.stages[0].cycles.count == 3);
    CHECK(latencies.stages[0].cycles.least == 1);
    CHECK(latencies.stages[0].cycles.median == 2);
    CHECK(latencies.stages[0].cycles.greatest == 3);
    CHECK(latencies.stages[1].cycles.greatest == 9);
    REQUIRE(latencies.reasons.size() == 1);
    CHECK(latencies.reasons[0].what == "dependency");
    CHECK(latencies.reasons[0].name == "war");
    CHECK(latencies.reasons[0].times == 1);
}

}  // namespace instruction_profile_test

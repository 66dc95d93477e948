// Tests statistics of instructions against the output of stf_count and against counts made by hand.
#include "views/instruction_statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "convert/convert.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "operate/scan.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace instruction_statistics_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;

Bytes converted(const Bytes& bytes, std::string_view from, std::string_view to) {
    Bytes made;
    Findings findings;
    Losses losses;
    const Settings settings;
    const Format& target = *find_format(formats(), to);
    Input input = Input::memory("source", bytes);
    PreparedSource source(input, *find_format(formats(), from), target, settings, findings);
    Plan plan = make_plan(source.schema(), source.format(), target, Choices{{}, std::nullopt, settings}, losses);
    const auto output = open_memory_output("target", [&](Bytes all) { made = std::move(all); });
    const auto writer = target.create(*output, plan.target_schema(source.schema()), settings, losses);
    convert(source.reader(), plan, *writer);
    output->commit();
    return made;
}

std::optional<InstructionStatistics> statistics_of(const Bytes& bytes, std::uint64_t interval = 0) {
    Input input = Input::memory("trace", bytes);
    Findings findings;
    const Settings settings;
    const auto reader = find_format(formats(), "stf")->open(input, settings, findings);
    InstructionMeter meter(reader->schema(), interval);
    scan(*reader, {}, [&](const Batch& batch) { meter.add(batch); });
    return meter.result();
}

std::optional<InstructionStatistics> statistics_of(const std::filesystem::path& path, std::uint64_t interval = 0) {
    return statistics_of(load_sample(path).bytes, interval);
}

/// Returns a line such as "inst_count 36" for each counter that stf_count prints. One of the names has a blank.
std::vector<std::string> lines_of(const InstructionCounts& counts) {
    std::vector<std::string> lines;
    for (const NamedCounter& counter : instruction_counters)
        lines.push_back(std::string(counter.name) + " " + std::to_string(counts.*counter.value));
    return lines;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

/// Returns the CSV rows that a command printed, in the form of lines_of(). Returns an empty list if the command failed.
std::vector<std::vector<std::string>> rows_of(const std::string& golden, const std::string& command) {
    std::vector<std::vector<std::string>> rows;
    const auto lines = split(golden, '\n');
    auto line = std::find(lines.begin(), lines.end(), "$ " + command);
    if (line == lines.end() || ++line == lines.end()) return {};
    std::vector<std::string> names = split(*line, ',');
    for (std::string& name : names)
        std::replace(name.begin(), name.end(), ' ', '_');
    for (++line; line != lines.end() && !line->starts_with("rc="); ++line) {
        const auto values = split(*line, ',');
        if (values.size() != names.size()) return {};
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            row.push_back(names[i] + " " + values[i]);
    }
    return line != lines.end() && *line == "rc=0" ? rows : std::vector<std::vector<std::string>>{};
}

}  // namespace

TEST_CASE("counters have the names and values of stf_count") {
    std::size_t compared = 0;
    for (const std::string folder : {"stf", "stf/made", "stf/made/check"}) {
        const auto goldens = corpus(folder + "/golden");
        if (!goldens) return;
        for (const auto& entry : std::filesystem::directory_iterator(*goldens)) {
            constexpr std::string_view ending = ".count.txt";
            const std::string name = entry.path().filename().string();
            if (!name.ends_with(ending)) continue;
            const auto trace = *goldens / ".." / name.substr(0, name.size() - ending.size());
            CAPTURE(name);
            const std::string golden = read_text(entry.path());
            const auto total = rows_of(golden, "stf_count -c");
            if (total.size() != 1) continue;  // the command crashed
            std::optional<InstructionStatistics> statistics;
            try {
                statistics = statistics_of(trace, 100'000);
            } catch (const Error&) {
            }
            if (!statistics) {
                MESSAGE("nothing to compare: " << name);
                continue;
            }
            ++compared;
            CHECK(lines_of(statistics->counts) == total[0]);
            std::vector<std::vector<std::string>> intervals;
            for (const InstructionCounts& counts : statistics->intervals)
                intervals.push_back(lines_of(counts));
            CHECK(intervals == rows_of(golden, "stf_count -c -i 100000"));
        }
    }
    CHECK(compared >= 64);
}

TEST_CASE("instructions are counted by class, and records by feature") {
    const auto statistics = statistics_of(testdata("stf/valid/sensible.hex"), 3);
    REQUIRE(statistics.has_value());
    CHECK(statistics->counts.inst_count == 7);
    CHECK(statistics->counts.user_count == 5);
    CHECK(statistics->counts.pte_count == 2);
    CHECK(statistics->short_encodings == 1);
    CHECK(statistics->long_encodings == 6);
    CHECK(statistics->other_encodings == 0);
    REQUIRE(statistics->classes.has_value());
    const auto of = [&](riscv::Class which) { return (*statistics->classes)[static_cast<std::size_t>(which)]; };
    CHECK(of(riscv::Class::integer) == 2);
    CHECK(of(riscv::Class::load) == 1);
    CHECK(of(riscv::Class::store) == 1);
    CHECK(of(riscv::Class::jump) == 1);
    CHECK(of(riscv::Class::system) == 2);
    REQUIRE(statistics->accesses.size() == 2);
    CHECK(statistics->accesses[0].type == AccessType::read);
    CHECK(statistics->accesses[1].type == AccessType::write);
    CHECK(statistics->accesses[1].size == 8);
    CHECK(statistics->accesses[1].count == 1);
    REQUIRE(statistics->events.size() == 2);
    CHECK(statistics->events[0].name == "USER_ECALL");
    CHECK(statistics->events[0].count == 1);
    CHECK(statistics->events[1].name == "MODE_CHANGE");
    CHECK(statistics->events[1].count == 3);
    const auto feature = [&](std::string_view name) {
        const auto found = std::ranges::find(statistics->features, name, &InstructionStatistics::Feature::name);
        REQUIRE(found != statistics->features.end());
        return std::pair(found->set, found->count);
    };
    CHECK(feature("PTE") == std::pair(true, std::uint64_t{2}));
    CHECK(feature("EVENT") == std::pair(true, std::uint64_t{4}));
    CHECK(feature("REG_STATE") == std::pair(false, std::uint64_t{1}));
    REQUIRE(statistics->intervals.size() == 3);
    CHECK(statistics->intervals[0].inst_count == 3);
    CHECK(statistics->intervals[2].inst_count == 1);
    InstructionCounts sum;
    for (const InstructionCounts& counts : statistics->intervals)
        sum += counts;
    CHECK(sum == statistics->counts);
}

TEST_CASE("converting to µScope and back keeps the counts") {
    for (const char* name : {"stf/valid/sensible.hex", "stf/valid/every_record.hex", "stf/valid/sum_small.stf"}) {
        CAPTURE(name);
        const Bytes original = load_sample(testdata(name)).bytes;
        const auto before = statistics_of(original, 2);
        const auto after = statistics_of(converted(converted(original, "stf", "uscope"), "uscope", "stf"), 2);
        REQUIRE(before.has_value());
        REQUIRE(after.has_value());
        CHECK(before->counts == after->counts);
        CHECK(before->classes == after->classes);
        CHECK(before->intervals == after->intervals);
        CHECK(before->branches_taken == after->branches_taken);
        CHECK(before->accesses.size() == after->accesses.size());
        CHECK(before->events.size() == after->events.size());
        CHECK(before->features.size() == after->features.size());
    }
}

TEST_CASE("branches are counted as taken or not taken, and 32-bit events have names") {
    const auto statistics = statistics_of(testdata("stf/valid/event32.hex"));
    REQUIRE(statistics.has_value());
    CHECK(statistics->counts.fault_count == 1);
    REQUIRE(statistics->events.size() == 3);
    CHECK(statistics->events[0].name == "LOAD_ACCESS_FAULT");
    CHECK(statistics->events[1].name == "MODE_CHANGE");
    CHECK(statistics->events[2].name == "INT_MACHINE_TIMER");
    const auto odd_order = statistics_of(testdata("stf/valid/odd_order.hex"));
    REQUIRE(odd_order.has_value());
    CHECK(odd_order->branches_taken == 1);
    CHECK(odd_order->branches_not_taken == 0);
}

TEST_CASE("more intervals than allowed are refused, and a trace without instructions has no statistics") {
    Schema schema;
    Track hart;
    hart.kind = Track::Kind::hart;
    const TrackId core = schema.declare(std::move(hart));
    Batch batch;
    CHECK_FALSE(InstructionMeter(schema).result().has_value());
    for (Tick time = 0; time < 3; ++time)
        batch.instruction(core, time, 0).size = 4;
    Limits limits;
    limits.schema_objects = 2;
    InstructionMeter meter(schema, 1, limits);
    CHECK_THROWS_AS(meter.add(batch), Error);
    InstructionMeter fitting(schema, 2, limits);
    fitting.add(batch);
    const auto statistics = fitting.result();
    REQUIRE(statistics.has_value());
    CHECK(statistics->intervals.size() == 2);
    CHECK_FALSE(statistics->classes.has_value());  // the instruction set is unknown
    CHECK(statistics->features.empty());
}

TEST_CASE("records of a lost instruction are not counted") {
    Schema schema;
    const ScopeId root = schema.declare(Scope{"/", none, {}, none});
    const auto declare = [&](Track::Kind kind, std::string name, std::vector<Field> fields = {}) {
        Track track;
        track.kind = kind;
        track.scope = root;
        track.name = std::move(name);
        track.time = ordinals;
        track.fields = std::move(fields);
        return schema.declare(std::move(track));
    };
    const TrackId hart = declare(Track::Kind::hart, "core0");
    const TrackId event =
        declare(Track::Kind::event_type, "stf.event", {{"id", Type::u64}, {"field", Type::u64, none, true}});
    schema.describe("stf.features", "0x0000000000080020");
    const std::uint64_t fault[] = {5, 0};
    const auto count = [&](Tick time_of_fault) {
        Batch batch;
        batch.instruction(hart, 0, 0x1000).size = 4;
        batch.event(event, time_of_fault, fault);
        batch.instruction(hart, 4, 0x1010).size = 4;
        InstructionMeter meter(schema);
        meter.add(batch);
        return meter.result()->counts;
    };
    CHECK(count(4).fault_count == 1);
    CHECK(count(4).total_record_count == 3);
    CHECK(count(1).fault_count == 0);
    CHECK(count(1).inst_count == 2);
    CHECK(count(1).event_count == 0);
    CHECK(count(1).total_record_count == 2);
}

}  // namespace instruction_statistics_test

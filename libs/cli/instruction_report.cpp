#include "cli/instruction_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hwtrace::cli {

namespace {

/// Returns a percentage such as "12.34 %". `whole` must not be 0.
std::string percent(std::uint64_t part, std::uint64_t whole) {
    __extension__ using Wide = unsigned __int128;
    const auto share = static_cast<std::uint64_t>((static_cast<Wide>(part) * 10'000 + whole / 2) / whole);
    return fmt::format("{}.{:02} %", share / 100, share % 100);
}

/// Prints a table of counters with one row per interval.
void print_intervals(const std::vector<InstructionCounts>& intervals, TextOutput& out) {
    std::string line = "    ";
    for (const NamedCounter& counter : instruction_counters)
        line += fmt::format("  {}", counter.name);
    out.put(line + "\n");
    for (const InstructionCounts& counts : intervals) {
        line = "    ";
        for (const NamedCounter& counter : instruction_counters)
            line += fmt::format("  {:>{}}", counts.*counter.value, counter.name.size());
        out.put(line + "\n");
    }
}

}  // namespace

void print_instructions(const InstructionStatistics& statistics, TextOutput& out) {
    const std::uint64_t all = statistics.counts.inst_record_count;
    const auto row = [&](std::string_view name, std::uint64_t count, std::uint64_t whole) {
        out.put(fmt::format("    {:<22}  {:>20}  {:>8}\n", name, count, percent(count, whole)));
    };
    const auto title = [&](std::string_view text) { out.put(fmt::format("  {}\n", text)); };

    title("instructions, counted like stf_count");
    for (const NamedCounter& counter : instruction_counters)
        out.put(fmt::format("    {:<22}  {:>20}\n", counter.name, statistics.counts.*counter.value));
    title("encodings");
    row("2 bytes", statistics.short_encodings, all);
    row("4 bytes", statistics.long_encodings, all);
    if (statistics.other_encodings != 0) row("other", statistics.other_encodings, all);
    if (statistics.classes) {
        title("classes");
        for (std::size_t i = 0; i < riscv::classes; ++i)
            if (const std::uint64_t count = (*statistics.classes)[i]; count != 0)
                row(name_of(static_cast<riscv::Class>(i)), count, all);
        if (const std::uint64_t branches = statistics.branches_taken + statistics.branches_not_taken; branches != 0) {
            title("conditional branches");
            row("taken", statistics.branches_taken, branches);
            row("not taken", statistics.branches_not_taken, branches);
        }
    }
    if (!statistics.accesses.empty()) title("memory accesses, by stated size");
    for (const InstructionStatistics::AccessSize& access : statistics.accesses)
        row(fmt::format("{} {}", name_of(access.type), access.size), access.count, statistics.counts.mem_access_count);
    if (!statistics.events.empty()) title("events");
    for (const InstructionStatistics::Count& event : statistics.events)
        out.put(fmt::format("    {:<22}  {:>20}\n", event.name, event.count));
    if (!statistics.features.empty()) title("features, with the number of their records");
    for (const InstructionStatistics::Feature& feature : statistics.features)
        if (feature.set || feature.count != 0)
            out.put(
                fmt::format("    {:<22}  {:>20}  {:>8}\n", feature.name, feature.count, feature.set ? "set" : "clear"));
    if (!statistics.intervals.empty()) {
        title("intervals");
        print_intervals(statistics.intervals, out);
    }
}

Json instructions_json(const InstructionStatistics& statistics, JsonIntegers integers) {
    const auto counters = [&](const InstructionCounts& counts) {
        Json json;
        for (const NamedCounter& counter : instruction_counters)
            json[std::string(counter.name)] = json_integer(counts.*counter.value, integers);
        return json;
    };
    Json json;
    json["counters"] = counters(statistics.counts);
    json["encodings"]["2"] = json_integer(statistics.short_encodings, integers);
    json["encodings"]["4"] = json_integer(statistics.long_encodings, integers);
    json["encodings"]["other"] = json_integer(statistics.other_encodings, integers);
    if (statistics.classes) {
        for (std::size_t i = 0; i < riscv::classes; ++i)
            json["classes"][std::string(name_of(static_cast<riscv::Class>(i)))] =
                json_integer((*statistics.classes)[i], integers);
        json["branches"]["taken"] = json_integer(statistics.branches_taken, integers);
        json["branches"]["not_taken"] = json_integer(statistics.branches_not_taken, integers);
    }
    json["accesses"] = Json::array();
    for (const InstructionStatistics::AccessSize& access : statistics.accesses) {
        Json entry;
        entry["type"] = name_of(access.type);
        entry["size"] = access.size;
        entry["count"] = json_integer(access.count, integers);
        json["accesses"].push_back(entry);
    }
    json["events"] = Json::array();
    for (const InstructionStatistics::Count& event : statistics.events) {
        Json entry;
        entry["name"] = event.name;
        entry["count"] = json_integer(event.count, integers);
        json["events"].push_back(entry);
    }
    json["features"] = Json::array();
    for (const InstructionStatistics::Feature& feature : statistics.features) {
        Json entry;
        entry["name"] = feature.name;
        entry["set"] = feature.set;
        entry["count"] = json_integer(feature.count, integers);
        json["features"].push_back(entry);
    }
    if (!statistics.intervals.empty()) {
        json["intervals"] = Json::array();
        for (const InstructionCounts& counts : statistics.intervals)
            json["intervals"].push_back(counters(counts));
    }
    return json;
}

}  // namespace hwtrace::cli

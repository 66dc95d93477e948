#include "cli/profile_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/info_table.hpp"
#include "io/number_text.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::size_t most_rows = 8;

template <typename Row>
std::span<const Row> shown(const std::vector<Row>& rows, Volume volume) {
    return std::span(rows).first(volume == Volume::verbose ? rows.size() : std::min(rows.size(), most_rows));
}

std::string encoding_text(std::uint64_t encoding) {
    return encoding == 0 ? std::string("-") : hexadecimal_text(encoding);
}

/// Returns the targets as in "0x1040 x 12, 0x1080 x 3".
std::string targets_text(const InstructionProfile::Branch& branch) {
    std::string text;
    for (const InstructionProfile::Branch::Target& target : branch.targets)
        text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", hexadecimal_text(target.pc), target.times);
    if (branch.other_targets != 0) text += fmt::format(", others x {}", branch.other_targets);
    return text;
}

/// A table of addresses. `cells_of(row)` returns all cells but the address. With names, it is followed by its function.
template <typename Rows, typename PcOf, typename CellsOf>
void print_addresses(std::vector<InfoColumn> columns, const Rows& rows, const AddressNames& names, Volume volume,
                     TextOutput& out, PcOf&& pc_of, CellsOf&& cells_of) {
    InfoTable(std::move(columns), rows, [&](const auto& row) {
        const std::uint64_t pc = pc_of(row);
        std::vector<InfoValue> cells = cells_of(row);
        cells.insert(cells.begin(), names ? hexadecimal_text(pc) + "  " + names.text(pc) : hexadecimal_text(pc));
        return cells;
    }).print(volume, out);
}

void print_code(const InstructionProfile& profile, const AddressNames& names, Volume volume, TextOutput& out) {
    print_addresses(
        {{fmt::format("hot pcs, of {}", profile.different_pcs), {}},
         {"encoding", {}},
         {"executions", {}},
         {"loads", {}},
         {"stores", {}}},
        shown(profile.pcs, volume), names, volume, out, [](const InstructionProfile::Pc& pc) { return pc.pc; },
        [](const InstructionProfile::Pc& pc) {
            return std::vector<InfoValue>{encoding_text(pc.encoding), pc.executions, pc.loads, pc.stores};
        });
    print_addresses(
        {{fmt::format("basic blocks, of {}", profile.different_blocks), {}},
         {"up to", {}},
         {"executions", {}},
         {"instructions", {}}},
        shown(profile.blocks, volume), names, volume, out,
        [](const InstructionProfile::Block& block) { return block.begin; },
        [](const InstructionProfile::Block& block) {
            return std::vector<InfoValue>{hexadecimal_text(block.end), block.executions, block.instructions};
        });
    if (profile.omitted_pcs + profile.omitted_blocks != 0)
        out.put(fmt::format("    not listed: {} of other pcs, {} of other blocks\n",
                            counted(profile.omitted_pcs, "execution"), counted(profile.omitted_blocks, "execution")));
    print_addresses(
        {{"branches", {}}, {"class", {}}, {"taken", {}}, {"not taken", {}}, {"targets", {}, 0, true}},
        shown(profile.branches, volume), names, volume, out,
        [](const InstructionProfile::Branch& branch) { return branch.pc; },
        [&](const InstructionProfile::Branch& branch) {
            return std::vector<InfoValue>{std::string(branch.kind.empty() ? "-" : branch.kind), branch.taken,
                                          branch.not_taken, targets_text(branch)};
        });
}

void print_memory(const InstructionProfile::Memory& memory, TextOutput& out) {
    const auto line = [&](std::string_view name, std::uint64_t value, bool exact = true) {
        out.put(fmt::format("    {:<22}  {:>20}\n", name, (exact ? "" : "~") + std::to_string(value)));
    };
    out.put("  memory\n");
    line("reads", memory.reads);
    line("writes", memory.writes);
    line("bytes read", memory.bytes_read);
    line("bytes written", memory.bytes_written);
    line("cache lines of 64 B", memory.lines, memory.lines_exact);
    line("pages of 4 KiB", memory.pages, memory.pages_exact);
    if (!memory.lines_exact || !memory.pages_exact)
        out.put("    ~ within 1 %: a sample of more than 262144 (standard error 0.3 %)\n");
}

std::pair<std::uint64_t, std::uint64_t> bounds_of(std::size_t bucket) {
    if (bucket == 0) return {0, 0};
    const std::uint64_t least = std::uint64_t{1} << (bucket - 1);
    return {least, least + (least - 1)};
}

void print_reuse(const InstructionProfile::Reuse& reuse, TextOutput& out) {
    const auto line = [&](std::string_view name, std::uint64_t value) {
        out.put(fmt::format("    {:<22}  {:>20}\n", name, value));
    };
    out.put(fmt::format("  reuse distances, in other cache lines{}\n",
                        reuse.sampled == 1 ? std::string() : fmt::format(" (1 of {} lines sampled)", reuse.sampled)));
    line("references", reuse.references);
    line("first uses", reuse.first_uses);
    for (std::size_t bucket = 0; bucket < reuse.counts.size(); ++bucket) {
        if (reuse.counts[bucket] == 0) continue;
        const auto [least, greatest] = bounds_of(bucket);
        line(least == greatest ? std::to_string(least) : fmt::format("{} to {}", least, greatest),
             reuse.counts[bucket]);
    }
}

Json branch_json(const InstructionProfile::Branch& branch, const AddressNames& names, JsonIntegers integers) {
    Json json;
    json["pc"] = hexadecimal_text(branch.pc);
    names.add_to(json, branch.pc, integers);
    if (!branch.kind.empty()) json["class"] = branch.kind;
    json["taken"] = json_integer(branch.taken, integers);
    json["not_taken"] = json_integer(branch.not_taken, integers);
    json["targets"] = Json::array();
    for (const InstructionProfile::Branch::Target& target : branch.targets) {
        Json entry;
        entry["pc"] = hexadecimal_text(target.pc);
        names.add_to(entry, target.pc, integers);
        entry["times"] = json_integer(target.times, integers);
        json["targets"].push_back(std::move(entry));
    }
    json["other_targets"] = json_integer(branch.other_targets, integers);
    return json;
}

Json memory_json(const InstructionProfile::Memory& memory, JsonIntegers integers) {
    Json json;
    json["reads"] = json_integer(memory.reads, integers);
    json["writes"] = json_integer(memory.writes, integers);
    json["bytes_read"] = json_integer(memory.bytes_read, integers);
    json["bytes_written"] = json_integer(memory.bytes_written, integers);
    json["lines"] = json_integer(memory.lines, integers);
    json["lines_precision"] = memory.lines_exact ? "exact" : "within 1 %";
    json["pages"] = json_integer(memory.pages, integers);
    json["pages_precision"] = memory.pages_exact ? "exact" : "within 1 %";
    json["line_bytes"] = InstructionProfile::line_bytes;
    json["page_bytes"] = InstructionProfile::page_bytes;
    return json;
}

Json reuse_json(const InstructionProfile::Reuse& reuse, JsonIntegers integers) {
    Json json;
    json["references"] = json_integer(reuse.references, integers);
    json["first_uses"] = json_integer(reuse.first_uses, integers);
    json["sampled_lines"] = reuse.sampled == 1 ? "all" : fmt::format("1 of {}", reuse.sampled);
    json["histogram"] = Json::array();
    for (std::size_t bucket = 0; bucket < reuse.counts.size(); ++bucket) {
        if (reuse.counts[bucket] == 0) continue;
        const auto [least, greatest] = bounds_of(bucket);
        Json entry;
        entry["least"] = json_integer(least, integers);
        entry["greatest"] = json_integer(greatest, integers);
        entry["references"] = json_integer(reuse.counts[bucket], integers);
        json["histogram"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace

void print_profile(const InstructionProfile& profile, const AddressNames& names, Volume volume, TextOutput& out) {
    print_code(profile, names, volume, out);
    if (profile.memory) print_memory(*profile.memory, out);
    if (profile.reuse) print_reuse(*profile.reuse, out);
}

Json profile_json(const InstructionProfile& profile, const AddressNames& names, JsonIntegers integers) {
    Json json;
    json["different_pcs"] = json_integer(profile.different_pcs, integers);
    json["different_blocks"] = json_integer(profile.different_blocks, integers);
    json["omitted_pcs"] = json_integer(profile.omitted_pcs, integers);
    json["omitted_blocks"] = json_integer(profile.omitted_blocks, integers);
    json["pcs"] = Json::array();
    for (const InstructionProfile::Pc& pc : profile.pcs) {
        Json entry;
        entry["pc"] = hexadecimal_text(pc.pc);
        names.add_to(entry, pc.pc, integers);
        if (pc.encoding != 0) entry["encoding"] = hexadecimal_text(pc.encoding);
        entry["executions"] = json_integer(pc.executions, integers);
        entry["loads"] = json_integer(pc.loads, integers);
        entry["stores"] = json_integer(pc.stores, integers);
        json["pcs"].push_back(std::move(entry));
    }
    json["blocks"] = Json::array();
    for (const InstructionProfile::Block& block : profile.blocks) {
        Json entry;
        entry["begin"] = hexadecimal_text(block.begin);
        entry["end"] = hexadecimal_text(block.end);
        names.add_to(entry, block.begin, integers);
        entry["executions"] = json_integer(block.executions, integers);
        entry["instructions"] = json_integer(block.instructions, integers);
        json["blocks"].push_back(std::move(entry));
    }
    json["branches"] = Json::array();
    for (const InstructionProfile::Branch& branch : profile.branches)
        json["branches"].push_back(branch_json(branch, names, integers));
    if (profile.memory) json["memory"] = memory_json(*profile.memory, integers);
    if (profile.reuse) json["reuse"] = reuse_json(*profile.reuse, integers);
    return json;
}

}  // namespace hwtrace::cli

// formats/champsim/lost.hpp - counts what a record has no place for, without text on the hot path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"

namespace hwtrace::champsim {

/// The kinds of data that a trace loses, apart from the tracks that it cannot hold.
enum class Lost : std::uint8_t {
    encoding,
    register_values,
    access_data,
    destinations,
    sources,
    compared,
    unknown_registers,
    csr_registers,
    writes,
    reads,
    zero_address,
    other_access,
    times,
    processes,
    other_harts,
    count
};

/// A kind of loss: its code, its subject in reports, and why it occurs.
struct LostKind {
    Loss loss;
    std::string_view subject;
    std::string_view why;
};
inline constexpr std::array<LostKind, static_cast<std::size_t>(Lost::count)> lost_kinds{{
    {Loss::field_dropped, "instruction encodings", "a record states registers and addresses, not the encoding"},
    {Loss::field_dropped, "register values", "a record has numbers of registers, not values"},
    {Loss::field_dropped, "access sizes and data", "a record has addresses of accesses only"},
    {Loss::part_dropped, "destination registers",
     "a record has few destination registers, and a call needs two for the instruction and stack pointers"},
    {Loss::part_dropped, "source registers", "a record has four source registers"},
    {Loss::part_dropped, "compared registers", "with --champsim-branches flags, conditional branches read the flags"},
    {Loss::part_dropped, "unknown registers",
     "instructions that are not decoded, such as vector instructions, of a trace without register values"},
    {Loss::part_dropped, "control registers", "CSRs have no number in a record"},
    {Loss::part_dropped, "written addresses", "a record has as many addresses as destination registers"},
    {Loss::part_dropped, "read addresses", "a record has four addresses that are read"},
    {Loss::part_dropped, "accesses at address 0", "in a record, address 0 is no access"},
    {Loss::part_dropped, "accesses that neither read nor write", "a record only has reads and writes"},
    {Loss::time_rounded, "instruction times", "a record has no time, and no gap before it"},
    {Loss::part_dropped, "hart and process ids", "a record has no ids"},
    {Loss::kind_dropped, "instructions of other harts", "--champsim-hart selects one hart"},
}};

/// Counts losses. The first example of each kind is the number of an instruction.
class LostCounts {
public:
    void add(Lost kind, std::uint64_t instruction, std::uint64_t count = 1) noexcept {
        Entry& entry = entries_[static_cast<std::size_t>(kind)];
        if (entry.count == 0) entry.first = instruction;
        entry.count += count;
    }
    /// Adds the counts to `losses`.
    void report(Losses& losses) const {
        for (std::size_t kind = 0; kind < entries_.size(); ++kind) {
            const Entry& entry = entries_[kind];
            if (entry.count == 0) continue;
            losses.count(
                lost_kinds[kind].loss, Subject::general(lost_kinds[kind].subject),
                [&] { return "instruction " + std::to_string(entry.first) + ": " + std::string(lost_kinds[kind].why); },
                entry.count);
        }
    }

private:
    struct Entry {
        std::uint64_t count = 0, first = 0;
    };
    std::array<Entry, static_cast<std::size_t>(Lost::count)> entries_{};
};

}  // namespace hwtrace::champsim

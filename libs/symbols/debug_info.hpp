// symbols/debug_info.hpp - source lines and inlined calls from DWARF debug information, by libdw. Compiled only if
// libdw was found.
#pragma once

#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/limits.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/loaded_file.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace {

/// The debug information of one ELF file. Addresses are those of the file. Reads a compilation unit when an address in
/// it is asked for the first time. Threads may share it.
class DebugInfo final : public LineSource {
public:
    /// Returns nullptr if the file has no debug information. Throws Failure::input if it is damaged, Failure::limit if
    /// it is too large.
    static std::unique_ptr<LineSource> open(std::shared_ptr<const ElfFile> file, const Limits& limits);
    DebugInfo(std::shared_ptr<const ElfFile> file, Dwarf* dwarf, const Limits& limits)
        : file_(std::move(file)), dwarf_(dwarf), limits_(limits) {}

    Symbols::Line line_at(std::uint64_t pc) override;
    Symbols::Inlining inlining_at(std::uint64_t pc) override;

private:
    struct Unit {
        Dwarf_Die die{};   // of the unit
        Dwarf_Die code{};  // of the unit that holds the functions: another one in split debug information
        bool has_lines = false, has_calls = false;  // were read
        Dwarf_Lines* lines = nullptr;
        std::size_t line_count = 0;
        std::deque<Symbols::InlinedCall> calls;
        std::vector<Symbols::Inlining> inlinings;  // for all addresses
    };
    /// A range of a function or of an inlined call.
    struct CallRange {
        std::uint64_t begin = 0, end = 0;
        const Symbols::InlinedCall* call = nullptr;  // null: a function
    };
    struct UnitRange {
        std::uint64_t begin = 0, end = 0;
        std::uint32_t unit = 0;
    };
    /// The addresses for which an answer is the same.
    struct Bounds {
        std::uint64_t begin = 0, end = ~std::uint64_t{0};
    };

    void read_units();
    /// Calls `take(begin, end)` for each range of a function, call or unit.
    template <typename Take>
    void each_range(Dwarf_Die& die, Take&& take);
    /// Returns the unit that contains `pc`, or nullptr, and for which addresses this holds.
    std::pair<Unit*, Bounds> unit_at(std::uint64_t pc);
    void read_lines(Unit& unit);
    void read_calls(Unit& unit);
    const Symbols::InlinedCall* add_call(Unit& unit, Dwarf_Die& die, const Symbols::InlinedCall* caller);
    std::string_view name_of(Dwarf_Die& die);

    struct Close {
        void operator()(Dwarf* dwarf) const noexcept { dwarf_end(dwarf); }
    };
    std::shared_ptr<const ElfFile> file_;
    std::unique_ptr<Dwarf, Close> dwarf_;
    Limits limits_;
    std::mutex mutex_;  // libdw is not safe for threads
    bool knows_units_ = false;
    std::deque<Unit> units_;
    std::vector<UnitRange> unit_ranges_;
    std::uint64_t ranges_read_ = 0, name_bytes_ = 0;
    std::map<std::string, std::string, std::less<>> names_;  // demangled, by raw name
};

}  // namespace hwtrace

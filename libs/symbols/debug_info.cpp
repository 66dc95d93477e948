#include "symbols/debug_info.hpp"

#include <dwarf.h>

#include <algorithm>

#include "io/error.hpp"
#include "io/named_error.hpp"
#include "symbols/demangle.hpp"
#include "symbols/nested_ranges.hpp"

namespace hwtrace {

namespace {

std::string_view text_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&die, name, &attribute) == nullptr) return {};
    const char* const text = dwarf_formstring(&attribute);
    return text == nullptr ? std::string_view() : text;
}

/// Returns the number of an attribute of this DIE, or nullopt.
std::optional<Dwarf_Word> number_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return std::nullopt;
    return value;
}

/// The children that a DIE may have.
enum class Holds : std::uint8_t { nothing, functions, code };

Holds holds(int tag) noexcept {
    switch (tag) {
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
            return Holds::functions;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
            return Holds::code;
        default:
            return Holds::nothing;
    }
}

}  // namespace

std::unique_ptr<LineSource> DebugInfo::open(std::shared_ptr<const ElfFile> file, const Limits& limits) {
    if (!file->has_debug_sections()) return nullptr;
    file->check_compressed_sections(limits);
    Dwarf* const dwarf = dwarf_begin_elf(file->elf(), DWARF_C_READ, nullptr);
    if (dwarf == nullptr)
        fail(Failure::input, file->path() + ": has damaged debug information (libdw: " + dwarf_errmsg(-1) +
                                 "); build the file again, or remove it with strip -g");
    return std::make_unique<DebugInfo>(std::move(file), dwarf, limits);
}

template <typename Take>
void DebugInfo::each_range(Dwarf_Die& die, Take&& take) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
        naming(file_->path(), [&] {
            check_limit(++ranges_read_, 8 * limits_.schema_objects, "the number of ranges in the debug information",
                        "--max-schema");
        });
        if (begin < end) take(begin, end);
    }
}

void DebugInfo::read_units() {
    if (std::exchange(knows_units_, true)) return;
    Dwarf_CU *unit = nullptr, *next = nullptr;
    Dwarf_Die die, split;
    std::uint8_t type = 0;
    while (dwarf_get_units(dwarf_.get(), unit, &next, nullptr, &type, &die, &split) == 0) {
        unit = next;
        if (type != DW_UT_compile && type != DW_UT_skeleton && type != DW_UT_partial) continue;
        naming(file_->path(), [&] {
            check_limit(units_.size() + 1, limits_.schema_objects, "the number of units in the debug information",
                        "--max-schema");
        });
        const auto index = static_cast<std::uint32_t>(units_.size());
        Unit& known = units_.emplace_back();
        known.die = die;
        known.code = type == DW_UT_skeleton && split.addr != nullptr ? split : die;
        each_range(known.die, [&](std::uint64_t begin, std::uint64_t end) {
            unit_ranges_.push_back({begin, end, index});
        });
    }
    std::ranges::stable_sort(unit_ranges_, {}, &UnitRange::begin);
}

std::pair<DebugInfo::Unit*, DebugInfo::Bounds> DebugInfo::unit_at(std::uint64_t pc) {
    read_units();
    const auto after = std::ranges::upper_bound(unit_ranges_, pc, {}, &UnitRange::begin);
    Bounds bounds;
    if (after != unit_ranges_.end()) bounds.end = after->begin;
    if (after == unit_ranges_.begin()) return {nullptr, bounds};
    const UnitRange& range = *std::prev(after);
    if (pc >= range.end) {
        bounds.begin = range.end;
        return {nullptr, bounds};
    }
    bounds.begin = range.begin;
    bounds.end = std::min(bounds.end, range.end);
    return {&units_[range.unit], bounds};
}

void DebugInfo::read_lines(Unit& unit) {
    if (std::exchange(unit.has_lines, true)) return;
    if (dwarf_getsrclines(&unit.die, &unit.lines, &unit.line_count) != 0) unit.line_count = 0;
}

Symbols::Line DebugInfo::line_at(std::uint64_t pc) {
    const std::lock_guard lock(mutex_);
    const auto [found, bounds] = unit_at(pc);
    Unit* const unit = found;
    Symbols::Line answer;
    answer.begin = bounds.begin;
    answer.end = bounds.end;
    if (unit == nullptr) return answer;
    read_lines(*unit);
    const auto address = [&](std::size_t row) {
        Dwarf_Addr value = 0;
        return dwarf_lineaddr(dwarf_onesrcline(unit->lines, row), &value) == 0 ? value : 0;
    };
    std::size_t low = 0, high = unit->line_count;  // `low` becomes the first row behind pc
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (address(middle) <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < unit->line_count) answer.end = std::min(answer.end, address(low));
    if (low == 0) return answer;
    Dwarf_Line* const row = dwarf_onesrcline(unit->lines, low - 1);
    answer.begin = std::max(answer.begin, address(low - 1));
    bool ends = false;
    int line = 0;
    if (dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &line) != 0 || line <= 0) return answer;
    const char* const file = dwarf_linesrc(row, nullptr, nullptr);
    if (file == nullptr) return answer;
    answer.file = file;
    answer.line = static_cast<std::uint32_t>(line);
    return answer;
}

std::string_view DebugInfo::name_of(Dwarf_Die& die) {
    std::string_view raw = text_of(die, DW_AT_linkage_name);
    if (raw.empty()) raw = text_of(die, DW_AT_MIPS_linkage_name);
    if (raw.empty()) raw = text_of(die, DW_AT_name);
    if (raw.empty()) return "(unnamed)";
    const auto known = names_.find(raw);
    if (known != names_.end()) return known->second;
    const std::string& name = names_.emplace(std::string(raw), demangled(raw)).first->second;
    name_bytes_ += name.size();
    naming(file_->path(),
           [&] { check_limit(name_bytes_, limits_.block, "the names of all inlined functions", "--max-block"); });
    return name;
}

const Symbols::InlinedCall* DebugInfo::add_call(Unit& unit, Dwarf_Die& die, const Symbols::InlinedCall* caller) {
    Symbols::InlinedCall& call = unit.calls.emplace_back();
    call.name = name_of(die);
    call.caller = caller;
    const auto file = number_of(die, DW_AT_call_file), line = number_of(die, DW_AT_call_line);
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (file && line && dwarf_getsrcfiles(&unit.code, &files, &count) == 0 && *file < count) {
        const char* const name = dwarf_filesrc(files, *file, nullptr, nullptr);
        if (name != nullptr) call.call_file = name;
        call.call_line = static_cast<std::uint32_t>(*line);
    }
    return &call;
}

void DebugInfo::read_calls(Unit& unit) {
    if (std::exchange(unit.has_calls, true)) return;
    struct Level {
        Dwarf_Die die{};
        const Symbols::InlinedCall* call = nullptr;  // that contains the DIEs of this level
        std::uint64_t depth = 0;
    };
    std::vector<Level> levels;
    std::vector<CallRange> ranges;
    Dwarf_Die child;
    if (dwarf_child(&unit.code, &child) == 0) levels.push_back({child, nullptr, 1});
    while (!levels.empty()) {
        Level here = levels.back();
        Dwarf_Die next;
        // In damaged files, the next DIE may be an earlier one.
        if (dwarf_siblingof(&here.die, &next) == 0 && dwarf_dieoffset(&next) > dwarf_dieoffset(&here.die))
            levels.back().die = next;
        else
            levels.pop_back();
        const int tag = dwarf_tag(&here.die);
        const Holds contents = holds(tag);
        if (contents == Holds::nothing) continue;
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
            const std::size_t before = ranges.size();
            each_range(here.die, [&](std::uint64_t begin, std::uint64_t end) { ranges.push_back({begin, end}); });
            if (ranges.size() == before) continue;  // not code, but a declaration or a pattern
            here.call = tag == DW_TAG_subprogram ? nullptr : add_call(unit, here.die, here.call);
            for (std::size_t i = before; i < ranges.size(); ++i)
                ranges[i].call = here.call;
        }
        if (here.depth < limits_.depth && dwarf_child(&here.die, &child) == 0 &&
            dwarf_dieoffset(&child) > dwarf_dieoffset(&here.die))
            levels.push_back({child, here.call, here.depth + 1});
    }
    std::ranges::stable_sort(ranges, {}, &CallRange::begin);  // outer ones were read first
    cut_nested_ranges(ranges, [&](std::uint64_t begin, std::uint64_t end, std::size_t index) {
        unit.inlinings.push_back({index == no_range ? nullptr : ranges[index].call, begin, end});
    });
}

Symbols::Inlining DebugInfo::inlining_at(std::uint64_t pc) {
    const std::lock_guard lock(mutex_);
    const auto [unit, bounds] = unit_at(pc);
    Symbols::Inlining answer{nullptr, bounds.begin, bounds.end};
    if (unit == nullptr) return answer;
    read_calls(*unit);
    const auto after = std::ranges::upper_bound(unit->inlinings, pc, {}, &Symbols::Inlining::begin);
    if (after == unit->inlinings.begin()) return answer;
    answer = *std::prev(after);
    answer.begin = std::max(answer.begin, bounds.begin);
    answer.end = std::min(answer.end, bounds.end);
    return answer;
}

}  // namespace hwtrace

// symbols/function_table.hpp - makes functions from the symbols of ELF files: one name per address, no overlaps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symbols/symbols.hpp"

namespace hwtrace {

/// A symbol of code.
struct CodeSymbol {
    enum class Binding : std::uint8_t { global, local, weak };  ///< the preferred ones first

    std::uint64_t begin = 0, size = 0;  ///< size 0: not stated
    std::uint64_t section_end = 0;      ///< the end of the section that contains it
    std::string_view name;
    Binding binding = Binding::global;
    bool is_function = true;  ///< false: a label, as assembly language makes them
    std::uint32_t file = 0;
};

/// Chooses the functions, sorted by address. If several symbols name an address, prefers functions to labels, then
/// global to local to weak symbols, then the shortest name, then the first in the alphabet. Labels inside of a function
/// are left out. A function without a size extends to the next symbol, at most to the end of its section.
std::vector<CodeSymbol> choose_functions(std::vector<CodeSymbol> symbols);

/// Returns ranges for all addresses. If functions overlap, the one that begins last has the common addresses.
/// `functions` are sorted by address; no two begin at the same one.
std::vector<Symbols::Range> make_ranges(const std::vector<Symbols::Function>& functions);

}  // namespace hwtrace

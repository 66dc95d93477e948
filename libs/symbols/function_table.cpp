#include "symbols/function_table.hpp"

#include <algorithm>
#include <tuple>

#include "symbols/nested_ranges.hpp"

namespace hwtrace {

namespace {

bool is_preferred(const CodeSymbol& left, const CodeSymbol& right) noexcept {
    const auto key = [](const CodeSymbol& symbol) {
        return std::tuple(symbol.begin, !symbol.is_function, symbol.binding, symbol.name.size(), symbol.name,
                          symbol.file);
    };
    return key(left) < key(right);
}

/// Returns the end of a symbol with a stated size.
std::uint64_t stated_end(const CodeSymbol& symbol) noexcept {
    return symbol.begin + std::min(symbol.size, symbol.section_end - symbol.begin);
}

}  // namespace

std::vector<CodeSymbol> choose_functions(std::vector<CodeSymbol> symbols) {
    std::sort(symbols.begin(), symbols.end(), is_preferred);
    std::vector<CodeSymbol> chosen;
    std::uint64_t covered = 0;  // the greatest end of a function with a size so far
    for (const CodeSymbol& symbol : symbols) {
        if (!chosen.empty() && chosen.back().begin == symbol.begin) {  // an alias
            if (chosen.back().size == 0) chosen.back().size = symbol.size;
        } else if (symbol.is_function || symbol.begin >= covered) {
            chosen.push_back(symbol);
        }
        if (symbol.is_function) covered = std::max(covered, stated_end(symbol));
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        CodeSymbol& symbol = chosen[i];
        std::uint64_t end = symbol.section_end;
        if (symbol.size != 0)
            end = stated_end(symbol);
        else if (i + 1 < chosen.size())
            end = std::min(end, chosen[i + 1].begin);
        symbol.size = end - symbol.begin;
    }
    return chosen;
}

std::vector<Symbols::Range> make_ranges(const std::vector<Symbols::Function>& functions) {
    std::vector<Symbols::Range> ranges;
    cut_nested_ranges(functions, [&](std::uint64_t begin, std::uint64_t end, std::size_t index) {
        const auto function = index == no_range ? Symbols::no_function : static_cast<Symbols::FunctionId>(index);
        if (!ranges.empty() && ranges.back().function == function)
            ranges.back().end = end;
        else
            ranges.push_back({begin, end, function});
    });
    return ranges;
}

}  // namespace hwtrace

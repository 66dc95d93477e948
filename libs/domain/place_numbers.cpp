#include "domain/place_numbers.hpp"

#include <algorithm>
#include <numeric>

namespace hwtrace {

namespace {

std::string line_text(const Symbols::Line& line) {
    std::string text(line.file);
    if (!text.empty()) text.append(":").append(std::to_string(line.line));
    return text;
}

}  // namespace

PlaceNumbers::PlaceNumbers(std::shared_ptr<const Symbols> symbols) : symbols_(std::move(symbols)) {
    std::vector<std::uint32_t> by_name(symbols_->functions().size());
    std::iota(by_name.begin(), by_name.end(), std::uint32_t{0});
    std::ranges::stable_sort(by_name, {}, [&](std::uint32_t function) { return function_name(function); });
    first_of_name_.resize(by_name.size());
    std::uint32_t first = 0;
    for (const std::uint32_t function : by_name) {
        if (function_name(function) != function_name(first) || function == by_name.front()) first = function;
        first_of_name_[function] = first;
    }
}

PlaceNumbers::Place PlaceNumbers::function_at(std::uint64_t pc) noexcept {
    const Symbols::FunctionId id = symbols_->range_at(pc, recent_functions_).function;
    if (id == Symbols::no_function) return {};
    return {first_of_name_[id], unknown, pc - symbols_->function(id).begin};
}

std::uint32_t PlaceNumbers::find_source(std::uint64_t pc) {
    const Symbols::Line line = symbols_->line_at(pc);
    Lines& known = recent_[static_cast<std::size_t>(pc >> 1) % recent_.size()];
    known = {line.begin, line.end, unknown};
    if (line.file.empty()) return unknown;
    const auto [entry, is_new] =
        numbers_.emplace(std::pair(line.file, line.line), static_cast<std::uint32_t>(sources_.size()));
    if (is_new) sources_.push_back(line_text(line));
    return known.source = entry->second;
}

std::string source_text(const Symbols& symbols, std::uint64_t pc) {
    return line_text(symbols.line_at(pc));
}

}  // namespace hwtrace

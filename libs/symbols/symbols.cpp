#include "symbols/symbols.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "io/error.hpp"
#include "io/number_text.hpp"
#include "symbols/demangle.hpp"
#include "symbols/loaded_file.hpp"

namespace hwtrace {

/// A file that was loaded. Its code is in [begin, end).
struct Symbols::Part {
    std::uint64_t begin = 0, end = 0, base = 0;
    std::unique_ptr<LineSource> lines;  // null: it has no debug information
};

namespace {

/// Throws if the code of two files overlaps.
void check_overlaps(const std::vector<LoadedFile>& loaded, std::span<const SymbolFile> files) {
    std::vector<std::size_t> order(loaded.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return loaded[i].begin; });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const LoadedFile &low = loaded[order[i - 1]], &high = loaded[order[i]];
        if (high.begin >= low.end) continue;
        fail(Failure::usage, files[order[i]].path + ": its code at " + hexadecimal_text(high.begin) +
                                 " overlaps that of " + files[order[i - 1]].path + ", which is at " +
                                 hexadecimal_text(low.begin) + " to " + hexadecimal_text(low.end) +
                                 "; state where each was loaded (FILE@BASE)");
    }
}

}  // namespace

Symbols::Symbols() = default;
Symbols::~Symbols() = default;

bool Symbols::can_load() noexcept {
    return can_load_elf();
}

bool Symbols::is_position_independent(const std::string& path) {
    constexpr std::string_view magic =
        "\x7F"
        "ELF";
    constexpr std::size_t type_at = 16;
    constexpr char shared_object = 3;
    std::array<char, type_at + 2> head{};
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return false;  // opening a pipe would wait for its writer
    std::ifstream file(path, std::ios::binary);
    return file.read(head.data(), head.size()) && std::string_view(head.data(), magic.size()) == magic &&
           head[type_at] == shared_object && head[type_at + 1] == 0;
}

/// Fills the tables from symbols, whose names may vanish later.
void Symbols::set_functions(std::vector<CodeSymbol> symbols, const Limits& limits) {
    const std::vector<CodeSymbol> chosen = choose_functions(std::move(symbols));
    struct Name {
        std::size_t raw, name, end;  // positions in names_
    };
    std::vector<Name> names;
    names.reserve(chosen.size());
    for (const CodeSymbol& symbol : chosen) {
        Name& place = names.emplace_back();
        place.raw = names_.size();
        names_.insert(names_.end(), symbol.name.begin(), symbol.name.end());
        place.name = names_.size();
        const std::string readable = demangled(symbol.name);
        names_.insert(names_.end(), readable.begin(), readable.end());
        place.end = names_.size();
        check_limit(names_.size(), limits.block, "the names of all functions", "--max-block");
    }
    functions_.reserve(chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const Name& place = names[i];
        functions_.push_back({chosen[i].begin,
                              chosen[i].begin + chosen[i].size,
                              {names_.data() + place.name, place.end - place.name},
                              {names_.data() + place.raw, place.name - place.raw},
                              chosen[i].file});
    }
    ranges_ = make_ranges(functions_);
}

std::shared_ptr<const Symbols> Symbols::load(std::span<const SymbolFile> files, const Limits& limits) {
    const std::shared_ptr<Symbols> result(new Symbols);
    std::vector<LoadedFile> loaded;
    for (const SymbolFile& file : files)
        loaded.push_back(load_elf(file, static_cast<std::uint32_t>(loaded.size()), limits));
    check_overlaps(loaded, files);
    result->files_.assign(files.begin(), files.end());
    std::vector<CodeSymbol> symbols;
    for (LoadedFile& file : loaded) {
        symbols.insert(symbols.end(), file.symbols.begin(), file.symbols.end());
        const std::size_t index = result->parts_.size();
        result->parts_.push_back({file.begin, file.end, files[index].base.value_or(0), std::move(file.lines)});
    }
    result->set_functions(std::move(symbols), limits);
    std::ranges::sort(result->parts_, {}, &Part::begin);
    return result;
}

std::shared_ptr<const Symbols> Symbols::of(std::vector<NamedFunction> functions) {
    const std::shared_ptr<Symbols> result(new Symbols);
    std::vector<CodeSymbol> symbols;
    for (const NamedFunction& function : functions)
        symbols.push_back({function.begin, function.end - function.begin, function.end, function.name});
    result->set_functions(std::move(symbols), Limits::unlimited());
    return result;
}

const Symbols::Range& Symbols::find_range(std::uint64_t pc, Recent& recent) const noexcept {
    std::uint32_t& slot = recent.ranges_[static_cast<std::size_t>(pc >> 5) % recent.ranges_.size()];
    if (!ranges_[slot].contains(pc)) {
        const auto after = std::ranges::upper_bound(ranges_, pc, {}, &Range::begin);
        slot = static_cast<std::uint32_t>(after - ranges_.begin() - 1);
    }
    recent.last_ = slot;
    return ranges_[slot];
}

bool Symbols::has_lines() const noexcept {
    return std::ranges::any_of(parts_, [](const Part& part) { return part.lines != nullptr; });
}

template <typename Answer, typename Ask>
Answer Symbols::ask(std::uint64_t pc, Ask&& lines_of) const {
    const auto after = std::ranges::upper_bound(parts_, pc, {}, &Part::begin);
    Answer answer;
    answer.end = after == parts_.end() ? ~std::uint64_t{0} : after->begin;
    if (after == parts_.begin()) return answer;
    const Part& part = *std::prev(after);
    if (pc >= part.end || part.lines == nullptr) {
        answer.begin = pc >= part.end ? part.end : part.begin;
        if (pc < part.end) answer.end = part.end;
        return answer;
    }
    answer = lines_of(*part.lines, pc - part.base);
    answer.begin = std::max(answer.begin, part.begin - part.base) + part.base;
    answer.end = std::min(answer.end, part.end - part.base) + part.base;
    return answer;
}

Symbols::Line Symbols::line_at(std::uint64_t pc) const {
    return ask<Line>(pc, [](LineSource& lines, std::uint64_t at) { return lines.line_at(at); });
}

Symbols::Inlining Symbols::inlining_at(std::uint64_t pc) const {
    return ask<Inlining>(pc, [](LineSource& lines, std::uint64_t at) { return lines.inlining_at(at); });
}

}  // namespace hwtrace

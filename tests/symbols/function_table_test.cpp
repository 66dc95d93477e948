#include "symbols/function_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "symbols/symbols.hpp"

namespace function_table_test {

using namespace hwtrace;
using Binding = CodeSymbol::Binding;

CodeSymbol symbol(std::uint64_t begin, std::uint64_t size, std::string_view name, Binding binding = Binding::global,
                  bool is_function = true) {
    return {begin, size, 0x1000, name, binding, is_function, 0};
}

/// Returns the functions as in "main[100,120) f[120,130)".
std::string chosen(std::vector<CodeSymbol> symbols) {
    std::string text;
    for (const CodeSymbol& function : choose_functions(std::move(symbols)))
        text += (text.empty() ? "" : " ") + std::string(function.name) + "[" + std::to_string(function.begin) + "," +
                std::to_string(function.begin + function.size) + ")";
    return text;
}

TEST_CASE("functions: of several names of an address, one is chosen, whatever their order is") {
    std::vector<CodeSymbol> symbols{symbol(100, 8, "weak", Binding::weak),
                                    symbol(100, 8, "local", Binding::local),
                                    symbol(100, 8, "longer_global"),
                                    symbol(100, 8, "global_b"),
                                    symbol(100, 8, "global_a"),
                                    symbol(100, 0, "label", Binding::global, false)};
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        std::shuffle(symbols.begin(), symbols.end(), random);
        CHECK(chosen(symbols) == "global_a[100,108)");
    }
    CHECK(chosen({symbol(100, 8, "w", Binding::weak), symbol(100, 8, "local", Binding::local)}) == "local[100,108)");
    CHECK(chosen({symbol(100, 0, "label", Binding::global, false), symbol(100, 8, "w", Binding::weak)}) ==
          "w[100,108)");
}

TEST_CASE("functions: one without a size extends to the next symbol, or to the end of its section") {
    CHECK(chosen({symbol(100, 0, "a"), symbol(120, 0, "b")}) == "a[100,120) b[120,4096)");
    CHECK(chosen({symbol(100, 0, "a"), symbol(100, 12, "longer")}) == "a[100,112)");
    CHECK(chosen({symbol(100, 0, "_start", Binding::global, false), symbol(120, 8, "b")}) ==
          "_start[100,120) b[120,128)");
    CHECK(chosen({symbol(4000, 10'000, "a")}) == "a[4000,4096)");
    CHECK(chosen({symbol(4000, ~std::uint64_t{0}, "a")}) == "a[4000,4096)");
}

TEST_CASE("functions: labels inside of a function are left out, but not behind it") {
    CHECK(chosen({symbol(100, 50, "f"), symbol(120, 0, "loop", Binding::local, false),
                  symbol(150, 0, "behind", Binding::local, false)}) == "f[100,150) behind[150,4096)");
}

/// Returns the name of the function at each address in [0, end), by one look-up an address.
std::string names(const Symbols& symbols, std::uint64_t end) {
    std::string text;
    Symbols::Recent recent;
    for (std::uint64_t pc = 0; pc < end; ++pc) {
        const Symbols::Function* const function = symbols.function_at(pc, recent);
        text += function == nullptr ? "." : std::string(function->name);
    }
    return text;
}

TEST_CASE("symbols: a function within another one has its addresses, and the outer one those around it") {
    const auto symbols = Symbols::of({{2, 10, "a"}, {4, 6, "b"}, {5, 6, "c"}, {8, 12, "d"}, {14, 15, "e"}});
    CHECK(names(*symbols, 17) == "..aabcaadddd..e..");
    Symbols::Recent recent;
    CHECK(symbols->function_at(7, recent)->begin == 2);
    CHECK(symbols->range_at(7, recent).begin == 6);
    CHECK(symbols->range_at(7, recent).end == 8);
    CHECK(symbols->range_at(~std::uint64_t{0}, recent).function == Symbols::no_function);
    CHECK_FALSE(symbols->has_lines());
    CHECK(symbols->line_at(5).line == 0);
    CHECK(symbols->inlining_at(5).innermost == nullptr);
}

TEST_CASE("symbols: look-ups in any order find the function that begins last") {
    for (unsigned seed = 0; seed < 30; ++seed) {
        std::mt19937 random(seed);
        std::vector<NamedFunction> functions;
        for (int i = 0; i < 40; ++i) {
            const std::uint64_t begin = random() % 2000;
            functions.push_back({begin, begin + 1 + random() % 100, "f" + std::to_string(i)});
        }
        const auto symbols = Symbols::of(functions);
        Symbols::Recent recent;
        for (int i = 0; i < 3000; ++i) {
            const std::uint64_t pc = random() % 2200;
            const Symbols::Function* const function = symbols->function_at(pc, recent);
            const NamedFunction* wanted = nullptr;
            for (const Symbols::Function& one : symbols->functions())
                if (pc >= one.begin && pc < one.end && (wanted == nullptr || one.begin >= wanted->begin))
                    wanted = &functions[static_cast<std::size_t>(std::stoi(std::string(one.name.substr(1))))];
            REQUIRE((function == nullptr) == (wanted == nullptr));
            if (function != nullptr) REQUIRE(function->name == wanted->name);
            REQUIRE(symbols->range_at(pc, recent).contains(pc));
        }
    }
}

TEST_CASE("symbols: names that would be endless stay mangled, and none has control characters") {
    std::string name = "_Z1f1PI1AS0_E";
    for (int i = 0; i < 40; ++i)
        name += "S_I" + std::string(i == 0 ? "S1_S1_" : "S2_S2_") + "E";
    const auto symbols = Symbols::of({{0, 1, name}, {1, 2, "a\x1b[2Jb\n"}, {2, 3, "caf\xC3\xA9\xC2\x9B"}});
    CHECK(symbols->function(0).name == name);
    CHECK(symbols->function(1).name == "a?[2Jb?");
    CHECK(symbols->function(1).raw_name == "a\x1b[2Jb\n");
    CHECK(symbols->function(2).name == "caf\xC3\xA9\xC2?");
}

TEST_CASE("symbols: short names that would be long stay mangled") {
    const auto nested = [](std::size_t length, std::size_t levels) {  // A<B<x, x>, B<x, x> >, with 2^levels times x
        constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        std::string name = "_Z1f", references;
        for (std::size_t i = 0; i < levels; ++i) {
            name += std::string("1") + digits[10 + i] + "I";
            references += std::string("S") + digits[levels - 1 + i] + "_E";
        }
        return name + std::to_string(length) + std::string(length, 'x') + references;
    };
    const auto symbols = Symbols::of({{0, 1, nested(900, 18)}, {1, 2, nested(1, 14)}, {2, 3, nested(900, 1)}});
    CHECK(symbols->function(0).name == nested(900, 18));
    CHECK(symbols->function(1).name.size() > 1 << 14);
    CHECK(symbols->function(2).name == "f(A<" + std::string(900, 'x') + ", " + std::string(900, 'x') + ">)");
}

TEST_CASE("symbols: names are demangled, and lose the version of a symbol") {
    const auto symbols =
        Symbols::of({{0, 1, "_ZN4demo4sortEPii"}, {1, 2, "read@GLIBC_2.27"}, {2, 3, "_Znonsense"}, {3, 4, "@"}});
    CHECK(symbols->function(0).name == "demo::sort(int*, int)");
    CHECK(symbols->function(0).raw_name == "_ZN4demo4sortEPii");
    CHECK(symbols->function(1).name == "read");
    CHECK(symbols->function(1).raw_name == "read@GLIBC_2.27");
    CHECK(symbols->function(2).name == "_Znonsense");
    CHECK(symbols->function(3).name == "@");
}

}  // namespace function_table_test

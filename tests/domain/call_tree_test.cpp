#include "domain/call_tree.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "domain/place_numbers.hpp"
#include "support/instruction_steps.hpp"

namespace call_tree_test {

using namespace hwtrace;
using Steps = test::InstructionSteps;

void add_all(CallTree& tree, const Batch& batch) {
    for (const Record& record : batch.records())
        tree.add(record, batch);
}

/// Returns the paths as lines "main;a: self inclusive calls".
std::string paths_of(const CallTree& tree) {
    std::vector<std::string> paths{""};
    std::string all;
    for (std::size_t i = 1; i < tree.nodes().size(); ++i) {
        const CallTree::Node& node = tree.nodes()[i];
        const std::string name =
            node.function == Symbols::no_function ? "?" : std::string(tree.symbols().function(node.function).name);
        paths.push_back(paths[node.parent] + (node.parent == 0 ? "" : ";") + name);
        all += paths.back() + ": " + std::to_string(node.self) + " " + std::to_string(node.inclusive) + " " +
               std::to_string(node.calls) + "\n";
    }
    return all;
}

/// Returns the totals as lines "name: self inclusive calls".
std::string totals_of(const CallTree& tree) {
    std::string all;
    for (std::size_t i = 0; i < tree.totals().size(); ++i) {
        const CallTree::Totals& totals = tree.totals()[i];
        if (totals.inclusive == 0) continue;
        const bool is_known = i < tree.symbols().functions().size();
        all += (is_known ? std::string(tree.symbols().functions()[i].name) : "?") + ": " + std::to_string(totals.self) +
               " " + std::to_string(totals.inclusive) + " " + std::to_string(totals.calls) + "\n";
    }
    return all;
}

TEST_CASE("call tree: instructions count for their path, and for each function on it once") {
    Steps steps;
    steps.at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a);
    steps.at(Steps::a).go(Steps::a + 4, Steps::call, Steps::a);  // recursion
    steps.go(Steps::a, Steps::call, Steps::b).at(Steps::b).go(Steps::b + 4, Steps::ret, Steps::a + 4);
    steps.go(Steps::a + 4, Steps::ret, Steps::a + 8).go(Steps::a + 8, Steps::ret, Steps::main + 8);
    steps.go(Steps::main + 8, Steps::call, Steps::b).go(Steps::b, Steps::ret, Steps::main + 12).at(Steps::main + 12);
    CallTree tree(steps.schema, Steps::symbols());
    add_all(tree, steps.batch);
    tree.finish();
    CHECK(paths_of(tree) ==
          "main: 4 12 1\n"
          "main;a: 3 7 1\n"
          "main;a;a: 2 4 1\n"
          "main;a;a;b: 2 2 1\n"
          "main;b: 1 1 1\n");
    CHECK(tree.nodes()[0].inclusive == 12);
    CHECK(totals_of(tree) ==
          "main: 4 12 0\n"
          "a: 5 7 2\n"
          "b: 3 3 2\n");
    CHECK(tree.merged_calls() == 0);
}

TEST_CASE("call tree: threads share paths, and code without a function is counted") {
    Steps steps;
    steps.run(0, 1, 1).at(Steps::main).go(Steps::main + 4, Steps::call, Steps::nowhere).at(Steps::nowhere);
    steps.run(0, 1, 2).at(Steps::main);
    steps.run(0, 1, 1).at(Steps::nowhere + 4);
    CallTree tree(steps.schema, Steps::symbols());
    add_all(tree, steps.batch);
    tree.finish();
    CHECK(paths_of(tree) == "main: 3 5 2\nmain;?: 2 2 1\n");
    CHECK(totals_of(tree) == "main: 3 5 0\n?: 2 2 1\n");
}

TEST_CASE("call tree: beyond its limit, new paths count for their callers, and totals stay exact") {
    constexpr std::uint64_t extra = 10, count = CallTree::most_nodes - 2 + extra;
    std::vector<NamedFunction> functions{{0x1000, 0x1100, "main"}};
    constexpr std::uint64_t first = 0x10000;
    for (std::uint64_t i = 0; i < count; ++i)
        functions.push_back({first + 8 * i, first + 8 * i + 8, "f" + std::to_string(i)});
    Steps steps;
    for (std::uint64_t i = 0; i < count; ++i)
        steps.go(Steps::main, Steps::call, first + 8 * i)
            .go(first + 8 * i, Steps::ret, Steps::main + 4)
            .go(Steps::main + 4, Steps::jump, Steps::main);
    CallTree tree(steps.schema, Symbols::of(std::move(functions)));
    add_all(tree, steps.batch);
    tree.finish();
    CHECK(tree.nodes().size() == CallTree::most_nodes);
    CHECK(tree.merged_calls() == extra);
    CHECK(tree.nodes()[0].inclusive == 3 * count);
    CHECK(tree.nodes()[1].self == 2 * count + extra);
    CHECK(tree.totals()[0].self == 2 * count);
    CHECK(tree.totals()[count].self == 1);
}

TEST_CASE("place numbers: functions with the same name have one number, and offsets are those of each") {
    PlaceNumbers places(
        Symbols::of({{0x100, 0x110, "b"}, {0x110, 0x120, "a"}, {0x120, 0x130, "b"}, {0x130, 0x140, "c"}}));
    const PlaceNumbers::Place first = places.function_at(0x104), second = places.function_at(0x128);
    CHECK(first.function == second.function);
    CHECK(places.function_name(first.function) == "b");
    CHECK(first.offset == 4);
    CHECK(second.offset == 8);
    CHECK(places.function_name(places.function_at(0x110).function) == "a");
    CHECK(places.function_name(places.function_at(0x13F).function) == "c");
    CHECK(places.function_at(0x140).function == PlaceNumbers::unknown);
    CHECK(places.source_at(0x104) == PlaceNumbers::unknown);
    CHECK(places.sources() == 0);
    CHECK(source_text(places.symbols(), 0x104).empty());
    CHECK(PlaceNumbers(Symbols::of({})).function_at(0).function == PlaceNumbers::unknown);
}

}  // namespace call_tree_test

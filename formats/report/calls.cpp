#include "calls.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "details.hpp"
#include "domain/place_numbers.hpp"
#include "io/number_text.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t longest_name = 400;

/// Sorts the first `most` indexes below `count` by `precedes`, and returns them.
template <typename Precedes>
std::vector<std::uint32_t> first_of(std::vector<std::uint32_t> all, std::size_t most, Precedes&& precedes) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(), precedes);
    all.erase(end, all.end());
    return all;
}

}  // namespace

/// Numbers the functions that the page names.
class Calls::Names {
public:
    explicit Names(const Symbols& symbols) : symbols_(symbols), numbers_(symbols.functions().size() + 1, none) {}

    std::uint32_t number(std::size_t function) {
        std::uint32_t& number = numbers_[std::min(function, numbers_.size() - 1)];
        if (number != none) return number;
        named_.push_back(std::min(function, numbers_.size() - 1));
        return number = static_cast<std::uint32_t>(named_.size() - 1);
    }
    void write(JsonStream& json) const {
        json.array("names");
        for (const std::size_t function : named_) {
            const bool is_known = function < symbols_.functions().size();
            json.begin_array();
            json.text(is_known ? short_text(symbols_.functions()[function].name, longest_name) : "[unknown]");
            json.text(is_known ? short_text(source_text(symbols_, symbols_.functions()[function].begin), longest_name)
                               : std::string());
            json.end_array();
        }
        json.end_array();
    }

private:
    const Symbols& symbols_;
    std::vector<std::uint32_t> numbers_;  ///< by function; `none`: no number yet
    std::vector<std::size_t> named_;
};

void Calls::write(JsonStream& json) const {
    if (!tree_ || tree_->nodes().size() < 2) return;
    json.object("calls");
    json.member("instructions", tree_->nodes()[0].inclusive);
    json.member("merged_calls", tree_->merged_calls());
    Names names(tree_->symbols());
    write_functions(json, names);
    write_paths(json, names);
    names.write(json);
    json.end_object();
}

void Calls::write_functions(JsonStream& json, Names& names) const {
    const auto totals = tree_->totals();
    std::vector<std::uint32_t> executed;
    for (std::uint32_t function = 0; function < totals.size(); ++function)
        if (totals[function].inclusive != 0) executed.push_back(function);
    json.member("functions_counted", executed.size());
    json.array("functions");
    const auto precedes = [&](std::uint32_t left, std::uint32_t right) {
        return std::tuple(totals[right].self, totals[right].inclusive, left) <
               std::tuple(totals[left].self, totals[left].inclusive, right);
    };
    for (const std::uint32_t function : first_of(std::move(executed), most_functions, precedes)) {
        json.begin_array();
        json.number(names.number(function));
        json.number(totals[function].self);
        json.number(totals[function].inclusive);
        json.number(totals[function].calls);
        json.end_array();
    }
    json.end_array();
}

void Calls::write_paths(JsonStream& json, Names& names) const {
    const auto nodes = tree_->nodes();
    json.member("paths_counted", nodes.size() - 1);
    std::vector<std::uint32_t> all(nodes.size());
    std::iota(all.begin(), all.end(), std::uint32_t{0});
    // A parent has at least the instructions of its children and a lower index, so it is chosen before them.
    std::vector<std::uint32_t> chosen =
        first_of(std::move(all), most_paths + 1, [&](std::uint32_t left, std::uint32_t right) {
            return std::tuple(nodes[right].inclusive, left) < std::tuple(nodes[left].inclusive, right);
        });
    std::ranges::sort(chosen);
    json.array("paths");
    for (const std::uint32_t index : chosen) {
        if (index == 0) continue;
        const CallTree::Node& node = nodes[index];
        const auto parent = std::ranges::lower_bound(chosen, node.parent) - chosen.begin();
        json.begin_array();
        json.number(static_cast<std::uint64_t>(parent));  // 0: the root; else the number of the path, from 1
        json.number(names.number(node.function));
        json.number(node.self);
        json.number(node.inclusive);
        json.number(node.calls);
        json.end_array();
    }
    json.end_array();
}

std::string place_text(const Symbols* symbols, std::uint64_t pc) {
    if (symbols == nullptr) return {};
    Symbols::Recent recent;
    std::string text;
    if (const Symbols::Function* const function = symbols->function_at(pc, recent))
        text = short_text(function->name, longest_name) + "+" + hexadecimal_text(pc - function->begin);
    if (const std::string source = source_text(*symbols, pc); !source.empty())
        text.append(text.empty() ? "(" : " (").append(short_text(source, longest_name)).append(")");
    return text;
}

}  // namespace hwtrace::report

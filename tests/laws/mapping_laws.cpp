// Laws of the mappings between all formats: formats/conversions.md shows the mappings that the plans state.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "convert/prescan.hpp"
#include "formats.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"

namespace mapping_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> named_formats{
    {{"stf", "STF"}, {"uscope", "µScope"}, {"pccx", "pccx"}, {"ftr", "FTR"}, {"flux", "flux"}}};

/// The rank of a row among the rows of its target.
enum class Rank : std::uint8_t { raised, remade, kept, ordered, dropped, stated, refused };

Rank rank_of(const PlanStep& step, bool is_last) {
    if (is_last) return step.becomes.empty() ? Rank::stated : Rank::kept;
    if (step.name.starts_with("raise")) return Rank::raised;
    if (step.name.starts_with("lower") || step.name.starts_with("make")) return Rank::remade;
    return step.name == "drop" ? Rank::dropped : Rank::ordered;
}

/// The sources that have a construct, and the construct's possible losses.
struct Row {
    std::set<std::size_t> sources;
    std::map<std::string, std::set<std::string>> losses;  ///< names of losses, by reason
};
/// The rows of a target, in the order of the table. The flag is true if the row is the total of its step.
using Rows = std::map<std::tuple<Rank, std::string, bool, Mapping>, Row>;

/// A row for losses of a step that concern several constructs.
const Mapping all_of_these{"all of these rows", ""};

/// Adds the rows for the steps of a plan.
void tell(const Plan& plan, std::size_t source, Rows& rows) {
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const PlanStep& step = plan.steps[i];
        const bool is_last = i + 1 == plan.steps.size();
        const std::size_t end = is_last ? plan.losses.size() : plan.steps[i + 1].first_loss;
        std::map<std::string, std::set<std::string>> losses;
        for (std::size_t loss = step.first_loss; loss < end; ++loss)
            losses[plan.losses[loss].why].insert(std::string(name_of(plan.losses[loss].loss)));
        const auto add = [&](Rank rank, const Mapping& one) -> Row& {
            Row& row = rows[{rank, step.name, rank != Rank::stated && one == all_of_these, one}];
            row.sources.insert(source);
            return row;
        };
        for (const Mapping& one : step.becomes)
            add(rank_of(step, is_last), one);
        if (losses.empty()) continue;
        Row& row = is_last ? add(Rank::stated, {"everything that is written", "its form in the target"})
                           : add(rank_of(step, is_last), all_of_these);
        for (const auto& [why, names] : losses)
            row.losses[why].insert(names.begin(), names.end());
    }
}

/// Moves the losses of all_of_these to the mapping of the step, if the step has only one mapping and both rows have the
/// same sources.
void join_single_facts(Rows& rows) {
    for (auto row = rows.begin(); row != rows.end();) {
        const Rank rank = std::get<Rank>(row->first);
        const std::string& step = std::get<std::string>(row->first);
        const bool is_sum = std::get<bool>(row->first);
        const auto is_of_step = [&](const Rows::value_type& other) {
            return std::get<0>(other.first) == rank && std::get<1>(other.first) == step && !std::get<2>(other.first);
        };
        const auto fact = std::ranges::find_if(rows, is_of_step);
        const bool joins =
            is_sum && std::ranges::count_if(rows, is_of_step) == 1 && fact->second.sources == row->second.sources;
        if (joins) fact->second.losses = row->second.losses;
        row = joins ? rows.erase(row) : std::next(row);
    }
}

std::string text_of(const std::set<std::size_t>& sources) {
    std::string text;
    for (const std::size_t source : sources)
        text.append(text.empty() ? "" : ", ").append(named_formats[source].second);
    return text;
}

std::string text_of(const std::map<std::string, std::set<std::string>>& losses) {
    std::string text;
    for (const auto& [why, names] : losses) {
        if (!text.empty()) text.append("; ");
        char before = 0;
        for (const std::string& name : names) {
            if (before != 0) text.append(", ");
            text.append(name);
            before = ',';
        }
        text.append(": ").append(why);
    }
    return text;
}

std::string table_of(const Format& to, std::string_view title) {
    Rows rows;
    std::map<std::string, std::set<std::size_t>> refusals;
    for (const Sample& sample : good_samples()) {
        const auto source =
            std::ranges::find(named_formats, sample.format->name, [](const auto& f) { return f.first; });
        if (source == named_formats.end() || sample.format == &to) continue;
        const auto number = static_cast<std::size_t>(source - named_formats.begin());
        CAPTURE(sample.name);
        const auto refuse = [&](const std::string& why) {
            const std::size_t colon = why.find(": ");
            refusals[colon == std::string::npos ? why : why.substr(colon + 2)].insert(number);
        };
        Findings findings;
        Losses losses;
        Choices choices;
        choices.settings.source_format = sample.format->name;
        Input input = Input::memory("sample", sample.content.bytes);
        PreparedSource prepared(input, *sample.format, to, choices.settings, findings);
        try {
            const Plan plan = make_plan(prepared.schema(), prepared.format(), to, choices, losses);
            tell(plan, number, rows);
            if (!plan.refusal.empty()) refuse(plan.refusal);
        } catch (const Error& error) {
            refuse(error.what());
        }
    }
    join_single_facts(rows);
    std::string text = "### To ";
    text.append(title).append("\n\n| from | record or property | becomes | possible losses |\n|---|---|---|---|\n");
    for (const auto& [key, row] : rows) {
        const Mapping& one = std::get<Mapping>(key);
        text.append("| ").append(text_of(row.sources)).append(" | ").append(one.fact).append(" | ").append(one.becomes);
        const bool has_sum = rows.contains({std::get<Rank>(key), std::get<std::string>(key), true, all_of_these});
        const std::string lost = text_of(row.losses);
        text.append(" | ").append(!lost.empty() ? lost : has_sum ? "see below" : "nothing").append(" |\n");
    }
    for (const auto& [why, sources] : refusals)
        text.append("| ").append(text_of(sources)).append(" | any other trace | refused | ").append(why).append(" |\n");
    return text;
}

/// Returns the tables in formats/conversions.md, between the two comments that name their source.
std::string tables_in_page() {
    std::istringstream page(read_text(source_file("formats/conversions.md")));
    std::string tables;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("<!-- "))
            inside = line == "<!-- made by tests/laws/mapping_laws.cpp -->";
        else if (inside)
            tables.append(line).append("\n");
    }
    return tables;
}

}  // namespace

TEST_CASE("formats/conversions.md equals the plans for each pair of formats") {
    if (!is_full_run()) {
        skip_case("the tables cover every file, but this run uses a sample");
        return;
    }
    std::string tables;
    for (const auto& [name, title] : named_formats)
        tables.append(tables.empty() ? "" : "\n").append(table_of(*find_format(formats(), name), title));
    if (corpus("stf")) CHECK(tables_in_page() == tables);
}

}  // namespace mapping_laws

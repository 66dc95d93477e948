// Laws of converting every format to every other: formats/README.md shows the results, and every difference is covered
// by a loss.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "formats.hpp"
#include "io/advised_error.hpp"
#include "io/cursor.hpp"
#include "laws/law_support.hpp"
#include "laws/trace_story.hpp"
#include "support/corpus.hpp"

namespace matrix_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// The formats of the table in formats/README.md, with the names that the table uses.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named_formats{
    {{"stf", "STF"}, {"uscope", "µScope"}, {"pccx", "pccx"}, {"ftr", "FTR"}, {"flux", "flux"}, {"jsonl", "jsonl"}}};

/// The results of converting the samples of one format to another.
struct Cell {
    std::size_t lossless = 0, lossy = 0, refused = 0;
    std::set<std::string_view> losses;
    std::set<std::string> reasons;

    std::string text() const {
        std::string text;
        const auto add = [&](std::string_view what, std::size_t files) {
            if (files == 0) return;
            text.append(text.empty() ? "" : "; ").append(what).append(" ").append(std::to_string(files));
        };
        const auto list = [&](const auto& names) {
            char before = ':';
            for (const auto& name : names)
                (text += std::exchange(before, ',')).append(" ").append(name);
        };
        add("lossless", lossless);
        add("lossy", lossy);
        if (lossy != 0) list(losses);
        add("refused", refused);
        if (refused != 0) list(reasons);
        return text;
    }
};
using Matrix = std::map<std::string_view, std::map<std::string_view, Cell>>;

std::string table_of(const Matrix& matrix) {
    std::string head = "| from → to |", line = "|---|", rows;
    for (const auto& [key, name] : named_formats) {
        head.append(" ").append(name).append(" |");
        line.append("---|");
        rows.append("| **").append(name).append("** |");
        for (const auto& target : named_formats)
            rows.append(" ").append(matrix.at(key).at(target.first).text()).append(" |");
        rows.append("\n");
    }
    return head + "\n" + line + "\n" + rows;
}

/// Returns the table of formats/README.md, without the comments around it.
std::string table_in_readme() {
    std::istringstream readme(read_text(source_file("formats/README.md")));
    std::string table;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
        if (line.starts_with("<!-- "))
            inside = line == "<!-- made by tests/laws/matrix_laws.cpp -->";
        else if (inside)
            table.append(line).append("\n");
    }
    return table;
}

/// Converts every good sample to every format and back. Checks that losses name all differences.
Matrix convert_and_check() {
    Matrix matrix;
    std::size_t compared = 0;
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        const Bytes& file = sample.content.bytes;
        for (const Format* other : formats()) {
            CAPTURE(other->name);
            Cell& cell = matrix[sample.format->name][other->name];
            Rewritten there;
            try {
                there = convert_bytes(file, *sample.format, *other);
            } catch (const Error& error) {
                CHECK(error.failure() == Failure::input);
                const auto* const advised = dynamic_cast<const AdvisedError*>(&error);
                const std::string why(advised == nullptr ? std::string_view(error.what()) : advised->fact());
                ++cell.refused;
                const std::size_t colon = why.find(": ");
                cell.reasons.insert(colon == std::string::npos ? why : why.substr(colon + 2));
                continue;
            }
            ++(there.losses.none() ? cell.lossless : cell.lossy);
            for (const auto& entry : there.losses.entries())
                cell.losses.insert(name_of(entry.first.first));
            if (there.losses.none()) continue;  // other laws cover lossless conversions
            const auto missing = unnamed_on_return(file, *sample.format, there, *other);
            compared += missing ? 1 : 0;
            CHECK(missing.value_or("") == "");
        }
    }
    MESSAGE(compared << " lossy ones compared");
    return matrix;
}

/// Returns the result of convert_and_check(), which the first call computes.
const Matrix& matrix() {
    static const Matrix made = convert_and_check();
    return made;
}

}  // namespace

TEST_CASE("law 3: a loss names everything that is not restored") {
    CHECK(!matrix().empty());
}

TEST_CASE("law 3: a conversion that changes a track names it, whatever else is lost") {
    // Two tracks whose types few formats have, beside one with an enumeration that is too large for some formats.
    constexpr std::array<std::string_view, 4> kinds{
        R"("kind":"event","fields":[{"name":"l","type":"label"},{"name":"p","type":"pointer"}])",
        R"("kind":"stream","fields":[{"name":"l","type":"label","phase":"begin"},{"name":"p","type":"pointer"}])",
        R"("kind":"signal","fields":[{"name":"l","type":"label"},{"name":"p","type":"pointer"}])",
        R"("kind":"storage","slots":4,"fields":[{"name":"l","type":"f32"},{"name":"p","type":"pointer"}])",
    };
    constexpr std::array<std::string_view, 4> records{
        R"("type":"event","fields":{"l":"x","p":4096}})",
        R"("type":"interval","duration":3,"attributes":{"l":"x","p":4096}})",
        R"("type":"change","values":{"l":"x","p":4096}})",
        R"("type":"set","slot":1,"field":"p","value":4096})",
    };
    constexpr std::array<std::string_view, 3> bases{
        R"({"base":"seconds","num":1,"den":1000000000000})",
        R"({"base":"cycles","num":1,"den":1000000000})",
        R"({"base":"cycles","num":1,"den":0})",
    };
    const Format& lines = *find_format(formats(), "jsonl");
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        for (const std::string_view base : bases) {
            for (const std::string_view scope : {R"(,"scope":0)", ""}) {
                std::string text = R"({"schema":"hwtrace-jsonl/1"}
{"type":"clock","id":0,"name":"clk","period_ps":1000}
{"type":"scope","id":0,"name":"root","clock":0}
{"type":"enum","id":0,"name":"e","values":[{"value":0,"name":"A"},{"value":300,"name":"B"}]}
)";
                const auto declare = [&](std::string_view name, std::string_view members) {
                    text.append(R"({"type":"track","name":")").append(name).append(R"(","time":)").append(base);
                    text.append(scope).append(",").append(members).append("}\n");
                };
                declare("a", kinds[kind]);
                declare("b", R"("kind":"event","fields":[{"name":"s","type":"enum","enum":0}])");
                text.append(R"({"time":1,"track_id":0,)").append(records[kind]).append("\n");
                text.append(R"({"time":2,"track_id":1,"type":"event","fields":{"s":"B"}})").append("\n");
                CAPTURE(text);
                const auto view = as_bytes(text);
                const Bytes file(view.begin(), view.end());
                REQUIRE(read_story(file, lines).good());
                for (const Format* other : formats()) {
                    CAPTURE(other->name);
                    try {
                        const Rewritten there = convert_bytes(file, lines, *other);
                        CHECK(unnamed_on_return(file, lines, there, *other).value_or("") == "");
                    } catch (const Error& error) {
                        CHECK(error.failure() == Failure::input);
                    }
                }
            }
        }
    }
}

TEST_CASE("the table of formats/README.md equals the results of all conversions") {
    if (!is_full_run())
        skip_case("the table counts every file, but this run uses a sample");
    else if (corpus("stf"))
        CHECK(table_in_readme() == table_of(matrix()));
}

}  // namespace matrix_laws

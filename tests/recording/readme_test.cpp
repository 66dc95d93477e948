#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "support/corpus.hpp"

namespace readme_test {

namespace {

namespace fs = std::filesystem;

/// Returns the lines without their indentation.
std::string flat(const std::string& text) {
    std::istringstream lines(text);
    std::string out, line;
    while (std::getline(lines, line))
        out += line.substr(std::min(line.size(), line.find_first_not_of(' '))) + "\n";
    return out;
}

}  // namespace

TEST_CASE("the code in the README is part of the examples") {
    const fs::path root = hwtrace::test::source_file("");
    std::string programs;
    for (const auto& entry : fs::directory_iterator(root / "tests/recording_api"))
        if (entry.path().extension() == ".cpp") programs += flat(hwtrace::test::read_text(entry.path()));
    const std::string readme = hwtrace::test::read_text(root / "libs/recording/README.md");
    const std::string opens = "```cpp\n", closes = "```\n";
    int shown = 0;
    for (std::size_t at = readme.find(opens); at != readme.npos; at = readme.find(opens, at)) {
        at += opens.size();
        const std::string block = flat(readme.substr(at, readme.find(closes, at) - at));
        CAPTURE(block);
        CHECK(programs.find(block) != programs.npos);
        ++shown;
    }
    CHECK(shown == 6);
}

}  // namespace readme_test

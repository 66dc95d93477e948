// tests/io/similar_text_test.cpp - tests which names are suggested for a misspelt one.
#include "io/similar_text.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace hwtrace {
namespace {

std::string_view meant(std::string_view name, std::initializer_list<std::string_view> candidates) {
    SimilarText similar(name);
    for (const std::string_view candidate : candidates)
        similar.consider(candidate);
    return similar.best();
}

}  // namespace

TEST_CASE("edits add, remove and replace letters, and swap neighbours") {
    CHECK(edits("", "") == 0);
    CHECK(edits("", "abc") == 3);
    CHECK(edits("abc", "") == 3);
    CHECK(edits("adress", "address") == 1);
    CHECK(edits("veiw", "view") == 1);
    CHECK(edits("ab", "ba") == 1);
    CHECK(edits("kitten", "sitting") == 3);
}

TEST_CASE("a misspelt name suggests the most similar candidate") {
    CHECK(meant("--fromat", {"--to", "--format", "--from"}) == "--format");
    CHECK(meant("dmup", {"diff", "dump"}) == "dump");
    CHECK(meant("instrutions", {"records", "instructions"}) == "instructions");
    CHECK(meant("cnvrt", {"convert"}) == "convert");
}

TEST_CASE("an abbreviation and other capitals suggest the whole name") {
    CHECK(meant("--sele", {"--help", "--select"}) == "--select");
    CHECK(meant("--no", {"--to", "--no-limits"}) == "--no-limits");
    CHECK(meant("--VIEW", {"--views", "--view"}) == "--view");
    CHECK(meant("CONVERT", {"convert"}) == "convert");
}

TEST_CASE("a short name does not suggest what only has a similar length") {
    CHECK(meant("--zz", {"--at", "--to"}).empty());
    CHECK(meant("--x", {"--at"}).empty());
    CHECK(meant("pc", {"id"}).empty());
    CHECK(meant("abc", {"axy"}).empty());
    CHECK(meant("", {"", "ab"}).empty());
    CHECK(meant("--", {"--at"}).empty());
    CHECK(meant(std::string(65, 'a'), {std::string_view("a")}).empty());
}

}  // namespace hwtrace

// Compares NameTable with the standard library's map.
#include "model/name_table.hpp"

#include <doctest/doctest.h>

#include <random>
#include <unordered_map>

namespace name_table_test {

using namespace hwtrace;

TEST_CASE("names are numbered in order of appearance, each once") {
    NameTable table;
    CHECK(table.find("") == none);
    CHECK(table.find("a") == none);
    std::unordered_map<std::string, std::uint32_t> wanted;
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; ++i) {
        std::string name(random() % 4, '\0');  // short names recur
        for (char& letter : name)
            letter = static_cast<char>('a' + random() % 12);
        const auto number = static_cast<std::uint32_t>(wanted.size());
        const std::uint32_t found = table.find(name);
        const auto [at, is_new] = wanted.emplace(name, number);
        REQUIRE(found == (is_new ? none : at->second));
        REQUIRE(table.add(name) == at->second);
    }
    REQUIRE(table.names().size() == wanted.size());
    for (const auto& [name, number] : wanted) {
        REQUIRE(table.names()[number] == name);
        REQUIRE(table.find(name) == number);
        REQUIRE(table.find(name + "!") == none);
    }
}

TEST_CASE("names may contain any bytes, including zeros") {
    NameTable table;
    const std::string with_zero("a\0b", 3);
    CHECK(table.add("a") == 0);
    CHECK(table.add(with_zero) == 1);
    CHECK(table.add("") == 2);
    CHECK(table.find(with_zero) == 1);
    CHECK(table.find(std::string_view(with_zero).substr(0, 1)) == 0);
    CHECK(table.find(std::string_view()) == 2);
}

}  // namespace name_table_test

// tests/formats/ftr_mark_test.cpp - tests valid and invalid schema marks.
#include <doctest/doctest.h>

#include <string>

#include "ftr/schema_mark.hpp"

namespace ftr_mark_test {

using namespace hwtrace;
using ftr::SchemaMark;

namespace {

/// Returns a mark with a generator of id 2 and with a relation. `id` is the type number of the attribute "id"; `end` is
/// the type number of the attributes "from" and "to".
std::string mark_with(const std::string& id, const std::string& made_numbers = "0", const std::string& end = "3",
                      const std::string& base = "0 1 1000000000000") {
    return "hwtrace-ftr-schema 1\n"
           "t 2 " +
           made_numbers + " - - " + base + " 3:foo 2 " + id + " 0 - 0 2:id 3 1 - 0 4:addr\n" + "r - 0 - - " + base +
           " 4:next 2 " + end + " 0 - 0 4:from " + end + " 0 - 0 2:to\n";
}

bool is_read(const std::string& text) {
    return SchemaMark::parse(text, -12, Limits()).has_value();
}

}  // namespace

TEST_CASE("FTR: a schema mark is used only if it fits the file's records") {
    REQUIRE(is_read(mark_with("3")));
    CHECK(is_read(mark_with("12", "1")));       // `id` is an ordinary attribute, because the ids are new
    CHECK_FALSE(is_read(mark_with("12")));      // a transaction's id cannot be a text
    CHECK_FALSE(is_read(mark_with("3", "1")));  // ids cannot be both stated and new
    for (int type = 0; type <= 20; ++type) {
        CAPTURE(type);
        CHECK(is_read(mark_with("3", "0", std::to_string(type))) == (type == 3));  // ends are integers
    }
    CHECK(is_read(mark_with("3", "0", "3", "1 1 0")));  // cycles of an unknown clock
    CHECK_FALSE(is_read(mark_with("3", "0", "3", "0 18446744073709551615 1")));
    CHECK_FALSE(is_read(mark_with("3", "0", "3", "3 1 1")));
}

TEST_CASE("FTR: a schema mark that is cut or malformed is rejected") {
    const std::string whole = mark_with("3");
    for (std::size_t size = 0; size < whole.size(); ++size)
        if (whole[size] != '\n' || size + 1 == whole.size()) {
            CAPTURE(size);
            // A mark that ends after a complete line is valid but has fewer tracks.
            if (size == 0 || whole[size - 1] != '\n') CHECK_FALSE(is_read(whole.substr(0, size)));
        }
    CHECK_FALSE(is_read(whole + "q\n"));
    CHECK_FALSE(is_read("hwtrace-ftr-schema 2\n"));
}

}  // namespace ftr_mark_test

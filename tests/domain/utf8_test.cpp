#include "domain/utf8.hpp"

#include <doctest/doctest.h>

#include <string>

namespace utf8_test {

using namespace hwtrace;

TEST_CASE("the first byte that is not UTF-8 is found at any place of a text") {
    for (std::size_t size = 0; size < 40; ++size) {
        CAPTURE(size);
        std::string text(size, 'a');
        CHECK(is_utf8(text));
        for (std::size_t place = 0; place < size; ++place) {
            CAPTURE(place);
            text[place] = '\xFF';
            CHECK(find_not_utf8(text) == place);
            text[place] = 'a';
        }
    }
    for (std::size_t place = 0; place < 20; ++place) {
        CAPTURE(place);
        std::string text = std::string(place, 'a') + "\u00B5Scope \u4E2D" + std::string(place, 'b');
        CHECK(is_utf8(text));
        CHECK(as_utf8(text) == text);
        text.resize(place + 1);  // cut within a character
        CHECK(find_not_utf8(text) == place);
        CHECK(as_utf8(text) == std::string(place, 'a') + "\uFFFD");
    }
    CHECK(is_utf8(""));
}

}  // namespace utf8_test

// tests/support/lines.hpp - lets doctest print lists of lines if a comparison fails.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace doctest {

template <>
struct StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& lines) {
        std::string text;
        for (const std::string& line : lines)
            text += "\n    " + line;
        return text.c_str();
    }
};

}  // namespace doctest

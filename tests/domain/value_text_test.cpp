#include "domain/value_text.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <string>

namespace value_text_test {

using namespace hwtrace;

namespace {

template <typename Put>
std::string text_of(Put&& put) {
    TextOutput out(-1, 16);
    put(out);
    return std::string(out.text());
}

std::string json_string(std::string_view text) {
    return text_of([&](TextOutput& out) { append_json_string(text, out); });
}

std::string csv(std::string_view text) {
    return text_of([&](TextOutput& out) { append_csv(text, out); });
}

std::string json_value(Type type, std::uint64_t cell) {
    const Schema schema;
    return text_of([&](TextOutput& out) {
        append_json_value(schema, Field{"f", type}, cell, JsonIntegers::numbers, out);
    });
}

}  // namespace

TEST_CASE("a complete JSON text is written without characters that terminals interpret") {
    const auto json = [](std::string_view text) { return text_of([&](TextOutput& out) { append_json(text, out); }); };
    CHECK(json("{\"a\x7F\": \"\xC2\x9B\xC2\xA0\xE2\x82\xAC\"}\n\t") ==
          "{\"a\\u007f\": \"\\u009b\xC2\xA0\xE2\x82\xAC\"}\n\t");
    CHECK(json("\xC2") == "\xC2");
}

TEST_CASE("JSON strings are escaped as JSON requires, and are UTF-8") {
    CHECK(json_string({}) == R"("")");
    CHECK(json_string("plain µ € 😀") == "\"plain µ € 😀\"");
    CHECK(json_string("\"\\\b\f\n\r\t/") == R"("\"\\\b\f\n\r\t/")");
    CHECK(json_string(std::string_view("\0\x1f\x7f", 3)) == R"("\u0000\u001f\u007f")");
    CHECK(json_string("a\xC2\x9B\xC2\xA0") == "\"a\\u009b\xC2\xA0\"");
    CHECK(json_string("a\xFF\xE2\x82z") == "\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\"");
    CHECK(json_string("\xED\xA0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("names are quoted only if they could be misread") {
    CHECK(name_text("core0/rob[3]") == "core0/rob[3]");
    CHECK(name_text("") == "\"\"");
    CHECK(name_text("two words") == "\"two words\"");
    CHECK(name_text("a=b") == "\"a=b\"");
    CHECK(name_text("a\x1b[2J\x7f\n") == "\"a\\x1b[2J\\x7f\\n\"");
    CHECK(name_text("\xC2\x9B"
                    "31m \xC3\xA9") == "\"\\xc2\\x9b31m \xC3\xA9\"");  // a C1 control character
    CHECK(name_text("\xFF") == "\"\\xff\"");
}

TEST_CASE("CSV values are quoted only if necessary") {
    CHECK(csv("plain text") == "plain text");
    CHECK(csv("") == "\"\"");
    CHECK(csv("a,b") == "\"a,b\"");
    CHECK(csv("say \"hi\"") == "\"say \"\"hi\"\"\"");
    CHECK(csv("two\nlines") == "\"two\nlines\"");
    CHECK(csv("\r") == "\"\r\"");
    CHECK(csv("µ\xFF") == "µ\xEF\xBF\xBD");
}

TEST_CASE("JSON floats are the shortest number that reads back unchanged, or a name such as NaN") {
    CHECK(json_value(Type::f64, std::bit_cast<std::uint64_t>(0.1)) == "0.1");
    CHECK(json_value(Type::f64, std::bit_cast<std::uint64_t>(1e300)) == "1e+300");
    CHECK(json_value(Type::f64, std::bit_cast<std::uint64_t>(-0.0)) == "-0");
    CHECK(json_value(Type::f64, std::bit_cast<std::uint64_t>(std::numeric_limits<double>::denorm_min())) == "5e-324");
    CHECK(json_value(Type::f32, std::bit_cast<std::uint32_t>(0.1f)) == "0.1");
    CHECK(json_value(Type::f32, std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN())) == "\"NaN\"");
    CHECK(json_value(Type::f64, std::bit_cast<std::uint64_t>(-std::numeric_limits<double>::infinity())) ==
          "\"-Infinity\"");
}

TEST_CASE("text views print floats in the shortest form, and non-finite ones with their bits") {
    const auto value = [](Type type, std::uint64_t cell) {
        const Schema schema;
        return text_of([&](TextOutput& out) { append_value(schema, Field{"f", type}, cell, out); });
    };
    CHECK(value(Type::f64, std::bit_cast<std::uint64_t>(0.1)) == "0.1");
    CHECK(value(Type::f32, std::bit_cast<std::uint32_t>(0.1f)) == "0.1");
    CHECK(value(Type::fixed, std::bit_cast<std::uint64_t>(-2.5)) == "-2.5");
    CHECK(value(Type::f64, 0x7FF8'0000'0000'0001) == "NaN:0x7ff8000000000001");
    CHECK(value(Type::f32, 0xFF80'0000) == "-Infinity:0xff800000");
}

TEST_CASE("vectors and labels are printed as text") {
    Schema schema;
    const StringId text = schema.intern("01XZ");
    for (const Type type : {Type::label, Type::bits, Type::logic})
        CHECK(text_of([&](TextOutput& out) { append_value(schema, Field{"f", type}, text, out); }) == "\"01XZ\"");
}

TEST_CASE("a boolean cell of 1 or 0 is printed as true or false, any other value as a number") {
    CHECK(json_value(Type::boolean, 0) == "false");
    CHECK(json_value(Type::boolean, 1) == "true");
    CHECK(json_value(Type::boolean, 2) == "2");
    CHECK(json_value(Type::i64, static_cast<std::uint64_t>(INT64_MIN)) == "-9223372036854775808");
}

}  // namespace value_text_test

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "call_log.hpp"
#include "hwtrace/recording.hpp"
#include "recording/short_text.hpp"

namespace values_test {

using namespace hwtrace::recording;
using namespace std::chrono_literals;
using hwtrace::test::CallLog;
using Lines = std::vector<std::string>;

namespace {

using Picoseconds = std::chrono::duration<std::int64_t, std::pico>;

/// Returns the attributes that back ends get, without the id of the transaction and the phase.
template <typename Record>
Lines told(Record&& record, int exponent = -12) {
    const auto log = std::make_shared<CallLog>();
    Database db(Options{.exponent = exponent, .back_ends = {log}});
    Transaction transaction = db.stream("s").generator("g").begin();
    log->lines.clear();
    record(transaction);
    for (std::string& line : log->lines)
        line.erase(0, std::string("1 record ").size());
    return log->lines;
}

int function(int value) {
    return value;
}

}  // namespace

TEST_CASE("durations become times, rounded to the nearest tick") {
    const auto lines = [](auto duration, int exponent) {
        return told([&](Transaction& t) { t.record("d", duration); }, exponent).at(0);
    };
    CHECK(lines(3ns, -12) == "d TIME 3000");
    CHECK(lines(3ns, -9) == "d TIME 3");
    CHECK(lines(3h, 3) == "d TIME 11");
    CHECK(lines(std::chrono::duration<std::int8_t, std::ratio<1, 3>>(1), -3) == "d TIME 333");
    CHECK(lines(Picoseconds(1499), -9) == "d TIME 1");
    CHECK(lines(Picoseconds(1500), -9) == "d TIME 2");
    CHECK(lines(std::chrono::duration<double>(1.5e-9), -12) == "d TIME 1500");
    CHECK(lines(std::chrono::nanoseconds::max(), -9) == "d TIME 9223372036854775807");
    CHECK(lines(-3ns, -12) == "d INTEGER -3000");
    CHECK(lines(-2.0s, 0) == "d FLOATING_POINT_NUMBER -2.000000");
    CHECK(lines(std::chrono::hours::max(), -18).starts_with("d FLOATING_POINT_NUMBER 332041393"));
    CHECK(lines(std::chrono::nanoseconds::max(), -18).starts_with("d FLOATING_POINT_NUMBER 92233720368547758"));
    CHECK(lines(10h, -18) == "d FLOATING_POINT_NUMBER 36000000000000000000000.000000");
}

TEST_CASE("values of standard library types are recorded as attributes with their contents") {
    std::atomic<int> counter = 7;
    std::vector<bool> flags{true, false};
    CHECK(told([&](Transaction& t) {
              t.record("mask", std::bitset<6>(0b101100))
                  .record("counter", counter)
                  .record("flag", flags[0])
                  .record("pair", std::pair(1, "one"))
                  .record("tuple", std::tuple(true, 2, "x"))
                  .record("map", std::map<std::string, int>{{"a", 1}, {"b", 2}})
                  .record("lanes", std::map<unsigned, bool>{{3, true}, {7, false}})
                  .record("pairs", std::vector{std::pair(1, 2)})
                  .record("either", std::variant<int, bool>(true))
                  .record("neither", std::variant<std::monostate, bool>())
                  .record("file", std::filesystem::path("/a/b"));
          }) == Lines{"mask BIT_VECTOR 101100", "counter INTEGER 7", "flag BOOLEAN 1", "pair.first INTEGER 1",
                      "pair.second STRING one", "tuple[0] BOOLEAN 1", "tuple[1] INTEGER 2", "tuple[2] STRING x",
                      "map.a INTEGER 1", "map.b INTEGER 2", "lanes[3] BOOLEAN 1", "lanes[7] BOOLEAN 0",
                      "pairs[0].first INTEGER 1", "pairs[0].second INTEGER 2", "either BOOLEAN 1", "file STRING /a/b"});
    const auto address = reinterpret_cast<std::uintptr_t>(&function);
    CHECK(told([](Transaction& t) { t.record("f", &function); }) == Lines{"f POINTER " + std::to_string(address)});
    CHECK(function(1) == 1);
}

TEST_CASE("character arrays and char8_t strings become texts") {
    CHECK(told([](Transaction& t) {
              t.record("tag", std::array<char, 4>{'a', 'b', 'c', 'd'})
                  .record("short", std::array<char, 4>{'a', 'b'})
                  .record("utf8", u8"\u00e4\u00f6")
                  .record("view", std::u8string_view(u8"\u00e4"))
                  .record("numbers", std::array<signed char, 2>{1, 2});
          }) == Lines{"tag STRING abcd", "short STRING ab", "utf8 STRING \xC3\xA4\xC3\xB6", "view STRING \xC3\xA4",
                      "numbers[0] INTEGER 1", "numbers[1] INTEGER 2"});
}

TEST_CASE(
    "a character is recorded as a character, also in structs, arrays and ranges; a character type of numbers is not") {
    CHECK(told([](Transaction& t) {
              t.record("plain", 'a')
                  .record("backslash", '\\')
                  .record("zero", '\0')
                  .record("line", '\n')
                  .record("escape", '\x1b')
                  .record("beyond", '\xe4')
                  .record("utf8", u8'b')
                  .record("tuple", std::tuple(1, 'c'))
                  .record("map", std::map<int, char>{{7, 'd'}})
                  .record("maybe", std::optional('e'))
                  .record("vector", std::vector<char>{'f', 'g'})
                  .record("empty", std::vector<char>())
                  .record("deque", std::deque<char>{'h', 'i'})
                  .record("bytes", std::vector<unsigned char>{1})
                  .record("number", static_cast<signed char>(-2));
          }) == Lines{"plain STRING a", "backslash STRING \\", "zero STRING \\0", "line STRING \\n",
                      "escape STRING \\x1b", "beyond STRING \\xe4", "utf8 STRING b", "tuple[0] INTEGER 1",
                      "tuple[1] STRING c", "map[7] STRING d", "maybe STRING e", "vector STRING fg", "empty STRING ",
                      "deque STRING hi", "bytes[0] UNSIGNED 1", "number INTEGER -2"});
    enum class Letter : char { a = 'a' };
    CHECK(told([](Transaction& t) { t.record("letter", Letter::a); }) == Lines{"letter INTEGER 97"});
}

TEST_CASE("texts are the same only if every byte is the same") {
    using namespace hwtrace::recording::detail;
    for (std::size_t size = 0; size < 40; ++size) {
        const std::string text(size, 'a');
        CHECK(is_same_text(text, std::string(text)));
        CHECK_FALSE(is_same_text(text, text + "a"));
        CHECK(short_text_hash(text) < std::size_t{1} << short_text_bits);
        for (std::size_t at = 0; at < size; ++at) {
            std::string other = text;
            other[at] = 'b';
            CAPTURE(other);
            CHECK_FALSE(is_same_text(text, other));
        }
    }
}

}  // namespace values_test

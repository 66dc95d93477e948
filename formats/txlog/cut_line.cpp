#include "cut_line.hpp"

#include <array>

#include "codec/cut_line.hpp"
#include "statement.hpp"
#include "values.hpp"

namespace hwtrace::txlog {

namespace {

/// One statement of each kind. An incomplete line is tested with the ends of these statements appended.
constexpr std::array<std::string_view, 10> statements{
    R"(scv_tr_stream (ID 1, name "n", kind "k"))",  //
    R"(scv_tr_generator (ID 1, name "n", scv_tr_stream 1,)",
    R"(begin_attribute (ID 1, name "n", type "t"))",
    R"(end_attribute (ID 1, name "n", type "t"))",
    R"(tx_begin 1 1 1 ns)",
    R"(tx_end 1 1 1 ns)",
    R"(tx_begin 1 1 1 s)",  // for times with more decimals than a smaller unit allows
    R"(tx_end 1 1 1 s)",
    R"(tx_record_attribute 1 "n" t = 1)",
    R"(tx_relation "n" 1 1)",
};
/// Examples of values, with and without quotes.
constexpr std::array values{
    undefined,
    std::string_view(R"(true")"),
    std::string_view(R"(false")"),
    std::string_view(R"(1")"),
    std::string_view(R"(0x1")"),
    std::string_view(R"(1.1e+1")"),
    std::string_view(R"(infinity")"),
    std::string_view(R"(nan")"),
    std::string_view(R"(1 ns")"),
    std::string_view(R"(1 s")"),
    std::string_view(R"(1 ps")"),  // for numbers too large for a larger unit
    std::string_view(R"(1 fs")"),
    std::string_view("true"),
    std::string_view("false"),
    std::string_view("0x1"),
    std::string_view("1.1e+1"),
    std::string_view("infinity"),
    std::string_view("nan"),
    std::string_view("1 ns"),
    std::string_view("1 s"),
    std::string_view("1 ps"),
    std::string_view("1 fs"),
};

}  // namespace

bool may_become_statement(std::string_view line) {
    return may_become(line, statements, [](std::string_view whole) {
        const Word word = parse(whole).word;
        return word != Word::unknown && word != Word::malformed;
    });
}

bool may_become_value(const TransactionType& type, std::string_view text) {
    return may_become(text, values, [&](std::string_view whole) {
        const auto fits = [&](int exponent) {  // the log's tick is unknown: the missing part may need femtoseconds
            return parse_value(type, whole, exponent).state != Value::State::wrong;
        };
        return fits(femtoseconds) || fits(picosecond_exponent);
    });
}

}  // namespace hwtrace::txlog

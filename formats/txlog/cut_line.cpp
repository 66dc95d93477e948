#include "cut_line.hpp"

#include <array>
#include <span>
#include <string>

#include "statement.hpp"
#include "values.hpp"

namespace hwtrace::txlog {

namespace {

constexpr std::size_t longest_judged = 4096;  ///< bytes: each is copied for each end; longer ones are taken for cut

/// One of each kind: their ends are what may be missing.
constexpr std::array<std::string_view, 8> statements{
    R"(scv_tr_stream (ID 1, name "n", kind "k"))",  //
    R"(scv_tr_generator (ID 1, name "n", scv_tr_stream 1,)",
    R"(begin_attribute (ID 1, name "n", type "t"))",
    R"(end_attribute (ID 1, name "n", type "t"))",
    R"(tx_begin 1 1 1 ns)",
    R"(tx_end 1 1 1 ns)",
    R"(tx_record_attribute 1 "n" t = 1)",
    R"(tx_relation "n" 1 1)",
};
constexpr std::array<std::string_view, 9> values{
    undefined, R"(true")", R"(false")", R"(1")", R"(0x1")", R"(1.1e+1")", R"(inf")", R"(nan")", R"(1 ns")",
};

/// Whether `accepts` what some end of an example makes of `text`.
template <typename Accepts>
bool may_become(std::string_view text, std::span<const std::string_view> examples, Accepts&& accepts) {
    if (text.size() > longest_judged) return true;
    std::string whole;
    for (const std::string_view example : examples)
        for (std::size_t at = 0; at < example.size(); ++at) {
            whole.assign(text).append(example.substr(at));
            if (accepts(whole)) return true;
            if (whole.back() != '"') continue;
            whole.pop_back();  // what is not quoted
            if (accepts(whole)) return true;
        }
    return false;
}

}  // namespace

bool may_become_statement(std::string_view line) {
    return may_become(line, statements, [](std::string_view whole) {
        const Word word = parse(whole).word;
        return word != Word::unknown && word != Word::malformed;
    });
}

bool may_become_value(const TransactionType& type, std::string_view text, int exponent) {
    return may_become(text, values, [&](std::string_view whole) {
        return parse_value(type, whole, exponent).state != Value::State::wrong;
    });
}

}  // namespace hwtrace::txlog

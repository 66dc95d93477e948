// formats/txlog/values.hpp - values of attributes as text (README.md, Values).
#pragma once

#include <cstdint>
#include <string_view>

#include "io/appender.hpp"
#include "model/transaction_types.hpp"

namespace hwtrace::txlog {

/// The type of that name, also with a width behind it ("BIT_VECTOR[8]"), or nullptr.
const TransactionType* type_of(std::string_view name) noexcept;

struct Value {
    enum class State : std::uint8_t { good, absent, wrong };
    State state = State::good;
    Type type = Type::u64;       ///< its own; above 2^63 - 1, an INTEGER is unsigned
    std::uint64_t cell = 0;      ///< of types that hold no text
    std::string_view text = {};  ///< of those that do
    bool is_negative = false;    ///< an unsigned number, taken modulo 2^64
    bool is_open = false;        ///< a text whose closing quote is missing
};

/// The value of an attribute of `type` as it stands in a log. `exponent`: of the log's ticks.
Value parse_value(const TransactionType& type, std::string_view text, int exponent) noexcept;

/// Appends a number as decimal digits.
void append_number(std::uint64_t number, Appender& out);
/// Appends `count` times 10^exponent seconds, in the largest unit that they are a whole number of; "0 s".
void append_time(std::uint64_t count, int exponent, Appender& out);
/// Appends a cell of a type that holds no text and no time, as parse_value() reads it. False where it reads back as
/// another one (a NaN with a content of its own).
bool append_value(const TransactionType& type, std::uint64_t cell, Appender& out);

}  // namespace hwtrace::txlog

// formats/txlog/values.hpp - parses and writes values of attributes (formats/txlog/README.md#values).
#pragma once

#include <cstdint>
#include <string_view>

#include "domain/transaction_types.hpp"
#include "io/appender.hpp"

namespace hwtrace::txlog {

/// Returns the type with this name, or nullptr if there is none. The name may have a width, as in "BIT_VECTOR[8]".
const TransactionType* type_of(std::string_view name) noexcept;

struct Value {
    enum class State : std::uint8_t { good, absent, wrong };
    State state = State::good;
    Type type = Type::u64;       ///< the corresponding model type; u64 for an INTEGER above 2^63 - 1
    std::uint64_t cell = 0;      ///< the value, for types other than strings
    std::string_view text = {};  ///< the value, for string types
    bool is_negative = false;    ///< a negative number of an unsigned type; `cell` is the number modulo 2^64
    bool is_open = false;        ///< the closing quote is missing
};

/// Parses an attribute's value. A tick of the log lasts 10^exponent seconds.
Value parse_value(const TransactionType& type, std::string_view text, int exponent) noexcept;

/// Appends a number as decimal digits.
void append_number(std::uint64_t number, Appender& out);
/// Appends the time of `count` * 10^exponent seconds in the largest unit that gives a whole number. Zero is "0 s".
void append_time(std::uint64_t count, int exponent, Appender& out);
/// Appends a cell in the form that parse_value() reads. Supports all types except strings and times. Returns false if
/// the cell reads back differently (a NaN with a payload, a boolean above 1).
bool append_value(const TransactionType& type, std::uint64_t cell, Appender& out);

}  // namespace hwtrace::txlog

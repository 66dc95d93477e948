// formats/txlog/statement.hpp - parses one line of a log (formats/txlog/README.md#statements).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hwtrace::txlog {

/// The first characters of a log, which declare a stream.
inline constexpr std::string_view magic = "scv_tr_stream";
/// Placeholders for a stream without a kind and for an attribute without a name.
inline constexpr std::string_view no_kind = "<no_stream_kind>";
inline constexpr std::string_view no_name = "<anonymous>";
/// Placeholder for a value that was not given.
inline constexpr std::string_view undefined = "UNDEFINED";

enum class Word : std::uint8_t {
    blank,
    stream,           ///< scv_tr_stream
    generator,        ///< scv_tr_generator: starts a declaration of several lines
    begin_attribute,  ///< begin_attribute, within a generator's declaration
    end_attribute,
    close,      ///< ): end of a generator's declaration
    begin,      ///< tx_begin
    end,        ///< tx_end
    value,      ///< a: value of the next declared attribute, for the tx_begin or tx_end before it
    attribute,  ///< tx_record_attribute
    relation,   ///< tx_relation
    unknown,    ///< starts with none of these words
    malformed,  ///< starts with one of these words, but the rest is malformed
};

/// A time of digits * 10^exponent seconds. The digits do not end in 0, except for 0 s.
struct Time {
    std::uint64_t digits = 0;
    int exponent = 0;
};

inline constexpr int femtoseconds = -15, picosecond_exponent = -12;

/// Parses a time such as "100 ns" or "1.5 ns". Returns nullopt if `text` is not a time, or not a whole number of
/// femtoseconds.
std::optional<Time> parse_time(std::string_view text) noexcept;
/// Converts a time to ticks of 10^exponent seconds. Returns nullopt if the result is not a whole number or exceeds 2^63
/// - 1.
std::optional<std::int64_t> ticks(Time time, int exponent) noexcept;

/// The parts of a statement. Parts that a statement with this word lacks are 0 or empty. Strings refer to the line.
struct Statement {
    Word word = Word::blank;
    std::uint64_t id = 0;     ///< id of the stream, generator or transaction, or of a relation's sink
    std::uint64_t other = 0;  ///< id of a generator's stream, a transaction's generator or a relation's source
    Time time{};
    std::string_view name{};
    std::string_view type{};   ///< type of an attribute
    std::string_view value{};  ///< value as written, with quotes; the kind of a stream, without quotes
};

/// Parses a line without its line end, or several lines if a string contains line breaks.
Statement parse(std::string_view line) noexcept;

/// Returns true if `head` starts a statement, so that it does not continue the line before it. `values` is true if a
/// value line ("a ...") may follow.
bool begins_statement(std::string_view head, bool values) noexcept;
/// The number of leading bytes that begins_statement() needs.
inline constexpr std::size_t longest_word = 20;

}  // namespace hwtrace::txlog

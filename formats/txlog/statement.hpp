// formats/txlog/statement.hpp - what one line of a log says (README.md, Statements).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hwtrace::txlog {

/// A log begins with this, which is the word of a stream.
inline constexpr std::string_view magic = "scv_tr_stream";
/// What stands for a stream without a kind, and for an attribute without a name.
inline constexpr std::string_view no_kind = "<no_stream_kind>";
inline constexpr std::string_view no_name = "<anonymous>";
/// What stands for a value that was not given.
inline constexpr std::string_view undefined = "UNDEFINED";

enum class Word : std::uint8_t {
    blank,
    stream,           ///< scv_tr_stream
    generator,        ///< scv_tr_generator: what is declared behind it belongs to it
    begin_attribute,  ///< likewise end_attribute
    end_attribute,
    close,      ///< ): the generator's end
    begin,      ///< tx_begin
    end,        ///< tx_end
    value,      ///< a: of the next attribute that the generator declares, for the tx_begin or tx_end before it
    attribute,  ///< tx_record_attribute
    relation,   ///< tx_relation
    unknown,    ///< begins with none of these
    malformed,  ///< one of these, with parts missing or wrong
};

/// digits x 10^exponent seconds; the digits do not end in 0, but for 0 s.
struct Time {
    std::uint64_t digits = 0;
    int exponent = 0;
};

inline constexpr int femtoseconds = -15, picosecond_exponent = -12;

/// "100 ns"; decimal fractions too. None for anything else, and for what is no whole number of femtoseconds.
std::optional<Time> parse_time(std::string_view text) noexcept;
/// The time in ticks of 10^exponent seconds; none where that is no whole number, or above 2^63 - 1.
std::optional<std::int64_t> ticks(Time time, int exponent) noexcept;

/// Parts by what they mean; those that the word does not have are 0 and empty. Texts refer to the line.
struct Statement {
    Word word = Word::blank;
    std::uint64_t id = 0;     ///< of the stream, the generator, the transaction; of a relation's sink
    std::uint64_t other = 0;  ///< the generator's stream; the transaction's generator; a relation's source
    Time time{};
    std::string_view name{};
    std::string_view type{};   ///< of an attribute
    std::string_view value{};  ///< as it stands, with quotes; the kind of a stream, without
};

/// The statement of a line without its end; of several lines where a text goes on behind the first.
Statement parse(std::string_view line) noexcept;

/// Whether what stands behind a text begins a statement, so that the text cannot go on there. `values` says whether a
/// line "a ..." may stand there.
bool begins_statement(std::string_view head, bool values) noexcept;
/// As many bytes of a line tell.
inline constexpr std::size_t longest_word = 20;

}  // namespace hwtrace::txlog

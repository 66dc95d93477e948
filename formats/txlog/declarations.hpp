// formats/txlog/declarations.hpp - maps a schema to the streams, generators and attributes that the writer declares
// (formats/txlog/README.md#conversion-to-logs).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "model/schema.hpp"
#include "model/transaction_types.hpp"

namespace hwtrace::txlog {

/// Called for each fact of the schema that a log cannot state.
using Lose = std::function<void(Loss loss, Subject subject, std::string_view what)>;

/// Selects how a name is adapted. Quotes become apostrophes, line breaks become underscores. In names of attributes and
/// relations, blanks become underscores too, because SCViewer splits these lines at blanks.
enum class NameOf : std::uint8_t { stream_or_generator, attribute_or_relation };
std::string written_name(std::string_view name, NameOf what);

struct Column {
    std::string name;                       ///< as written
    const TransactionType* type = nullptr;  ///< as written
    Phase phase = Phase::record;            ///< as written; an attribute without a phase becomes a begin attribute
};

struct DeclaredStream {
    std::uint64_t id = 0;
    std::string name, kind;
};

struct DeclaredTrack {
    std::uint64_t id = 0, stream = 0;       ///< for a generator
    std::string name;                       ///< for a generator or a relation
    std::vector<Column> columns;            ///< by field; the column of the identity is not written
    std::vector<std::uint32_t> begin, end;  ///< indexes of the fields that the generator declares
    std::uint32_t scale = 0;                ///< index into `scales`
};

struct Declarations {
    std::vector<DeclaredStream> streams;
    std::vector<DeclaredTrack> tracks;  ///< by track
    bool has_ids = false;               ///< the first field of every generator is the identity
    int exponent = -12;                 ///< all times are in units of 10^exponent seconds
    std::vector<Ratio> scales;          ///< units in a tick
    bool is_clock_assumed = false;      ///< some ticks have an unknown length and count as a nanosecond
    bool is_in_femtoseconds = false;    ///< the ticks of all tracks are femtoseconds
};

Declarations declare(const Schema& schema, const Lose& lose);

/// The subject of losses about the length of ticks.
inline constexpr Subject timescale = Subject::general("timescale");

}  // namespace hwtrace::txlog

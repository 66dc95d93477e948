// formats/txlog/declarations.hpp - the streams, generators and attributes of a log, as the writer makes them of a
// schema (README.md, What the writer does).
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

/// Called for what a log cannot say as the schema has it.
using Lose = std::function<void(Loss loss, Subject subject, std::string_view what)>;

/// A name as a log can hold it. Quotes become apostrophes and line breaks underscores; blanks too in names of
/// attributes and relations, because SCViewer splits their lines at them.
enum class NameOf : std::uint8_t { stream_or_generator, attribute_or_relation };
std::string written_name(std::string_view name, NameOf what);

struct Column {
    std::string name;                       ///< as it is written
    const TransactionType* type = nullptr;  ///< likewise
    Phase phase = Phase::record;            ///< likewise: one without a phase is stated as a transaction begins
};

struct DeclaredStream {
    std::uint64_t id = 0;
    std::string name, kind;
};

struct DeclaredTrack {
    std::uint64_t id = 0, stream = 0;       ///< of a generator
    std::string name;                       ///< of a generator or a relation
    std::vector<Column> columns;            ///< by field; that of the identity is not written
    std::vector<std::uint32_t> begin, end;  ///< fields that the generator declares
    std::uint32_t scale = 0;                ///< index into `scales`
};

struct Declarations {
    std::vector<DeclaredStream> streams;
    std::vector<DeclaredTrack> tracks;  ///< by track
    bool has_ids = false;               ///< every generator's first field is the identity
    int exponent = -12;                 ///< of the unit of all times, in seconds
    std::vector<Ratio> scales;          ///< units that a tick lasts
    bool is_clock_assumed = false;      ///< some ticks have no known length: a nanosecond is taken
    bool is_in_femtoseconds = false;    ///< the ticks of all tracks are femtoseconds
};

Declarations declare(const Schema& schema, const Lose& lose);

/// The subject of what is lost of the length of ticks.
inline constexpr Subject timescale = Subject::general("timescale");

}  // namespace hwtrace::txlog

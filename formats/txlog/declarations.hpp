// formats/txlog/declarations.hpp - maps a schema to the streams, generators and attributes that the writer declares
// (formats/txlog/README.md#conversion-to-logs).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "domain/transaction_types.hpp"
#include "model/schema.hpp"

namespace hwtrace::txlog {

/// A callback that is called for each part of the schema that a log cannot hold.
using Lose = std::function<void(Loss loss, Subject subject, std::string_view what)>;

/// The kinds of names. In all names, quotes become apostrophes and line breaks become underscores. In names of
/// attributes and relations, blanks also become underscores, because SCViewer splits the lines with these names at
/// blanks.
enum class NameOf : std::uint8_t { stream_or_generator, attribute_or_relation };
std::string written_name(std::string_view name, NameOf what);

struct Column {
    std::string name;                       ///< as written
    const TransactionType* type = nullptr;  ///< as written
    Phase phase = Phase::record;            ///< as written; begin for an attribute without a phase
};

struct DeclaredStream {
    std::uint64_t id = 0;
    std::string name, kind;
};

struct DeclaredTrack {
    std::uint64_t id = 0, stream = 0;       ///< generators only
    std::string name;                       ///< generators and relations
    std::vector<Column> columns;            ///< by field; the column of the transaction id is not written
    std::vector<std::uint32_t> begin, end;  ///< fields of the begin and end attributes that the generator declares
    std::uint32_t scale = 0;                ///< index into `scales`
};

struct Declarations {
    std::vector<DeclaredStream> streams;
    std::vector<DeclaredTrack> tracks;  ///< by track
    bool has_ids = false;               ///< true: the first field of every generator is the transaction id
    int exponent = -12;                 ///< all times are in units of 10^exponent seconds
    std::vector<Ratio> scales;          ///< lengths of ticks, in units of the log
    bool is_clock_assumed = false;      ///< true: a tick of unknown length is assumed to be 1 ns
    bool is_in_femtoseconds = false;    ///< true: the ticks of all tracks are femtoseconds
};

Declarations declare(const Schema& schema, const Lose& lose);

/// The subject of losses that concern the length of ticks.
inline constexpr Subject timescale = Subject::general("timescale");

}  // namespace hwtrace::txlog

// formats/stf/header_writer.hpp - writes the header records from a schema's metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/losses.hpp"
#include "io/appender.hpp"
#include "model/schema.hpp"

namespace hwtrace::stf {

/// The header values that the encoding of the body depends on.
struct HeaderFacts {
    std::uint64_t start_pc = 0;
    bool event64 = false;
    std::size_t vector_words = 0;
};

/// Counts as losses the names, scopes, clocks and enumerations of the schema that an instruction trace cannot hold.
void count_names(const Schema& schema, Losses& losses);

/// Appends the header, from the identifier to END_HEADER, in the order of the `stf.*` metadata. Missing mandatory
/// records are added and reported as assumptions; `first_pc` is then the initial pc. Other metadata and invalid values
/// are losses.
HeaderFacts append_header(Appender& out, const Schema& schema, std::optional<std::uint64_t> first_pc, Losses& losses);

/// Appends the header of a transaction trace. Clocks that are not in the metadata are named after the streams' scopes
/// (clocks_of_streams()).
void append_transaction_header(Appender& out, const Schema& schema, Losses& losses);

/// The clock that a stream's transactions refer to.
struct StreamClock {
    TrackId stream = none;
    std::uint8_t id = 0;
    bool stated = false;  ///< true: the metadata contains this clock
};
/// Returns the clock of every transaction stream, as long as ids are free. A stream gets the metadata's clock that has
/// the name of the stream's scope. If several clocks match, the scope's native id decides. If none matches, the stream
/// gets the scope's native id or the first free id. A stated clock does not depend on the other streams.
std::vector<StreamClock> clocks_of_streams(const Schema& schema);

}  // namespace hwtrace::stf

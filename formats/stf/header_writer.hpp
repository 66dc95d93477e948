// formats/stf/header_writer.hpp - writes the header records from a schema's metadata.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "io/appender.hpp"
#include "model/schema.hpp"

namespace hwtrace::stf {

/// The header values on which the encoding of the body depends.
struct HeaderFacts {
    std::uint64_t start_pc = 0;
    bool event64 = false;
    std::size_t vector_words = 0;
};

/// Counts as losses the names, scopes, clocks and enumerations of the schema that an instruction trace cannot hold.
void count_names(const Schema& schema, Losses& losses);

/// Returns true if gaps between the positions of the track's instructions are losses. In an STF source, they are damage
/// that its reader reports; other times than positions are counted by count_names().
bool counts_gaps(const Track& track, const Settings& settings);

/// Appends the header, from the identifier to END_HEADER, in the order of the `stf.*` metadata. Missing mandatory
/// records are added and reported as assumptions. A missing FORCE_PC gets `first_pc`, or 0 if there is none. Other
/// metadata and invalid values are losses.
HeaderFacts append_header(Appender& out, const Schema& schema, std::optional<std::uint64_t> first_pc, Losses& losses);

/// Returns the keys of the metadata that the header cannot hold: other keys than `stf.*`, keys of other kinds of
/// traces, and values that no header record can hold.
std::vector<std::string> metadata_without_place(const Schema& schema);

/// Appends the header of a transaction trace. Clocks that are not in the metadata are named after the streams' scopes
/// (clocks_of_streams()).
void append_transaction_header(Appender& out, const Schema& schema, Losses& losses);

/// The clock that a stream's transactions refer to.
struct StreamClock {
    TrackId stream = none;
    std::uint8_t id = 0;
    bool stated = false;  ///< true: the metadata contains this clock
};
/// Returns the clock of every transaction stream. A stream gets the metadata's clock that has the name of the stream's
/// scope. If several clocks match, the scope's native id decides. If none matches, the stream gets the scope's native
/// id or the first free id. If no id is free, the stream gets no clock. A stated clock does not depend on the other
/// streams.
std::vector<StreamClock> clocks_of_streams(const Schema& schema);

}  // namespace hwtrace::stf

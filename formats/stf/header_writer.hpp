// formats/stf/header_writer.hpp - the header records that a schema's metadata stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/losses.hpp"
#include "io/appender.hpp"
#include "model/schema.hpp"

namespace hwtrace::stf {

/// What the body's records depend on.
struct HeaderFacts {
    std::uint64_t start_pc = 0;
    bool event64 = false;
    std::size_t vector_words = 0;
};

/// Counts what a trace of instructions loses of names and other objects, which are the same in every one.
void count_names(const Schema& schema, Losses& losses);

/// Appends the header, identifier to END_HEADER, from the `stf.*` metadata in their order. Mandatory records that are
/// missing are made up and named as assumptions; `first_pc` is where the trace then begins. Other metadata, and values
/// that are none of ours, are losses.
HeaderFacts append_header(Appender& out, const Schema& schema, std::optional<std::uint64_t> first_pc, Losses& losses);

/// Likewise of a transaction trace, whose body depends on nothing. Clocks that the metadata lack are named by the
/// scopes of the streams (clocks_of_streams()).
void append_transaction_header(Appender& out, const Schema& schema, Losses& losses);

/// Which clock the transactions of a stream name.
struct StreamClock {
    TrackId stream = none;
    std::uint8_t id = 0;
    bool stated = false;  ///< by the metadata
};
/// Of every transaction stream, as far as ids go: the metadata's clock with its scope's name, that of its scope's
/// number first; where there is none, its scope's number, or the first that is free. What other streams there are does
/// not matter to one whose clock is stated.
std::vector<StreamClock> clocks_of_streams(const Schema& schema);

}  // namespace hwtrace::stf

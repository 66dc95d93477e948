// formats/stf/header_writer.hpp - the header records that a schema's metadata stand for.
#pragma once

#include <cstdint>
#include <optional>

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

/// Appends the header, identifier to END_HEADER, from the `stf.*` metadata in their order. Mandatory records that are
/// missing are made up and named as assumptions; `first_pc` is where the trace then begins. Other metadata, and values
/// that are none of ours, are losses.
HeaderFacts append_header(Appender& out, const Schema& schema, std::optional<std::uint64_t> first_pc, Losses& losses);

/// Likewise of a transaction trace, whose body depends on nothing. Clocks that the metadata lack are named by the
/// scopes of the streams.
void append_transaction_header(Appender& out, const Schema& schema, Losses& losses);

/// The id of the clock that belongs to the transaction stream `number`, counted from 0; none where there are fewer.
std::optional<std::uint8_t> clock_of_stream(const Schema& schema, std::size_t number);

}  // namespace hwtrace::stf

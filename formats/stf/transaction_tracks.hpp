// formats/stf/transaction_tracks.hpp - a transaction trace in the model: for the reader that declares and the writer
// that finds.
//
// The reference says of a cycle delta that it counts "from the previous transaction", whatever the clock of that one,
// and no file says how long a cycle is. So all clocks share one axis: a transaction's time is the sum of all deltas up
// to it. That keeps the stream's order and every distance between transactions of one clock; only where clocks of
// different periods follow each other is a distance as uncertain as the file leaves it. One sum for each clock would
// put transactions of two clocks into an order that nobody stated.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace::stf {

/// In the scope of each clock: its transactions, as intervals of length 0.
inline constexpr std::string_view transaction_track = "stf.transaction";
/// In the root scope: relations between transactions.
inline constexpr std::string_view dependency_track = "stf.dependency";

inline constexpr TimeBase transaction_base{TimeBase::Kind::cycles, 1, 0};

/// Attributes of a transaction, in this order; those of its channel are there.
enum TransactionField : std::uint32_t {
    field_id,
    field_channel,
    field_code,
    field_param,
    field_size,
    field_source,
    field_address,
    field_sink,
    field_data_size,      ///< bytes
    field_mask_bits,      ///< bits
    field_cycle_delta,    ///< where the time cannot say it, which is beyond the last Tick
    field_metadata_type,  ///< an element of the metadata is this and the next attribute
    field_metadata,
    field_data,  ///< 64-bit words, the lowest byte first
    field_mask,
};
/// The fields of the track; `channel` and `metadata_type` are the enumerations of these names.
std::vector<Field> transaction_fields(EnumId channel, EnumId metadata_type);
Enum channel_enum();
Enum metadata_type_enum();

/// Fields of a dependency: the earlier transaction, the one that depends on it, and what the record says beside.
enum DependencyField : std::uint32_t { dependency_from, dependency_to, dependency_delta, dependency_clock };
inline constexpr std::size_t dependency_cells = 4;
std::vector<Field> dependency_fields();

/// True for a stream whose intervals are transactions, with the attributes above, in cycles. A stream of another tool
/// that has the name alone is none.
bool is_transaction_stream(const Track& track);
/// True for the track of dependencies.
bool is_dependency_track(const Track& track);
/// True for either.
bool is_interval_track(const Track& track);

/// True when the schema has a place for transactions and none for instructions: what the transaction writer is for.
bool has_transactions(const Schema& schema);

}  // namespace hwtrace::stf

// formats/stf/transaction_tracks.hpp - defines the tracks of a transaction trace in the model. The reader declares
// them; the writer looks them up.
//
// All clocks share one time axis: a transaction's time is the sum of all cycle deltas up to it.
// formats/stf/README.md#transaction-time explains why.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace::stf {

/// The name of the stream in each clock's scope. The stream holds the clock's transactions as intervals of length 0.
inline constexpr std::string_view transaction_track = "stf.transaction";
/// The name of the relation type in the root scope. Its relations are dependencies between transactions.
inline constexpr std::string_view dependency_track = "stf.dependency";

inline constexpr TimeBase transaction_base{TimeBase::Kind::cycles, 1, 0};

/// The attributes of a transaction, in this order. A transaction has only the attributes of its channel.
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
    field_cycle_delta,    ///< only for a transaction beyond the largest Tick
    field_metadata_type,  ///< this attribute and the next one form a metadata element
    field_metadata,
    field_data,  ///< 64-bit words, least significant byte first
    field_mask,
};
/// Returns the fields of the transaction stream. `channel` and `metadata_type` are the ids of the enumerations below.
std::vector<Field> transaction_fields(EnumId channel, EnumId metadata_type);
Enum channel_enum();
Enum metadata_type_enum();

/// The fields of a dependency: the earlier transaction, the dependent transaction, and the other fields of the record.
enum DependencyField : std::uint32_t { dependency_from, dependency_to, dependency_delta, dependency_clock };
inline constexpr std::size_t dependency_cells = 4;
std::vector<Field> dependency_fields();

/// Returns true if a stream holds STF transactions: it has the name and the attributes above, and its time is in
/// cycles.
bool is_transaction_stream(const Track& track);
/// Returns true for the track of dependencies.
bool is_dependency_track(const Track& track);
/// Returns true for a stream of transactions or the track of dependencies.
bool is_interval_track(const Track& track);

/// Returns true if the schema has transactions and no instructions. The transaction writer writes such traces.
bool has_transactions(const Schema& schema);

}  // namespace hwtrace::stf

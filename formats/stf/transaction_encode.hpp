// formats/stf/transaction_encode.hpp - the model's transactions and dependencies as STF records.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/appender.hpp"
#include "model/record.hpp"
#include "transaction_tracks.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {

/// TRANSACTION_DEPENDENCY of a relation's cells, of which there are dependency_cells.
inline void append_dependency(Appender& out, std::span<const std::uint64_t> cells) {
    std::byte* at = out.grow(dependency_size);
    at = store_le(at, static_cast<std::uint8_t>(Descriptor::transaction_dependency));
    at = store_le(at, cells[dependency_from]);
    at = store_le(at, cells[dependency_delta]);
    store_le(at, static_cast<std::uint8_t>(cells[dependency_clock]));
}

/// A transaction that was put together from attributes.
struct Transaction {
    std::array<std::uint64_t, field_metadata_type> fields{};  ///< by TransactionField; those that are not there are 0
    bool has_delta = false;
    std::vector<std::uint8_t> metadata_types;
    std::vector<std::uint64_t> metadata, data, mask;

    /// False when the attributes are none of a transaction: no channel, a part that does not fit its size, a list of
    /// another length than is said.
    bool assign(std::span<const Attribute> attributes);
};

/// The parts of a message that its channel has; they fit each other.
void append_message(Appender& out, const Message& message);

void append_transaction(Appender& out, const Transaction& transaction, std::uint64_t delta, std::uint8_t clock);

}  // namespace hwtrace::stf

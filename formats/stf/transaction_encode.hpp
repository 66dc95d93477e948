// formats/stf/transaction_encode.hpp - encodes transactions and dependencies of the model as STF records.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/appender.hpp"
#include "model/record.hpp"
#include "transaction_tracks.hpp"
#include "transaction_wire.hpp"

namespace hwtrace::stf {

/// Appends a TRANSACTION_DEPENDENCY. `cells` has dependency_cells elements.
inline void append_dependency(Appender& out, std::span<const std::uint64_t> cells) {
    std::byte* at = out.grow(dependency_size);
    at = store_le(at, static_cast<std::uint8_t>(Descriptor::transaction_dependency));
    at = store_le(at, cells[dependency_from]);
    at = store_le(at, cells[dependency_delta]);
    store_le(at, static_cast<std::uint8_t>(cells[dependency_clock]));
}

/// A transaction, assembled from attributes.
struct Transaction {
    std::array<std::uint64_t, field_metadata_type> fields{};  ///< by TransactionField; missing fields are 0
    bool has_delta = false;
    std::vector<std::uint8_t> metadata_types;
    std::vector<std::uint64_t> metadata, data, mask;

    /// Sets the fields from attributes. Returns false if the attributes do not form a transaction: the channel is
    /// missing, a value exceeds its field, or the length of a list differs from the stated length.
    bool assign(std::span<const Attribute> attributes);
};

/// Appends the fields of a message that exist on its channel. The data must have at most 65,535 bytes, and the mask
/// must have `mask_bits` bits.
void append_message(Appender& out, const Message& message);

void append_transaction(Appender& out, const Transaction& transaction, std::uint64_t delta, std::uint8_t clock);

}  // namespace hwtrace::stf

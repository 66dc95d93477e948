// domain/transaction_types.hpp - the data types of attributes in transaction recordings: numbers in FTR, names in SCV
// and LWTR logs, and types in the model (formats/ftr/README.md#attributes).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/schema.hpp"

namespace hwtrace {

struct TransactionType {
    std::uint8_t number;    ///< in FTR
    std::string_view name;  ///< in logs
    Type type;
};

/// Returns all types. The number of a type is its index. NONE (12), which has no value, is not included.
std::span<const TransactionType> transaction_types() noexcept;

/// Returns the type with that number or name, or nullptr.
const TransactionType* find_transaction_type(std::uint64_t number) noexcept;
const TransactionType* find_transaction_type(std::string_view name) noexcept;

/// Returns the type that a recording uses for values of `type`. That type may map back to another Type.
const TransactionType& transaction_type_of(Type type) noexcept;

}  // namespace hwtrace

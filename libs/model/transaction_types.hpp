// model/transaction_types.hpp - the data types of attributes in transaction recordings: their numbers in FTR, their
// names in SCV and LWTR text, and what they are in the model (formats/ftr.md 3).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/schema.hpp"

namespace hwtrace {

struct TransactionType {
    std::uint8_t number;    ///< in FTR
    std::string_view name;  ///< in text
    Type type;
};

/// All of them, in order of number, which is the index. NONE (12) is none of them: it has no value.
std::span<const TransactionType> transaction_types() noexcept;

/// The type of that number or name, or nullptr.
const TransactionType* find_transaction_type(std::uint64_t number) noexcept;
const TransactionType* find_transaction_type(std::string_view name) noexcept;

/// The one that a recording states a value of `type` as; it reads back as another Type where the two differ.
const TransactionType& transaction_type_of(Type type) noexcept;

}  // namespace hwtrace

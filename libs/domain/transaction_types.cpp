#include "domain/transaction_types.hpp"

#include <algorithm>
#include <array>

namespace hwtrace {

namespace {

constexpr std::array<TransactionType, 12> table{{
    {0, "BOOLEAN", Type::boolean},
    {1, "ENUMERATION", Type::label},
    {2, "INTEGER", Type::i64},
    {3, "UNSIGNED", Type::u64},
    {4, "FLOATING_POINT_NUMBER", Type::f64},
    {5, "BIT_VECTOR", Type::bits},
    {6, "LOGIC_VECTOR", Type::logic},
    {7, "FIXED_POINT_INTEGER", Type::fixed},
    {8, "UNSIGNED_FIXED_POINT_INTEGER", Type::ufixed},
    {9, "POINTER", Type::pointer},
    {10, "STRING", Type::text},
    {11, "TIME", Type::time},
}};

/// Returns a model type that is in the table and can represent `type`.
constexpr Type nearest(Type type) noexcept {
    switch (type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
            return Type::u64;
        case Type::i8:
        case Type::i16:
        case Type::i32:
            return Type::i64;
        case Type::f32:
            return Type::f64;
        case Type::enumeration:
            return Type::label;
        case Type::blob:
            return Type::text;
        case Type::u64:
        case Type::i64:
        case Type::f64:
        case Type::boolean:
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::fixed:
        case Type::ufixed:
        case Type::pointer:
        case Type::time:
            return type;
    }
    return type;
}

}  // namespace

std::span<const TransactionType> transaction_types() noexcept {
    return table;
}

const TransactionType* find_transaction_type(std::uint64_t number) noexcept {
    return number < table.size() ? &table[static_cast<std::size_t>(number)] : nullptr;
}

const TransactionType* find_transaction_type(std::string_view name) noexcept {
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
    return found == table.end() ? nullptr : &*found;
}

const TransactionType& transaction_type_of(Type type) noexcept {
    const Type stated = nearest(type);
    return *std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.type == stated; });
}

}  // namespace hwtrace

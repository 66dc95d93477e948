// formats/tables/parquet_type.hpp - the types of columns in Parquet.
#pragma once

#include <cstdint>

#include "domain/trace_tables.hpp"
#include "parquet_wire.hpp"

namespace hwtrace::tables {

/// How values of a type are stored and compared.
struct ParquetType {
    enum class Order : std::uint8_t { signed_number, unsigned_number, real, bytes };

    Physical physical = Physical::int64;
    Logical logical = Logical::none;
    std::uint8_t bits = 0;  ///< of an integer
    bool is_signed = false;

    bool is_bytes() const noexcept { return physical == Physical::bytes; }
    /// Returns the size of a stored number; 0 for bytes and booleans.
    unsigned width() const noexcept {
        if (physical == Physical::int32 || physical == Physical::float32) return 4;
        return physical == Physical::int64 || physical == Physical::float64 ? 8 : 0;
    }
    Order order() const noexcept {
        if (is_bytes()) return Order::bytes;
        if (physical == Physical::float32 || physical == Physical::float64) return Order::real;
        return is_signed ? Order::signed_number : Order::unsigned_number;
    }
};

/// Returns the type that stores cells of a type of the model. Labels of enumerations are texts.
constexpr ParquetType parquet_type(Type type) noexcept {
    constexpr auto integer = [](std::uint8_t bits, bool is_signed) {
        return ParquetType{bits <= 32 ? Physical::int32 : Physical::int64, Logical::integer, bits, is_signed};
    };
    switch (type) {
        case Type::u8:
            return integer(8, false);
        case Type::u16:
            return integer(16, false);
        case Type::u32:
            return integer(32, false);
        case Type::u64:
        case Type::pointer:
        case Type::time:
            return integer(64, false);
        case Type::i8:
            return integer(8, true);
        case Type::i16:
            return integer(16, true);
        case Type::i32:
            return integer(32, true);
        case Type::i64:
            return integer(64, true);
        case Type::f32:
            return {Physical::float32};
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return {Physical::float64};
        case Type::boolean:
            return {Physical::boolean};
        case Type::blob:
            return {Physical::bytes};
        case Type::enumeration:
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
            break;
    }
    return {Physical::bytes, Logical::string};
}

}  // namespace hwtrace::tables

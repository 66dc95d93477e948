// tests/bench/cbor.hpp - writes CBOR as LWTR4SC does, for files that are measured.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "io/appender.hpp"

namespace hwtrace::bench {

/// Appends CBOR items.
class Cbor {
public:
    void head(unsigned major, std::uint64_t argument) {
        const auto first = static_cast<std::uint8_t>(major << 5);
        const auto wide = [&](unsigned info, unsigned bytes) {
            bytes_.le(static_cast<std::uint8_t>(first | info));
            for (unsigned i = bytes; i-- > 0;)
                bytes_.le(static_cast<std::uint8_t>(argument >> 8 * i));
        };
        if (argument < 24)
            bytes_.le(static_cast<std::uint8_t>(first | argument));
        else if (argument < 0xFF)
            wide(24, 1);
        else if (argument < 0xFFFF)
            wide(25, 2);
        else if (argument < 0xFFFF'FFFF)
            wide(26, 4);
        else
            wide(27, 8);
    }
    void number(std::uint64_t value) { head(0, value); }
    void integer(std::int64_t value) {
        head(value < 0 ? 1 : 0, static_cast<std::uint64_t>(value < 0 ? ~value : value));
    }
    void tag(std::uint64_t value) { head(6, value); }
    void array(std::uint64_t items) { head(4, items); }
    void text(std::string_view value) {
        head(3, value.size());
        bytes_.text(value);
    }
    void byte(std::uint8_t value) { bytes_.le(value); }
    void wide_float(double value) {
        byte(0xFB);
        const auto bits = std::bit_cast<std::uint64_t>(value);
        for (unsigned i = 8; i-- > 0;)
            byte(static_cast<std::uint8_t>(bits >> 8 * i));
    }
    void bytes(std::span<const std::byte> value) {
        head(2, value.size());
        bytes_.bytes(value);
    }
    void append(const Cbor& items) { bytes_.bytes(items.span()); }
    std::span<const std::byte> span() const { return bytes_.span(); }
    std::size_t size() const { return bytes_.size(); }
    void clear() { bytes_.clear(); }

private:
    Appender bytes_;
};

}  // namespace hwtrace::bench

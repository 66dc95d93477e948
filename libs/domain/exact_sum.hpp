// domain/exact_sum.hpp - sums of floating-point numbers that do not depend on their order.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/saved_state.hpp"

namespace hwtrace {

/// Sums up doubles without rounding. Thus the sums of parts add up to the sum of the whole.
class ExactSum {
public:
    void add(double value) {
        if (!std::isfinite(value)) {
            ++(std::isnan(value) ? nans_ : value < 0 ? negative_infinities_ : infinities_);
            return;
        }
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7FF);
        std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
        if (exponent != 0) fraction |= std::uint64_t{1} << 52;
        if (fraction == 0) return;
        if (digits_.empty()) digits_.resize(digits);
        // The sum is an integer in units of 2^-1074, with digits of 32 bits.
        const unsigned shift = exponent == 0 ? 0 : exponent - 1;
        const Wide shifted = static_cast<Wide>(fraction) << (shift % 32);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto digit = static_cast<std::int64_t>(static_cast<std::uint32_t>(shifted >> (32 * i)));
            digits_[shift / 32 + i] += (bits >> 63) != 0 ? -digit : digit;
        }
        if (++waiting_ == most_waiting) carry();
    }
    void save(StateOut& out) const {
        ExactSum copy = *this;
        copy.carry();
        out(nans_, infinities_, negative_infinities_, copy.digits_);
    }
    void add(StateIn& in) {
        nans_ += in.get<std::uint64_t>();
        infinities_ += in.get<std::uint64_t>();
        negative_infinities_ += in.get<std::uint64_t>();
        const auto added = in.get<std::vector<std::int64_t>>();
        StateIn::require(added.empty() || added.size() == digits);
        if (digits_.empty()) digits_.resize(added.size());
        carry();
        for (std::size_t i = 0; i < added.size(); ++i) {
            StateIn::require(added[i] <= most_digit && added[i] >= -most_digit);
            digits_[i] += added[i];
        }
        carry();
    }
    /// Returns the sum, rounded.
    long double value() const {
        if (nans_ != 0 || (infinities_ != 0 && negative_infinities_ != 0)) return std::nanl("");
        if (infinities_ != 0) return HUGE_VALL;
        if (negative_infinities_ != 0) return -HUGE_VALL;
        ExactSum copy = *this;
        copy.carry();
        long double sum = 0;  // the digits descend, so that only the last additions round
        for (std::size_t i = copy.digits_.size(); i-- > 0;)
            sum += std::ldexp(static_cast<long double>(copy.digits_[i]), static_cast<int>(32 * i) - 1074);
        return sum;
    }

private:
    __extension__ using Wide = unsigned __int128;
    static constexpr std::size_t digits = 68;
    static constexpr std::uint32_t most_waiting = 1u << 30;
    static constexpr std::int64_t most_digit = std::int64_t{1} << 62;

    /// Brings all digits but the last one into the range from 0 to 2^32 - 1.
    void carry() {
        waiting_ = 0;
        for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
            digits_[i + 1] += digits_[i] >> 32;
            digits_[i] &= 0xFFFF'FFFF;
        }
        // A forged sum may be too large.
        if (!digits_.empty() && (digits_.back() > most_digit / 2 || digits_.back() < -most_digit / 2))
            digits_.back() = 0;
    }

    std::vector<std::int64_t> digits_;  // the lowest one first; empty: 0
    std::uint32_t waiting_ = 0;         // additions since carry()
    std::uint64_t nans_ = 0, infinities_ = 0, negative_infinities_ = 0;
};

}  // namespace hwtrace

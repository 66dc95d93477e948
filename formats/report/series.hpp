// formats/report/series.hpp - a number over time: every value, or extremes by bins of time if there are many.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/time_bins.hpp"
#include "model/schema.hpp"

namespace hwtrace::report {

/// How the 64 bits of a number are read.
enum class NumberKind : std::uint8_t { natural, integer, real };

/// Returns true if a value of this field is a number that a curve can show. Addresses, bit vectors and texts are not.
/// `name` is the name that tells what the number means.
bool is_number(const Field& field, std::string_view name) noexcept;
/// Returns how cells of such a field are read.
NumberKind number_kind(Type type) noexcept;
/// Returns the cell of a field as 64 bits of its number_kind().
std::uint64_t number_bits(Type type, std::uint64_t cell) noexcept;

/// The values of one number. Exact: values are compared as what they are, and never converted.
class Series {
public:
    static constexpr std::size_t most_points = 256;

    explicit Series(NumberKind kind) : kind_(kind), bins_(most_points) {}

    struct Point {
        Tick time;
        std::uint64_t bits;
        bool has_value = true;  ///< false: from here on there is no value
    };
    /// The finite values in a bin of time, as ordered keys. Another value ends the one before it.
    using Extent = ValueBin<std::uint64_t>;

    void add(Tick time, std::uint64_t bits);
    /// Ends the value: from here on there is none.
    void end(Tick time);

    NumberKind kind() const noexcept { return kind_; }
    /// Returns the number of values, with those that are not finite.
    std::uint64_t values() const noexcept { return values_; }
    /// Returns the least and the greatest finite value; without finite values, the first value for both.
    std::uint64_t least() const noexcept { return whole_.changes != 0 ? bits_of(whole_.least) : first_; }
    std::uint64_t greatest() const noexcept { return whole_.changes != 0 ? bits_of(whole_.greatest) : first_; }
    std::uint64_t last_value() const noexcept { return last_; }
    std::uint64_t first_value() const noexcept { return first_; }
    Tick first_time() const noexcept { return first_time_; }
    Tick last_time() const noexcept { return last_time_; }
    /// Returns all values and ends; empty if there were too many.
    const std::vector<Point>& points() const noexcept { return points_; }
    const ValueBins<std::uint64_t>& bins() const noexcept { return bins_; }
    /// Converts between the bits of a number and a key with the same order.
    std::uint64_t key_of(std::uint64_t bits) const noexcept;
    std::uint64_t bits_of(std::uint64_t key) const noexcept;

private:
    bool is_finite(std::uint64_t bits) const noexcept {
        return kind_ != NumberKind::real || std::isfinite(std::bit_cast<double>(bits));
    }
    /// Keeps a point, or puts it into its bin if there are many.
    void keep(const Point& point);
    void put_in_bin(const Point& point);

    NumberKind kind_;
    Extent whole_;  ///< of the finite values
    std::uint64_t values_ = 0, first_ = 0, last_ = 0;
    bool has_ended_ = false;
    Tick first_time_ = 0, last_time_ = 0;
    std::vector<Point> points_;
    ValueBins<std::uint64_t> bins_;  ///< empty while all values are in points_
};

}  // namespace hwtrace::report

#include "series.hpp"

#include <bit>

#include "domain/conventions.hpp"
#include "domain/real_values.hpp"

namespace hwtrace::report {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

}  // namespace

bool is_number(const Field& field, std::string_view name) noexcept {
    if (field.repeated || holds_text(field.type) || field.type == Type::enumeration) return false;
    if (number_kind(field.type) == NumberKind::real) return true;
    return field.type != Type::pointer && field.width == 0 && !conventions::is_hexadecimal(name);
}

NumberKind number_kind(Type type) noexcept {
    if (is_real(type)) return NumberKind::real;
    switch (type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
        case Type::time:
            return NumberKind::integer;
        default:
            return NumberKind::natural;
    }
}

std::uint64_t number_bits(Type type, std::uint64_t cell) noexcept {
    return is_real(type) ? std::bit_cast<std::uint64_t>(real_of(type, cell)) : cell;
}

std::uint64_t Series::key_of(std::uint64_t bits) const noexcept {
    if (kind_ == NumberKind::natural) return bits;
    if (kind_ == NumberKind::integer) return bits ^ sign_bit;
    return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

std::uint64_t Series::bits_of(std::uint64_t key) const noexcept {
    if (kind_ == NumberKind::natural) return key;
    if (kind_ == NumberKind::integer) return key ^ sign_bit;
    return (key & sign_bit) != 0 ? key ^ sign_bit : ~key;
}

void Series::add(Tick time, std::uint64_t bits) {
    if (values_++ == 0) {
        first_ = bits;
        first_time_ = time;
    }
    last_time_ = time;
    last_ = bits;
    has_ended_ = false;
    if (is_finite(bits)) whole_.take(key_of(bits));
    keep({time, bits});
}

void Series::end(Tick time) {
    if (values_ == 0 || has_ended_) return;
    has_ended_ = true;
    last_time_ = time;
    keep({time, 0, false});
}

void Series::keep(const Point& point) {
    if (!bins_.empty()) return put_in_bin(point);
    points_.push_back(point);
    if (points_.size() <= most_points) return;
    for (const Point& kept : points_)
        put_in_bin(kept);
    points_ = {};
}

void Series::put_in_bin(const Point& point) {
    Extent& bin = bins_.at(point.time);
    if (point.has_value && is_finite(point.bits))
        bin.take(key_of(point.bits));
    else
        bin.end();
}

}  // namespace hwtrace::report

// formats/jsonl/values.hpp - conversion of JSON values to cells, strings, bytes, numbers and times (README.md#values,
// README.md#time).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/limits.hpp"
#include "json_text.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::jsonl {

template <typename Value>
using TextMap = HashMap<std::string, Value>;

/// The result of converting a value to a field's type. `absent` means that the value is null, and `rounded` that the
/// cell holds the floating-point number nearest to a whole number.
enum class Fit : std::uint8_t { good, rounded, absent, wrong };

/// Converts a whole number, which may be written as a string ("12", "0x1f"). Returns nothing for other values and
/// numbers out of range.
std::optional<std::uint64_t> whole_number(JsonValue value) noexcept;
std::optional<std::int64_t> signed_number(JsonValue value) noexcept;
/// Converts a whole number to `Number`. Returns nothing if it does not fit.
template <typename Number>
std::optional<Number> small_number(JsonValue value) noexcept {
    const auto number = whole_number(value);
    if (!number || *number > Number(~Number{0})) return std::nullopt;
    return static_cast<Number>(*number);
}

/// Decodes pairs of hexadecimal digits into `bytes`. Returns false if `digits` contains anything else.
bool read_digits(std::string_view digits, std::vector<std::byte>& bytes);

/// Converts a time base: a unit "fs" to "s", "cycles", "ordinal", the length of a cycle such as "400ps", or an object
/// of base, num and den.
std::optional<TimeBase> time_base(JsonValue value, std::string& scratch);
/// Returns the default time base for a time with a unit, such as "12.5ns". Returns nothing for other values.
std::optional<TimeBase> base_of_time(JsonValue time) noexcept;

/// A time or a duration in ticks of a base.
struct Ticks {
    std::int64_t value = 0;
    bool exact = true;  ///< false: rounded down to a tick
};
/// Returns true for a time with a unit, such as "12.5ns". `time` must be a valid time.
inline bool has_unit(JsonValue time) noexcept {
    return time.is_string() && time.raw[time.raw.size() - 2] == 's';  // all units end in s
}
/// Converts a whole number of ticks or a string with a unit. Returns nullopt for other values and for results beyond
/// 2^63. Also returns nullopt for a string with a unit if ticks of `base` have no length.
std::optional<Ticks> ticks_of(JsonValue value, const TimeBase& base) noexcept;

/// Converts values to cells. Strings are interned in the schema.
class Values {
public:
    /// Both arguments must outlive this object.
    Values(Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    Fit cell(const Field& field, JsonValue value, std::uint64_t& cell);
    /// Returns false if `cell` is an integer outside the range of `type`.
    static bool is_in_range(Type type, std::uint64_t cell) noexcept;
    /// Returns the cell for a missing value: 0, or the id of the empty string.
    std::uint64_t nothing(const Field& field) { return holds_text(field.type) ? schema_.intern({}) : 0; }
    /// Converts a string or {"bytes":"..."}. Returns nothing for other values. The result is valid until the next call.
    std::optional<std::string_view> text(JsonValue value);
    /// Returns the type that an undeclared field gets from its value.
    static Type type_of(JsonValue value) noexcept;

private:
    Fit text_cell(const Field& field, JsonValue value, std::uint64_t& cell);
    Fit label_cell(const Field& field, JsonValue value, std::uint64_t& cell);

    Schema& schema_;
    const Limits& limits_;
    /// The values of the first `known` labels of an enumeration.
    struct Labels {
        TextMap<std::uint64_t> values;
        std::size_t known = 0;
    };
    std::deque<Labels> labels_;  // by EnumId
    std::string scratch_;
    std::vector<std::byte> bytes_;
};

}  // namespace hwtrace::jsonl

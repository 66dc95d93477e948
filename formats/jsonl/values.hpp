// formats/jsonl/values.hpp - what values of JSON mean: cells of fields, texts, bytes, numbers and times (README.md,
// Values, Time).
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

/// Whether a value is one of a field's type.
enum class Fit : std::uint8_t { good, absent, wrong };

/// A whole number, also as a text: "12", "0x1f"; none for anything else and for what does not fit.
std::optional<std::uint64_t> whole_number(JsonValue value) noexcept;
std::optional<std::int64_t> signed_number(JsonValue value) noexcept;
/// A number up to `most`.
template <typename Number>
std::optional<Number> small_number(JsonValue value) noexcept {
    const auto number = whole_number(value);
    if (!number || *number > Number(~Number{0})) return std::nullopt;
    return static_cast<Number>(*number);
}

/// Pairs of digits.
bool read_digits(std::string_view digits, std::vector<std::byte>& bytes);

/// A base by its name: a unit "fs" to "s", "cycles", "ordinal", or how long a cycle is, "400ps"; or as an object of
/// base, num and den.
std::optional<TimeBase> time_base(JsonValue value, std::string& scratch);
/// The base that a time with a unit, "12.5ns", makes where nobody says another; none for other values.
std::optional<TimeBase> base_of_time(JsonValue time) noexcept;

/// A time or a duration in ticks of a base.
struct Ticks {
    std::int64_t value = 0;
    bool exact = true;
};
/// A whole number is one of ticks already, a text with a unit becomes one. None where the base has no length, the value
/// is none, or is beyond 2^63.
std::optional<Ticks> ticks_of(JsonValue value, const TimeBase& base) noexcept;

/// Makes cells of values; texts are interned.
class Values {
public:
    /// Both outlive this object.
    Values(Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    Fit cell(const Field& field, JsonValue value, std::uint64_t& cell);
    /// The cell of a field that has no value: 0, or the empty text.
    std::uint64_t nothing(const Field& field) { return holds_text(field.type) ? schema_.intern({}) : 0; }
    /// A string, or {"bytes":"..."}; none for anything else. Valid until the next call.
    std::optional<std::string_view> text(JsonValue value);
    /// The type that values of this kind suggest.
    static Type type_of(JsonValue value) noexcept;

private:
    Fit text_cell(const Field& field, JsonValue value, std::uint64_t& cell);
    Fit label_cell(const Field& field, JsonValue value, std::uint64_t& cell);

    Schema& schema_;
    const Limits& limits_;
    /// Of an enumeration, as far as it was known.
    struct Labels {
        TextMap<std::uint64_t> values;
        std::size_t known = 0;
    };
    std::deque<Labels> labels_;  // by enumeration
    std::string scratch_;
    std::vector<std::byte> bytes_;
};

}  // namespace hwtrace::jsonl

// codec/reader.hpp - the interface of every format's reader: bytes to model.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// A fact about a file for hwtrace-info, such as {"container", "ZSTF"} or {"chunks", 24}.
struct Fact {
    using Value = std::variant<std::string, std::uint64_t, std::int64_t>;

    /// A string fact: a name, a version, or a number with a unit.
    Fact(std::string_view name, std::string text) : key(name), value(std::move(text)) {}
    /// A numeric fact: a count or a measurement.
    template <std::integral Number>
    Fact(std::string_view name, Number number) : key(name) {
        if constexpr (std::is_signed_v<Number>)
            value = std::int64_t{number};
        else
            value = std::uint64_t{number};
    }
    friend bool operator==(const Fact&, const Fact&) = default;

    std::string key;  ///< stable across versions
    Value value;
};
using Facts = std::vector<Fact>;

/// Returns the value of a fact as text.
inline std::string text_of(const Fact& fact) {
    if (const auto* const text = std::get_if<std::string>(&fact.value)) return *text;
    const auto* const number = std::get_if<std::uint64_t>(&fact.value);
    return number != nullptr ? std::to_string(*number) : std::to_string(std::get<std::int64_t>(fact.value));
}

/// Returns the value of the fact `key` as text, or an empty string.
inline std::string text_of(const Facts& facts, std::string_view key) {
    for (const Fact& fact : facts)
        if (fact.key == key) return text_of(fact);
    return {};
}

/// Reads a trace as batches of records.
class Reader {
public:
    virtual ~Reader() = default;
    /// Returns the schema so far, which covers every returned batch. Always returns the same object.
    virtual Schema& schema() = 0;
    /// Appends records to `batch` until it is full() or the input ends. The caller clears the batch first. Returns
    /// false if the input has ended and nothing was appended. Damage becomes findings. Throws Error only for limits and
    /// system errors.
    virtual bool read(Batch& batch) = 0;
    /// Moves the reader to a place at or before the first record whose time is `time` or later. Chooses the last such
    /// place that can be found without reading all records before it. read() continues from this place. If `state` is
    /// not null, it must be a table of this schema; it receives the contents of all storages at this place. May be
    /// called any number of times, before and after read(). Returns false and changes nothing if the input has no such
    /// places. The caller then reads from the beginning.
    virtual bool seek(Tick time, StateTable* state) {
        (void)time, (void)state;
        return false;
    }
    /// Returns facts besides the model, for hwtrace-info. They are complete after the last read().
    virtual Facts facts() const = 0;
    /// Returns the number of input bytes consumed so far, for progress messages.
    virtual std::uint64_t position() const = 0;
};

}  // namespace hwtrace

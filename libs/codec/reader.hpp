// codec/reader.hpp - bytes to model: what every format's reader is.
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

/// A fact about a file for hwtrace-info: {"container", "ZSTF"}, {"chunks", 24}.
struct Fact {
    using Value = std::variant<std::string, std::uint64_t, std::int64_t>;

    /// What has a name, a version or a unit is a text, though it be written in digits.
    Fact(std::string_view name, std::string text) : key(name), value(std::move(text)) {}
    /// What is counted or measured is a number.
    template <std::integral Number>
    Fact(std::string_view name, Number number) : key(name) {
        if constexpr (std::is_signed_v<Number>)
            value = std::int64_t{number};
        else
            value = std::uint64_t{number};
    }
    friend bool operator==(const Fact&, const Fact&) = default;

    std::string key;  ///< stable
    Value value;
};
using Facts = std::vector<Fact>;

/// A fact's value as text.
inline std::string text_of(const Fact& fact) {
    if (const auto* const text = std::get_if<std::string>(&fact.value)) return *text;
    const auto* const number = std::get_if<std::uint64_t>(&fact.value);
    return number != nullptr ? std::to_string(*number) : std::to_string(std::get<std::int64_t>(fact.value));
}

class Reader {
public:
    virtual ~Reader() = default;
    /// What has been declared so far: complete for every batch handed out. The same object for the reader's life.
    virtual Schema& schema() = 0;
    /// Appends records to `batch`, which the caller has cleared, until it is full() or the input ends; false when
    /// nothing was appended because the input has ended. Damage becomes findings; Error is thrown only for limits and
    /// the system.
    virtual bool read(Batch& batch) = 0;
    /// Goes to a place that every record at `time` and later lies behind, as near to the first of them as the input
    /// tells without being read up to there; read() goes on from it. `state`, where it is not null, is a table of this
    /// schema and becomes the state of all storages at that place. May be called again and again, before and after
    /// read(). False where the input has no such places (a caller then reads from the beginning): nothing has changed.
    virtual bool seek(Tick time, StateTable* state) {
        (void)time, (void)state;
        return false;
    }
    /// What is known besides the model. Complete after the last read().
    virtual Facts facts() const = 0;
    /// Bytes of the input consumed so far, for progress.
    virtual std::uint64_t position() const = 0;
};

}  // namespace hwtrace

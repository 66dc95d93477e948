// io/saved_state.hpp - writes and reads the values of plain structures as bytes, such as partial statistics.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/limits.hpp"
#include "io/sized_text.hpp"
#include "io/zigzag.hpp"

namespace hwtrace {

namespace saved {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

template <typename T>
concept Number = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8;
/// A structure whose function members(structure) returns a tuple of references to its values.
template <typename T>
concept Structure = requires(T& value) {
    T::members(value);
};

}  // namespace saved

/// Writes values. A StateIn reads them in the same order.
class StateOut {
public:
    explicit StateOut(Appender& out) : out_(out) {}

    /// Writes each value: numbers, bool, strings, std::optional, std::pair, std::array, std::vector, and structures.
    template <typename... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    void text(std::string_view text) { append_sized(text, out_); }

private:
    void put(bool value) { out_.leb128(value ? 1 : 0); }
    template <saved::Number T>
    void put(T value) {
        if constexpr (std::is_signed_v<T>)
            out_.leb128(zigzag(value));
        else
            out_.leb128(value);
    }
    template <typename T>
    requires std::is_enum_v<T>
    void put(T value) { out_.leb128(static_cast<std::uint64_t>(value)); }
    void put(saved::UnsignedWide value) {
        out_.leb128(static_cast<std::uint64_t>(value));
        out_.leb128(static_cast<std::uint64_t>(value >> 64));
    }
    void put(saved::Wide value) {
        put(value < 0);
        put(value < 0 ? saved::UnsignedWide{0} - static_cast<saved::UnsignedWide>(value)
                      : static_cast<saved::UnsignedWide>(value));
    }
    void put(const std::string& value) { text(value); }
    template <typename T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    template <typename A, typename B>
    void put(const std::pair<A, B>& value) {
        (*this)(value.first, value.second);
    }
    template <typename T, std::size_t size>
    void put(const std::array<T, size>& values) {
        for (const T& value : values)
            put(value);
    }
    template <typename T>
    void put(const std::vector<T>& values) {
        out_.leb128(values.size());
        for (const T& value : values)
            put(value);
    }
    template <saved::Structure T>
    void put(const T& value) {
        std::apply([&](const auto&... members) { (put(members), ...); }, T::members(value));
    }

    Appender& out_;
};

/// Reads values that a StateOut has written. Every value is checked, because the bytes may be forged: throws Truncated,
/// or Failure::input or Failure::limit.
class StateIn {
public:
    /// Reads from `in`, which must outlive this object. `limits` bound the memory for what is read: lists by
    /// schema_objects.
    StateIn(Cursor& in, const Limits& limits) : in_(in), limits_(limits) {}

    template <typename... T>
    void operator()(T&... values) {
        (take(values), ...);
    }
    template <typename T>
    T get() {
        T value{};
        take(value);
        return value;
    }
    /// Returns a number below `end`.
    std::uint64_t below(std::uint64_t end) {
        const std::uint64_t value = in_.leb128();
        require(value < end);
        return value;
    }
    /// Returns a value of an enumeration whose last one is `last`.
    template <typename Enumeration>
    Enumeration one_up_to(Enumeration last) {
        return static_cast<Enumeration>(below(static_cast<std::uint64_t>(last) + 1));
    }
    /// Returns the number of elements that follow, each of at least one byte.
    std::size_t count() {
        const std::uint64_t value = in_.leb128();
        require(value <= in_.left());
        check_limit(value, limits_.schema_objects, "a list in partial statistics", "--max-schema");
        return static_cast<std::size_t>(value);
    }
    /// Throws Failure::input unless the condition is true.
    static void require(bool condition) {
        if (!condition) [[unlikely]]
            refuse_state();
    }
    bool at_end() const noexcept { return in_.at_end(); }
    const Limits& limits() const noexcept { return limits_; }

private:
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_state() {
        fail(Failure::input, "the state holds a value that is impossible");
    }
    void take(bool& value) { value = below(2) != 0; }
    template <saved::Number T>
    void take(T& value) {
        const std::uint64_t read = in_.leb128();
        if constexpr (std::is_signed_v<T>) {
            static_assert(sizeof(T) == 8);
            value = unzigzag(read);
        } else {
            value = static_cast<T>(read);
            require(value == read);
        }
    }
    void take(saved::UnsignedWide& value) {
        value = in_.leb128();
        value |= saved::UnsignedWide{below(std::uint64_t{1} << 32)} << 64;  // sums of these do not overflow
    }
    void take(saved::Wide& value) {
        const bool is_negative = get<bool>();
        const auto distance = static_cast<saved::Wide>(get<saved::UnsignedWide>());
        value = is_negative ? -distance : distance;
    }
    void take(std::string& value) { value = sized_text(in_); }
    template <typename T>
    void take(std::optional<T>& value) {
        value.reset();
        if (!get<bool>()) return;
        value = T{};
        take(*value);
    }
    template <typename A, typename B>
    void take(std::pair<A, B>& value) {
        (*this)(value.first, value.second);
    }
    template <typename T, std::size_t size>
    void take(std::array<T, size>& values) {
        for (T& value : values)
            take(value);
    }
    template <typename T>
    void take(std::vector<T>& values) {
        values.clear();
        for (std::size_t left = count(); left > 0; --left)
            take(values.emplace_back());
    }
    template <saved::Structure T>
    void take(T& value) {
        std::apply([&](auto&... members) { (take(members), ...); }, T::members(value));
    }

    Cursor& in_;
    Limits limits_;
};

}  // namespace hwtrace

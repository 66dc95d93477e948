// model/hash.hpp - tables by names and numbers that a file chose.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace hwtrace {

/// Drawn once by each process: nobody can make names or numbers that all belong in one place of a table, where finding
/// them would take time by their square.
struct HashKey {
    std::uint64_t first, second;
};
const HashKey& hash_key();

/// SipHash-1-3 of a text: the same for equal texts in one process, another one in the next.
std::uint64_t keyed_hash(std::string_view text, const HashKey& key) noexcept;

template <typename Key>
struct KeyedHash;

template <std::unsigned_integral Number>
struct KeyedHash<Number> {
    std::size_t operator()(Number number) const noexcept {
        constexpr std::uint64_t odd = 0x9E37'79B9'7F4A'7C15;
        const HashKey& key = hash_key();
        std::uint64_t hash = (number ^ key.first) * (key.second | 1);
        hash = (hash ^ hash >> 32) * odd;
        return static_cast<std::size_t>(hash ^ hash >> 29);
    }
};

/// Of texts. Not noexcept: the standard library keeps what such a function gave beside each text, and compares that
/// first.
struct KeyedTextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return static_cast<std::size_t>(keyed_hash(text, hash_key()));
    }
};
template <>
struct KeyedHash<std::string> : KeyedTextHash {};
template <>
struct KeyedHash<std::string_view> : KeyedTextHash {};

/// Their order is another one in each run: it must not reach what is written.
template <typename Key, typename Value>
using HashMap = std::unordered_map<Key, Value, KeyedHash<Key>, std::equal_to<>>;
template <typename Key>
using HashSet = std::unordered_set<Key, KeyedHash<Key>, std::equal_to<>>;

}  // namespace hwtrace

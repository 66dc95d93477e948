// model/hash.hpp - hash tables whose keys come from untrusted files.
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

/// The random key of this process. It prevents files from choosing keys that all collide, which would make look-ups
/// quadratic.
struct HashKey {
    std::uint64_t first, second;
};
/// Returns the key. The first call generates it.
const HashKey& hash_key();

/// Returns SipHash-1-3 of `text`. Hashes of equal strings are equal within one process, but not across processes.
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

/// Hashes strings. The function is not noexcept, so that the standard library caches each hash and compares hashes
/// before strings.
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

/// Hash tables whose keys may come from untrusted files. Their iteration order differs between runs and must never
/// reach the output.
template <typename Key, typename Value>
using HashMap = std::unordered_map<Key, Value, KeyedHash<Key>, std::equal_to<>>;
template <typename Key>
using HashSet = std::unordered_set<Key, KeyedHash<Key>, std::equal_to<>>;

}  // namespace hwtrace

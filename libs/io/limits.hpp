// io/limits.hpp - limits on memory allocation for untrusted inputs.
#pragma once

#include <cstdint>
#include <string_view>

namespace hwtrace {

/// Upper bounds in bytes or counts, checked before an allocation. A violation throws Failure::limit. The message states
/// the value, the limit and the option that raises the limit.
struct Limits {
    std::uint64_t block = 256u << 20;         ///< one decompressed block, --max-block
    std::uint64_t record = 64u << 20;         ///< one record or instruction group, --max-record
    std::uint64_t string = 16u << 20;         ///< one string, --max-string
    std::uint64_t schema_objects = 1u << 20;  ///< tracks, fields, enum values, ... --max-schema
    std::uint64_t depth = 64;                 ///< nesting of JSON or CBOR, --max-depth
    std::uint64_t zstd_window = 128u << 20;   ///< memory that a zstd frame (or an xz stream) may require, --max-window

    /// Returns limits that never apply (--no-limits).
    static Limits unlimited() noexcept;
};

/// Throws Failure::limit if value > limit. `what` is a noun phrase ("a decompressed block"). `option` names the option
/// that raises the limit.
inline void check_limit(std::uint64_t value, std::uint64_t limit, std::string_view what, std::string_view option);
[[noreturn, gnu::cold, gnu::noinline]] void refuse(std::uint64_t value, std::uint64_t limit, std::string_view what,
                                                   std::string_view option);
inline void check_limit(std::uint64_t value, std::uint64_t limit, std::string_view what, std::string_view option) {
    if (value > limit) refuse(value, limit, what, option);
}

}  // namespace hwtrace

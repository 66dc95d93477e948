// formats/uscope/string_pool.hpp - reads and writes the string pool, which holds the names of a schema and the DUT
// properties.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/findings.hpp"
#include "io/limits.hpp"
#include "model/hash.hpp"

namespace hwtrace::uscope {

/// Returns true if the pool can hold `text`: well-formed UTF-8 without NUL.
bool is_pool_text(std::string_view text) noexcept;

/// Throws Failure::input: the trace's names exceed the string pool.
[[noreturn]] void fail_pool_full();

/// A pool of NUL-terminated strings; equal strings are shared (1.3).
class StringPool {
public:
    /// Returns the offset of `text`, which is added if it is new. Throws Failure::input if the pool would become too
    /// large.
    std::uint16_t offset(std::string_view text);
    /// Returns true if the pool contains `text` or has room for it.
    bool fits(std::string_view text) const;
    std::string_view bytes() const noexcept { return bytes_; }

private:
    std::string bytes_;
    HashMap<std::string, std::uint16_t> offsets_;
};

/// Resolves offsets into the string pool of a file and reports broken strings.
class PoolReader {
public:
    /// `base` is the file offset of the pool. `pool`, `limits` and `findings` must outlive this object.
    PoolReader(std::string_view pool, std::uint64_t base, const Limits& limits, Findings& findings) noexcept
        : pool_(pool), base_(base), limits_(limits), findings_(findings) {}

    /// Returns the string at `offset` of the pool. The offset is stored at byte `named_at` of the file; `what` names
    /// its purpose in findings. Returns an empty string after a finding about the offset.
    std::string text(std::uint16_t offset, std::uint64_t named_at, std::string_view what);

private:
    std::string_view pool_;
    std::uint64_t base_;
    const Limits& limits_;
    Findings& findings_;
    std::uint64_t total_ = 0;
};

}  // namespace hwtrace::uscope

// tests/bench/generated_ftr.hpp - generates a file of transactions, item by item as the recording library writes them.
#pragma once

#include <cstdint>
#include <string>

namespace hwtrace::bench {

/// Writes `transactions` to `path`: 8 streams with 24 generators, five attributes per transaction, every type, numbers
/// of every width, and 50,000 strings. Each of the `relations`, at most one per transaction, leads from one transaction
/// to the next. Blocks have 64 KiB, plain or LZ4.
void generate_ftr(const std::string& path, std::uint64_t transactions, std::uint64_t relations, bool compressed);

}  // namespace hwtrace::bench

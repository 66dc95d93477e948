// tests/bench/generated_ftr.hpp - generates an FTR file of transactions, item by item like the recording library.
#pragma once

#include <cstdint>
#include <string>

namespace hwtrace::bench {

/// Writes `transactions` transactions to `path`: 8 streams with 24 generators, five attributes per transaction, every
/// type, integers of every width, and 50,000 strings. Each of the `relations` relations leads from one transaction to
/// the next; a transaction has at most one. Blocks have 64 KiB, plain or LZ4.
void generate_ftr(const std::string& path, std::uint64_t transactions, std::uint64_t relations, bool compressed);

}  // namespace hwtrace::bench

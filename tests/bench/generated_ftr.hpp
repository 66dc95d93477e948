// tests/bench/generated_ftr.hpp - generates an FTR file of transactions, item by item like the recording library.
#pragma once

#include <cstdint>
#include <string>

namespace hwtrace::bench {

/// Writes `transactions` transactions to `path`, in 8 streams with 24 generators. A transaction has five attributes.
/// The file has attributes of every type, integers of every width, and 50,000 strings. Each of the `relations`
/// relations leads from one transaction to the next. A transaction has at most one relation. Blocks have 64 KiB, plain
/// or LZ4.
void generate_ftr(const std::string& path, std::uint64_t transactions, std::uint64_t relations, bool compressed);

}  // namespace hwtrace::bench

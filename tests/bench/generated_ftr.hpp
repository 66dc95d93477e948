// tests/bench/generated_ftr.hpp - a file of transactions, item by item as the recording library writes them.
#pragma once

#include <cstdint>
#include <string>

namespace hwtrace::bench {

/// Writes `transactions` to `path`: 8 streams with 24 generators, five attributes each of every type, numbers of every
/// width, 50,000 texts, `relations` from one to the next, at most as many as transactions, in blocks of 64 KiB, plain
/// or as LZ4.
void generate_ftr(const std::string& path, std::uint64_t transactions, std::uint64_t relations, bool compressed);

}  // namespace hwtrace::bench

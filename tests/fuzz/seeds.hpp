// tests/fuzz/seeds.hpp - the seeds of the fuzzer: testdata/ and the small files of the corpus, including damaged ones.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace hwtrace::fuzz {

struct Seed {
    std::string name;  ///< of its file
    std::vector<std::byte> bytes;
};

/// Returns seeds of the target's kind. Traces are those of its format, or of all formats if it has none.
std::vector<Seed> seeds_of(const Target& target);

}  // namespace hwtrace::fuzz

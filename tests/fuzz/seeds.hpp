// tests/fuzz/seeds.hpp - what a fuzzer begins with: testdata/, and the small files of the corpus, damaged ones
// included.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace hwtrace::fuzz {

struct Seed {
    std::string name;  ///< of a file
    std::vector<std::byte> bytes;
};

/// For each target's kind of input. Of traces, those of its format; of all, where it has none.
std::vector<Seed> seeds_of(const Target& target);

}  // namespace hwtrace::fuzz

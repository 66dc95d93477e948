// tests/fuzz/seeds.hpp - seeds of the fuzzer: testdata/ and the small files of the corpus, damaged ones included.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace hwtrace::fuzz {

struct Seed {
    std::string name;  ///< name of the file
    std::vector<std::byte> bytes;
};

/// Returns seeds of the kind that the target needs. Traces are in the target's format. If the target
/// has no format, they are in all formats.
std::vector<Seed> seeds_of(const Target& target);

}  // namespace hwtrace::fuzz

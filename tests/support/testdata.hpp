// tests/support/testdata.hpp - the files of testdata/ that our own tools make, and the samples for tests over files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "support/hex.hpp"

namespace hwtrace::test {

/// Every made file by its name below testdata/. Compressed ones may differ in bytes from those of another version of
/// the compressor; all others are the same everywhere.
std::map<std::string, std::vector<std::byte>> made_testdata();

/// A trace to test with.
struct Sample {
    std::string name;  ///< below testdata/ or "corpus/..."
    const Format* format = nullptr;
    Assembled content;
    bool valid = true;  ///< false: something is wrong with it, whose findings stand in `content.expected`
};

/// The files of testdata/<format>/valid and invalid, in order of name.
std::vector<Sample> testdata_samples();
/// Valid files of the corpus, at most `limit` bytes each; none where the corpus is absent.
std::vector<Sample> corpus_samples(std::uint64_t limit);

}  // namespace hwtrace::test

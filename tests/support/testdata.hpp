// tests/support/testdata.hpp - the generated files of testdata/, and samples for tests over many files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "support/hex.hpp"

namespace hwtrace::test {

/// Returns every generated file by its name below testdata/. Compressed files depend on the version of the compressor.
/// All other files are the same everywhere.
std::map<std::string, std::vector<std::byte>> made_testdata();

/// A trace for tests.
struct Sample {
    std::string name;  ///< path below testdata/, or "corpus/..."
    const Format* format = nullptr;
    Assembled content;
    bool valid = true;  ///< false: the trace has faults, and `content.expected` has its findings
};

/// Returns the files of testdata/<format>/valid and invalid, sorted by name.
std::vector<Sample> testdata_samples();
/// Returns such files of the formats that can be read but are pictures, and of those that are only read. Laws about
/// converting back do not apply to them.
std::vector<Sample> picture_samples();
/// Returns the formats that are only read, and their files.
std::vector<const Format*> read_only_formats();
std::vector<Sample> read_only_samples();
/// Returns the formats that can be read: formats(), pictures, and formats that are only read.
std::vector<const Format*> readable_formats();
/// Returns the valid corpus files of at most `limit` bytes each, or no files if the corpus is absent.
std::vector<Sample> corpus_samples(std::uint64_t limit);

}  // namespace hwtrace::test

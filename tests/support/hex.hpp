// tests/support/hex.hpp - assembles binary files from text with hand-written bytes and comments (testdata/README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hwtrace::test {

/// A finding that the file must cause.
struct Expectation {
    std::string rule;
    std::uint64_t offset = 0;
    std::uint64_t length = 1;

    friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct Assembled {
    std::vector<std::byte> bytes;
    std::vector<Expectation> expected;
};

/// Assembles the text of a `.hex` file. Its `base` lines name files relative to `folder`. Throws std::runtime_error
/// with the line number of a syntax error.
Assembled assemble(const std::string& text, const std::filesystem::path& folder);
/// Returns the bytes of `path`, assembled if it is a `.hex` file.
Assembled load_sample(const std::filesystem::path& path);

}  // namespace hwtrace::test

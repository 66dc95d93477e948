// tests/support/corpus.hpp - finds test files: the corpus of real files (HWTRACE_CORPUS) and the repository's testdata.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hwtrace::test {

/// Returns the path of `relative` in the corpus. Prints a note and returns nullopt if the corpus or the file is absent.
std::optional<std::filesystem::path> corpus(const std::string& relative);
/// Marks the running test case as skipped, and prints the reason.
void skip_case(const std::string& reason);
/// Returns true if skip_case() was called, or corpus() returned nullopt, since the last call of take_skipped().
bool take_skipped() noexcept;
/// Returns the latest reason of skip_case() or corpus().
const std::string& skip_reason() noexcept;
/// Returns the path of `relative` in this repository.
std::filesystem::path source_file(const std::string& relative);
/// Returns the path of `relative` in testdata/. The file must exist.
std::filesystem::path testdata(const std::string& relative);
/// Returns the contents of a file.
std::vector<std::byte> read_file(const std::filesystem::path& path);
std::string read_text(const std::filesystem::path& path);
/// A temporary folder that is removed at the end of its scope.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace hwtrace::test

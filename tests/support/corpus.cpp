#include "support/corpus.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

bool skipped = false;  // set since the last take_skipped()
std::string reason;

}  // namespace

bool take_skipped() noexcept {
    return std::exchange(skipped, false);
}

void skip_case(const std::string& why) {
    std::cout << "note: skipped, " << why << '\n';
    skipped = true;
    reason = why;
}

const std::string& skip_reason() noexcept {
    return reason;
}

fs::path source_file(const std::string& relative) {
    return fs::path(HWTRACE_SOURCES) / relative;
}

std::optional<fs::path> corpus(const std::string& relative) {
    const char* root = std::getenv("HWTRACE_CORPUS");
    if (root == nullptr || *root == '\0') {
        skip_case("HWTRACE_CORPUS is not set: " + relative);
        return std::nullopt;
    }
    fs::path path = fs::path(root) / relative;
    if (!fs::exists(path)) {
        skip_case("not in the corpus: " + relative);
        return std::nullopt;
    }
    return path;
}

fs::path testdata(const std::string& relative) {
    fs::path path = source_file("testdata") / relative;
    if (!fs::exists(path)) throw std::runtime_error("testdata/" + relative + " is missing");
    return path;
}

std::vector<std::byte> read_file(const fs::path& path) {
    const std::string text = read_text(path);
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot open " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "hwtrace-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace hwtrace::test

// tests/fuzz/replay.cpp - hwtrace_fuzz_replay [FILE...]: gives files to all fuzz targets. Without files: those of
// testdata/, and the small ones of the corpus where it is there, damaged ones included. For tests, and to look at what
// a fuzzer has found; with --write FOLDER instead, writes testdata/ there as seeds for a fuzzer.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "fuzz/targets.hpp"
#include "support/testdata.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest = 64 * 1024;

void replay(const std::string& name, const std::vector<std::byte>& bytes) {
    std::cout << name << std::endl;  // flushed: it is the last word where a target aborts
    hwtrace::fuzz::decode(bytes);
    hwtrace::fuzz::round_trip(bytes);
    hwtrace::fuzz::compare_and_recover(bytes);
}

std::vector<fs::path> small_files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const bool text = name.ends_with(".txt") || name.ends_with(".json") || name.ends_with(".yaml");
        const bool long_trace = name.starts_with("dhry") || name.starts_with("loop3000");  // few bytes, many records
        if (entry.is_regular_file() && entry.file_size() <= largest && !text && !long_trace)
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace hwtrace::test;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 2 && arguments[0] == "--write") {
        fs::create_directories(arguments[1]);
        for (const Sample& sample : testdata_samples()) {
            std::string name = sample.name;
            std::replace(name.begin(), name.end(), '/', '-');
            std::ofstream out(fs::path(arguments[1]) / name, std::ios::binary);
            out.write(reinterpret_cast<const char*>(sample.content.bytes.data()),
                      static_cast<std::streamsize>(sample.content.bytes.size()));
        }
        return 0;
    }
    std::size_t count = 0;
    for (const std::string& path : arguments) {
        replay(path, load_sample(path).bytes);
        ++count;
    }
    if (arguments.empty()) {
        for (const Sample& sample : testdata_samples()) {
            replay(sample.name, sample.content.bytes);
            ++count;
        }
        if (const char* corpus = std::getenv("HWTRACE_CORPUS"); corpus != nullptr && *corpus != '\0') {
            for (const char* format : {"stf", "uscope"}) {
                if (!fs::exists(fs::path(corpus) / format)) continue;
                for (const fs::path& path : small_files_below(fs::path(corpus) / format)) {
                    replay(path.string(), load_sample(path).bytes);
                    ++count;
                }
            }
        } else {
            std::cout << "note: skipped the corpus, HWTRACE_CORPUS is not set\n";
        }
    }
    std::cout << count << " files\n";
    return count == 0 ? 1 : 0;
}

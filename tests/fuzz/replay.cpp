// tests/fuzz/replay.cpp - runs the fuzz targets on seeds and files:
//   hwtrace_fuzz_replay                         every target on its seeds
//   hwtrace_fuzz_replay FILE...                 every target on each file, such as a fuzzer's finding
//   hwtrace_fuzz_replay --target=NAME FILE...   one target
//   hwtrace_fuzz_replay --list                  prints the names of the targets
//   hwtrace_fuzz_replay --write FOLDER          writes seeds for a fuzzer, in one folder per target
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/seeds.hpp"
#include "fuzz/targets.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"
#include "support/sample.hpp"

namespace {

namespace fs = std::filesystem;
using hwtrace::fuzz::Seed;
using hwtrace::fuzz::Target;
using hwtrace::fuzz::targets;

void run(const Target& target, const Seed& seed) {
    // Flush, so that this is the last line if a target aborts.
    std::cout << target.name << ' ' << seed.name << std::endl;
    for (std::size_t part = 0; part < target.parts; ++part)
        target.run(seed.bytes, part);
}

std::size_t replay_seeds() {
    std::size_t count = 0;
    for (const Target& target : targets()) {
        const std::vector<Seed> seeds = hwtrace::fuzz::seeds_of(target);
        if (seeds.empty()) {
            std::cout << target.name << " has no seeds\n";
            return 0;
        }
        const hwtrace::test::Share share = hwtrace::test::share();
        for (std::size_t i = share.number; i < seeds.size(); i += share.shares) {
            run(target, seeds[i]);
            ++count;
        }
    }
    // The findings of earlier runs are stored by target name.
    for (const Target& target : targets()) {
        const fs::path kept = hwtrace::test::source_file("testdata/fuzz") / target.name;
        if (!fs::exists(kept)) continue;
        for (const fs::directory_entry& file : fs::directory_iterator(kept)) {
            run(target, {file.path().filename().string(), hwtrace::test::load_sample(file.path()).bytes});
            ++count;
        }
    }
    const char* const corpus = std::getenv("HWTRACE_CORPUS");
    if (corpus == nullptr || *corpus == '\0') std::cout << "note: skipped the corpus, HWTRACE_CORPUS is not set\n";
    return count;
}

std::size_t write_seeds(const fs::path& folder) {
    std::size_t count = 0;
    for (const Target& target : targets()) {
        fs::create_directories(folder / target.name);
        for (const Seed& seed : hwtrace::fuzz::seeds_of(target)) {
            std::ofstream out(folder / target.name / seed.name, std::ios::binary);
            out.write(reinterpret_cast<const char*>(seed.bytes.data()),
                      static_cast<std::streamsize>(seed.bytes.size()));
            ++count;
        }
    }
    return count;
}

std::size_t replay_files(const std::vector<std::string>& arguments) {
    constexpr std::string_view option = "--target=";
    std::string only;
    std::size_t count = 0;
    for (const std::string& argument : arguments) {
        if (argument.starts_with(option)) {
            only = argument.substr(option.size());
            continue;
        }
        const Seed seed{argument, hwtrace::test::load_sample(argument).bytes};
        for (const Target& target : targets()) {
            if (!only.empty() && target.name != only) continue;
            run(target, seed);
            ++count;
        }
    }
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 1 && arguments[0] == "--list") {
        for (const Target& target : targets())
            std::cout << target.name << '\n';
        return 0;
    }
    const bool writes = arguments.size() == 2 && arguments[0] == "--write";
    const std::size_t count = arguments.empty() ? replay_seeds()
                              : writes          ? write_seeds(arguments[1])
                                                : replay_files(arguments);
    std::cout << count << (writes ? " seeds\n" : " runs\n");
    return count == 0 ? 1 : 0;
}

// tests/fuzz/fuzzer.cpp - hwtrace_fuzz --target=NAME [libFuzzer's options] [FOLDER...]: runs one target with libFuzzer.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/targets.hpp"

namespace {

const hwtrace::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view option = "--target=";  // libFuzzer ignores arguments that begin with two dashes
    for (int i = 1; i < *argc; ++i) {
        const std::string_view argument = (*argv)[i];
        if (!argument.starts_with(option)) continue;
        chosen = hwtrace::fuzz::find_target(argument.substr(option.size()));
    }
    if (chosen != nullptr) return 0;
    std::fprintf(stderr, "--target=NAME is one of:\n");
    for (const hwtrace::fuzz::Target& target : hwtrace::fuzz::targets())
        std::fprintf(stderr, "  %s\n", target.name.c_str());
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    chosen->run(std::as_bytes(std::span(data, size)), size % chosen->parts);
    return 0;
}

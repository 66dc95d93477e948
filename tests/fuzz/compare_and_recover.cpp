// tests/fuzz/compare_and_recover.cpp - libFuzzer target: what is read equals itself, and what is left of it is valid.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    hwtrace::fuzz::compare_and_recover(std::as_bytes(std::span(data, size)));
    return 0;
}

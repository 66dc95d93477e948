// tests/fuzz/decode.cpp - libFuzzer target: reading anything.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    hwtrace::fuzz::decode(std::as_bytes(std::span(data, size)));
    return 0;
}

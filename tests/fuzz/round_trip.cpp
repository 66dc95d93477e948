// tests/fuzz/round_trip.cpp - libFuzzer target: converting anything, there and back.
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    hwtrace::fuzz::round_trip(std::as_bytes(std::span(data, size)));
    return 0;
}

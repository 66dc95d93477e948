// tests/bench/picture_floors.hpp - what the libraries of other tools need to write a picture.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Prints the cost of writing `items` slices with three arguments as Perfetto's messages with protozero alone, and of
/// writing `items` changes of 64 variables as FST with fstapi alone, if fstapi is installed.
void print_picture_floors(const std::filesystem::path& folder, std::uint64_t items, int runs);

}  // namespace hwtrace::bench

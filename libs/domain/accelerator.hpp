// domain/accelerator.hpp - what traces of matrix accelerators state about their hardware.
#pragma once

#include <string_view>

namespace hwtrace::accelerator {

// Metadata.
inline constexpr std::string_view array_size = "pccx.arch.mac_dims";  ///< "[16,16]": rows and columns
inline constexpr std::string_view peak_tops = "pccx.arch.peak_tops";  ///< 10^12 operations per second
inline constexpr std::string_view clock_mhz = "pccx.trace.clock_mhz";

// Types of intervals; conventions::matrix_work is the work of the matrix unit.
inline constexpr std::string_view memory_read = "DMA_READ";
inline constexpr std::string_view memory_write = "DMA_WRITE";

}  // namespace hwtrace::accelerator

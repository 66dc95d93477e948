// tests/support/out_of_order.hpp - makes O3PipeView text as gem5 writes it: an imagined out-of-order CPU runs a loop
// with loads, stores, micro-ops, and branches that it mispredicts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hwtrace::test {

struct OutOfOrder {
    std::uint64_t instructions = 1000;  ///< that retire
    unsigned seed = 1;
    std::uint64_t ticks_per_cycle = 500;
    std::string cpu = {};         ///< the name in front of each line; empty: none
    std::uint64_t first_seq = 1;  ///< of the first instruction
    bool other_lines = false;     ///< true: writes lines of other debug flags, too
    bool replays = false;         ///< true: some loads are issued again after they had completed
};

/// Calls `give` with the lines of one instruction after the other, in the order in which the instructions leave.
void run_out_of_order(const OutOfOrder& about, const std::function<void(std::string_view)>& give);
/// Returns the whole text.
std::string out_of_order_text(const OutOfOrder& about);

}  // namespace hwtrace::test

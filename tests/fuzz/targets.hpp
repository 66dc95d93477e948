// tests/fuzz/targets.hpp - what is done to arbitrary bytes. A target returns, or aborts with the reason on standard
// error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace::fuzz {

/// What formats are recognised by, at most.
constexpr std::size_t longest_head = 4096;

/// What a fuzzer begins with.
enum class Seeds : std::uint8_t {
    traces,           ///< of Target::format, or of all
    heads,            ///< the first longest_head bytes of them
    pairs_of_traces,  ///< two bytes that say how long the first one is, and two of them
    headers,          ///< of pccx, the text alone
    blocks,           ///< traces as they are, and packed
    texts,            ///< one line: the values of options
    command_lines,    ///< a word a line
};

struct Target {
    std::string name;
    Seeds seeds = Seeds::traces;
    /// Does one of its parts, from 0 on: a fuzzer gets on faster where the input chooses, by its size.
    std::function<void(std::span<const std::byte>, std::size_t part)> run{};
    std::size_t parts = 1;
    const Format* format = nullptr;  ///< that it is about; null: all
};

/// All of them: sniff, read-FORMAT, round-trip-FORMAT, compare-and-recover, compare, merge, and the decoders.
const std::vector<Target>& targets();
/// The one of that name, or nullptr.
const Target* find_target(std::string_view name);

/// Those that decode less than a trace: cbor, leb128, pccx-header, fastlz, blocks, unpacked, options, command-line.
void add_decoders(std::vector<Target>& targets);

/// Ends the process, with the reason on standard error.
[[noreturn]] void broken(const std::string& what);

}  // namespace hwtrace::fuzz

// tests/fuzz/targets.hpp - fuzz targets: operations on arbitrary bytes. A target returns, or aborts with the reason on
// standard error.
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

/// The maximum number of bytes that format detection uses.
constexpr std::size_t longest_head = 4096;

/// The kind of seeds that a target uses.
enum class Seeds : std::uint8_t {
    traces,           ///< traces of Target::format, or of all formats
    heads,            ///< the first longest_head bytes of these traces
    pairs_of_traces,  ///< two bytes with the length of the first trace, then two traces
    headers,          ///< pccx headers without the file's prefix
    blocks,           ///< plain and compressed traces
    texts,            ///< one line of option values
    command_lines,    ///< one word per line
};

struct Target {
    std::string name;
    Seeds seeds = Seeds::traces;
    /// Runs the given part of the target. Parts are counted from 0. Fuzzing works better if the size of the input
    /// selects the part.
    std::function<void(std::span<const std::byte>, std::size_t part)> run{};
    std::size_t parts = 1;
    const Format* format = nullptr;  ///< the only format that the target uses; null: all
};

/// Returns all targets: sniff, read-FORMAT, round-trip-FORMAT, compare-and-recover, compare, merge, and the decoders.
const std::vector<Target>& targets();
/// Returns the target of that name, or nullptr.
const Target* find_target(std::string_view name);

/// Adds the targets that decode smaller units than a trace: cbor, leb128, pccx-header, fastlz, blocks, unpacked,
/// options, command-line.
void add_decoders(std::vector<Target>& targets);

/// Ends the process after printing the reason to standard error.
[[noreturn]] void broken(const std::string& what);

}  // namespace hwtrace::fuzz

// tests/sweeps/damage.hpp - single damages to a file, and the reaction of its reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/testdata.hpp"

namespace hwtrace::test {

/// One damage to one file.
struct Damage {
    enum class Kind : std::uint8_t { cut, header_bit, flip };
    Kind kind;
    std::uint8_t change;   ///< flipped bits, unless it is a cut
    std::uint32_t sample;  ///< index among the samples of the format
    std::uint64_t at;      ///< the byte, or the remaining size
};

/// The reaction of hwtrace-validate and a reader to a damaged file.
enum class Answer : std::uint8_t {
    noticed,    ///< invalid, incomplete or refused
    unchanged,  ///< valid, and the same trace
    allowed,    ///< the cut is where a trace of the format may end
    other,      ///< valid, but another trace
    bug,        ///< an exception that must not occur
};
constexpr std::size_t answers = 5;

/// An undamaged file.
struct Original {
    Sample sample;
    bool valid = false;  ///< valid; otherwise damage is only tested for crashes
    std::uint64_t records = 0;
    std::uint64_t model = 0;   ///< a hash of all data that the reader delivers
    double seconds = 0;        ///< duration of a full check
    std::uint64_t header = 0;  ///< bytes that are read before the first record
};

/// Examines the sample.
Original original_of(Sample sample);
/// Returns the damaged bytes.
std::vector<std::byte> damaged(const Original& original, const Damage& damage);
/// Returns the reaction; `why` describes a bug.
Answer answer_to(const Original& original, const Damage& damage, std::string& why);

}  // namespace hwtrace::test

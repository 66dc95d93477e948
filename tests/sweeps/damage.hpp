// tests/sweeps/damage.hpp - damages one place of a file, and classifies the reaction of its reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/testdata.hpp"

namespace hwtrace::test {

/// A single modification of a file.
struct Damage {
    enum class Kind : std::uint8_t { cut, header_bit, flip };
    Kind kind;
    std::uint8_t change;   ///< bits to flip; unused for a cut
    std::uint32_t sample;  ///< index of the sample among the samples of its format
    std::uint64_t at;      ///< offset of the changed byte, or size after the cut
};

/// The reaction of hwtrace-validate and a reader to a damaged file.
enum class Answer : std::uint8_t {
    noticed,    ///< invalid, incomplete or refused
    unchanged,  ///< valid, and the trace is the same
    allowed,    ///< cut at a place where a trace of the format may end
    other,      ///< valid, but the trace is different
    bug,        ///< an exception that must not occur
};
constexpr std::size_t answers = 5;

/// An undamaged file.
struct Original {
    Sample sample;
    bool valid = false;  ///< true if the file is valid; otherwise, damage is only tested for crashes
    std::uint64_t records = 0;
    std::uint64_t model = 0;   ///< hash of all data that the reader delivers
    double seconds = 0;        ///< duration of a full check
    std::uint64_t header = 0;  ///< number of bytes that are read before the first record
};

/// Examines the sample.
Original original_of(Sample sample);
/// Returns the file with the damage applied.
std::vector<std::byte> damaged(const Original& original, const Damage& damage);
/// Returns the reaction. If it is a bug, `why` describes it.
Answer answer_to(const Original& original, const Damage& damage, std::string& why);

}  // namespace hwtrace::test

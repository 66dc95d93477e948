// tests/sweeps/damage.hpp - what can be wrong with the bytes of a file, and what a reader makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/testdata.hpp"

namespace hwtrace::test {

/// One change of one file.
struct Damage {
    enum class Kind : std::uint8_t { cut, header_bit, flip };
    Kind kind;
    std::uint8_t change;   ///< the bits that are other ones, but of a cut
    std::uint32_t sample;  ///< of those of the format
    std::uint64_t at;      ///< the byte, or the size that is left
};

/// What hwtrace-validate and a reader say of a damaged file.
enum class Answer : std::uint8_t {
    noticed,    ///< not valid, or refused
    unchanged,  ///< valid, and the same trace
    allowed,    ///< cut where a trace of the format may end
    other,      ///< valid, and another trace
    bug,        ///< an exception that must not be
};
constexpr std::size_t answers = 5;

/// A file as it was.
struct Original {
    Sample sample;
    bool valid = false;  ///< nothing is wrong with it; else damage can only crash
    std::uint64_t records = 0;
    std::uint64_t model = 0;   ///< a hash of everything that the reader delivers
    double seconds = 0;        ///< that a careful look takes
    std::uint64_t header = 0;  ///< bytes that are read before the first record
};

/// Looks at it.
Original original_of(Sample sample);
/// The damaged bytes.
std::vector<std::byte> damaged(const Original& original, const Damage& damage);
/// What comes of it; `why` says what a bug is.
Answer answer_to(const Original& original, const Damage& damage, std::string& why);

}  // namespace hwtrace::test

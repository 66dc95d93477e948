// tests/flux_emitter/flux_stream.hpp - reads flux streams to check the emitter. It shares no code with the emitter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hwtrace::test {

struct FluxSample {
    std::uint64_t trace = 0;
    std::uint64_t item = 0;
    std::int64_t position = 0;
    std::uint64_t tag = 0;
    unsigned nibble = 0;
    std::vector<std::uint8_t> value;

    /// Returns the value of an integer or event.
    std::int64_t number() const;
    bool operator==(const FluxSample&) const = default;
};

struct FluxStream {
    std::vector<FluxSample> samples;
    std::vector<unsigned> tags;           ///< tags of all other entries, in order; blocks and sections are included
    std::vector<std::uint64_t> switches;  ///< target trace of each switch
    std::vector<std::size_t> blocks;      ///< original sizes; an outer block precedes the blocks inside it
    std::vector<std::uint8_t> plain;      ///< the stream without blocks and sections
};

/// Reads a stream. Throws std::runtime_error if the bytes are not a sequence of whole entries.
FluxStream read_flux(const std::vector<std::uint8_t>& bytes);

}  // namespace hwtrace::test

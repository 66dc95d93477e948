// tests/flux_emitter/flux_stream.hpp - reads what the emitter wrote, by the text of the format alone: a check of the
// emitter that shares nothing with it.
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

    /// Of an integer or an event.
    std::int64_t number() const;
    bool operator==(const FluxSample&) const = default;
};

struct FluxStream {
    std::vector<FluxSample> samples;
    std::vector<unsigned> tags;           ///< of all other entries, in order, those in blocks and sections too
    std::vector<std::uint64_t> switches;  ///< to these traces
    std::vector<std::size_t> blocks;      ///< original sizes, an outer one in front of those in it
    std::vector<std::uint8_t> plain;      ///< the stream without blocks and sections
};

/// Throws std::runtime_error where the bytes are no stream of whole entries.
FluxStream read_flux(const std::vector<std::uint8_t>& bytes);

}  // namespace hwtrace::test

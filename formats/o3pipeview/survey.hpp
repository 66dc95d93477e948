// formats/o3pipeview/survey.hpp - the first pass over a trace: collects what the schema states before the first record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "model/time.hpp"
#include "stages.hpp"

namespace hwtrace::o3pipeview {

constexpr std::uint64_t default_cycle = 1000;              ///< ticks
constexpr std::uint64_t default_rate = 1'000'000'000'000;  ///< ticks per second, as in gem5

struct Survey {
    std::vector<std::string> cores;
    std::array<bool, stage_count> stages{};  ///< stages that an instruction reaches
    bool stores = false;                     ///< true: a store completes
    bool microops = false;                   ///< true: an instruction has another micro-op than 0
    std::uint32_t slots = 16;                ///< a power of two for the instructions in flight, at most `most_slots`
    std::uint64_t cycle = default_cycle;     ///< ticks
    std::uint64_t rate = default_rate;       ///< ticks per second
    std::size_t window = 1;                  ///< Timeline needs it to deliver all steps in order

    static constexpr std::uint32_t most_slots = 1u << 15;
};

/// Reads a seekable input to its end, or until a limit stops it. Reports what a schema cannot represent. Throws
/// Failure::input if the input is not a trace, and Failure::limit for more cores than Limits::schema_objects allows.
Survey survey(Input& input, const Settings& settings, Findings& findings);

}  // namespace hwtrace::o3pipeview

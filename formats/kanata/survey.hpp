// formats/kanata/survey.hpp - what a first reading of a log tells: everything that a schema must state before the first
// record.
#pragma once

#include <cstdint>
#include <string>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "model/name_table.hpp"

namespace hwtrace::kanata {

struct Survey {
    NameTable stages;          ///< those that begin on lane 0 in order of coming, then the others
    std::uint32_t slots = 16;  ///< a power of two that holds what is in flight at once, at most `most_slots`
    std::int64_t first_cycle = 0;
    std::int64_t last_cycle = 0;    ///< where the log ends
    std::int64_t last_command = 0;  ///< the cycle of the last line that becomes records
    std::uint64_t clock_ps = 0;
    std::string version;
    bool wide_dependencies = false;  ///< some type of a dependency is above 255
    bool other_lines = false;        ///< some line is no command

    static constexpr std::uint32_t most_slots = 1u << 15;
    static constexpr std::size_t most_named_stages = 255;  ///< more, and µScope could not hold the enum
};

/// Reads `input`, which is seekable, to its end, or to where a limit ends it. Reports what a schema cannot hold as it
/// is. Throws Failure::input where it is no log, and Failure::limit for more names than Limits::schema_objects.
Survey survey(Input& input, const Settings& settings, Findings& findings);

}  // namespace hwtrace::kanata

// formats/kanata/survey.hpp - the first pass over a log: collects what the schema states before the first record.
#pragma once

#include <cstdint>
#include <string>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "domain/pipeline_tracks.hpp"
#include "io/input.hpp"
#include "model/name_table.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::kanata {

struct Survey {
    NameTable stages;          ///< stages in the order in which they begin on lane 0, then all others
    std::uint32_t slots = 16;  ///< a power of two for the instructions in flight, at most `most_slots`
    std::int64_t first_cycle = 0;
    std::int64_t last_cycle = 0;    ///< cycle at the end of the log
    std::int64_t last_command = 0;  ///< cycle of the last line that the reader converts to records
    std::uint64_t clock_ps = 0;
    std::string version;
    bool wide_dependencies = false;  ///< true: a dependency has a type above 255
    bool other_lines = false;        ///< true: the log has lines that are not commands

    static constexpr std::uint32_t most_slots = 1u << 15;
    static constexpr std::size_t most_named_stages = PipelineShape::most_named_stages;
};

/// Appends a survey.
void append_survey(const Survey& survey, Appender& out);
/// Returns the survey that append_survey() wrote. Throws Truncated or Failure::input if the bytes state none.
Survey restore_survey(Cursor& in, const Limits& limits);

/// Reads a seekable input to its end, or until a limit stops it. Reports what a schema cannot represent. Throws
/// Failure::input if the input is not a log, and Failure::limit for more names than Limits::schema_objects.
Survey survey(Input& input, const Settings& settings, Findings& findings);

}  // namespace hwtrace::kanata

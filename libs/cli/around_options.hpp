// cli/around_options.hpp - the options that choose a slice around a place: --around and --context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/part_options.hpp"
#include "cli/trace_file.hpp"
#include "codec/trace_index.hpp"
#include "convert/plan.hpp"
#include "operate/place_search.hpp"
#include "select/range.hpp"

namespace hwtrace::cli {

/// A slice around a place.
struct AroundOptions {
    std::optional<std::string> place;      ///< see parse_trace_place(); none: no slice around a place
    std::optional<std::uint64_t> context;  ///< positions before and after the place; none: 10

    /// Adds --around and --context to `line`.
    void add_to(CommandLine& line);
    /// Throws Failure::usage if an option of `part` chooses a range as well, if the place is no place, or if --context
    /// is given alone.
    void check(const PartOptions& part) const;

    /// The range around the place, or the message that the trace has no such place.
    struct Found {
        Range range;           ///< without a place: empty, at the end of the trace
        std::string unplaced;  ///< the message; empty if there is a place
    };
    /// Finds the place in a trace. Requires `place`. Reads the trace up to the place and rewinds it. `index` is an
    /// index of the trace, or null.
    Found find(TraceFile& trace, const Settings& settings, const TraceIndex* index) const;
    /// Does the same for a conversion to `to`, whose positions are those of the raised trace.
    Found find(TraceFile& trace, const Format& to, const Choices& choices) const;

private:
    Found found(const Surroundings& surroundings) const;
};

}  // namespace hwtrace::cli

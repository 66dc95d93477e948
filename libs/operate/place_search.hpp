// operate/place_search.hpp - finds the position of a place that the user names (--around).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "convert/plan.hpp"
#include "io/input.hpp"
#include "select/range.hpp"

namespace hwtrace {

class TraceIndex;

/// A place in a trace.
struct TracePlace {
    enum class Kind : std::uint8_t {
        position,  ///< see position_kind()
        cycle,     ///< the first record at this cycle or later
        time_ps,   ///< the first record at this time or later
        pc,        ///< the first instruction at this address, also in a table of a pipeline
        id,        ///< the first interval with this id, or the first slot that gets it
        finding,   ///< the first record that violates this rule
    };
    Kind kind = Kind::position;
    std::uint64_t value = 0;
    std::string rule{};  ///< the id of the rule
};

/// Parses "100000#", "1313cyc", "10us", "pc=0x80000010", "id=5" or the id of a rule such as "STF062". Throws
/// Failure::usage for anything else. The message names `option`.
TracePlace parse_trace_place(std::string_view text, std::string_view option);

/// The positions around a place.
struct Surroundings {
    std::optional<Range> range{};  ///< none: the trace has no such place
    std::uint64_t positions = 0;   ///< the number of positions of the trace, if it has no such place
};

/// Returns the range of the positions at most `context` before and after the place. Reads the trace up to the place and
/// rewinds it; spools a pipe. Throws Failure::usage if the times of the trace cannot be compared with the place, or if
/// the format has no such rule. With `index`, an index of the input (null: none), the search for a position or a time
/// starts at a checkpoint.
Surroundings surroundings_of(const TracePlace& place, std::uint64_t context, Input& input, const Format& from,
                             const Settings& settings, const TraceIndex* index = nullptr);

/// Does the same for a conversion to `to`. Counts the positions of the raised trace, except those of a finding. The
/// range and the criteria of `choices` must be empty.
Surroundings surroundings_of(const TracePlace& place, std::uint64_t context, Input& input, const Format& from,
                             const Format& to, const Choices& choices);

}  // namespace hwtrace

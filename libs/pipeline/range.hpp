// pipeline/range.hpp - which part of a trace is wanted (--range).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/schema.hpp"

namespace hwtrace {

/// The half-open part [begin, end) of a trace.
struct Range {
    enum class Unit : std::uint8_t {
        record,   ///< positions in the source, from 0: instructions, transactions or records, see position_kind()
        cycle,    ///< of the tracks' own clock
        time_ps,  ///< exact, by the tracks' time base
    };
    Unit unit = Unit::cycle;
    std::uint64_t begin = 0;           ///< 0: from the beginning, with what has a time before 0
    std::optional<std::uint64_t> end;  ///< none: to the end of the trace

    friend bool operator==(const Range&, const Range&) = default;
};

/// "A:B" with either side empty: "100#:200#" (or "#100:#200"), "1000cyc:", "10us:2ms", ":500ns". Throws Failure::usage
/// for anything else, for sides of different units (ps, ns, us, ms and s are one) and for a range that ends before it
/// begins.
Range parse_range(std::string_view text);

/// One moment, in cycles or in time.
struct Moment {
    Range::Unit unit = Range::Unit::time_ps;  ///< not Range::Unit::record
    std::uint64_t value = 0;
};
/// "1313cyc", "10us". Throws Failure::usage for anything else; `option` is named then.
Moment parse_moment(std::string_view text, std::string_view option);

/// The one length of a cycle, in ps, that the scopes of a trace count by; 0 where none is known. Throws Failure::usage
/// where they count several.
std::uint64_t common_period(const Schema& schema, std::string_view option);
/// The moment in ticks of the trace's storages, rounded down. Throws Failure::usage where they count something else.
Tick tick_of(const Moment& moment, const Schema& schema, std::string_view option);

}  // namespace hwtrace

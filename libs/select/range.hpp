// select/range.hpp - ranges and moments of a trace as the command line states them (--range).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/schema.hpp"

namespace hwtrace {

/// The half-open range [begin, end) of a trace.
struct Range {
    enum class Unit : std::uint8_t {
        record,   ///< positions in the source, from 0: instructions, transactions or records, see position_kind()
        cycle,    ///< cycles of each track's clock
        time_ps,  ///< picoseconds, converted exactly to each track's time base
    };
    Unit unit = Unit::cycle;
    std::uint64_t begin = 0;           ///< 0: from the beginning, including records before time 0
    std::optional<std::uint64_t> end;  ///< none: to the end of the trace
    /// The range is one of several that divide a trace, and each record must be in exactly one of them. Relations count
    /// at their own positions instead of following their intervals. Earlier state is restated completely, even if the
    /// first instruction states some of it again, so that a ConcatenatedReader can recognise and drop it.
    bool is_shard = false;

    friend bool operator==(const Range&, const Range&) = default;
};

/// Parses "A:B", such as "100#:200#" (or "#100:#200"), "1000cyc:", "10us:2ms", ":500ns". A or B may be empty. Both
/// sides must have the same unit, where ps, ns, us, ms and s count as one unit. Throws Failure::usage for anything
/// else, and for a range that ends before it begins.
Range parse_range(std::string_view text);

/// A moment, in cycles or in picoseconds.
struct Moment {
    Range::Unit unit = Range::Unit::time_ps;  ///< never Range::Unit::record
    std::uint64_t value = 0;
};
/// Parses "1313cyc" or "10us". Throws Failure::usage for anything else. The message names `option`.
Moment parse_moment(std::string_view text, std::string_view option);

/// Returns the cycle length, in ps, that all scopes of a trace share, or 0 if no length is known. Throws Failure::usage
/// if the cycle lengths differ. The message names `option`.
std::uint64_t common_period(const Schema& schema, std::string_view option);
/// Returns the moment in ticks of the trace's storages, rounded down. Throws Failure::usage if the moment cannot be
/// converted to their time base.
Tick tick_of(const Moment& moment, const Schema& schema, std::string_view option);

}  // namespace hwtrace

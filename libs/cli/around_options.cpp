#include "cli/around_options.hpp"

#include <fmt/format.h>

#include "io/error.hpp"

namespace hwtrace::cli {

void AroundOptions::add_to(CommandLine& line) {
    line.option("--around", "PLACE", place,
                "Only what surrounds a place: 100000# (the instruction behind 100000 others, else a transaction or "
                "record), 10us, 1313cyc, pc=0x80000010, id=5, STF062 (the first finding of a rule)");
    line.count("-C,--context", context, context_help);
}

void AroundOptions::check(const PartOptions& part) const {
    if (!place && context) fail(Failure::usage, "--context requires --around; add --around PLACE");
    if (!place) return;
    if (part.range || part.first || part.last || part.shard)
        fail(Failure::usage, "--around cannot be combined with --range, --first, --last or --shard");
    static_cast<void>(parse_trace_place(*place, "--around"));
}

namespace {

constexpr std::uint64_t usual_context = 10;

}  // namespace

AroundOptions::Found AroundOptions::find(TraceFile& trace, const Settings& settings, const TraceIndex* index) const {
    return found(surroundings_of(parse_trace_place(*place, "--around"), context.value_or(usual_context), trace.input,
                                 *trace.format, settings, index));
}

AroundOptions::Found AroundOptions::find(TraceFile& trace, const Format& to, const Choices& choices) const {
    return found(surroundings_of(parse_trace_place(*place, "--around"), context.value_or(usual_context), trace.input,
                                 *trace.format, to, choices));
}

AroundOptions::Found AroundOptions::found(const Surroundings& surroundings) const {
    if (surroundings.range) return {*surroundings.range, {}};
    const std::uint64_t end = surroundings.positions;
    return {Range{Range::Unit::record, end, end},
            fmt::format("--around {}: the trace has no such place; {}", *place,
                        end == 0 ? "it is empty" : fmt::format("its last position is {}#", end - 1))};
}

}  // namespace hwtrace::cli

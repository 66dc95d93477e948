#include "views/lifetime_notes.hpp"

#include <algorithm>

#include "domain/value_text.hpp"
#include "io/counted.hpp"

namespace hwtrace {

namespace {

/// Returns a message that explains why there are no lifetimes and how to get some.
std::string nothing_to_show(const Schema& schema, bool shows_intervals) {
    std::string why = shows_intervals ? "the trace has no intervals, and " : "";
    why += "no scope has the protocol cpu with a table of entities, or noc with a table of transactions";
    if (has_hart(schema)) why += "; convert instructions to µScope first: hwtrace-convert IN OUT.uscope";
    return why;
}

bool has_streams(const Schema& schema) {
    return std::ranges::any_of(schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::stream; });
}

}  // namespace

std::vector<std::string> lifetime_notes(const Schema& schema, const Timeline& timeline, const ViewOptions& options,
                                        std::optional<std::uint64_t> intervals) {
    std::vector<std::string> notes;
    std::uint64_t created = intervals.value_or(0);
    const bool has_any = !timeline.catalogues().empty() || (intervals && has_streams(schema));
    if (!has_any) notes.push_back(nothing_to_show(schema, intervals.has_value()));
    for (std::size_t i = 0; i < timeline.catalogues().size(); ++i) {
        const Catalogue& catalogue = timeline.catalogues()[i];
        const std::string scope = name_text(catalogue.path);
        const LifetimeCounts& counts = timeline.counts()[i];
        if (catalogue.cycles.assumed())
            notes.push_back(scope + ": the length of a cycle is unknown; assumed " +
                            std::to_string(CycleScale::assumed_period_ps) + " ps");
        if (counts.unattached != 0)
            notes.push_back(scope + ": " + counted(counts.unattached, "event") +
                            (counts.unattached == 1 ? " names" : " name") +
                            " an id that is not in flight at that time");
        if (counts.not_followed != 0)
            notes.push_back(scope + ": too many lifetimes are in progress at once; " +
                            std::to_string(counts.not_followed) + " lifetimes, stages and remarks are not shown");
        created += counts.created;
    }
    if (options.entity && created == 0 && has_any)
        notes.push_back("no instruction, transaction or interval has the id " + std::to_string(*options.entity));
    return notes;
}

}  // namespace hwtrace

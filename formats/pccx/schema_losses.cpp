#include "schema_losses.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "domain/conventions.hpp"
#include "header.hpp"
#include "payload_layout.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

namespace {

/// The subject of losses in a trace without events.
constexpr Subject unused_tracks = Subject::general("tracks");

void count_unused_objects(const Schema& schema, const Lanes& lanes, Losses& losses) {
    const auto lost = [&](Loss loss, std::string_view subject, std::string_view what) {
        losses.count(loss, subject, [&] { return std::string(what); });
    };
    for (const Clock& clock : schema.clocks())
        lost(Loss::part_dropped, clock.name, "a clock: the header has one frequency");
    for (const Enum& enumeration : schema.enums())
        lost(Loss::part_dropped, enumeration.name, "an enumeration");
    for (ScopeId id = 0; id < schema.scopes().size(); ++id)
        if (!lanes.has_core(id) && !is_root(schema, id))
            lost(Loss::scope_flattened, schema.scopes()[id].name, "it has no event");
}

}  // namespace

void count_unused(const Schema& schema, const Lanes& lanes, bool has_events, Losses& losses) {
    const auto& tracks = schema.tracks();
    const auto is_stream = [](const Track& track) { return track.kind == Track::Kind::stream; };
    if (const auto unused = std::ranges::count_if(tracks, is_stream); !has_events && unused != 0)
        losses.count(
            Loss::part_dropped, unused_tracks, [] { return std::string("none of them has an event"); },
            static_cast<std::uint64_t>(unused));
    for (TrackId id = 0; id < tracks.size(); ++id) {
        if (!is_stream(tracks[id])) continue;
        const bool is_known = lanes.has_lane(id);
        if (!is_known && has_events)
            losses.count(Loss::part_dropped, Subject::unused(tracks[id].name),
                         [] { return std::string("it has no event"); });
        for (const Field& field : tracks[id].fields) {
            const std::string subject = tracks[id].name + '.' + field.name;
            const bool is_kept =
                (field.name == api_name && field.type == Type::text) || field.name == conventions::start_cycle;
            if (!is_kept && !losses.entries().contains({Loss::field_dropped, subject}))
                losses.count(Loss::field_dropped, is_known ? Subject(subject) : Subject::unused(subject),
                             [] { return std::string("no event has it"); });
        }
    }
    count_unused_objects(schema, lanes, losses);
}

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, Subject subject, std::string_view why) {
        losses.push_back({loss, std::string(subject.text()), std::string(why), subject.is_general()});
    };
    const Layout layout = chosen_layout(schema, settings);
    const Layout source = source_layout(schema);
    foretell(Loss::name_changed, "*", "strings that are not UTF-8");
    std::set<std::pair<ScopeId, std::string_view>> types;
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::stream && !types.emplace(track.scope, track.name).second)
            foretell(Loss::name_changed, track.name, same_type);
    if (layout == Layout::bincode4 && source != Layout::bincode4)
        foretell(Loss::part_dropped, names_of_events, "events of four fields have no room for a name");
    if (layout == Layout::flatbuf && source != Layout::flatbuf) {
        foretell(Loss::name_changed, "*", "types without a number in flatbuf become UNKNOWN");
        foretell(Loss::part_dropped, names_of_events, "flatbuf has no names beyond event 2^32");
        foretell(Loss::metadata_dropped, total_cycles_key, "flatbuf does not store the total");
    }
    if (layout == Layout::flatbuf)
        foretell(Loss::value_narrowed, names_of_events, "flatbuf has room for 65535 bytes of a name");
    if (layout == Layout::opaque && source != Layout::opaque)
        foretell(Loss::metadata_dropped, total_cycles_key, "an opaque payload has no total");
    if (schema.metadata("pccx.version") != nullptr) {
        Losses of_header;
        header_of(schema, of_header);
        for (const auto& [lost, entry] : of_header.entries())
            foretell(lost.first, lost.second, "the header cannot store it");
        const auto is_nested = [&](const Scope& scope) {
            return scope.parent != none && schema.scopes()[scope.parent].parent != none;
        };
        if (std::ranges::any_of(schema.scopes(), is_nested))
            foretell(Loss::scope_flattened, "*", "scopes between the trace and its cores are omitted");
        return;
    }
    foretell(Loss::metadata_dropped, "*",
             "values that are not UTF-8, are invalid in a header, or exceed 1 MiB in total");
    foretell(Loss::field_dropped, "*", "an event has no attributes but api_name");
    foretell(Loss::scope_flattened, "*", "scopes become numbered cores");
    foretell(Loss::time_rounded, "*", "times that are negative or not whole cycles of the file");
    foretell(Loss::part_dropped, unused_tracks, "a trace without events");
    foretell(Loss::part_dropped, "*", "types without an event; clocks and enumerations");
    foretell(Loss::type_changed, "*", "ticks become cycles of the file's clock");
}

}  // namespace hwtrace::pccx

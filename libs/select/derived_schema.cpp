#include "select/derived_schema.hpp"

#include <utility>

#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

/// Copies the additions that SchemaNews reports into another schema.
struct Copying {
    const Schema& source;
    Schema& target;
    std::vector<TrackId>& tracks;
    const DerivedSchema::Keeps& keeps;
    const DerivedSchema::Restates& restates;

    void clock(ClockId id) { target.declare(source.clocks()[id]); }
    void scope(ScopeId id) {
        Scope scope = source.scopes()[id];
        const bool asks_for_tables =
            scope.protocol == conventions::cpu_protocol || scope.protocol == conventions::noc_protocol;
        if (asks_for_tables && loses_tracks(id)) scope.protocol.clear();
        target.declare(std::move(scope));
    }
    bool loses_tracks(ScopeId scope) const {
        bool had_any = false;
        for (TrackId id = 0; keeps && id < source.tracks().size(); ++id) {
            if (source.tracks()[id].scope != scope) continue;
            if (keeps(source.tracks()[id], id)) return false;
            had_any = true;
        }
        return had_any;
    }
    void enumeration(EnumId id) { target.declare(source.enums()[id]); }
    void label(EnumId id, std::size_t index) { target.add_label(id, source.enums()[id].values[index]); }
    void track(TrackId id) {
        const Track& track = source.tracks()[id];
        tracks.push_back(keeps && !keeps(track, id) ? none : target.declare(track));
    }
    void attribute(TrackId id, std::uint32_t field) {
        if (tracks[id] != none) target.add_attribute(tracks[id], source.tracks()[id].fields[field]);
    }
    void metadata(std::size_t entry) {
        const Metadata& fact = source.metadata()[entry];
        target.describe(fact.key, restates ? restates(fact) : fact.value);
    }
};

}  // namespace

DerivedSchema::DerivedSchema(const Schema& source, Keeps keeps, Restates restates)
    : source_(source), keeps_(std::move(keeps)), restates_(std::move(restates)), news_(source) {
    follow(Batch{});
}

void DerivedSchema::follow(const Batch& batch) {
    for (std::size_t id = schema_.string_count(); id < source_.string_count(); ++id)
        schema_.append(source_.text(static_cast<StringId>(id)));
    news_.report(batch, Copying{source_, schema_, tracks_, keeps_, restates_});
}

}  // namespace hwtrace

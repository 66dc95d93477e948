#include "convert/part_losses.hpp"

#include <algorithm>
#include <utility>

#include "domain/protocols.hpp"

namespace hwtrace {

namespace {

/// Calls `put` with the names under which losses of a scope and of its clock are counted.
template <typename Put>
void append_scope(const Schema& schema, ScopeId id, Put&& put) {
    const Scope& scope = schema.scopes()[id];
    put(scope.name);
    std::string dotted;
    any_upwards(schema, id, [&](ScopeId up) {
        const std::string& name = schema.scopes()[up].name;
        dotted = dotted.empty() ? name : name + '.' + dotted;
        return false;
    });
    put(path_of(schema, id));
    put(dotted);
    if (scope.clock < schema.clocks().size()) put(schema.clocks()[scope.clock].name);
}

template <typename Put>
void append_track(const Schema& schema, const Track& track, Put&& put) {
    put(track.name);
    for (const Field& field : track.fields) {
        put(track.name + '.' + field.name);
        if (field.enumeration < schema.enums().size()) put(schema.enums()[field.enumeration].name);
    }
    for (const Field& property : track.properties) {
        put(track.name + '.' + property.name);
        if (property.enumeration < schema.enums().size()) put(schema.enums()[property.enumeration].name);
    }
}

/// Returns true if the subject of the loss is a name in the schema. Metadata keys and general subjects are not,
/// although they may equal a track's name by chance.
bool is_of_schema(Loss loss, bool is_general) noexcept {
    return loss != Loss::metadata_dropped && !is_general;
}

}  // namespace

void add_losses(const Losses& some, Losses& to) {
    for (const auto& [key, entry] : some.entries())
        to.add(key, entry);
    for (const std::string& assumption : some.assumptions())
        to.assume(assumption);
    for (const std::string& warning : some.warnings())
        to.warn(warning);
}

void PartLosses::follow(const Schema& whole, const Schema& part, std::size_t stages) {
    places_.push_back({&whole, &part, stages, {}});
}

void PartLosses::follow_target(const Schema& target, std::size_t stages) {
    places_.push_back({nullptr, &target, stages, {}});
}

void PartLosses::see(const Batch& batch, std::size_t stages) {
    for (Place& place : places_) {
        if (place.stages != stages) continue;
        if (place.used.size() < place.part->tracks().size()) place.used.resize(place.part->tracks().size());
        for (const Record& record : batch.records())
            place.used[record.track] = true;
    }
}

/// Returns the names in schemas before a selection, except names used after the selection or in the target.
PartLosses::Names PartLosses::left_out(Seen seen) const {
    Names names;
    for (const Place& place : places_) {
        if (place.whole == nullptr) continue;
        const auto put = [&](std::string_view name) { names.emplace(name); };
        for (ScopeId id = 0; id < place.whole->scopes().size(); ++id)
            append_scope(*place.whole, id, put);
        for (const Track& track : place.whole->tracks())
            append_track(*place.whole, track, put);
    }
    // Mapped tracks keep their name and may have additional fields.
    for (const Place& place : places_)
        for (const Track& track : place.part->tracks())
            if (names.contains(track.name))
                for (const Field& field : track.fields)
                    names.insert(track.name + '.' + field.name);
    const auto take = [&](std::string_view name) {
        if (const auto found = names.find(name); found != names.end()) names.erase(found);
    };
    for (const Place& place : places_) {
        const bool all = seen == Seen::not_yet;
        for (TrackId id = 0; id < place.part->tracks().size(); ++id) {
            if (!all && (id >= place.used.size() || !place.used[id])) continue;
            const Track& track = place.part->tracks()[id];
            append_track(*place.part, track, take);
            any_upwards(*place.part, track.scope, [&](ScopeId up) {
                append_scope(*place.part, up, take);
                return false;
            });
        }
    }
    return names;
}

bool PartLosses::is_empty() const {
    return std::ranges::any_of(places_, [](const Place& place) {
        return place.whole != nullptr && std::ranges::find(place.used, true) == place.used.end();
    });
}

template <typename LeavesOut>
void PartLosses::take_back(LeavesOut&& leaves_out) {
    Losses kept;
    for (const auto& [key, entry] : losses_->entries()) {
        Losses::Entry used = entry;
        used.count = leaves_out(key, entry) ? 0 : entry.count - entry.unused;
        used.unused = 0;
        took_back_ = took_back_ || used.count != entry.count;
        if (used.count != 0) kept.add(key, used);
    }
    for (const std::string& assumption : losses_->assumptions())
        kept.assume(assumption);
    for (const std::string& warning : losses_->warnings())
        kept.warn(warning);
    *losses_ = std::move(kept);
}

void PartLosses::settle() {
    const Names names = left_out(Seen::all);
    const bool all = is_empty();
    take_back([&](const Losses::Key& key, const Losses::Entry& entry) {
        if (all) return key.first != Loss::metadata_dropped;
        return is_of_schema(key.first, entry.is_general) && names.contains(key.second);
    });
}

void PartLosses::settle_before_records() {
    const Names names = left_out(Seen::not_yet);
    take_back([&](const Losses::Key& key, const Losses::Entry& entry) {
        return is_of_schema(key.first, entry.is_general) && names.contains(key.second);
    });
}

void PartLosses::settle(std::vector<ExpectedLoss>& expected) const {
    const Names names = left_out(Seen::not_yet);
    std::erase_if(expected, [&](const ExpectedLoss& loss) {
        return is_of_schema(loss.loss, loss.is_general) && names.contains(loss.subject);
    });
}

}  // namespace hwtrace

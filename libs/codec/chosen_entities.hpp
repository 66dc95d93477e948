// codec/chosen_entities.hpp - the entities of a pipeline of which a slice has records, for views that show whole
// entities.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "domain/conventions.hpp"
#include "io/error.hpp"
#include "io/limits.hpp"
#include "model/hash.hpp"

namespace hwtrace {

/// The entities that events and set records of a slice name by the field conventions::entity_id.
class ChosenEntities {
public:
    /// Reads `whole` to the end of the slice in Settings::part, which must be set. Throws Failure::limit if the set
    /// would exceed Limits::block.
    ChosenEntities(Reader& whole, const Settings& settings) {
        const std::unique_ptr<Reader> part = settings.part(whole);
        std::uint64_t count = 0;
        Batch batch;
        for (; part->read(batch); batch.clear()) {
            for (const Record& record : batch.records()) {
                const Track& track = part->schema().tracks()[record.track];
                const auto field = std::ranges::find(track.fields, conventions::entity_id, &Field::name);
                const auto at = static_cast<std::size_t>(field - track.fields.begin());
                const bool is_event = record.kind == Kind::event && at < batch.cells(record).size();
                const bool is_set = record.kind == Kind::set && !is_property(record) && record.field == at;
                if (field == track.fields.end() || (!is_event && !is_set)) continue;
                auto& ids = ids_[part->schema().scopes()[track.scope].name];
                constexpr std::uint64_t node = 64;
                if (ids.insert(is_event ? batch.cells(record)[at] : record.value).second)
                    check_limit(++count * node, settings.limits.block, "the ids of the entities in the slice",
                                "--max-block");
            }
        }
    }

    /// Returns true if the slice has a record of the entity. `scope` is the name of its core.
    bool has(std::string_view scope, std::uint64_t id) const {
        const auto found = ids_.find(scope);
        return found != ids_.end() && found->second.contains(id);
    }
    bool has_in_any_scope(std::uint64_t id) const {
        return std::ranges::any_of(ids_, [id](const auto& entry) { return entry.second.contains(id); });
    }

private:
    std::map<std::string, HashSet<std::uint64_t>, std::less<>> ids_;  // by scope
};

}  // namespace hwtrace

// formats/perfetto/entity_drawer.hpp - draws the entities of `cpu` and `noc` scopes: a slice for each one, with its
// stages inside.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "domain/timeline.hpp"
#include "timelines.hpp"

namespace hwtrace::perfetto {

class EntityDrawer {
public:
    explicit EntityDrawer(Timelines& to);

    /// Returns true if the records of this track are drawn with the entities.
    bool shows(TrackId track) const noexcept { return shows_[track]; }
    /// Follows the entities of all scopes.
    void draw(const Batch& batch);
    void finish();

private:
    /// The rows of a catalogue.
    struct Rows {
        RowId group = root_row;
        std::map<std::pair<std::uint32_t, std::uint32_t>, RowId> lanes = {};  ///< by slot and lane
    };

    /// Numbers the arrows of a batch, before their ends are drawn.
    void find_arrows(const Batch& batch);
    void draw(const Lifetime& life);
    void draw_stages(const Lifetime& life, const Catalogue& catalogue);
    void add_arguments(const Lifetime& life, const Catalogue& catalogue);
    RowId row_of(std::uint32_t catalogue, std::uint32_t slot, std::uint32_t lane);

    Timelines& to_;
    std::vector<bool> shows_;             ///< by track
    std::vector<std::uint32_t> depends_;  ///< by track of dependencies: the catalogue; none: another track
    Timeline entities_;
    std::vector<Rows> rows_;  ///< by catalogue
    std::string label_;
    std::uint64_t arrows_;                                                              ///< number of the last arrow
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<ArrowEnd>> waiting_;  ///< by catalogue and entity
};

}  // namespace hwtrace::perfetto

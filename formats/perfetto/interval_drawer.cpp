#include "interval_drawer.hpp"

#include <algorithm>
#include <numeric>

namespace hwtrace::perfetto {

bool IntervalDrawer::keeps_intervals(const Schema& schema) noexcept {
    return std::ranges::any_of(schema.tracks(),
                               [](const Track& track) { return track.kind == Track::Kind::relation_type; });
}

IntervalDrawer::IntervalDrawer(Timelines& to, const std::string& folder, std::size_t most_relations)
    : to_(to),
      most_relations_(most_relations),
      keeps_(keeps_intervals(to.schema)),
      ids_(to.schema),
      rows_(to.schema.tracks().size()),
      sorter_(folder),
      fetch_texts_(to.schema) {}

void IntervalDrawer::draw(const Batch& batch, const Record& interval) {
    if (!keeps_) return draw_now(batch, interval);
    sorter_.add(ascending(to_.times.at(interval.track, interval.time)), 0, batch, interval);
}

void IntervalDrawer::relate(const Batch& batch, const Record& relation) {
    const std::span<const std::uint64_t> cells = batch.cells(relation);
    if (cells.size() < 2) return;
    if (relations_.size() < most_relations_) return relations_.push_back({cells[0], cells[1], relation.track});
    to_.losses.count(Loss::relation_dropped, to_.schema.tracks()[relation.track].name, [&] {
        return "arrows are drawn for " + std::to_string(most_relations_) + " relations; not from " +
               std::to_string(cells[0]) + " to " + std::to_string(cells[1]);
    });
}

void IntervalDrawer::draw_now(const Batch& batch, const Record& interval) {
    const Track& track = to_.schema.tracks()[interval.track];
    Slice slice;
    slice.begin = to_.reach(to_.times.at(interval.track, interval.time));
    slice.end = to_.reach(std::max(slice.begin, to_.times.end(interval.track, interval.time, interval.value)));
    Rows& rows = rows_[interval.track];
    const std::size_t lane = rows.lanes.place(slice.begin, slice.end);
    while (rows.rows.size() <= lane)
        rows.rows.push_back(to_.add_row(Row::Kind::slices, track));
    slice.row = rows.rows[lane];
    slice.label.name = to_.name(interval.track);
    to_.arguments.clear();
    to_.arguments.add(interval.track, batch.attributes(interval));
    if (const auto id = keeps_ ? ids_.of(batch, interval) : std::nullopt) {
        find_arrows(*id);
        slice.arrows = arrows_;
        drawn_.insert(*id);
    }
    slice.arguments = to_.arguments.list();
    to_.drawing.slice(slice);
}

void IntervalDrawer::find_arrows(std::uint64_t id) {
    arrows_.clear();
    const auto add = [&](const Relation& relation, std::uint64_t other) {
        to_.arguments.add_number(to_.name(relation.track), other);
        const auto arrow = static_cast<std::uint64_t>(&relation - relations_.data()) + 1;
        if (other != id) arrows_.push_back({arrow, !drawn_.contains(other)});
    };
    const auto from = [this](std::size_t i) { return relations_[i].from; };
    const auto to = [this](std::size_t i) { return relations_[by_target_[i]].to; };
    for (std::size_t i = origins_.find(id, from); i < relations_.size() && from(i) == id; ++i)
        if (relations_[i].to != id) add(relations_[i], relations_[i].to);
    for (std::size_t i = targets_.find(id, to); i < relations_.size() && to(i) == id; ++i)
        add(relations_[by_target_[i]], relations_[by_target_[i]].from);
}

void IntervalDrawer::finish() {
    if (!keeps_) return;
    std::ranges::stable_sort(relations_, {}, &Relation::from);
    by_target_.resize(relations_.size());
    std::iota(by_target_.begin(), by_target_.end(), 0u);
    std::ranges::stable_sort(by_target_, {}, [this](std::uint32_t index) { return relations_[index].to; });
    origins_ = {relations_.size(), [this](std::size_t i) { return relations_[i].from; }};
    targets_ = {relations_.size(), [this](std::size_t i) { return relations_[by_target_[i]].to; }};
    Batch batch;
    std::vector<RecordSorter::Place> places;
    for (bool more = true; more; batch.clear(), places.clear()) {
        more = sorter_.give(batch, places);
        fetch_texts_(batch);
        for (const Record& interval : batch.records())
            draw_now(batch, interval);
    }
    count_undrawn();
}

void IntervalDrawer::count_undrawn() {
    for (const Relation& relation : relations_)
        if (relation.from == relation.to || !drawn_.contains(relation.from) || !drawn_.contains(relation.to))
            to_.losses.count(Loss::relation_dropped, to_.schema.tracks()[relation.track].name, [&] {
                return "no arrow leads from " + std::to_string(relation.from) + " to " + std::to_string(relation.to);
            });
}

}  // namespace hwtrace::perfetto

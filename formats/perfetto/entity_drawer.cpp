#include "entity_drawer.hpp"

#include <algorithm>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "io/number_text.hpp"

namespace hwtrace::perfetto {
namespace {

/// Arrows between intervals have lower numbers.
constexpr std::uint64_t first_arrow = std::uint64_t{1} << 62;
/// Entities with arrows that are not drawn yet. The oldest ones beyond this number have ended before their arrows came.
constexpr std::size_t most_waiting = 1u << 16;

std::string label_of(const Schema& schema, const Catalogue& catalogue, const Lifetime& life) {
    if (const Lifetime::Remark* const shown = disassembly_of(schema, catalogue, life)) {
        const std::string text = text_of(schema, catalogue, *shown);
        return is_utf8(text) ? text : as_utf8(text);
    }
    if (life.has(catalogue.pc)) return hexadecimal_text(life.cells[catalogue.pc]);
    return std::to_string(life.id);
}

}  // namespace

EntityDrawer::EntityDrawer(Timelines& to)
    : to_(to),
      shows_(to.schema.tracks().size()),
      depends_(to.schema.tracks().size(), none),
      entities_(to.schema),
      rows_(entities_.catalogues().size()),
      arrows_(first_arrow) {
    const auto show = [&](std::initializer_list<TrackId> tracks) {
        for (const TrackId track : tracks)
            if (track < shows_.size()) shows_[track] = true;
    };
    for (const Catalogue& catalogue : entities_.catalogues())
        show({catalogue.storage});
    for (const CpuScope& cpu : cpu_scopes(to.schema))
        show({find_track_in(to.schema, cpu.scope, Track::Kind::event_type, conventions::dependency_type),
              cpu.stage_transition, cpu.annotate, cpu.dependency, cpu.flush, cpu.label_type, cpu.lane_stage,
              cpu.stage_end, cpu.retire});
    for (const CpuScope& cpu : cpu_scopes(to.schema))
        for (std::uint32_t i = 0; i < rows_.size(); ++i)
            if (entities_.catalogues()[i].scope == cpu.scope && cpu.dependency != none) depends_[cpu.dependency] = i;
    for (const NocScope& noc : noc_scopes(to.schema))
        show({noc.stage_transition, noc.beat, noc.retry, noc.timeout, noc.annotate});
}

void EntityDrawer::draw(const Batch& batch) {
    if (rows_.empty()) return;
    find_arrows(batch);
    entities_.add(batch, [this](const Lifetime& life) { draw(life); });
}

void EntityDrawer::find_arrows(const Batch& batch) {
    for (const Record& record : batch.records()) {
        const std::uint32_t catalogue = depends_[record.track];
        if (catalogue == none || record.count < 2) continue;
        const std::span<const std::uint64_t> ends = batch.cells(record);
        const std::uint64_t bits = entities_.catalogues()[catalogue].id_bits;
        ++arrows_;
        waiting_[{catalogue, ends[0] & bits}].push_back({arrows_, true});
        waiting_[{catalogue, ends[1] & bits}].push_back({arrows_, false});
        while (waiting_.size() > most_waiting)
            waiting_.erase(waiting_.begin());
    }
}

void EntityDrawer::finish() {
    entities_.finish([this](const Lifetime& life) { draw(life); });
}

RowId EntityDrawer::row_of(std::uint32_t catalogue, std::uint32_t slot, std::uint32_t lane) {
    Rows& rows = rows_[catalogue];
    const Track& track = to_.schema.tracks()[entities_.catalogues()[catalogue].storage];
    if (rows.group == root_row) rows.group = to_.add_row(Row::Kind::group, track);
    RowId& row = rows.lanes[{slot, lane}];
    if (row == root_row) {
        std::string name = "slot " + std::to_string(slot);
        if (lane != 0) name.append(", lane ").append(std::to_string(lane));
        row = to_.drawing.add({Row::Kind::slices, rows.group, name});
    }
    return row;
}

void EntityDrawer::add_arguments(const Lifetime& life, const Catalogue& catalogue) {
    to_.arguments.clear();
    for (std::uint32_t field = 0; field < life.cells.size(); ++field)
        if (life.known[field]) to_.arguments.add(catalogue.storage, field, life.cells[field]);
    to_.arguments.add("status", name_of(life.status));
    if (life.flush_reason) to_.arguments.add("flush_reason", *life.flush_reason);
    if (life.retirement) to_.arguments.add("retire_id", life.retirement->id);
    if (life.beats != 0) {
        to_.arguments.add("beats", life.beats);
        to_.arguments.add("beat_bytes", life.beat_bytes);
    }
    for (const Lifetime::Remark& remark : life.remarks) {
        if (remark.kind == Lifetime::Remark::Kind::retry) to_.arguments.add("retry", remark.what);
        if (remark.kind == Lifetime::Remark::Kind::timeout) to_.arguments.add("timeout", remark.what);
        if (remark.kind == Lifetime::Remark::Kind::dependency) to_.arguments.add("depends_on", remark.what);
        if (remark.kind != Lifetime::Remark::Kind::annotation) continue;
        to_.arguments.add_copy("annotation", text_of(to_.schema, catalogue, remark));
    }
}

void EntityDrawer::draw(const Lifetime& life) {
    const Catalogue& catalogue = entities_.catalogues()[life.catalogue];
    label_ = label_of(to_.schema, catalogue, life);
    add_arguments(life, catalogue);
    const auto arrows = waiting_.extract({life.catalogue, life.id});
    Slice slice;
    slice.row = row_of(life.catalogue, life.slot, 0);
    slice.begin = to_.reach(to_.times.at(catalogue.storage, life.first));
    slice.end = to_.reach(std::max(slice.begin, to_.times.at(catalogue.storage, life.last)));
    slice.label.text = label_;
    slice.arguments = to_.arguments.list();
    if (!arrows.empty()) slice.arrows = arrows.mapped();
    to_.drawing.slice(slice);
    draw_stages(life, catalogue);
}

void EntityDrawer::draw_stages(const Lifetime& life, const Catalogue& catalogue) {
    for (const Lifetime::Stage& stage : life.stages) {
        Slice slice;
        slice.row = row_of(life.catalogue, life.slot, stage.lane);
        slice.begin = to_.times.at(catalogue.storage, std::clamp(stage.begin, life.first, life.last));
        slice.end =
            std::max(slice.begin, to_.times.at(catalogue.storage, std::clamp(stage.end, life.first, life.last)));
        const bool is_named = stage.stage < catalogue.stages.size() && !catalogue.stages[stage.stage].empty();
        slice.label.name =
            to_.drawing.name(is_named ? catalogue.stages[stage.stage] : "stage " + std::to_string(stage.stage));
        to_.drawing.slice(slice);
    }
}

}  // namespace hwtrace::perfetto

#include "presentation.hpp"

#include <algorithm>
#include <utility>

#include "entity_drawer.hpp"
#include "instruction_drawer.hpp"
#include "interval_drawer.hpp"
#include "signal_drawer.hpp"
#include "table_drawer.hpp"

namespace hwtrace::perfetto {
namespace {

class Presentation final : public Writer {
public:
    Presentation(std::unique_ptr<Drawing> drawing, const Schema& schema, const Settings& settings, const Unit& unit,
                 Losses& losses)
        : drawing_(std::move(drawing)),
          to_(schema, *drawing_, unit, losses),
          entities_(to_),
          instructions_(to_, settings.symbols),
          intervals_(to_, settings.temporary_folder),
          signals_(to_),
          tables_(to_),
          rows_(schema.tracks().size(), root_row) {}

    void write(const Batch& batch) override;
    void finish() override;

private:
    void draw(const Batch& batch, const Record& record);
    void draw_event(const Batch& batch, const Record& event);
    void draw_note(const Batch& batch, const Record& note);
    void draw_metadata();
    RowId row_of(TrackId track);

    std::unique_ptr<Drawing> drawing_;
    Timelines to_;
    EntityDrawer entities_;
    InstructionDrawer instructions_;
    IntervalDrawer intervals_;
    SignalDrawer signals_;
    TableDrawer tables_;
    std::vector<RowId> rows_;  ///< by track of events or notes
};

void Presentation::write(const Batch& batch) {
    entities_.draw(batch);
    if (batch.lost_positions() != 0) instructions_.lose();
    for (const Record& record : batch.records())
        draw(batch, record);
}

void Presentation::draw(const Batch& batch, const Record& record) {
    switch (record.kind) {
        case Kind::event:
            instructions_.learn(batch, record);
            return entities_.shows(record.track) ? void() : draw_event(batch, record);
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            return entities_.shows(record.track) ? void() : tables_.draw(record);
        case Kind::change:
            return signals_.draw(batch, record);
        case Kind::interval:
            return intervals_.draw(batch, record);
        case Kind::relation:
            return intervals_.relate(batch, record);
        case Kind::instruction:
            return instructions_.draw(batch, record);
        case Kind::note:
            return draw_note(batch, record);
        case Kind::native:
            break;
    }
    to_.losses.count(Loss::native_dropped, to_.schema.tracks()[record.track].name,
                     [] { return std::string("only its own format understands it"); });
}

RowId Presentation::row_of(TrackId track) {
    RowId& row = rows_[track];
    if (row == root_row) row = to_.add_row(Row::Kind::slices, to_.schema.tracks()[track]);
    return row;
}

void Presentation::draw_event(const Batch& batch, const Record& event) {
    to_.arguments.clear();
    to_.arguments.add_cells(event.track, batch.cells(event));
    const Tick time = to_.reach(to_.times.at(event.track, event.time));
    const Label label{to_.name(event.track), {}};
    drawing_->instant(row_of(event.track), time, label, to_.arguments.list());
}

void Presentation::draw_note(const Batch& batch, const Record& note) {
    const std::string_view text = batch.text(note);
    const std::string repaired = is_utf8(text) ? std::string() : as_utf8(text);
    const Tick time = to_.reach(to_.times.at(note.track, note.time));
    drawing_->instant(row_of(note.track), time, {{}, repaired.empty() ? text : repaired}, {});
}

void Presentation::draw_metadata() {
    if (to_.schema.metadata().empty()) return;
    to_.arguments.clear();
    for (const Metadata& fact : to_.schema.metadata())
        to_.arguments.add(fact.key, fact.value);
    const RowId row = drawing_->add({Row::Kind::slices, root_row, "metadata"});
    drawing_->instant(row, to_.first.value_or(0), {drawing_->name("metadata"), {}}, to_.arguments.list());
}

void Presentation::finish() {
    entities_.finish();
    intervals_.finish();
    instructions_.finish();
    signals_.finish();
    tables_.finish();
    draw_metadata();
    drawing_->finish();
}

}  // namespace

std::unique_ptr<Writer> make_presentation(std::unique_ptr<Drawing> drawing, const Schema& schema,
                                          const Settings& settings, const Unit& unit, Losses& losses) {
    if (std::string note = unit.note(); !note.empty()) losses.assume("times: " + note);
    return std::make_unique<Presentation>(std::move(drawing), schema, settings, unit, losses);
}

bool needs_time_order(const Schema& schema, const Settings&) {
    const bool has_intervals =
        std::ranges::any_of(schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::stream; });
    return has_intervals && !IntervalDrawer::keeps_intervals(schema);
}

void foresee_losses(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::native)
            losses.push_back({Loss::native_dropped, track.name, "only its own format understands it"});
        if (track.kind == Track::Kind::relation_type)
            losses.push_back(
                {Loss::relation_dropped, track.name, "a relation of an interval that is not in the trace"});
        losses.push_back({Loss::time_rounded, track.name, "times are whole nanoseconds, or another unit, from 0 on"});
    }
}

}  // namespace hwtrace::perfetto

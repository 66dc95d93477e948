#include "signal_drawer.hpp"

namespace hwtrace::perfetto {
namespace {

constexpr std::size_t most_elements_shown = 16;

/// Returns "1, 2, 3" for the values of a list, which are the leading ones of `values`.
std::string list_text(const Schema& schema, const Field& field, std::span<const Attribute> values) {
    std::string text;
    for (std::size_t i = 0; i < values.size() && i < most_elements_shown; ++i) {
        if (i != 0) text += ", ";
        append_short(schema, field, values[i].value, text);
    }
    if (values.size() > most_elements_shown) text += ", ...";
    return text;
}

}  // namespace

std::deque<ValueRow>& SignalDrawer::rows_of(TrackId id) {
    std::deque<ValueRow>& rows = rows_[id];
    const Track& track = to_.schema.tracks()[id];
    if (!rows.empty()) return rows;
    const bool is_structure = track.fields.size() > 1;
    const RowId parent = is_structure ? to_.add_row(Row::Kind::group, track) : to_.scope(track.scope);
    for (const Field& field : track.fields)
        rows.emplace_back(to_, parent, is_structure ? field.name : track.name, field);
    return rows;
}

void SignalDrawer::draw(const Batch& batch, const Record& change) {
    std::deque<ValueRow>& rows = rows_of(change.track);
    const std::vector<Field>& fields = to_.schema.tracks()[change.track].fields;
    const Tick time = to_.reach(to_.times.at(change.track, change.time));
    if ((change.flags & record_no_value) != 0) {
        for (ValueRow& row : rows)
            row.end(to_, time);
        return;
    }
    std::span<const Attribute> values = batch.attributes(change);
    while (!values.empty()) {
        const std::uint32_t index = values.front().field;
        const Field& field = fields[index];
        std::size_t count = 1;
        while (field.repeated && count < values.size() && values[count].field == index)
            ++count;
        if (field.repeated)
            rows[index].set_text(to_, time, list_text(to_.schema, field, values.first(count)));
        else
            rows[index].set(to_, time, field, values.front().value);
        values = values.subspan(count);
    }
}

void SignalDrawer::finish() {
    for (std::deque<ValueRow>& rows : rows_)
        for (ValueRow& row : rows)
            row.end(to_, to_.last);
}

}  // namespace hwtrace::perfetto

#include "convert/transforms/row_records.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "convert/transforms/signal_making.hpp"
#include "convert/transforms/signal_mark.hpp"
#include "domain/conventions.hpp"
#include "domain/record_mark.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::size_t mask_bits = 64;
constexpr std::uint8_t kept_flags = SignalMaking::kept_flags;

/// Returns true if `track` still has the fields of the row.
bool is_row(const Track& track, const Track& row) {
    return track.kind == row.kind && track.name == row.name &&
           std::ranges::equal(track.fields, row.fields, [](const Field& a, const Field& b) {
               return a.name == b.name && a.type == b.type && a.repeated == b.repeated;
           });
}

/// Returns the number of fields with bits in the event of a row.
std::size_t masks_of(const RowLayout& row) {
    const auto scalars = std::ranges::count_if(row.columns, [](std::uint32_t column) { return column != none; });
    return (static_cast<std::size_t>(scalars) + mask_bits - 1) / mask_bits;
}

}  // namespace

RowLayout::RowLayout(const Track& signal, Track::Kind kind)
    : track(make_track(kind, signal.scope, signal.name, signal.time)) {
    const bool is_event = kind == Track::Kind::event_type;
    track.native_id = signal.native_id;
    if (!is_event) {
        track.slots = 1;
        track.sparse = true;
    }
    const auto add = [&](Field field) {
        while (std::ranges::find(track.fields, field.name, &Field::name) != track.fields.end())
            field.name += '#';
        track.fields.push_back(std::move(field));
        return static_cast<std::uint32_t>(track.fields.size() - 1);
    };
    for (const Field& member : signal.fields) {
        const bool is_text = holds_text(member.type);
        text.push_back(is_text);
        has_text = has_text || is_text;
        Field column{member.name, member.type, member.enumeration};
        column.width = member.width;
        columns.push_back(is_event && member.repeated ? none : add(std::move(column)));
    }
    const auto add_number = [&](std::string_view name, Type type, bool repeated) {
        Field number{std::string(name), type};
        number.repeated = repeated;
        return add(std::move(number));
    };
    if (is_event) {
        members = static_cast<std::uint32_t>(track.fields.size());
        for (std::size_t i = masks_of(*this); i > 0; --i)
            add_number(names::signal_members, Type::u64, false);
    }
    mark = add_number(names::signal_mark, Type::u64, false);
    flags = add_number(names::change_flags, Type::u8, false);
    if (!is_event) return;
    add_number(names::signal_member, Type::u32, true);
    add_number(names::attribute_value, Type::u64, true);
    if (has_text) add_number(names::attribute_text, Type::text, true);
}

// --- from samples to records -----------------------------------------------------------------------------------------

RowRecords::RowRecords(const Schema& source, Track::Kind kind) : copies_(source, schema_) {
    const RecordMark mark = MarkedTracks::of(source).value().mark;
    declare_all_but_tracks(source, schema_);
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        const Track& track = source.tracks()[id];
        passes_.push_back(mark.passes_on(id));
        const RowLayout& row = rows_.emplace_back(track, kind);
        if (row.has_text) no_text_ = schema_.intern({});
        schema_.declare(passes_[id] ? track : row.track);
    }
}

void RowRecords::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (passes_[record.track])
            copies_.copy(in, record, record.track, out);
        else if (const RowLayout& row = rows_[record.track]; row.track.kind == Track::Kind::event_type)
            put_event(in, record, row, out);
        else
            operate(in, record, row, out);
    }
}

std::uint64_t RowRecords::cell(const RowLayout& row, const Attribute& value) {
    return row.text[value.field] ? copies_.text(static_cast<StringId>(value.value)) : value.value;
}

void RowRecords::put_event(const Batch& in, const Record& sample, const RowLayout& row, Batch& out) {
    const std::span<const Attribute> values = in.attributes(sample);
    cells_.assign(row.track.fixed_fields(), 0);
    for (std::size_t i = 0; i < row.columns.size(); ++i)
        if (row.columns[i] != none && row.text[i]) cells_[row.columns[i]] = no_text_;
    // Each member has at most one value, except arrays.
    const bool in_order = std::ranges::adjacent_find(values, [&](const Attribute& a, const Attribute& b) {
                              return a.field > b.field || (a.field == b.field && row.columns[a.field] != none);
                          }) == values.end();
    for (const Attribute& value : values) {
        const std::uint32_t column = row.columns[value.field];
        if (column != none) cells_[column] = cell(row, value);
        if (column == none || !in_order) continue;
        cells_[row.members + column / mask_bits] |= std::uint64_t{1} << column % mask_bits;
    }
    cells_[row.mark] = sample.value;
    cells_[row.flags] = sample.flags & kept_flags;
    for (const Attribute& value : values) {
        if (in_order && row.columns[value.field] != none) continue;
        const bool is_text = row.text[value.field];
        cells_.push_back(value.field);
        cells_.push_back(is_text ? 0 : value.value);
        if (row.has_text) cells_.push_back(is_text ? cell(row, value) : std::uint64_t{no_text_});
    }
    out.event(sample.track, sample.time, cells_);
}

void RowRecords::operate(const Batch& in, const Record& sample, const RowLayout& row, Batch& out) {
    const auto set = [&](std::uint32_t field, std::uint64_t value) {
        out.set(sample.track, sample.time, 0, static_cast<std::uint16_t>(field), value);
    };
    out.clear_slot(sample.track, sample.time, 0);
    if (sample.value != 0) set(row.mark, sample.value);
    if ((sample.flags & kept_flags) != 0) set(row.flags, sample.flags & kept_flags);
    for (const Attribute& value : in.attributes(sample))
        set(row.columns[value.field], cell(row, value));
}

// --- from records to samples -----------------------------------------------------------------------------------------

bool SamplesOfRows::is_made(const Schema& source) {
    const auto marked = MarkedTracks::of(source);
    if (!marked || source.tracks().size() < marked->signals.size()) return false;
    bool any = false;
    for (std::size_t id = 0; id < marked->signals.size(); ++id) {
        if (marked->mark.passes_on(id)) continue;
        const Track& track = source.tracks()[id];
        if (track.kind != Track::Kind::event_type && track.kind != Track::Kind::storage) return false;
        if (!is_row(track, RowLayout(marked->signals[id], track.kind).track)) return false;
        any = true;
    }
    return any;
}

SamplesOfRows::SamplesOfRows(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), copies_(source, schema_) {
    MarkedTracks marked = MarkedTracks::of(source).value();
    declare_all_but_tracks(source, schema_);
    for (TrackId id = 0; id < marked.signals.size(); ++id) {
        const Track& track = source.tracks()[id];
        Track& signal = marked.signals[id];
        passes_.push_back(marked.mark.passes_on(id));
        signal.time = track.time;
        const RowLayout& row = rows_.emplace_back(signal, track.kind);
        std::vector<std::uint32_t>& members = member_of_.emplace_back(row.track.fields.size(), none);
        for (std::uint32_t member = 0; member < row.columns.size(); ++member)
            if (row.columns[member] != none) members[row.columns[member]] = member;
        schema_.declare(passes_[id] ? track : std::move(signal));
    }
}

void SamplesOfRows::lost(const Record& record) {
    losses_.count(record.kind == Kind::relation ? Loss::relation_dropped : Loss::kind_dropped,
                  source_.tracks()[record.track].name,
                  [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
}

void SamplesOfRows::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (is_open_ && (record.track != row_.track || record.kind == Kind::clear)) give(out);
        if (record.track >= rows_.size()) {
            lost(record);
        } else if (passes_[record.track]) {
            copies_.copy(in, record, record.track, out);
        } else if (record.kind == Kind::event) {
            take_event(in, record, rows_[record.track], out);
        } else {
            take_operation(record, rows_[record.track]);
        }
    }
}

void SamplesOfRows::add(const RowLayout& row, std::uint32_t member, std::uint64_t cell) {
    values_.push_back({member, row.text[member] ? std::uint64_t{copies_.text(static_cast<StringId>(cell))} : cell});
}

void SamplesOfRows::take_event(const Batch& in, const Record& record, const RowLayout& row, Batch& out) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    const std::size_t fixed = row.track.fixed_fields(), width = row.track.fields.size() - fixed;
    values_.clear();
    const auto has = [&](std::uint32_t column) {
        return (cells[row.members + column / mask_bits] >> column % mask_bits & 1) != 0;
    };
    for (std::uint32_t member = 0; member < row.columns.size(); ++member)
        if (const std::uint32_t column = row.columns[member]; column != none && has(column))
            add(row, member, cells[column]);
    const bool in_order = !values_.empty();
    for (std::size_t at = fixed; at + width <= cells.size(); at += width) {
        if (cells[at] >= row.text.size()) return lost(record);
        const auto member = static_cast<std::uint32_t>(cells[at]);
        add(row, member, cells[at + (row.text[member] ? 2 : 1)]);
    }
    if (in_order) std::ranges::stable_sort(values_, {}, &Attribute::field);
    out.change(record.track, record.time, values_, cells[row.mark]).flags =
        static_cast<std::uint8_t>(cells[row.flags] & kept_flags);
}

void SamplesOfRows::take_operation(const Record& record, const RowLayout& row) {
    if (record.kind == Kind::clear) {
        row_ = record;
        row_.value = row_.flags = 0;
        values_.clear();
        is_open_ = true;
        return;
    }
    if (!is_open_ || record.kind != Kind::set || is_property(record) || record.field >= row.track.fields.size())
        return lost(record);
    if (const std::uint32_t member = member_of_[record.track][record.field]; member != none)
        add(row, member, record.value);
    else if (record.field == row.mark)
        row_.value = record.value;
    else
        row_.flags = static_cast<std::uint8_t>(record.value & kept_flags);
}

void SamplesOfRows::give(Batch& out) {
    is_open_ = false;
    out.change(row_.track, row_.time, values_, row_.value).flags = row_.flags;
}

bool SamplesOfRows::finish(Batch& out) {
    if (is_open_) give(out);
    return false;
}

}  // namespace hwtrace

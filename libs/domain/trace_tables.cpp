#include "domain/trace_tables.hpp"

#include <algorithm>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/durations.hpp"
#include "domain/instruction_values.hpp"
#include "domain/protocols.hpp"
#include "domain/unique_names.hpp"
#include "domain/utf8.hpp"

namespace hwtrace {

namespace {

using ColumnContent = TableColumn::Content;
using Row = TraceTable::Row;

bool equal_but_case(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return UniqueNames::lower(x) == UniqueNames::lower(y); });
}

void add_ticks(TraceTable& table, const TimeBase& base, std::string_view name, ColumnContent ticks,
               ColumnContent nanoseconds, bool is_nullable) {
    TableColumn column;
    column.name = name;
    column.content = ticks;
    column.is_nullable = is_nullable;
    table.columns.push_back(column);
    if (!has_duration(base)) return;
    column.name += "_ns";
    column.content = nanoseconds;
    column.type = Type::f64;
    table.columns.push_back(column);
}

void add_time(TraceTable& table, const TimeBase& base) {
    const bool counts = base.kind == TimeBase::Kind::ordinal;
    add_ticks(table, base, counts ? "position" : "time", ColumnContent::time, ColumnContent::time_ns, false);
}

void add_span(TraceTable& table, const TimeBase& base, bool may_be_open) {
    add_ticks(table, base, "begin", ColumnContent::begin, ColumnContent::begin_ns, false);
    add_ticks(table, base, "end", ColumnContent::end, ColumnContent::end_ns, may_be_open);
    add_ticks(table, base, "duration", ColumnContent::duration, ColumnContent::duration_ns, may_be_open);
}

void add_column(TraceTable& table, std::string_view name, ColumnContent content, Type type, bool is_nullable = false) {
    TableColumn column;
    column.name = name;
    column.content = content;
    column.type = type;
    column.is_nullable = is_nullable;
    table.columns.push_back(column);
}

Row row_of(const Track& track) noexcept {
    switch (track.kind) {
        case Track::Kind::event_type:
            return Row::event;
        case Track::Kind::storage:
            return track.sparse ? Row::occupancy : Row::slot_state;
        case Track::Kind::signal:
            return Row::change;
        case Track::Kind::stream:
            return Row::interval;
        case Track::Kind::relation_type:
            return Row::relation;
        case Track::Kind::hart:
            return Row::instruction;
        case Track::Kind::notes:
            return Row::note;
        case Track::Kind::native:
            break;
    }
    return Row::native;
}

/// Returns true if rows of a table may lack values of a field. Numbers of a dense storage and of properties start with
/// 0, but texts do not: 0 is some text of the trace.
bool may_lack(Row row, const Field& field) noexcept {
    if (row == Row::slot_state || row == Row::properties) return holds_text(field.type);
    return row == Row::interval || row == Row::change || row == Row::occupancy || row == Row::instruction;
}

/// Names the columns in UTF-8, because readers of tables require it. No two names differ only in case. Of two
/// attributes with the same name, the later one gets its phase as a suffix.
void name_columns(TraceTable& table) {
    UniqueNames names;
    for (TableColumn& column : table.columns) {
        std::string name = column.name.empty() ? "value" : as_utf8(column.name);
        if (names.has(name) && column.phase != Phase::unknown) name.append("_").append(name_of(column.phase));
        column.name = names.add(name);
    }
}

}  // namespace

std::string_view name_of(Row row) noexcept {
    switch (row) {
        case Row::event:
            return "event";
        case Row::interval:
            return "interval";
        case Row::relation:
            return "relation";
        case Row::instruction:
            return "instruction";
        case Row::change:
            return "change";
        case Row::note:
            return "note";
        case Row::native:
            return "native";
        case Row::occupancy:
            return "occupancy";
        case Row::slot_state:
            return "slot state";
        case Row::properties:
            break;
    }
    return "properties";
}

std::size_t TraceTable::find(ColumnContent content, std::uint32_t index) const noexcept {
    const auto found = std::ranges::find_if(
        columns, [&](const TableColumn& column) { return column.content == content && column.index == index; });
    return static_cast<std::size_t>(found - columns.begin());
}

TraceTables::TraceTables(const Schema& schema, std::shared_ptr<const Symbols> symbols)
    : schema_(schema), instruction_members_(InstructionValues::members(&instruction_schema_)) {
    if (symbols) {
        places_ = std::make_unique<PlaceNumbers>(std::move(symbols));
        Enum functions;
        functions.name = "function";
        const auto count = static_cast<std::uint32_t>(places_->symbols().functions().size());
        for (std::uint32_t function = 0; function < count; ++function)
            if (places_->is_named(function))
                functions.values.push_back({function, std::string(places_->function_name(function))});
        functions_ = instruction_schema_.declare(std::move(functions));
    }
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        describe(id);
    for (TraceTable& table : tables_)
        name_columns(table);
    name_tables();
}

TraceTable& TraceTables::add_table(TrackId id, Row row) {
    TraceTable& table = tables_.emplace_back();
    table.track = id;
    table.row = row;
    const Track& track = schema_.tracks()[id];
    table.name = track.name.empty() ? name_of(track.kind) : std::string_view(track.name);
    table.path = name_in(path_of(schema_, track.scope), table.name);
    return table;
}

void TraceTables::describe(TrackId id) {
    const Track& track = schema_.tracks()[id];
    TraceTable& table = add_table(id, row_of(track));
    switch (table.row) {
        case Row::interval:
            add_span(table, track.time, false);
            break;
        case Row::occupancy:
            add_column(table, "slot", ColumnContent::slot, Type::u32);
            add_span(table, track.time, true);
            break;
        default:
            add_time(table, track.time);
    }
    if (table.row == Row::slot_state) add_column(table, "slot", ColumnContent::slot, Type::u32);
    if (table.row == Row::change) add_column(table, "mark", ColumnContent::mark, Type::u64, true);
    if (table.row == Row::note) add_column(table, "text", ColumnContent::text, Type::text);
    if (table.row == Row::native) add_column(table, "bytes", ColumnContent::bytes, Type::blob);
    if (table.row == Row::instruction)
        add_instruction_columns(table);
    else
        add_fields(table, track.fields, ColumnContent::field);
    if (track.properties.empty()) return;
    TraceTable& properties = add_table(id, Row::properties);
    properties.name += ".properties";
    properties.path += ".properties";
    add_time(properties, track.time);
    add_fields(properties, track.properties, ColumnContent::property);
}

void TraceTables::add_fields(TraceTable& table, const std::vector<Field>& fields, ColumnContent content) {
    for (std::uint32_t index = 0; index < fields.size(); ++index) {
        const Field& field = fields[index];
        TableColumn column;
        column.name = field.name;
        column.content = content;
        column.index = index;
        column.type = field.type;
        column.enumeration = field.enumeration;
        column.is_repeated = field.repeated;
        column.is_nullable = !field.repeated && may_lack(table.row, field) &&
                             (content != ColumnContent::member || index >= InstructionValues::always_present);
        column.phase = field.phase;
        table.columns.push_back(std::move(column));
    }
}

void TraceTables::add_instruction_columns(TraceTable& table) {
    add_fields(table, instruction_members_, ColumnContent::member);
    if (places_ == nullptr) return;
    add_column(table, "function", ColumnContent::function, Type::enumeration, true);
    table.columns.back().enumeration = functions_;
    add_column(table, "function_offset", ColumnContent::function_offset, Type::u64, true);
    add_column(table, "source", ColumnContent::source, Type::enumeration, true);
}

void TraceTables::name_tables() {
    UniqueNames seen, twice, names;
    for (TraceTable& table : tables_) {
        table.name = as_utf8(table.name);
        table.path = as_utf8(table.path);
        (seen.has(table.name) ? twice : seen).add(table.name);
    }
    for (TraceTable& table : tables_)
        table.name = names.add(twice.has(table.name) ? table.path : table.name);
}

std::size_t TraceTables::find(std::string_view name) const noexcept {
    const auto place = [&](auto&& found) { return static_cast<std::size_t>(found - tables_.begin()); };
    const std::size_t named =
        place(std::ranges::find_if(tables_, [&](const TraceTable& table) { return equal_but_case(table.name, name); }));
    if (named != tables_.size()) return named;
    return place(
        std::ranges::find_if(tables_, [&](const TraceTable& table) { return equal_but_case(table.path, name); }));
}

const Schema& TraceTables::labels_of(const TableColumn& column) const noexcept {
    const bool is_own = column.content == ColumnContent::member || column.content == ColumnContent::function;
    return is_own ? instruction_schema_ : schema_;
}

const Enum* TraceTables::labels(const TableColumn& column) const noexcept {
    const Schema& from = labels_of(column);
    return column.enumeration < from.enums().size() ? &from.enums()[column.enumeration] : nullptr;
}

const std::string* TraceTables::label(const TableColumn& column, std::uint64_t cell) const noexcept {
    if (column.content == ColumnContent::source)
        return cell < places_->sources() ? &places_->source(static_cast<std::uint32_t>(cell)) : nullptr;
    return labels_of(column).label(column.enumeration, cell);
}

}  // namespace hwtrace

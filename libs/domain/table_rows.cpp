#include "domain/table_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "domain/durations.hpp"
#include "domain/instruction_values.hpp"
#include "domain/interval_time.hpp"

namespace hwtrace {

namespace {

using ColumnContent = TableColumn::Content;
using Row = TraceTable::Row;

constexpr long double nanoseconds_per_second = 1e9L;

std::vector<std::size_t> all_of(const TraceTables& tables) {
    std::vector<std::size_t> indexes(tables.all().size());
    std::iota(indexes.begin(), indexes.end(), std::size_t{0});
    return indexes;
}

long double ns_in_tick(const TimeBase& base) noexcept {
    if (!has_duration(base)) return 0;
    return static_cast<long double>(base.num) * nanoseconds_per_second / static_cast<long double>(base.den);
}

template <typename T>
void extend(Pool<T>& pool, const void* data, std::size_t size) {
    if (size != 0) std::memcpy(pool.grow(size), data, size);
}

}  // namespace

TableRows::TableRows(const TraceTables& tables, Take take, std::size_t chunk_rows)
    : TableRows(tables, all_of(tables), std::move(take), chunk_rows) {}

TableRows::TableRows(const TraceTables& tables, const std::vector<std::size_t>& wanted, Take take,
                     std::size_t chunk_rows)
    : schema_(tables.schema()),
      take_(std::move(take)),
      places_(tables.places()),
      chunk_rows_(chunk_rows),
      target_of_track_(schema_.tracks().size(), none),
      properties_of_track_(schema_.tracks().size(), none) {
    for (const TraceTable& table : tables.all())
        (table.row == Row::properties ? properties_of_track_ : target_of_track_)[table.track] = not_wanted;
    for (const std::size_t index : wanted)
        add_target(tables, index);
}

void TableRows::add_target(const TraceTables& tables, std::size_t index) {
    const TraceTable& table = tables.all()[index];
    const Track& track = tables.track(table);
    Target& to = targets_.emplace_back(table, index);
    const bool has_properties = table.row == Row::properties;
    (has_properties ? properties_of_track_ : target_of_track_)[table.track] =
        static_cast<std::uint32_t>(targets_.size() - 1);
    for (const TableColumn& column : table.columns) {
        const bool is_field = column.content == ColumnContent::field || column.content == ColumnContent::property ||
                              column.content == ColumnContent::member;
        to.fields += is_field ? 1 : 0;
        to.first_field += is_field || to.fields != 0 ? 0 : 1;
    }
    const std::size_t place = table.find(ColumnContent::function);
    to.first_place = place == table.columns.size() ? 0 : place;
    to.is_filled.assign(table.columns.size(), 1);
    list_columns(to);
    to.fixed_fields = std::min(to.fields, track.fixed_fields());
    to.slot_count = has_properties ? 1 : track.slots;
    to.ns_in_tick = ns_in_tick(track.time);
    if (has_properties || track.kind == Track::Kind::storage)
        to.slots.emplace(has_properties ? track.properties : track.fields);
}

void TableRows::list_columns(Target& to) {
    to.single.clear();
    to.list.clear();
    for (std::uint32_t column = 0; column < to.table.columns.size(); ++column)
        if (to.is_filled[column] != 0) (to.table.columns[column].is_repeated ? to.list : to.single).push_back(column);
    to.lists_parts = to.table.row == Row::instruction && !to.list.empty();
}

void TableRows::choose_columns(std::size_t table, std::span<const std::uint8_t> columns) {
    for (Target& to : targets_) {
        if (to.index != table) continue;
        std::ranges::copy(columns, to.is_filled.begin());
        list_columns(to);
    }
}

TableRows::Target* TableRows::target_of(const Record& record) noexcept {
    const std::vector<std::uint32_t>& targets = is_property(record) ? properties_of_track_ : target_of_track_;
    const std::uint32_t index = record.track < targets.size() ? targets[record.track] : none;
    if (index == none) ++left_out_;
    return index < targets_.size() ? &targets_[index] : nullptr;
}

void TableRows::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        Target* const to = target_of(record);
        if (to == nullptr) continue;
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                add_event(*to, batch, record);
                break;
            case Kind::interval:
            case Kind::change:
                add_values(*to, batch, record);
                break;
            case Kind::instruction:
                add_instruction(*to, batch, record);
                break;
            case Kind::note:
            case Kind::native:
                add_bytes(*to, batch, record);
                break;
            case Kind::set:
            case Kind::clear:
            case Kind::add:
                add_operation(*to, record);
        }
    }
    if (waiting_bytes_ > most_bytes) hand_out_all();
}

void TableRows::finish() {
    for (Target& to : targets_) {
        if (!to.slots) continue;
        if (to.table.row == Row::occupancy) {
            for (const SlotRows::Values* values : to.slots->all())
                add_slot_row(to, *values, values->begin, std::nullopt);
        } else {
            end_group(to);
        }
    }
    hand_out_all();
}

const TableRows::Target* TableRows::target_of(TrackId track) const noexcept {
    const std::uint32_t index = track < target_of_track_.size() ? target_of_track_[track] : none;
    return index < targets_.size() ? &targets_[index] : nullptr;
}

std::uint64_t TableRows::earlier_values(TrackId track) const noexcept {
    const Target* const to = target_of(track);
    return to == nullptr ? 0 : to->earlier_values;
}

std::uint64_t TableRows::late_ends(TrackId track) const noexcept {
    const Target* const to = target_of(track);
    return to == nullptr ? 0 : to->late_ends;
}

// --- records ---------------------------------------------------------------------------------------------------------

void TableRows::add_event(Target& to, const Batch& batch, const Record& record) {
    begin_row(to);
    std::size_t column = 0;
    put_time(to, column, record.time);
    const std::span<const std::uint64_t> cells = batch.cells(record);
    const std::size_t fixed = std::min(cells.size(), to.fixed_fields);
    for (std::size_t field = 0; field < fixed; ++field)
        put(to, to.first_field + field, cells[field]);
    const std::size_t repeated = to.fields - to.fixed_fields;
    if (repeated == 0) {
        left_out_ += cells.size() - fixed;
    } else {
        for (std::size_t at = fixed; at < cells.size(); ++at)
            put_listed(to, to.first_field + fixed + (at - fixed) % repeated, cells[at]);
    }
    end_row(to);
}

void TableRows::add_values(Target& to, const Batch& batch, const Record& record) {
    begin_row(to);
    std::size_t column = 0;
    if (record.kind == Kind::interval) {
        const WideTick end = exact_begin(schema_, batch, record) + WideTick{record.value};
        to.late_ends += end > std::numeric_limits<Tick>::max() ? 1 : 0;
        put_span(to, column, record.time, end_of(record), record.value);
    } else {
        put_time(to, column, record.time);
        if (record.value != change_unmarked) put(to, column, record.value);
    }
    put_attributes(to, batch.attributes(record));
    end_row(to);
}

void TableRows::add_instruction(Target& to, const Batch& batch, const Record& record) {
    begin_row(to);
    std::size_t column = 0;
    put_time(to, column, record.time);
    if (to.lists_parts) {
        values_.clear();
        InstructionValues::put(batch, record, values_);
        put_attributes(to, values_);
    } else {
        const Instruction& instruction = batch.instruction(record);
        put(to, to.first_field, record.value);
        put(to, to.first_field + 1, instruction.encoding);
        put(to, to.first_field + 2, instruction.size);
        if (instruction.has_target) put(to, to.first_field + InstructionValues::always_present, instruction.target);
    }
    if (to.first_place != 0) put_place(to, record.value);
    end_row(to);
}

void TableRows::put_place(Target& to, std::uint64_t pc) {
    const PlaceNumbers::Place place = places_->function_at(pc);
    if (place.function != PlaceNumbers::unknown) {
        put(to, to.first_place, place.function);
        put(to, to.first_place + 1, place.offset);
    }
    const std::size_t source_column = to.first_place + 2;
    if (to.is_filled[source_column] == 0) return;
    const std::uint32_t source = places_->source_at(pc);
    if (source != PlaceNumbers::unknown) put(to, source_column, source);
}

void TableRows::add_bytes(Target& to, const Batch& batch, const Record& record) {
    begin_row(to);
    std::size_t column = 0;
    put_time(to, column, record.time);
    if (to.is_filled[column] != 0) {
        TableChunk::Column& texts = to.chunk.mutable_column(column);
        const std::span<const std::byte> bytes = batch.bytes(record);
        extend(texts.own_texts, bytes.data(), bytes.size());
        to.unseen_bytes += bytes.size();
        texts.cells.back() = texts.own_texts.size();
    }
    end_row(to);
}

void TableRows::put_attributes(Target& to, std::span<const Attribute> attributes) {
    for (const Attribute& attribute : attributes) {
        if (attribute.field >= to.fields) {
            ++left_out_;
            continue;
        }
        const std::size_t column = to.first_field + attribute.field;
        if (to.table.columns[column].is_repeated) {
            put_listed(to, column, attribute.value);
            continue;
        }
        const Pool<std::uint8_t>& present = to.chunk.mutable_column(column).present;
        if (!present.empty() && present[present.size() - 1] != 0)
            ++left_out_;  // the row has the first value
        else
            put(to, column, attribute.value);
    }
}

// --- storages --------------------------------------------------------------------------------------------------------

void TableRows::add_operation(Target& to, const Record& operation) {
    if (operation.ref >= to.slot_count || (operation.kind != Kind::clear && operation.field >= to.fields)) {
        ++left_out_;
        return;
    }
    SlotRows& slots = *to.slots;
    if (to.table.row == Row::occupancy) {
        if (operation.kind != Kind::clear) {
            const SlotRows::Values* const values = slots.find(operation.ref);
            if (values != nullptr) to.earlier_values += values->known[operation.field];
            slots.apply(operation);
        } else if (SlotRows::Values* values = slots.find(operation.ref)) {
            add_slot_row(to, *values, values->begin, operation.time);
            slots.free(*values);
        }
        return;
    }
    if (to.group && (to.group->slot != operation.ref || to.group_time != operation.time)) end_group(to);
    if (operation.kind == Kind::clear) {
        to.group = &slots.at(operation.ref, operation.time);
        to.group->cells.assign(to.fields, 0);
        to.group->known.assign(to.fields, 0);
    } else {
        to.group = &slots.apply(operation);
    }
    to.group_time = operation.time;
}

void TableRows::end_group(Target& to) {
    if (to.group != nullptr) add_slot_row(to, *to.group, to.group_time, std::nullopt);
    to.group = nullptr;
}

void TableRows::add_slot_row(Target& to, const SlotRows::Values& values, Tick begin, std::optional<Tick> end) {
    begin_row(to);
    std::size_t column = 0;
    if (to.table.row == Row::occupancy) {
        put(to, column++, values.slot);
        if (end)
            put_span(to, column, begin, *end, ticks_between(begin, *end));
        else
            put_time(to, column, begin);
    } else {
        put_time(to, column, begin);
        if (to.table.row == Row::slot_state) put(to, column, values.slot);
    }
    for (std::size_t field = 0; field < to.fields; ++field)
        if (values.known[field] != 0) put(to, to.first_field + field, values.cells[field]);
    end_row(to);
}

// --- rows ------------------------------------------------------------------------------------------------------------

void TableRows::begin_row(Target& to) {
    for (const std::uint32_t at : to.single) {
        TableChunk::Column& column = to.chunk.mutable_column(at);
        column.cells.push_back(0);
        if (to.table.columns[at].is_nullable) column.present.push_back(0);
    }
}

void TableRows::put(Target& to, std::size_t column, std::uint64_t cell) {
    if (to.is_filled[column] == 0) return;
    TableChunk::Column& into = to.chunk.mutable_column(column);
    into.cells.back() = cell;
    if (!into.present.empty()) into.present.back() = 1;
}

void TableRows::put_listed(Target& to, std::size_t column, std::uint64_t cell) {
    if (to.is_filled[column] != 0) to.chunk.mutable_column(column).cells.push_back(cell);
}

void TableRows::put_ticks(Target& to, std::size_t& column, std::uint64_t ticks, long double value) {
    put(to, column++, ticks);
    if (to.ns_in_tick != 0) put(to, column++, std::bit_cast<std::uint64_t>(static_cast<double>(value * to.ns_in_tick)));
}

void TableRows::put_time(Target& to, std::size_t& column, Tick time) {
    put_ticks(to, column, static_cast<std::uint64_t>(time), static_cast<long double>(time));
}

void TableRows::put_span(Target& to, std::size_t& column, Tick begin, Tick end, std::uint64_t duration) {
    put_time(to, column, begin);
    put_time(to, column, end);
    put_ticks(to, column, duration, static_cast<long double>(duration));
}

void TableRows::end_row(Target& to) {
    for (const std::uint32_t at : to.list) {
        TableChunk::Column& column = to.chunk.mutable_column(at);
        const std::size_t before = column.ends.empty() ? 0 : column.ends[column.ends.size() - 1];
        to.unseen_bytes += (column.cells.size() - before) * sizeof(std::uint64_t);
        column.ends.push_back(static_cast<std::uint32_t>(column.cells.size()));
    }
    to.chunk.add_row();
    if (to.chunk.size() >= chunk_rows_ || to.chunk.size() % rows_a_look == 0 || to.unseen_bytes >= bytes_a_look)
        look_at_size(to);
}

void TableRows::look_at_size(Target& to) {
    const std::size_t bytes = to.chunk.bytes();
    waiting_bytes_ += bytes - to.counted_bytes;
    to.counted_bytes = bytes;
    to.unseen_bytes = 0;
    if (to.chunk.size() >= chunk_rows_ || bytes > most_bytes) hand_out(to);
}

void TableRows::hand_out(Target& to) {
    if (to.chunk.size() != 0) take_(to.index, to.chunk);
    if (targets_.size() > most_kept_chunks)
        to.chunk = TableChunk(to.table);
    else
        to.chunk.clear();
    waiting_bytes_ -= to.counted_bytes;
    to.counted_bytes = 0;
}

void TableRows::hand_out_all() {
    for (Target& to : targets_)
        hand_out(to);
}

}  // namespace hwtrace

#include "model/state.hpp"

#include <algorithm>
#include <limits>

namespace hwtrace {

namespace {

constexpr std::uint64_t too_much = std::numeric_limits<std::uint64_t>::max();

bool is_signed(Type type) noexcept {
    return type == Type::i8 || type == Type::i16 || type == Type::i32 || type == Type::i64;
}

std::uint64_t extended(std::uint64_t value, std::size_t width, bool sign) noexcept {
    const std::size_t unused = 64 - 8 * width;
    const std::uint64_t shifted = value << unused;
    return sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(shifted) >> unused) : shifted >> unused;
}

std::uint64_t packed(const std::vector<Field>& fields) noexcept {
    std::uint64_t size = 0;
    for (const Field& field : fields)
        size += slot_width(field.type);
    return size;
}

std::uint64_t mask_bytes(const Track& track) noexcept {
    return track.sparse ? (std::uint64_t{track.slots} + 7) / 8 : 0;
}

}  // namespace

std::size_t slot_width(Type type) noexcept {
    switch (type) {
        case Type::u8:
        case Type::i8:
        case Type::boolean:
        case Type::enumeration:
            return 1;
        case Type::u16:
        case Type::i16:
            return 2;
        case Type::u32:
        case Type::i32:
        case Type::f32:
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
            return 4;
        default:
            return 8;
    }
}

std::uint64_t stored(Type type, std::uint64_t value) noexcept {
    return extended(value, slot_width(type), is_signed(type));
}

std::uint64_t StateTable::bytes_needed(const Schema& schema) noexcept {
    std::uint64_t total = 0;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::storage) continue;
        const std::uint64_t slot = packed(track.fields);
        const std::uint64_t fixed = mask_bytes(track) + packed(track.properties);
        if (track.slots != 0 && slot > (too_much - total - fixed) / track.slots) return too_much;
        total += slot * track.slots + fixed;
    }
    return total;
}

StateTable::StateTable(const Schema& schema) {
    std::size_t size = 0;
    tables_.reserve(schema.tracks().size());
    for (const Track& track : schema.tracks()) {
        Table& table = tables_.emplace_back();
        if (track.kind != Track::Kind::storage) continue;
        table.slots = track.slots;
        table.sparse = track.sparse;
        table.slot_size = static_cast<std::uint32_t>(packed(track.fields));
        table.properties_size = static_cast<std::uint32_t>(packed(track.properties));
        table.fields = static_cast<std::uint32_t>(track.fields.size());
        table.properties = static_cast<std::uint32_t>(track.properties.size());
        table.first_field = append_columns(track.fields);
        table.first_property = append_columns(track.properties);
        table.mask_at = size;
        table.slots_at = table.mask_at + mask_bytes(track);
        table.properties_at = table.slots_at + std::size_t{table.slots} * table.slot_size;
        size = table.properties_at + table.properties_size;
    }
    bytes_.resize(std::max<std::size_t>(size, 1));  // slots without fields need a valid address too
}

std::uint32_t StateTable::append_columns(const std::vector<Field>& fields) {
    const auto first = static_cast<std::uint32_t>(columns_.size());
    std::uint32_t offset = 0;
    for (const Field& field : fields) {
        const auto width = static_cast<std::uint8_t>(slot_width(field.type));
        columns_.push_back({offset, width, is_signed(field.type)});
        offset += width;
    }
    return first;
}

void StateTable::set_property(TrackId storage, std::uint32_t property, std::uint64_t value) noexcept {
    if (storage >= tables_.size() || property >= tables_[storage].properties) return;
    set_known_property(storage, property, value);
}

void StateTable::reset() noexcept {
    std::fill(bytes_.begin(), bytes_.end(), std::byte{0});
}

bool StateTable::is_empty() const noexcept {
    return std::all_of(bytes_.begin(), bytes_.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

bool StateTable::valid(TrackId storage, std::uint32_t slot) const noexcept {
    if (storage >= tables_.size() || slot >= tables_[storage].slots) return false;
    const Table& table = tables_[storage];
    return !table.sparse || (bytes_[table.mask_at + slot / 8] >> (slot % 8) & std::byte{1}) != std::byte{0};
}

std::uint64_t StateTable::as_cell(const std::byte* at, const Column& column) noexcept {
    return extended(load(at, column.width), column.width, column.is_signed);
}

std::uint64_t StateTable::value(TrackId storage, std::uint32_t slot, std::uint32_t field) const noexcept {
    if (storage >= tables_.size()) return 0;
    const Table& table = tables_[storage];
    const Column* column = field_of(table, slot, field);
    if (column == nullptr) return 0;
    return as_cell(bytes_.data() + table.slots_at + std::size_t{slot} * table.slot_size + column->offset, *column);
}

std::uint64_t StateTable::property(TrackId storage, std::uint32_t property) const noexcept {
    if (storage >= tables_.size() || property >= tables_[storage].properties) return 0;
    const Table& table = tables_[storage];
    const Column& column = columns_[table.first_property + property];
    return as_cell(bytes_.data() + table.properties_at + column.offset, column);
}

std::span<const std::byte> StateTable::mask(TrackId storage) const noexcept {
    const Table& table = tables_[storage];
    return std::span(bytes_).subspan(table.mask_at, table.slots_at - table.mask_at);
}

std::span<const std::byte> StateTable::slots(TrackId storage) const noexcept {
    const Table& table = tables_[storage];
    return std::span(bytes_).subspan(table.slots_at, table.properties_at - table.slots_at);
}

std::span<const std::byte> StateTable::properties(TrackId storage) const noexcept {
    const Table& table = tables_[storage];
    return std::span(bytes_).subspan(table.properties_at, table.properties_size);
}

std::span<std::byte> StateTable::mutable_mask(TrackId storage) noexcept {
    const Table& table = tables_[storage];
    return std::span(bytes_).subspan(table.mask_at, table.slots_at - table.mask_at);
}

std::span<std::byte> StateTable::mutable_slots(TrackId storage) noexcept {
    const Table& table = tables_[storage];
    return std::span(bytes_).subspan(table.slots_at, table.properties_at - table.slots_at);
}

std::span<std::byte> StateTable::mutable_properties(TrackId storage) noexcept {
    const Table& table = tables_[storage];
    return std::span(bytes_).subspan(table.properties_at, table.properties_size);
}

}  // namespace hwtrace

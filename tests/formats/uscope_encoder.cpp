#include "uscope_encoder.hpp"

#include <algorithm>

#include "io/compression.hpp"

namespace hwtrace::test {

namespace {

constexpr std::size_t header_size = 48;
constexpr std::size_t segment_header = 56;

HandItem item(std::uint8_t action, std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
              std::uint64_t value) {
    HandItem made;
    made.action = action;
    made.target = storage;
    made.slot = slot;
    made.field = field;
    made.value = value;
    return made;
}

std::size_t width_of(std::uint8_t type) {
    constexpr std::size_t widths[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 1, 4, 1};
    return widths[type < 12 ? type : 0];
}

void append_bytes(const Bytes& bytes, Appender& out) {
    out.bytes(bytes);
}

Bytes bytes_of(const Appender& from) {
    return {from.span().begin(), from.span().end()};
}

Bytes packed(const Bytes& raw, Packing packing) {
    Appender out;
    const auto sized = [&] { out.le(static_cast<std::uint32_t>(raw.size())); };
    switch (packing) {
        case Packing::plain:
            return raw;
        case Packing::lz4:
            sized();
            [[fallthrough]];
        case Packing::bare_lz4:
            Lz4().compress(raw, out);
            break;
        case Packing::sized_zstd:
            sized();
            [[fallthrough]];
        case Packing::zstd:
            ZstdBlock().compress(raw, out);
            break;
    }
    return bytes_of(out);
}

void append_chunk(std::uint16_t type, const Bytes& payload, Appender& out) {
    out.le(type);
    out.le(std::uint16_t{0});
    out.le(static_cast<std::uint32_t>(payload.size()));
    append_bytes(payload, out);
    out.pad_to(8);
}

}  // namespace

HandItem set(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value) {
    return item(1, storage, slot, field, value);
}
HandItem clear(std::uint16_t storage, std::uint16_t slot) {
    return item(2, storage, slot, 0, 0);
}
HandItem add(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value) {
    return item(3, storage, slot, field, value);
}
HandItem set_property(std::uint16_t storage, std::uint16_t field, std::uint64_t value) {
    return item(4, storage, 0, field, value);
}
HandItem happens(std::uint16_t event, Bytes payload) {
    HandItem made;
    made.target = event;
    made.payload = std::move(payload);
    return made;
}
HandItem wide(HandItem item) {
    item.wide = true;
    return item;
}

Bytes payload(const std::vector<std::pair<unsigned, std::uint64_t>>& widths_and_values) {
    Bytes bytes;
    for (const auto& [width, value] : widths_and_values)
        for (unsigned byte = 0; byte < width; ++byte)
            bytes.push_back(static_cast<std::byte>(value >> (8 * byte)));
    return bytes;
}

HandMade::HandMade(Dialect dialect) : dialect_(dialect) {}

std::uint16_t HandMade::name(const std::string& text) {
    const auto [found, is_new] = names_.try_emplace(text, static_cast<std::uint16_t>(pool_.size()));
    if (is_new) pool_.append(text).push_back('\0');
    return found->second;
}

void HandMade::property(const std::string& key, const std::string& value) {
    const std::uint16_t k = name(key);
    properties_.emplace_back(k, name(value));
}

void HandMade::clock(const std::string& text, std::uint32_t period) {
    clocks_.le(name(text));
    clocks_.le(std::uint16_t{clock_count_++});
    clocks_.le(period);
}

void HandMade::scope(const std::string& text, std::uint16_t parent, const std::string& protocol, std::uint8_t clock) {
    scopes_.le(name(text));
    scopes_.le(scope_count_++);
    scopes_.le(parent);
    scopes_.le(protocol.empty() ? std::uint16_t{0xFFFF} : name(protocol));
    scopes_.le(clock);
    scopes_.zeros(3);
}

void HandMade::enumeration(const std::string& text, const std::vector<std::string>& labels) {
    enums_.le(name(text));
    enums_.le(static_cast<std::uint8_t>(labels.size()));
    enums_.zeros(1);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        enums_.le(static_cast<std::uint8_t>(i));
        enums_.zeros(1);
        enums_.le(name(labels[i]));
    }
    ++enum_count_;
}

void HandMade::fields(const std::vector<HandField>& fields) {
    Appender& out = storage_structures_;
    for (const HandField& field : fields) {
        out.le(name(field.name));
        out.le(field.type);
        out.le(field.enumeration);
        out.le(field.role);
        out.le(field.pair);
        out.zeros(2);
    }
}

void HandMade::storage(const std::string& text, std::uint16_t slots, std::uint16_t flags, std::uint16_t scope,
                       const std::vector<HandField>& slot_fields, const std::vector<HandField>& properties) {
    Appender& out = storage_structures_;
    out.le(name(text));
    out.le(static_cast<std::uint16_t>(storages_.size()));
    out.le(slots);
    out.le(static_cast<std::uint16_t>(slot_fields.size()));
    out.le(flags);
    out.le(scope);
    if (!dialect_.old_structures) {
        out.le(static_cast<std::uint16_t>(properties.size()));
        out.zeros(2);
    }
    fields(slot_fields);
    fields(properties);
    Storage storage;
    storage.slots = slots;
    storage.sparse = (flags & 1) != 0;
    for (const HandField& field : slot_fields)
        storage.fields.push_back(width_of(field.type));
    for (const HandField& field : properties)
        storage.properties.push_back(width_of(field.type));
    property_values_[storages_.size()].resize(properties.size());
    storages_.push_back(std::move(storage));
}

void HandMade::event(const std::string& text, std::uint16_t scope, const std::vector<HandField>& event_fields) {
    std::swap(storage_structures_, events_);
    Appender& out = storage_structures_;
    out.le(name(text));
    out.le(event_count_++);
    out.le(static_cast<std::uint16_t>(event_fields.size()));
    out.le(scope);
    fields(event_fields);
    std::swap(storage_structures_, events_);
}

void HandMade::apply(const HandItem& item) {
    if (item.action == 0 || item.target >= storages_.size()) return;
    const Storage& storage = storages_[item.target];
    if (item.action == 4) {
        if (item.field < storage.properties.size()) property_values_[item.target][item.field] = item.value;
        return;
    }
    if (item.slot >= storage.slots) return;
    const auto slot = std::pair<std::size_t, std::size_t>(item.target, item.slot);
    if (item.action == 2) slots_.erase(slot);
    if (item.action != 1 && item.action != 3) return;
    if (item.field >= storage.fields.size()) return;
    std::vector<std::uint64_t>& values = slots_[slot];
    values.resize(storage.fields.size());
    values[item.field] = item.action == 1 ? item.value : values[item.field] + item.value;
}

Bytes HandMade::checkpoint() const {
    Appender out;
    for (std::size_t id = 0; id < storages_.size(); ++id) {
        const Storage& storage = storages_[id];
        Appender block;
        std::vector<std::uint8_t> mask(storage.sparse ? (storage.slots + 7) / 8 : 0);
        Appender slots;
        for (std::size_t slot = 0; slot < storage.slots; ++slot) {
            const auto found = slots_.find({id, slot});
            if (storage.sparse && found == slots_.end()) continue;
            if (storage.sparse) mask[slot / 8] = static_cast<std::uint8_t>(mask[slot / 8] | 1u << (slot % 8));
            for (std::size_t field = 0; field < storage.fields.size(); ++field)
                append_bytes(payload({{static_cast<unsigned>(storage.fields[field]),
                                       found == slots_.end() ? 0 : found->second[field]}}),
                             slots);
        }
        for (const std::uint8_t byte : mask)
            block.le(byte);
        block.bytes(slots.span());
        for (std::size_t i = 0; i < storage.properties.size(); ++i)
            append_bytes(payload({{static_cast<unsigned>(storage.properties[i]), property_values_.at(id)[i]}}), block);
        out.le(static_cast<std::uint16_t>(id));
        out.zeros(2);
        out.le(static_cast<std::uint32_t>(block.size()));
        out.bytes(block.span());
    }
    return bytes_of(out);
}

void HandMade::encode(const HandItem& item) {
    if (item.action == 0) {
        if (!dialect_.old_frames) raw_.le(std::uint16_t{3});
        raw_.le(item.target);
        if (dialect_.old_frames) raw_.zeros(2);
        raw_.le(static_cast<std::uint32_t>(item.payload.size()));
        append_bytes(item.payload, raw_);
        return;
    }
    if (!dialect_.old_frames) raw_.le(static_cast<std::uint8_t>(item.wide ? 1 : 2));
    raw_.le(item.action);
    if (item.wide) {
        if (dialect_.old_frames) raw_.zeros(1);
        raw_.le(item.target);
        raw_.le(item.slot);
        raw_.le(item.field);
        raw_.le(item.value);
    } else {
        raw_.le(static_cast<std::uint8_t>(item.target));
        raw_.le(item.slot);
        raw_.le(item.field);
        raw_.le(static_cast<std::uint16_t>(item.value));
    }
}

void HandMade::frame(std::uint64_t delta, const std::vector<HandItem>& items) {
    if (!begun_) {
        begun_ = true;
        start_checkpoint_ = checkpoint();
        open_.start = open_.end = segments_.empty() ? 0 : segments_.back().end;
    }
    open_.end += delta;
    ++open_.frames;
    open_.active += items.empty() ? 0 : 1;
    raw_.leb128(delta);
    if (dialect_.old_frames) {  // all operations of a frame have the same form
        std::vector<HandItem> ordered = items;
        std::stable_partition(ordered.begin(), ordered.end(), [](const HandItem& item) { return item.action != 0; });
        const auto events = std::ranges::count(ordered, 0, &HandItem::action);
        const bool is_wide = !dialect_.compact_allowed || std::ranges::any_of(ordered, &HandItem::wide);
        raw_.le(static_cast<std::uint8_t>(is_wide ? 0 : 1));
        raw_.zeros(1);
        raw_.le(static_cast<std::uint16_t>(static_cast<std::ptrdiff_t>(ordered.size()) - events));
        raw_.le(static_cast<std::uint16_t>(events));
        for (HandItem& item : ordered) {
            item.wide = is_wide;
            encode(item);
            apply(item);
        }
        return;
    }
    raw_.le(static_cast<std::uint16_t>(items.size()));
    for (const HandItem& item : items) {
        encode(item);
        apply(item);
    }
}

void HandMade::end_segment() {
    if (!begun_) return;
    open_.raw = bytes_of(raw_);
    open_.checkpoint = dialect_.snapshot == Snapshot::at_start ? start_checkpoint_ : checkpoint();
    segments_.push_back(std::move(open_));
    open_ = {};
    raw_.clear();
    begun_ = false;
}

Bytes HandMade::schema() const {
    Appender out;
    out.le(enum_count_);
    out.le(clock_count_);
    out.le(scope_count_);
    out.le(static_cast<std::uint16_t>(storages_.size()));
    out.le(event_count_);
    out.le(std::uint16_t{0});
    const std::size_t structures =
        12 + clocks_.size() + scopes_.size() + enums_.size() + storage_structures_.size() + events_.size();
    out.le(static_cast<std::uint16_t>(structures + (dialect_.old_structures ? 2 : 0)));
    for (const Appender* const part : {&clocks_, &scopes_, &enums_, &storage_structures_, &events_})
        out.bytes(part->span());
    out.text(pool_);
    return bytes_of(out);
}

Bytes HandMade::file(bool closed) {
    end_segment();
    Appender dut, config, out;
    dut.le(static_cast<std::uint16_t>(properties_.size()));
    dut.zeros(2);
    for (const auto& [key, value] : properties_) {
        dut.le(key);
        dut.le(value);
    }
    config.le(interval_);

    out.zeros(header_size);
    append_chunk(1, bytes_of(dut), out);
    append_chunk(2, schema(), out);
    for (const auto& [type, bytes] : chunks_)
        append_chunk(type, bytes, out);
    append_chunk(3, bytes_of(config), out);
    append_chunk(0, {}, out);
    const std::size_t preamble_end = out.size();

    std::uint64_t previous = 0;
    Appender table;
    for (const Segment& segment : segments_) {
        const Bytes frames = packed(segment.raw, dialect_.packing);
        const std::uint64_t offset = out.size();
        out.text("uSEG");
        out.le(std::uint32_t{0});
        out.le(segment.start);
        out.le(segment.end);
        out.le(previous);
        out.le(static_cast<std::uint32_t>(segment.checkpoint.size()));
        out.le(static_cast<std::uint32_t>(frames.size()));
        out.le(static_cast<std::uint32_t>(segment.raw.size()));
        out.le(segment.frames);
        out.le(segment.active);
        out.zeros(4);
        static_assert(segment_header == 56);
        append_bytes(segment.checkpoint, out);
        append_bytes(frames, out);
        table.le(offset);
        table.le(segment.start);
        table.le(segment.end);
        previous = offset;
    }

    Appender entries;
    const auto append_section = [&](std::uint16_t type, std::span<const std::byte> bytes) {
        entries.le(type);
        entries.zeros(6);
        entries.le(std::uint64_t{out.size()});
        entries.le(std::uint64_t{bytes.size()});
        out.bytes(bytes);
    };
    std::size_t table_offset = 0;
    if (closed) {
        if (!strings_.empty()) {
            Appender index, data;
            index.le(static_cast<std::uint32_t>(strings_.size()));
            index.zeros(4);
            for (const std::string& text : strings_) {
                index.le(static_cast<std::uint32_t>(data.size()));
                index.le(static_cast<std::uint32_t>(text.size()));
                data.text(text);
                data.zeros(1);
            }
            index.bytes(data.span());
            append_section(2, index.span());
        }
        if (!segments_.empty()) append_section(3, table.span());
        for (const auto& [type, bytes] : sections_)
            append_section(type, bytes);
        out.pad_to(8);
        table_offset = out.size();
        entries.zeros(24);
        out.bytes(entries.span());
    }

    const bool is_zstd = dialect_.packing == Packing::zstd || dialect_.packing == Packing::sized_zstd;
    std::uint64_t flags = closed ? 1 : 0;
    if (dialect_.packing != Packing::plain) flags |= 2;
    if (closed && !strings_.empty()) flags |= 4;
    if (is_zstd) flags |= 1u << 3;
    if (dialect_.old_frames && dialect_.compact_allowed) flags |= 1u << 6;
    if (!dialect_.old_frames) flags |= 1u << 7;
    Appender head;
    head.text("uSCP");
    head.le(std::uint16_t{0});
    head.le(dialect_.minor);
    head.le(flags);
    head.le(closed && !segments_.empty() ? segments_.back().end : std::uint64_t{0});
    head.le(static_cast<std::uint32_t>(segments_.size()));
    head.le(static_cast<std::uint32_t>(preamble_end));
    head.le(std::uint64_t{table_offset});
    head.le(previous);
    Bytes file = bytes_of(out);
    std::ranges::copy(head.span(), file.begin());
    return file;
}

const std::vector<std::pair<std::string, Dialect>>& dialects() {
    using enum Snapshot;
    static const std::vector<std::pair<std::string, Dialect>> all{
        {"A", {1, true, true, Packing::lz4, at_end, true}},    {"B", {2, true, false, Packing::lz4, at_end, true}},
        {"C", {2, true, false, Packing::lz4, at_start, true}}, {"D", {2, false, false, Packing::lz4, at_start, true}},
        {"E1", {3, false, false, Packing::lz4, at_end, true}}, {"E2", {3, false, false, Packing::lz4, at_start, true}},
    };
    return all;
}

}  // namespace hwtrace::test

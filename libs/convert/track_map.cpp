#include "convert/track_map.hpp"

#include <algorithm>
#include <charconv>

#include "domain/conventions.hpp"
#include "io/hex_digits.hpp"

namespace hwtrace {

namespace {
namespace names = conventions;
}

StringId TextTranslation::look_up(StringId id) {
    if (id >= translated_.size()) translated_.resize(from_.string_count(), none);
    StringId& mine = translated_.at(id);
    mine = to_.intern(from_.text(id));
    return mine;
}

std::vector<bool> text_fields(std::span<const Field> fields) {
    std::vector<bool> text;
    for (const Field& field : fields)
        text.push_back(holds_text(field.type));
    if (std::find(text.begin(), text.end(), true) == text.end()) text.clear();
    return text;
}

bool has_only_text(const Track& track, std::string_view name) noexcept {
    return track.fields.size() == 1 && track.fields[0].name == name && track.fields[0].type == Type::text;
}

void append_bytes_of_hex(std::string_view digits, std::vector<std::byte>& bytes) {
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
        unsigned byte = 0;
        std::from_chars(digits.data() + at, digits.data() + at + 2, byte, 16);
        bytes.push_back(static_cast<std::byte>(byte));
    }
}

void TrackMaps::declare(const Track& track, ScopeId scope) {
    Track copy = track;
    copy.scope = scope;
    copy.time = picoseconds;
    TrackMap& track_map = track_maps_.emplace_back();
    switch (track.kind) {
        case Track::Kind::event_type:
        case Track::Kind::relation_type: {
            copy.kind = Track::Kind::event_type;
            const std::size_t fixed = track.fixed_fields();
            track_map.way = TrackMap::Way::event;
            track_map.fixed = static_cast<std::uint32_t>(fixed);
            track_map.row_width = static_cast<std::uint32_t>(track.fields.size() - fixed);
            track_map.text = text_fields(track.fields);
            std::vector<Field> rows(track.fields.begin() + static_cast<std::ptrdiff_t>(fixed), track.fields.end());
            copy.fields.resize(fixed);
            if (rows.empty()) {
                track_map.target = target_.declare(std::move(copy));
                return;
            }
            track_map.way = TrackMap::Way::event_with_rows;
            Track row = copy;
            row.name += names::row_suffix;
            for (Field& field : rows)
                field.repeated = false;
            row.fields = std::move(rows);
            copy.fields.push_back(Field{std::string(names::rows), Type::u32});
            track_map.target = target_.declare(std::move(copy));
            track_map.row = target_.declare(std::move(row));
            return;
        }
        case Track::Kind::notes:
        case Track::Kind::native: {
            const bool is_note = track.kind == Track::Kind::notes;
            track_map.way = is_note ? TrackMap::Way::note : TrackMap::Way::native;
            copy.kind = Track::Kind::event_type;
            copy.fields = {Field{std::string(is_note ? names::note_text : names::native_hex), Type::text}};
            track_map.target = target_.declare(std::move(copy));
            return;
        }
        case Track::Kind::storage:
            track_map.way = TrackMap::Way::storage;
            track_map.text = text_fields(track.fields);
            track_map.text_properties = text_fields(track.properties);
            track_map.target = target_.declare(std::move(copy));
            return;
        case Track::Kind::hart:
        case Track::Kind::signal:
        case Track::Kind::stream:
            return;  // other stages lower these tracks
    }
}

void TrackMaps::translate(const TrackMap& track_map, std::size_t first_field, std::span<std::uint64_t> cells) {
    if (track_map.text.empty()) return;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (track_map.text[first_field + i]) cells[i] = translate_(static_cast<StringId>(cells[i]));
}

void TrackMaps::pass_rows(const Batch& in, const Record& record, const TrackMap& track_map, Tick time, Batch& out) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    const std::span<const std::uint64_t> rest = cells.subspan(track_map.fixed);
    const std::span<std::uint64_t> fixed = out.mutable_cells(out.event(track_map.target, time, track_map.fixed + 1));
    std::copy_n(cells.begin(), track_map.fixed, fixed.begin());
    translate(track_map, 0, fixed.first(track_map.fixed));
    fixed[track_map.fixed] = rest.size() / track_map.row_width;
    for (std::size_t at = 0; at + track_map.row_width <= rest.size(); at += track_map.row_width)
        translate(track_map, track_map.fixed,
                  out.mutable_cells(out.event(track_map.row, time, rest.subspan(at, track_map.row_width))));
}

void TrackMaps::pass_operation(const Batch& in, const Record& record, const TrackMap& track_map, Tick time,
                               Batch& out) {
    Record& copy = out.copy(in, record, track_map.target);
    copy.time = time;
    copy.flags &= record_property;
    const std::vector<bool>& text = is_property(record) ? track_map.text_properties : track_map.text;
    if (record.kind == Kind::set && record.field < text.size() && text[record.field])
        copy.value = translate_(static_cast<StringId>(record.value));
}

bool TrackMaps::pass(const Batch& in, const Record& record, Tick time, Batch& out) {
    const TrackMap& track_map = track_maps_[record.track];
    const auto text_event = [&](std::string_view text) {
        const std::uint64_t cell = target_.intern(text);
        out.event(track_map.target, time, std::span(&cell, 1));
    };
    switch (track_map.way) {
        case TrackMap::Way::skipped:
            return false;
        case TrackMap::Way::event:
            translate(track_map, 0, out.mutable_cells(out.event(track_map.target, time, in.cells(record))));
            return true;
        case TrackMap::Way::event_with_rows:
            pass_rows(in, record, track_map, time, out);
            return true;
        case TrackMap::Way::note:
            text_event(in.text(record));
            return true;
        case TrackMap::Way::native:
            hex_.clear();
            append_hex_digits(in.bytes(record), hex_);
            text_event(hex_);
            return true;
        case TrackMap::Way::storage:
            pass_operation(in, record, track_map, time, out);
            return true;
    }
    return false;
}

bool TrackMaps::pass_with_frame(const Batch& in, const Record& record, Tick time, Batch& out) {
    const std::size_t first = out.records().size();
    if (!pass(in, record, time, out)) return false;
    if (out.records().size() > first) out.mutable_records()[first].flags |= record.flags & record_first_of_frame;
    return true;
}

}  // namespace hwtrace

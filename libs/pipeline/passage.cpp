#include "pipeline/passage.hpp"

#include <algorithm>
#include <charconv>

#include "io/hex_digits.hpp"
#include "model/conventions.hpp"

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

bool belongs_to(const Track& track, std::string_view format) noexcept {
    return track.name.size() > format.size() && track.name.starts_with(format) && track.name[format.size()] == '.';
}

bool has_only_text(const Track& track, std::string_view name) noexcept {
    return track.fields.size() == 1 && track.fields[0].name == name && track.fields[0].type == Type::text;
}

void put_bytes_of_hex(std::string_view digits, std::vector<std::byte>& bytes) {
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
        unsigned byte = 0;
        std::from_chars(digits.data() + at, digits.data() + at + 2, byte, 16);
        bytes.push_back(static_cast<std::byte>(byte));
    }
}

void Passages::declare(const Track& track, ScopeId scope) {
    Track copy = track;
    copy.scope = scope;
    copy.time = picoseconds;
    Passage& passage = passages_.emplace_back();
    switch (track.kind) {
        case Track::Kind::event_type:
        case Track::Kind::relation_type: {
            copy.kind = Track::Kind::event_type;
            const std::size_t fixed = track.fixed_fields();
            passage.way = Passage::Way::event;
            passage.fixed = static_cast<std::uint32_t>(fixed);
            passage.row_width = static_cast<std::uint32_t>(track.fields.size() - fixed);
            passage.text = text_fields(track.fields);
            std::vector<Field> rows(track.fields.begin() + static_cast<std::ptrdiff_t>(fixed), track.fields.end());
            copy.fields.resize(fixed);
            if (rows.empty()) {
                passage.target = target_.declare(std::move(copy));
                return;
            }
            passage.way = Passage::Way::event_with_rows;
            Track row = copy;
            row.name += names::row_suffix;
            for (Field& field : rows)
                field.repeated = false;
            row.fields = std::move(rows);
            copy.fields.push_back(Field{std::string(names::rows), Type::u32});
            passage.target = target_.declare(std::move(copy));
            passage.row = target_.declare(std::move(row));
            return;
        }
        case Track::Kind::notes:
        case Track::Kind::native: {
            const bool is_note = track.kind == Track::Kind::notes;
            passage.way = is_note ? Passage::Way::note : Passage::Way::native;
            copy.kind = Track::Kind::event_type;
            copy.fields = {Field{std::string(is_note ? names::note_text : names::native_hex), Type::text}};
            passage.target = target_.declare(std::move(copy));
            return;
        }
        case Track::Kind::storage:
            passage.way = Passage::Way::storage;
            passage.text = text_fields(track.fields);
            passage.text_properties = text_fields(track.properties);
            passage.target = target_.declare(std::move(copy));
            return;
        case Track::Kind::hart:
        case Track::Kind::signal:
        case Track::Kind::stream:
            return;  // stages of their own lower these
    }
}

void Passages::translate(const Passage& passage, std::size_t first_field, std::span<std::uint64_t> cells) {
    if (passage.text.empty()) return;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (passage.text[first_field + i]) cells[i] = translate_(static_cast<StringId>(cells[i]));
}

void Passages::pass_rows(const Batch& in, const Record& record, const Passage& passage, Tick time, Batch& out) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    const std::span<const std::uint64_t> rest = cells.subspan(passage.fixed);
    const std::span<std::uint64_t> fixed = out.mutable_cells(out.event(passage.target, time, passage.fixed + 1));
    std::copy_n(cells.begin(), passage.fixed, fixed.begin());
    translate(passage, 0, fixed.first(passage.fixed));
    fixed[passage.fixed] = rest.size() / passage.row_width;
    for (std::size_t at = 0; at + passage.row_width <= rest.size(); at += passage.row_width)
        translate(passage, passage.fixed,
                  out.mutable_cells(out.event(passage.row, time, rest.subspan(at, passage.row_width))));
}

void Passages::pass_operation(const Batch& in, const Record& record, const Passage& passage, Tick time, Batch& out) {
    Record& copy = out.copy(in, record, passage.target);
    copy.time = time;
    copy.flags &= record_property;
    const std::vector<bool>& text = is_property(record) ? passage.text_properties : passage.text;
    if (record.kind == Kind::set && record.field < text.size() && text[record.field])
        copy.value = translate_(static_cast<StringId>(record.value));
}

bool Passages::pass(const Batch& in, const Record& record, Tick time, Batch& out) {
    const Passage& passage = passages_[record.track];
    const auto text_event = [&](std::string_view text) {
        const std::uint64_t cell = target_.intern(text);
        out.event(passage.target, time, std::span(&cell, 1));
    };
    switch (passage.way) {
        case Passage::Way::skipped:
            return false;
        case Passage::Way::event:
            translate(passage, 0, out.mutable_cells(out.event(passage.target, time, in.cells(record))));
            return true;
        case Passage::Way::event_with_rows:
            pass_rows(in, record, passage, time, out);
            return true;
        case Passage::Way::note:
            text_event(in.text(record));
            return true;
        case Passage::Way::native:
            hex_.clear();
            put_hex_digits(in.bytes(record), hex_);
            text_event(hex_);
            return true;
        case Passage::Way::storage:
            pass_operation(in, record, passage, time, out);
            return true;
    }
    return false;
}

}  // namespace hwtrace

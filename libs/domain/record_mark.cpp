#include "domain/record_mark.hpp"

#include <algorithm>
#include <string>

#include "domain/conventions.hpp"
#include "domain/instruction_values.hpp"
#include "domain/schema_text.hpp"
#include "io/text_cursor.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

/// The character that follows the format's name in the mark, by RecordOrder.
constexpr std::string_view separators = " +#";

bool has_ends(const Track& track) noexcept {
    return track.kind != Track::Kind::relation_type || track.fixed_fields() >= 2;
}

}  // namespace

std::string RecordMark::text(const Schema& objects) const {
    std::string text = std::string(format) + separators[static_cast<std::size_t>(order)];
    if (std::ranges::find(passes, true) != passes.end()) {
        text += '=';
        for (const bool one : passes)
            text += one ? '1' : '0';
        text += ';';
    }
    return text + objects_text(objects);
}

std::optional<RecordMark> RecordMark::read(const Schema& schema, Schema& objects) {
    const std::string* const text = schema.metadata(names::record_source);
    if (text == nullptr) return std::nullopt;
    const std::size_t end = text->find_first_of(separators);
    if (end == std::string::npos) return std::nullopt;
    TextCursor at(std::string_view(*text).substr(end + 1));
    RecordMark mark{std::string_view(*text).substr(0, end), static_cast<RecordOrder>(separators.find((*text)[end]))};
    if (at.word("="))
        for (std::size_t bit = 0; !at.word(";"); mark.passes.push_back(bit != 0))
            if (!at.letter("01", bit)) return std::nullopt;
    if (!read_objects(at, objects) || !std::ranges::all_of(objects.tracks(), has_ends)) return std::nullopt;
    if (!mark.passes.empty() && mark.passes.size() != objects.tracks().size()) return std::nullopt;
    return mark;
}

std::vector<Field> first_members(const Track& track) {
    if (track.kind == Track::Kind::stream) return {Field{std::string(names::interval_duration), Type::u64}};
    if (track.kind == Track::Kind::storage) return {Field{std::string(names::slot), Type::u32}};
    return {};
}

std::vector<Field> members_of(const Track& track, Schema* schema) {
    switch (track.kind) {
        case Track::Kind::hart:
            return InstructionValues::members(schema);
        case Track::Kind::notes:
            return {Field{std::string(names::note_text), Type::text}};
        case Track::Kind::native:
            return {Field{std::string(names::native_bytes), Type::blob}};
        default:
            break;
    }
    std::vector<Field> members = first_members(track);
    HashSet<std::string> taken;
    taken.emplace(names::attribute_order);
    for (const Field& member : members)
        taken.insert(member.name);
    const auto append = [&](const std::vector<Field>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            Field& member = members.emplace_back(fields[i]);
            member.phase = Phase::unknown;
            member.role = member.pair = 0;
            while (member.name.empty() || !taken.insert(member.name).second)
                member.name.append("#").append(std::to_string(i));
        }
    };
    append(track.fields);
    append(track.properties);
    return members;
}

Track signal_of(const Track& track, bool counts, Schema* schema) {
    Track signal = make_track(Track::Kind::signal, track.scope, track.name, track.time, members_of(track, schema));
    signal.native_id = track.native_id;
    if (counts) signal.fields.push_back(Field{std::string(names::attribute_order), Type::u64});
    return signal;
}

std::vector<bool> signals_of_records(const Schema& schema) {
    Schema objects;
    std::vector<bool> made;
    const auto mark = RecordMark::read(schema, objects);
    for (std::size_t id = 0; mark && id < objects.tracks().size(); ++id)
        if (!mark->passes_on(id)) made.push_back(objects.tracks()[id].kind != Track::Kind::signal);
    return made;
}

std::optional<MarkedTracks> MarkedTracks::of(const Schema& schema) {
    MarkedTracks marked;
    auto mark = RecordMark::read(schema, marked.objects);
    if (!mark) return std::nullopt;
    marked.mark = std::move(*mark);
    for (const Track& track : marked.objects.tracks()) {
        const bool stays = track.kind == Track::Kind::signal || marked.mark.passes_on(marked.signals.size());
        marked.signals.push_back(stays ? track : signal_of(track, marked.mark.counts(), nullptr));
    }
    return marked;
}

}  // namespace hwtrace

// formats/jsonl/lines_view.cpp - the view "lines": each line of the file with its number and offset.
#include <algorithm>
#include <optional>
#include <vector>

#include "codec.hpp"
#include "codec/chosen_records.hpp"
#include "decoder.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"

namespace hwtrace::jsonl {

namespace {

/// The number of objects and records that the lines so far have made.
struct Counts {
    std::size_t clocks, scopes, enums, tracks;
    std::uint64_t records;

    static Counts of(Decoder& decoder) {
        const Schema& schema = decoder.schema();
        return {schema.clocks().size(), schema.scopes().size(), schema.enums().size(), schema.tracks().size(),
                decoder.record_count()};
    }
};

/// The lines that show a slice: those of its records, and the declarations of the tracks, scopes, clocks and
/// enumerations of these records.
class SliceLines {
public:
    /// Reads `whole` to the end of the slice in Settings::part, which must be set.
    SliceLines(Reader& whole, const Settings& settings) : records_(whole, settings) {
        const Schema& schema = whole.schema();
        clocks_.resize(schema.clocks().size());
        scopes_.resize(schema.scopes().size());
        enums_.resize(schema.enums().size());
        tracks_.resize(schema.tracks().size());
        for (TrackId track = 0; track < tracks_.size(); ++track)
            if (records_.has_track(track)) add(schema, track);
    }

    /// Returns true if the slice has the record of a line, or needs an object that the line declares. `before` and
    /// `after` are the counts before and after the line.
    bool has(std::string_view type, const std::vector<JsonMember>& members, const Counts& before,
             const Counts& after) const {
        if (!Declarations::is_declaration(type)) return after.records != before.records && records_.has(before.records);
        if (type == "clock") return has_any(clocks_, before.clocks, after.clocks);
        if (type == "scope") return has_any(scopes_, before.scopes, after.scopes);
        if (type == "enum") return has_any(enums_, before.enums, after.enums);
        if (type == "track") return has_any(tracks_, before.tracks, after.tracks);
        if (type == "label") return refers_to(enums_, members, "enum_id");
        if (type == "attribute") return refers_to(tracks_, members, "track_id");
        return false;
    }

private:
    using Objects = std::vector<bool>;  ///< by id: true if the slice needs the object

    void add(const Schema& schema, TrackId id) {
        const Track& track = schema.tracks()[id];
        tracks_[id] = true;
        for (const auto* const fields : {&track.fields, &track.properties})
            for (const Field& field : *fields)
                if (field.enumeration < enums_.size()) enums_[field.enumeration] = true;
        any_upwards(schema, track.scope, [&](ScopeId scope) {
            if (scopes_[scope]) return true;  // and so are the scopes above it
            scopes_[scope] = true;
            if (const ClockId clock = schema.scopes()[scope].clock; clock < clocks_.size()) clocks_[clock] = true;
            return false;
        });
    }

    static bool has_any(const Objects& objects, std::size_t begin, std::size_t end) {
        for (; begin < std::min(end, objects.size()); ++begin)
            if (objects[begin]) return true;
        return false;
    }
    static bool refers_to(const Objects& objects, const std::vector<JsonMember>& members, std::string_view name) {
        const JsonValue* const value = find_member(members, name);
        const auto id = value == nullptr ? std::nullopt : whole_number(*value);
        return id && *id < objects.size() && objects[static_cast<std::size_t>(*id)];
    }

    ChosenRecords records_;
    Objects clocks_, scopes_, enums_, tracks_;
};

/// Returns the lines of the slice in Settings::part. Returns nullopt for all lines, and for a file that cannot be
/// opened.
std::optional<SliceLines> slice_lines(Input& input, const Settings& settings) {
    if (!settings.part) return std::nullopt;
    input.spool(settings.temporary_folder);
    std::optional<SliceLines> lines;
    try {
        Findings reported_later(0);
        const std::unique_ptr<Reader> whole = open_reader(input, settings, reported_later);
        lines.emplace(*whole, settings);
    } catch (const Error& error) {
        // The view meets the same fault of the first line, and reports it.
        if (error.failure() != Failure::input) throw;
    }
    input.seek(0);
    return lines;
}

}  // namespace

void render_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<SliceLines> slice = slice_lines(input, settings);
    Decoder decoder(input, settings.limits, findings);
    const Lines& lines = decoder.lines();
    const auto show = [&] {
        out.decimal(lines.number());
        out.put(" @");
        out.decimal(lines.offset());
        out.put(' ');
        append_json(lines.text(), out);  // a checked line has no other control characters except tabs
        out.put('\n');
    };
    // Decoding reports lines that are valid JSON, but no valid declaration or record.
    Batch batch;
    bool is_pending = decoder.version().empty();
    if (!is_pending) show();
    while (is_pending || decoder.next()) {
        is_pending = false;
        if (!slice) show();
        const std::string_view type = decoder.type();
        const Counts before = Counts::of(decoder);
        decoder.decode(type, batch);
        batch.clear();
        if (slice && slice->has(type, lines.members(), before, Counts::of(decoder))) show();
    }
}

}  // namespace hwtrace::jsonl

#include "laws/trace_story.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <tuple>
#include <utility>

#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "io/text_output.hpp"

namespace hwtrace::test {

namespace {

std::string schema_text(const Schema& schema) {
    TextOutput text(-1, 4096);
    dump_schema(schema, text);
    return std::string(text.text());
}

/// Returns the line of the model dump that declares the track. Omits ids, and shows enums by name and labels.
std::string declaration_of(const Schema& schema, const Track& track) {
    Schema alone;
    Track copy = track;
    copy.scope = none;
    copy.native_id.reset();
    // Attributes and signal values are identified by name. A format may keep equal fields as one.
    if (track.kind == Track::Kind::stream || track.kind == Track::Kind::signal) {
        std::ranges::stable_sort(copy.fields, {}, [](const Field& field) {
            return std::tuple(field.name, field.phase, field.type, field.enumeration);
        });
        copy.fields.erase(std::unique(copy.fields.begin(), copy.fields.end()), copy.fields.end());
    }
    std::string enums;
    for (Field& field : copy.fields) {
        if (field.enumeration >= schema.enums().size()) continue;
        const Enum& used = schema.enums()[std::exchange(field.enumeration, 0)];
        enums.append(" ").append(used.name);
        for (const EnumValue& label : used.values)
            enums.append(" ").append(label.name).append("=").append(std::to_string(label.value));
    }
    alone.declare(std::move(copy));
    std::string line = schema_text(alone);
    line.erase(0, std::string_view("track 0 ").size());
    line.pop_back();
    return line + enums;
}

/// Returns "" for the first object of its name, "#2" for the second, and so on. `is_namesake` compares an earlier
/// object with the object `id`.
template <typename Objects, typename Compare>
std::string namesake_number(const Objects& objects, std::size_t id, Compare is_namesake) {
    const auto end = objects.begin() + static_cast<std::ptrdiff_t>(id);
    const auto earlier =
        std::count_if(objects.begin(), end, [&](const auto& other) { return is_namesake(other, objects[id]); });
    return earlier == 0 ? std::string() : "#" + std::to_string(earlier + 1);
}

bool are_sibling_scopes(const Scope& a, const Scope& b) {
    return a.parent == b.parent && a.name == b.name;
}
bool are_sibling_tracks(const Track& a, const Track& b) {
    return a.kind == b.kind && a.scope == b.scope && a.name == b.name;
}

/// Returns a path such as "root/core0#2/", and adds the names in it to `scopes`.
std::string scope_path(const Schema& schema, ScopeId scope, std::set<std::string>& scopes) {
    std::string path;
    for (; scope != none; scope = schema.scopes()[scope].parent) {
        const std::string number = namesake_number(schema.scopes(), scope, are_sibling_scopes);
        path.insert(0, schema.scopes()[scope].name + number + "/");
        scopes.insert(schema.scopes()[scope].name);
    }
    return path;
}

TrackStory& story_of(const Schema& schema, TrackId id, TraceStory& told) {
    const Track& track = schema.tracks()[id];
    std::set<std::string> scopes{track.name};
    const std::string path =
        scope_path(schema, track.scope, scopes) + track.name + namesake_number(schema.tracks(), id, are_sibling_tracks);
    TrackStory& story = told.tracks[std::string(name_of(track.kind)).append(" ").append(path)];
    story.names = std::move(scopes);
    for (const Field& field : track.fields)
        if (field.enumeration < schema.enums().size()) story.names.insert(schema.enums()[field.enumeration].name);
    return story;
}

void tell(const Schema& schema, const Batch& batch, TraceStory& told) {
    Batch one;
    for (const Record& record : batch.records()) {
        one.clear();
        one.copy(batch, record, record.track).flags &= static_cast<std::uint8_t>(~record_first_of_frame);
        TextOutput text(-1, 4096);
        dump_records(schema, one, text);
        story_of(schema, record.track, told).records.emplace_back(text.text());
        told.records.emplace_back(text.text());
    }
}

/// Adds everything except the records. Call it after the last record, when the schema is complete.
void tell(const Schema& schema, TraceStory& told) {
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        story_of(schema, id, told).declaration = declaration_of(schema, schema.tracks()[id]);
    for (const Clock& clock : schema.clocks())
        told.clocks.push_back(clock.name + " " + std::to_string(clock.period_ps));
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        const Scope& scope = schema.scopes()[id];
        const std::string clock = scope.clock == none ? std::string() : told.clocks[scope.clock];
        ScopeStory story{{}, scope.protocol, clock};
        const std::string path = scope_path(schema, id, story.names);
        told.scopes.emplace(path, std::move(story));
    }
    Schema others;
    for (const Enum& enumeration : schema.enums())
        others.declare(enumeration);
    for (const Metadata& fact : schema.metadata())
        others.describe(fact.key, fact.value);
    std::istringstream lines(schema_text(others));
    for (std::string line; std::getline(lines, line);)
        told.facts.push_back(line);
}

}  // namespace

TraceStory track_story(const Bytes& file, const Format& format, bool raised) {
    TraceStory told;
    Findings findings;
    const Settings settings;
    const Format& to = whole_model();
    Input input = Input::memory("sample", file);
    PreparedSource source(input, format, to, settings, findings);
    Plan plan;
    if (raised) plan = make_raising_plan(source.schema(), to, Choices{}, told.losses);
    StageRun stages(plan);
    const auto take = [&](const Batch& batch) { tell(plan.target_schema(source.schema()), batch, told); };
    Batch batch;
    for (; source.reader().read(batch); batch.clear())
        take(stages.apply(batch));
    stages.finish(take);
    tell(plan.target_schema(source.schema()), told);
    return told;
}

void Named::add(const Losses& losses) {
    for (const auto& entry : losses.entries()) {
        subjects.insert(entry.first.second);
        reordered = reordered || entry.first.first == Loss::order_changed;
    }
}

bool Named::has(const std::string& name) const {
    const std::string field = name + ".";
    return subjects.contains(name) || std::any_of(subjects.begin(), subjects.end(), [&](const std::string& subject) {
               return subject.starts_with(field);
           });
}

bool Named::has(const TrackStory& track) const {
    return has("timescale") || has("dictionary") || (track.records.empty() && has("tracks")) ||
           std::any_of(track.names.begin(), track.names.end(), [&](const std::string& name) { return has(name); });
}

std::string unnamed(const TraceStory& before, const TraceStory& after, const Named& named) {
    std::string missing;
    for (const auto& [path, story] : before.tracks) {
        if (story.records.empty() || named.has(story)) continue;
        const auto returned = after.tracks.find(path);
        if (returned == after.tracks.end()) {
            missing.append(path).append(" is gone; ");
            continue;
        }
        if (story.declaration != returned->second.declaration)
            missing.append(path + ": " + story.declaration + " became " + returned->second.declaration + "; ");
        std::vector<std::string> records = story.records, others = returned->second.records;
        if (named.reordered) {
            std::ranges::sort(records);
            std::ranges::sort(others);
        }
        // Additions by the target, such as the labels of a log, are not losses.
        auto at = others.begin();
        for (const std::string& record : records) {
            at = std::find(at, others.end(), record);
            if (at != others.end()) {
                ++at;
                continue;
            }
            missing.append(path).append(": ").append(record);
            break;
        }
    }
    return missing;
}

std::optional<std::string> unnamed_on_return(const Bytes& file, const Format& format, const Rewritten& there,
                                             const Format& other) {
    Named named;
    named.add(there.losses);
    Rewritten back;
    try {
        back = convert_bytes(there.bytes, other, format, raised_choices(format, {}));
    } catch (const Error& error) {
        INFO(std::string(error.what()));
        CHECK(error.failure() == Failure::input);
        return std::nullopt;
    }
    named.add(back.losses);
    // The losses of a lowered trace may name its tracks, or the tracks that existed before the lowering.
    std::string missing;
    for (const bool raised : {false, true}) {
        missing = unnamed(track_story(file, format, raised), track_story(back.bytes, format, raised), named);
        if (missing.empty()) break;
    }
    return missing;
}

}  // namespace hwtrace::test

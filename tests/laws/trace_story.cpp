#include "laws/trace_story.hpp"

#include <algorithm>
#include <sstream>
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

/// Returns the line of the model dump that declares the track. Omits its id and scope, and shows enums by name.
std::string declaration_of(const Schema& schema, const Track& track) {
    Schema alone;
    Track copy = track;
    copy.scope = none;
    // Attributes and signal values are identified by name.
    if (track.kind == Track::Kind::stream || track.kind == Track::Kind::signal)
        std::ranges::sort(copy.fields, {}, [](const Field& field) { return std::pair(field.name, field.phase); });
    alone.declare(std::move(copy));
    std::string line = schema_text(alone);
    line.erase(0, std::string_view("track 0 ").size());
    line.pop_back();
    for (const Field& field : track.fields)
        if (field.enumeration < schema.enums().size()) line.append(" ").append(schema.enums()[field.enumeration].name);
    return line;
}

/// Returns a path such as "root/core0/", and adds the names in it to `scopes`.
std::string scope_path(const Schema& schema, ScopeId scope, std::set<std::string>& scopes) {
    std::string path;
    for (; scope != none; scope = schema.scopes()[scope].parent) {
        path.insert(0, schema.scopes()[scope].name + "/");
        scopes.insert(schema.scopes()[scope].name);
    }
    return path;
}

TrackStory& story_of(const Schema& schema, const Track& track, TraceStory& told) {
    std::set<std::string> scopes{track.name};
    const std::string path = scope_path(schema, track.scope, scopes) + track.name;
    TrackStory& story = told.tracks[std::string(name_of(track.kind)).append(" ").append(path)];
    story.names = std::move(scopes);
    return story;
}

void tell(const Schema& schema, const Batch& batch, TraceStory& told) {
    Batch one;
    for (const Record& record : batch.records()) {
        one.clear();
        one.copy(batch, record, record.track).flags &= static_cast<std::uint8_t>(~record_first_of_frame);
        TextOutput text(-1, 4096);
        dump_records(schema, one, text);
        story_of(schema, schema.tracks()[record.track], told).records.emplace_back(text.text());
        told.records.emplace_back(text.text());
    }
}

/// Adds everything except the records. Call it after the last record, when the schema is complete.
void tell(const Schema& schema, TraceStory& told) {
    for (const Track& track : schema.tracks())
        story_of(schema, track, told).declaration = declaration_of(schema, track);
    std::set<std::string> untold;
    for (const Clock& clock : schema.clocks())
        told.clocks.push_back(clock.name + " " + std::to_string(clock.period_ps));
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        const Scope& scope = schema.scopes()[id];
        const std::string clock = scope.clock == none ? std::string() : told.clocks[scope.clock];
        std::string facts = scope.protocol;
        if (scope.native_id) facts.append(" #").append(std::to_string(*scope.native_id));
        told.scopes.emplace(scope_path(schema, id, untold), ScopeStory{std::move(facts), clock});
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

bool is_declared_like(const TrackStory& before, const TrackStory& after) {
    std::string declaration = after.declaration;
    const std::size_t number = declaration.find(" id=");
    if (number != std::string::npos && before.declaration.find(" id=") == std::string::npos)
        declaration.erase(number, declaration.find(' ', number + 1) - number);
    return before.declaration == declaration;
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

}  // namespace hwtrace::test

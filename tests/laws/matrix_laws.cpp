// Laws of converting every format to every other: formats/README.md shows the results, and every difference is covered
// by a loss.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "formats.hpp"
#include "io/advised_error.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "pipeline/model_dump.hpp"
#include "pipeline/prescan.hpp"
#include "pipeline/stage_run.hpp"
#include "support/corpus.hpp"

namespace matrix_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// The formats of the table in formats/README.md, with the names that the table uses.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> named_formats{
    {{"stf", "STF"}, {"uscope", "µScope"}, {"pccx", "pccx"}, {"ftr", "FTR"}, {"flux", "flux"}, {"jsonl", "jsonl"}}};

/// The contents of a track.
struct TrackStory {
    std::set<std::string> names;       ///< the track's name and the names of its scopes
    std::vector<std::string> records;  ///< as in the model dump, without frames
};
using Tracks = std::map<std::string, TrackStory>;  // by kind, scopes and name

void tell(const Schema& schema, const Batch& batch, Tracks& tracks) {
    Batch one;
    for (const Record& record : batch.records()) {
        const Track& track = schema.tracks()[record.track];
        std::string path = track.name;
        std::set<std::string> names{track.name};
        for (ScopeId scope = track.scope; scope != none; scope = schema.scopes()[scope].parent) {
            path.insert(0, schema.scopes()[scope].name + "/");
            names.insert(schema.scopes()[scope].name);
        }
        one.clear();
        one.copy(batch, record, record.track).flags &= static_cast<std::uint8_t>(~record_first_of_frame);
        TextOutput text(-1, 4096);
        dump_records(schema, one, text);
        TrackStory& story = tracks[std::string(name_of(track.kind)).append(" ").append(path)];
        story.names = names;
        story.records.emplace_back(text.text());
    }
}

Tracks tracks_of(const Bytes& file, const Format& format, bool raised) {
    Tracks tracks;
    Findings findings;
    const Settings settings;
    Losses untold;
    const Format& to = whole_model();
    Input input = Input::memory("sample", file);
    PreparedSource source(input, format, to, settings, findings);
    Plan plan;
    if (raised) plan = make_raising_plan(source.schema(), to, Choices{}, untold);
    StageRun stages(plan);
    const auto take = [&](const Batch& batch) { tell(plan.target_schema(source.schema()), batch, tracks); };
    Batch batch;
    for (; source.reader().read(batch); batch.clear())
        take(stages.apply(batch));
    stages.finish(take);
    return tracks;
}

/// The subjects that losses name, such as "read" or the field "read.address". `reordered` is true if a loss concerns
/// the record order.
struct Named {
    std::set<std::string> subjects;
    bool reordered = false;

    void add(const Losses& losses) {
        for (const auto& entry : losses.entries()) {
            subjects.insert(entry.first.second);
            reordered = reordered || entry.first.first == Loss::order_changed;
        }
    }
    bool has(const std::string& name) const {
        const std::string field = name + ".";
        return subjects.contains(name) ||
               std::ranges::any_of(subjects, [&](const std::string& subject) { return subject.starts_with(field); });
    }
};

/// Returns the tracks with differences that no loss explains. A loss of the whole file, such as its time scale or its
/// strings, explains differences in all tracks.
std::string unnamed(const Tracks& before, Tracks after, const Named& named) {
    std::string missing;
    for (const auto& [path, story] : before) {
        const auto is_named = [&](const std::string& name) { return named.has(name); };
        if (is_named("timescale") || is_named("dictionary") || std::ranges::any_of(story.names, is_named)) continue;
        std::vector<std::string> records = story.records;
        std::vector<std::string>& returned = after[path].records;
        if (named.reordered) {
            std::ranges::sort(records);
            std::ranges::sort(returned);
        }
        // Additions by the target, such as the labels of a log, are not losses.
        auto at = returned.begin();
        for (const std::string& record : records) {
            at = std::find(at, returned.end(), record);
            if (at != returned.end()) {
                ++at;
                continue;
            }
            missing.append(path).append(": ").append(record);
            break;
        }
    }
    return missing;
}

/// The results of converting the samples of one format to another.
struct Cell {
    std::size_t lossless = 0, lossy = 0, refused = 0;
    std::set<std::string_view> losses;
    std::set<std::string> reasons;

    std::string text() const {
        std::string text;
        const auto add = [&](std::string_view what, std::size_t files) {
            if (files == 0) return;
            text.append(text.empty() ? "" : "; ").append(what).append(" ").append(std::to_string(files));
        };
        const auto list = [&](const auto& names) {
            char before = ':';
            for (const auto& name : names)
                (text += std::exchange(before, ',')).append(" ").append(name);
        };
        add("lossless", lossless);
        add("lossy", lossy);
        if (lossy != 0) list(losses);
        add("refused", refused);
        if (refused != 0) list(reasons);
        return text;
    }
};
using Matrix = std::map<std::string_view, std::map<std::string_view, Cell>>;

std::string table_of(const Matrix& matrix) {
    std::string head = "| from → to |", line = "|---|", rows;
    for (const auto& [key, name] : named_formats) {
        head.append(" ").append(name).append(" |");
        line.append("---|");
        rows.append("| **").append(name).append("** |");
        for (const auto& target : named_formats)
            rows.append(" ").append(matrix.at(key).at(target.first).text()).append(" |");
        rows.append("\n");
    }
    return head + "\n" + line + "\n" + rows;
}

/// Returns the table of formats/README.md, without the comments around it.
std::string table_in_readme() {
    std::istringstream readme(read_text(source_file("formats/README.md")));
    std::string table;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
        if (line.starts_with("<!-- "))
            inside = line == "<!-- made by tests/laws/matrix_laws.cpp -->";
        else if (inside)
            table.append(line).append("\n");
    }
    return table;
}

/// Converts every good sample to every format and back. Checks that losses name all differences.
Matrix convert_and_check() {
    Matrix matrix;
    std::size_t compared = 0;
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        const Bytes& file = sample.content.bytes;
        for (const Format* other : formats()) {
            CAPTURE(other->name);
            Cell& cell = matrix[sample.format->name][other->name];
            Rewritten there;
            try {
                there = convert_bytes(file, *sample.format, *other);
            } catch (const Error& error) {
                CHECK(error.failure() == Failure::input);
                const auto* const advised = dynamic_cast<const AdvisedError*>(&error);
                const std::string why(advised == nullptr ? std::string_view(error.what()) : advised->fact());
                ++cell.refused;
                const std::size_t colon = why.find(": ");
                cell.reasons.insert(colon == std::string::npos ? why : why.substr(colon + 2));
                continue;
            }
            ++(there.losses.none() ? cell.lossless : cell.lossy);
            for (const auto& entry : there.losses.entries())
                cell.losses.insert(name_of(entry.first.first));
            if (there.losses.none()) continue;  // other laws cover lossless conversions
            Named named;
            named.add(there.losses);
            Rewritten back;
            try {
                back = convert_bytes(there.bytes, *other, *sample.format, raised_choices(*sample.format, {}));
            } catch (const Error& error) {
                CHECK(error.failure() == Failure::input);
                continue;
            }
            named.add(back.losses);
            ++compared;
            // The losses of a lowered trace may name its tracks, or the tracks that existed before the lowering.
            for (const bool raised : {false, true}) {
                const std::string missing = unnamed(tracks_of(file, *sample.format, raised),
                                                    tracks_of(back.bytes, *sample.format, raised), named);
                if (raised) CHECK(missing == "");
                if (missing.empty()) break;
            }
        }
    }
    MESSAGE(compared << " lossy ones compared");
    return matrix;
}

/// Returns the result of convert_and_check(), which the first call computes.
const Matrix& matrix() {
    static const Matrix made = convert_and_check();
    return made;
}

}  // namespace

TEST_CASE("law 3: a loss names everything that is not restored") {
    CHECK(!matrix().empty());
}

TEST_CASE("the table of formats/README.md equals the results of all conversions") {
    if (!is_full_run())
        skip_case("the table counts every file, but this run uses a sample");
    else if (corpus("stf"))
        CHECK(table_in_readme() == table_of(matrix()));
}

}  // namespace matrix_laws

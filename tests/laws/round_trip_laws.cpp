// Laws of round trips: nothing is lost silently.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "formats.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "support/lines.hpp"

namespace round_trip_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

std::string view_text(const Bytes& file, const Format& format) {
    Input input = Input::memory("sample", file);
    Findings findings;
    TextOutput text(-1);
    format.views.front().render(input, text, {}, findings);
    return std::string(text.text());
}

/// Returns the record lines of the model dump sorted by time, then by track. Relations are last, without their time.
std::string canonical_records(const Story& story) {
    struct Line {
        long long time;
        std::string track, text;
    };
    std::vector<Line> lines;
    std::istringstream text(story.records);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        Line made{0, {}, line};
        std::string kind;
        words >> made.time >> kind >> made.track;
        if (kind == "relation") {
            made.time = std::numeric_limits<long long>::max();
            made.track = made.text = line.substr(line.find(" relation "));
        }
        lines.push_back(std::move(made));
    }
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return a.time != b.time ? a.time < b.time : a.track < b.track;
    });
    std::string sorted;
    for (const Line& line : lines)
        sorted.append(line.text).append("\n");
    return sorted;
}

/// Returns a view without what depends on the storage of an FTR file: the line about its schema mark, and the streams
/// of relations, which the writer adds to relations that lack them. The model has the streams that the source states.
std::string without_storage(const std::string& view) {
    std::istringstream text(view);
    std::string rest;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("# hwtrace.ftr.schema ")) continue;
        if (line.starts_with("relation ")) line.resize(std::min(line.size(), line.rfind(" streams ")));
        rest.append(line).append("\n");
    }
    return rest;
}

/// Returns the lines of a schema in alphabetical order, without the track ids.
std::string canonical_schema(const std::string& schema) {
    std::vector<std::string> lines;
    std::istringstream text(schema);
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("track ")) line.erase(6, line.find(' ', 6) - 6);
        lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    std::string sorted;
    for (const std::string& line : lines)
        sorted.append(line).append("\n");
    return sorted;
}

std::vector<TimeModel> time_models() {
    std::vector<TimeModel> models(4);
    models[1].period_ps = 400;
    models[2].instructions_per_cycle = Ratio{3, 2};
    models[3].period_ps = 7;
    models[3].instructions_per_cycle = Ratio{2, 5};
    return models;
}

/// Returns the time models of the traces in testdata/ that were made from instructions.
std::vector<TimeModel> clocks_of_testdata() {
    std::vector<TimeModel> models(2);
    models[1].period_ps = 400;
    models[1].instructions_per_cycle = Ratio{3, 2};
    return models;
}

}  // namespace

TEST_CASE("law 1: a trace rewritten in its format is read as the same model") {
    std::size_t checked = 0;
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        const Story original = read_story(sample.content.bytes, *sample.format, CheckLevel::full);
        const Rewritten again = convert_bytes(sample.content.bytes, *sample.format, *sample.format);
        CHECK(again.losses.none());
        const Story copy = read_story(again.bytes, *sample.format, CheckLevel::full);
        CHECK(copy.good());
        if (original.silent()) CHECK(copy.findings == std::vector<std::string>{});
        CHECK(difference(original.lasting_schema(), copy.lasting_schema()) == "");
        CHECK(difference(original.records, copy.records) == "");
        ++checked;
    }
    CHECK(checked >= at_least(12));
    MESSAGE(checked << " traces");
}

TEST_CASE("law 2: rewriting a rewritten trace gives the same bytes") {
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        const Bytes first = convert_bytes(sample.content.bytes, *sample.format, *sample.format).bytes;
        const Bytes second = convert_bytes(first, *sample.format, *sample.format).bytes;
        CHECK(first == second);
    }
}

TEST_CASE("law 3: if no loss is reported, converting back gives the same trace, and every loss is predicted") {
    std::size_t back_and_forth = 0, lossy = 0, refused = 0;
    for (const Sample& sample : good_samples()) {
        // Rewriting the trace in its own format must keep the model. Only the storage may change.
        const Bytes own = convert_bytes(sample.content.bytes, *sample.format, *sample.format).bytes;
        const Story canonical = read_story(own, *sample.format);
        const Story original = read_story(sample.content.bytes, *sample.format);
        // The model dump shows string ids, which another format assigns anew.
        const bool has_lasting_view = !sample.format->writes.accepts_any_trace();
        const std::string own_view = has_lasting_view ? without_storage(view_text(own, *sample.format)) : std::string();
        for (const Format* other : formats()) {
            if (other == sample.format) continue;
            CAPTURE(sample.name);
            CAPTURE(other->name);
            for (const TimeModel& time : time_models()) {
                Rewritten there;
                try {
                    there = convert_bytes(sample.content.bytes, *sample.format, *other, time);
                } catch (const Error& error) {
                    CHECK(error.failure() == Failure::input);
                    ++refused;
                    break;
                }
                CHECK(there.unexpected() == std::vector<std::string>{});
                CHECK(read_story(there.bytes, *other, CheckLevel::full).good());
                if (!there.losses.none()) {
                    ++lossy;
                    break;
                }
                // Instruction traces store no times, so converting back needs the clock as an option.
                const bool timeless = other->writes.holds.has(Shape::hart);
                Rewritten back;
                Story returned;
                for (const TimeModel& clock : timeless ? clocks_of_testdata() : std::vector<TimeModel>{{}}) {
                    back = convert_bytes(there.bytes, *other, *sample.format, raised_choices(*sample.format, clock));
                    returned = read_story(back.bytes, *sample.format);
                    if (returned.records == original.records) break;
                }
                CHECK(back.lost_but_facts_of(*other, *sample.format) == std::vector<std::string>{});
                const bool has_order = sample.format->reads.time_ordered ||
                                       (other->reads.time_ordered && sample.format->reads.shapes.has(Shape::stream));
                if (has_order)
                    CHECK(difference(original.records, returned.records) == "");
                else  // Neither the order between tracks nor the order of signals in different
                      // domains has a meaning.
                    CHECK(difference(canonical_records(original), canonical_records(returned)) == "");
                if (other->writes.time == TimeLimit::only_picoseconds) {  // the schema equals the source's again
                    if (has_order)
                        CHECK(difference(canonical.schema, returned.schema) == "");
                    else
                        CHECK(difference(canonical_schema(canonical.schema), canonical_schema(returned.schema)) == "");
                    if (has_lasting_view)
                        CHECK(difference(own_view, without_storage(view_text(back.bytes, *sample.format))) == "");
                }
                ++back_and_forth;
                if (timeless) break;  // time models do not affect this direction
            }
        }
    }
    MESSAGE(back_and_forth << " there and back, " << lossy << " with losses, " << refused << " refused");
    CHECK(back_and_forth >= at_least(20));
}

TEST_CASE("converting twice gives the same bytes, whatever the number of threads") {
    for (const Sample& sample : good_samples()) {
        for (const Format* other : formats()) {
            CAPTURE(sample.name);
            CAPTURE(other->name);
            try {
                const Bytes once = convert_bytes(sample.content.bytes, *sample.format, *other).bytes;
                Choices with_threads;
                with_threads.settings.jobs = 4;
                CHECK(once == convert_bytes(sample.content.bytes, *sample.format, *other, with_threads).bytes);
            } catch (const Error& error) {
                CHECK(error.failure() == Failure::input);
            }
        }
    }
}

}  // namespace round_trip_laws

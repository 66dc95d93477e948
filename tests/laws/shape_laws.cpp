// Laws of targets that are known only by the shapes that they hold: no such target refuses a trace that it could hold,
// and none loses more because it holds more.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convert/model_dump.hpp"
#include "formats.hpp"
#include "io/cursor.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "laws/trace_story.hpp"

namespace shape_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// The shapes that a target may hold besides records of its own.
constexpr std::array chosen_shapes{Shape::event_type,    Shape::storage, Shape::signal, Shape::stream,
                                   Shape::relation_type, Shape::hart,    Shape::notes};
constexpr unsigned vectors = 1u << chosen_shapes.size();

/// A set of shapes, as the bits of their indexes in chosen_shapes.
using Vector = unsigned;

constexpr Vector bit_of(Shape shape) {
    return 1u << static_cast<unsigned>(std::ranges::find(chosen_shapes, shape) - chosen_shapes.begin());
}
/// Vectors with one of these shapes hold every trace.
constexpr Vector carriers =
    bit_of(Shape::event_type) | bit_of(Shape::storage) | bit_of(Shape::signal) | bit_of(Shape::stream);

std::string name_of(Vector vector) {
    std::string name;
    for (const Shape shape : chosen_shapes)
        if ((vector & bit_of(shape)) != 0) name.append(name.empty() ? "{" : ", ").append(hwtrace::name_of(shape));
    return name.empty() ? "{}" : name + "}";
}

/// Returns a format that holds these shapes, and is stored as jsonl.
Format format_of(Vector vector) {
    Format toy = *find_format(formats(), "jsonl");
    toy.name = "toy";
    toy.writes.raises = nullptr;
    toy.writes.holds = {};
    toy.reads.shapes = {Shape::native};
    for (const Shape shape : chosen_shapes) {
        if ((vector & bit_of(shape)) == 0) continue;
        toy.writes.holds.add(shape);
        toy.reads.shapes.add(shape);
    }
    return toy;
}

/// Writes a line for each record.
class LogWriter final : public Writer {
public:
    LogWriter(Output& output, const Schema& schema) : output_(output), schema_(schema) {}
    void write(const Batch& batch) override {
        dump_records(schema_, batch, text_);
        output_.append(as_bytes(text_.text()));
        text_.clear();
    }
    void finish() override {}

private:
    Output& output_;
    const Schema& schema_;
    TextOutput text_{-1, 4096};
};

/// The conversion of a source to a vector.
struct Outcome {
    std::optional<std::string> refusal;
    std::set<std::pair<Loss, std::string>> losses;  ///< with the names of tracks
};

Outcome outcome_of(const Sample& sample, Vector vector) {
    Outcome outcome;
    try {
        const Rewritten there = convert_bytes(sample.content.bytes, *sample.format, format_of(vector));
        for (const auto& [key, entry] : there.losses.entries())
            outcome.losses.insert({key.first, key.second});
        CHECK(there.unexpected() == std::vector<std::string>{});
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        outcome.refusal = error.what();
    }
    return outcome;
}

/// Returns the losses of `more` that `less` does not have. A track that `less` drops cannot lose more.
std::string added_losses(const Outcome& less, const Outcome& more) {
    std::string added;
    for (const auto& entry : more.losses) {
        const Loss loss = entry.first;
        const std::string& subject = entry.second;
        const bool is_dropped = std::ranges::any_of(
            std::array{Loss::kind_dropped, Loss::relation_dropped, Loss::native_dropped}, [&](Loss dropped) {
                return less.losses.contains({dropped, subject});
            });
        if (!is_dropped && !less.losses.contains({loss, subject}))
            added.append(hwtrace::name_of(loss)).append(" of ").append(subject).append("; ");
    }
    return added;
}

/// Returns small traces that together have every shape: for each format, the smallest file with each set of shapes.
std::vector<Sample> sources() {
    std::map<std::pair<std::string_view, std::string>, const Sample*> smallest;
    for (const Sample& sample : good_samples()) {
        if (sample.content.bytes.size() > 64'000) continue;
        const TraceStory story = track_story(sample.content.bytes, *sample.format, false);
        std::string shapes;
        for (const auto& [path, track] : story.tracks)
            if (const std::string kind = path.substr(0, path.find(' '));
                !track.records.empty() && shapes.find(kind) == std::string::npos)
                shapes.append(kind).append(" ");
        const Sample*& best = smallest[{sample.format->name, shapes}];
        if (best == nullptr || sample.content.bytes.size() < best->content.bytes.size()) best = &sample;
    }
    std::vector<Sample> found;
    for (const auto& [key, sample] : smallest)
        found.push_back(*sample);
    return found;
}

}  // namespace

TEST_CASE("targets known by their shapes: none refuses what it can carry, and more shapes lose no more") {
    std::size_t compared = 0;
    for (const Sample& sample : sources()) {
        CAPTURE(sample.name);
        std::vector<Outcome> outcomes;
        for (Vector vector = 0; vector < vectors; ++vector) {
            CAPTURE(name_of(vector));
            outcomes.push_back(outcome_of(sample, vector));
            if ((vector & carriers) != 0) CHECK(outcomes.back().refusal.value_or("") == "");
        }
        for (Vector vector = 0; vector < vectors; ++vector) {
            for (const Shape shape : chosen_shapes) {
                const Vector fewer = vector & ~bit_of(shape);
                if (fewer == vector) continue;
                CAPTURE(name_of(fewer));
                CAPTURE(name_of(vector));
                ++compared;
                const Outcome &less = outcomes[fewer], &more = outcomes[vector];
                if (less.refusal) continue;
                CHECK(more.refusal.value_or("") == "");
                CHECK(added_losses(less, more) == "");
            }
        }
    }
    MESSAGE(vectors << " vectors, " << compared << " pairs compared");
}

TEST_CASE("targets known by their shapes: losses name everything that does not return") {
    std::size_t compared = 0;
    for (const Sample& sample : sources()) {
        CAPTURE(sample.name);
        const Bytes& file = sample.content.bytes;
        for (Vector vector = 0; vector < vectors; ++vector) {
            if ((vector & carriers) == 0 || (std::popcount(vector) > 2 && !is_full_run())) continue;
            CAPTURE(name_of(vector));
            const Format toy = format_of(vector);
            const Rewritten there = convert_bytes(file, *sample.format, toy);
            const auto missing = unnamed_on_return(file, *sample.format, there, toy);
            compared += missing ? 1 : 0;
            CHECK(missing.value_or("") == "");
        }
    }
    MESSAGE(compared << " compared");
}

TEST_CASE("targets that hold only events, or intervals, events and signals: every trace arrives") {
    static constexpr std::array<std::string_view, 1> extensions{".log"};
    for (const Holdings& holds :
         {Holdings{Shape::event_type}, Holdings{Shape::stream, Shape::event_type, Shape::signal}}) {
        Format log{};
        log.name = "log";
        log.title = "a line for each record";
        log.extensions = extensions;
        log.writes.holds = holds;
        log.make_writer = [](Output& output, const Schema& schema, const Settings&,
                             Losses&) -> std::unique_ptr<Writer> {
            return std::make_unique<LogWriter>(output, schema);
        };
        for (const Sample& sample : good_samples()) {
            if (sample.content.bytes.size() > 64'000) continue;
            CAPTURE(sample.name);
            const Rewritten made = convert_bytes(sample.content.bytes, *sample.format, log);
            CHECK(made.unexpected() == std::vector<std::string>{});
            const Story story = read_story(sample.content.bytes, *sample.format);
            CHECK(made.bytes.empty() == story.records.empty());
        }
    }
}

}  // namespace shape_laws

// Laws of random models: they are written in every format and read back, and a loss names everything that is not
// restored.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "convert/verify.hpp"
#include "formats.hpp"
#include "io/number_text.hpp"
#include "laws/law_support.hpp"
#include "laws/random_model.hpp"
#include "laws/trace_story.hpp"

namespace random_model_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t first_seed = 1;
/// Models that once lost something without a report. They are tested in every run.
constexpr std::array<std::uint64_t, 2> once_wrong{3800, 7629};

/// Returns the number of models per format and kind: a few by default, 10,000 on request.
std::uint64_t models_a_format() {
    const std::uint64_t usual = share_of(300);
    const char* const wanted = std::getenv("HWTRACE_MODELS");
    return wanted == nullptr ? usual : parse_count(wanted).value_or(usual);
}

/// Returns the seeds of the models to test, or the requested seeds (HWTRACE_SEEDS=7629,3800).
std::vector<std::uint64_t> seeds_a_format() {
    std::vector<std::uint64_t> seeds;
    if (const char* const wanted = std::getenv("HWTRACE_SEEDS")) {
        std::istringstream list{std::string(wanted)};
        for (std::string seed; std::getline(list, seed, ',');)
            seeds.push_back(parse_count(seed).value_or(first_seed));
        return seeds;
    }
    const std::uint64_t models = models_a_format();
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed)
        seeds.push_back(seed);
    for (const std::uint64_t seed : once_wrong)
        if (seed >= first_seed + models) seeds.push_back(seed);
    return seeds;
}

/// Returns true for metadata and tracks that belong to the format itself, "<format>.…".
bool is_own(std::string_view name, const Format& format) {
    return name.starts_with(std::string(format.name).append("."));
}

std::string first_difference(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    const auto [a, b] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const auto at = [](const auto& place, const std::vector<std::string>& list) {
        return place == list.end() ? std::string("nothing") : "'" + place->substr(0, place->find('\n')) + "'";
    };
    return at(a, before).append(" became ").append(at(b, after));
}

/// Returns the sort key of a track's record. Records with equal times keep their order, unless a loss concerns the
/// order.
std::pair<long long, std::string_view> time_of(const std::string& record) {
    return {std::stoll(record), {}};
}
std::pair<long long, std::string_view> as_it_is(const std::string& record) {
    return {0, record};
}

/// Returns true for a line "metadata "format.key" = ...", which the format writes for each of its files.
bool is_own_fact(const std::string& fact, const Format& format) {
    return fact.starts_with(std::string("metadata \"").append(format.name).append("."));
}

bool names_fact(const Named& named, const std::string& fact) {
    return std::ranges::any_of(named.subjects, [&](const std::string& subject) {
        const std::string_view line = fact;
        const std::string quoted = '"' + subject + '"';
        return line.starts_with("metadata " + quoted + " ") ||
               (line.starts_with("enum ") && line.find(' ' + quoted) == line.find(" \""));
    });
}

/// Returns a difference after the round trip through a format that no loss names. Returns an empty string if there is
/// none.
std::string unnamed_difference(const TraceStory& before, const TraceStory& after, const Named& named,
                               const Format& format) {
    for (const auto& [path, track] : before.tracks) {
        // Only its own format understands a native track. A native track without records carries no information.
        const bool is_nothing = track.records.empty() && track.declaration.starts_with("native ");
        if (is_nothing || named.has(track)) continue;
        const auto returned = after.tracks.find(path);
        if (returned == after.tracks.end()) return path + " is gone";
        if (track.declaration != returned->second.declaration)
            return path + ": " + track.declaration + " became " + returned->second.declaration;
        std::vector<std::string> records = track.records, others = returned->second.records;
        for (std::vector<std::string>* const list : {&records, &others})
            std::ranges::stable_sort(*list, {}, named.reordered ? as_it_is : time_of);
        if (records != others) return path + ": " + first_difference(records, others);
    }
    // A format may declare tracks in every trace. If data was lost, a track that replaces it is not a difference.
    for (const auto& [path, track] : after.tracks)
        if (named.subjects.empty() && !track.records.empty() && !before.tracks.contains(path) && !named.has(track) &&
            std::ranges::none_of(track.names, [&](const std::string& name) { return is_own(name, format); }))
            return path + " was made";
    // The target may add clocks and assign them to scopes that have none.
    for (const std::string& clock : before.clocks)
        if (std::ranges::find(after.clocks, clock) == after.clocks.end() &&
            !named.has(clock.substr(0, clock.find(' '))))
            return "clock " + clock + " is gone";
    for (const auto& [path, scope] : before.scopes) {
        const auto returned = after.scopes.find(path);
        if (std::ranges::any_of(scope.names, [&](const std::string& name) { return named.subjects.contains(name); }))
            continue;
        if (returned == after.scopes.end()) return "scope " + path + " is gone";
        const ScopeStory& other = returned->second;
        const bool is_given =
            scope.clock.empty() && std::ranges::find(before.clocks, other.clock) == before.clocks.end();
        const bool is_named = !scope.clock.empty() && named.has(scope.clock.substr(0, scope.clock.find(' ')));
        if (other.protocol != scope.protocol || (other.clock != scope.clock && !is_given && !is_named))
            return "scope " + path + ": '" + scope.protocol + "' " + scope.clock + " became '" + other.protocol + "' " +
                   other.clock;
    }
    std::vector<std::string> facts = before.facts, others = after.facts;
    // The format adds facts about its file. In a trace of this format, their order has no meaning.
    std::erase_if(others, [&](const std::string& fact) {
        return is_own_fact(fact, format) && std::ranges::find(facts, fact) == facts.end();
    });
    if (std::ranges::any_of(facts, [&](const std::string& fact) { return is_own_fact(fact, format); })) {
        std::ranges::sort(facts);
        std::ranges::sort(others);
    }
    if (named.subjects.empty()) return facts == others ? std::string() : first_difference(facts, others);
    for (const std::string& fact : facts)
        if (!names_fact(named, fact) && std::ranges::find(others, fact) == others.end()) return fact + " is gone";
    return {};
}

struct Tally {
    std::uint64_t lossless = 0, lossy = 0, refused = 0;
    std::map<std::string_view, std::uint64_t> losses = {};  ///< number of models that have the loss
    std::map<std::string, std::uint64_t> reasons = {};      ///< number of refusals by reason

    std::string text() const {
        std::string text;
        const auto add = [&](std::string_view what, std::uint64_t models, const auto& why) {
            text.append(text.empty() ? "" : ", ").append(std::to_string(models)).append(" ").append(what);
            char before = '(';
            for (const auto& [name, count] : why)
                (text += std::exchange(before, ';') == '(' ? std::string(" (") : std::string("; "))
                    .append(name)
                    .append(" ")
                    .append(std::to_string(count));
            if (before != '(') text += ')';
        };
        add("lossless", lossless, std::map<std::string, std::uint64_t>{});
        add("lossy", lossy, losses);
        add("refused", refused, reasons);
        return text;
    }
};

/// Describes what is wrong with a model after the round trip through a format. Returns an empty string if nothing is.
std::string failure_of(const Bytes& model, const Format& format, Tally& tally) {
    const Format& lines = *find_format(formats(), "jsonl");
    const Choices choices;
    Rewritten there;
    try {
        there = convert_bytes(model, lines, format, choices);
    } catch (const Error& error) {
        if (error.failure() != Failure::input) return std::string("refused: ") + error.what();
        ++tally.refused;
        ++tally.reasons[error.what()];
        return {};
    }
    std::string unforetold;
    for (const std::string& loss : there.unexpected())
        unforetold.append("not foretold: ").append(loss).append("; ");
    if (!unforetold.empty()) return unforetold;
    const Story written = read_story(there.bytes, format, CheckLevel::full);
    // A warning may be right about the model, such as the warning about an unknown cycle length.
    if (written.failure || written.verdict != Verdict::valid || written.effect != Effect::harmless)
        return "the file is bad" + (written.findings.empty() ? std::string() : ": " + written.findings.front());

    const bool lossless = there.losses.none();
    ++(lossless ? tally.lossless : tally.lossy);
    std::set<std::string_view> kinds;
    for (const auto& entry : there.losses.entries())
        kinds.insert(name_of(entry.first.first));
    for (const std::string_view kind : kinds)
        ++tally.losses[kind];
    const TraceStory before = track_story(model, lines, false), after = track_story(there.bytes, format, true);
    Named named;
    named.add(there.losses);
    if (!lossless) named.add(after.losses);
    const std::string difference = unnamed_difference(before, after, named, format);
    std::string losses;
    for (const std::string& loss : there.lost_but_facts_of(lines, format))
        losses.append("; ").append(loss);
    if (!difference.empty()) return (lossless ? "lossless: " : "lossy: ") + difference + losses;
    if (!lossless) return {};
    if (!after.losses.none()) return "losses on the way back: " + after.losses.entries().begin()->first.second;
    Input source = Input::memory("model", model), output = Input::memory("output", there.bytes);
    const auto differs = verify_conversion(source, lines, output, format, choices);
    return differs ? "--verify: '" + differs->expected + "' became '" + differs->got + "'" : std::string();
}

Tally check_models(const Format& format, const ModelParts& parts) {
    Tally tally;
    for (const std::uint64_t seed : seeds_a_format()) {
        CAPTURE(seed);
        std::string failure;
        try {
            failure = failure_of(RandomModel(seed, parts).file(), format, tally);
        } catch (const std::exception& error) {
            failure = std::string("failed: ") + error.what();
        }
        CHECK(failure == "");
    }
    return tally;
}

}  // namespace

TEST_CASE("10,000 random models are restored unchanged from JSON Lines, with the same bytes") {
    const Format& lines = *find_format(formats(), "jsonl");
    const std::uint64_t models = share_of(10'000);
    for (std::uint64_t seed = first_seed; seed < first_seed + models; ++seed) {
        CAPTURE(seed);
        const Bytes file = RandomModel(seed, seed % 2 == 0 ? any_parts() : hostile(any_parts())).file();
        const Choices choices;
        const Rewritten there = convert_bytes(file, lines, lines, choices);
        CHECK(there.losses.none());
        CHECK(there.bytes == file);
        CHECK(read_story(file, lines, CheckLevel::full).silent());
        Input source = Input::memory("model", file), output = Input::memory("output", there.bytes);
        CHECK_FALSE(verify_conversion(source, lines, output, lines, choices).has_value());
    }
    MESSAGE("seeds " << first_seed << " to " << first_seed + models - 1);
}

TEST_CASE("random models are restored from every format, except for predicted losses") {
    for (const Format* format : formats()) {
        SUBCASE(std::string(format->name).c_str()) {
            CAPTURE(format->name);
            const std::vector<std::uint64_t> seeds = seeds_a_format();
            const Tally any = check_models(*format, any_parts());
            const Tally native = check_models(*format, native_parts(*format));
            const Tally hostile_any = check_models(*format, hostile(any_parts()));
            const Tally hostile_native = check_models(*format, hostile(native_parts(*format)));
            const auto tell = [&](std::string_view what, const Tally& tally) {
                MESSAGE(format->name << ", " << what << ", " << seeds.size() << " seeds from " << seeds.front()
                                     << " on: " << tally.text());
            };
            if (native_parts(*format).comes_back) CHECK(native.lossless >= seeds.size() / 2);
            tell("any models", any);
            tell("models of its own kind", native);
            if (format->name == "flux" || format->name == "jsonl")
                tell("arrays with labelled elements", check_models(*format, hostile(flux_array_parts())));
            tell("hostile models", hostile_any);
            tell("hostile models of its own kind", hostile_native);
        }
    }
}

}  // namespace random_model_laws

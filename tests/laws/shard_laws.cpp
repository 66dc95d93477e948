// Laws of shards: they divide a trace, and put together they are the trace again.
#include <doctest/doctest.h>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "laws/law_support.hpp"
#include "laws/trace_story.hpp"
#include "operate/concatenated_reader.hpp"
#include "operate/concatenation.hpp"
#include "operate/position_count.hpp"
#include "select/positions.hpp"

namespace shard_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 60'000;

bool is_rewritten(const Format& format) {
    return format.can_write() && !format.writes.is_picture;
}

std::uint64_t positions_of(const Bytes& file, const Format& format) {
    Input input = Input::memory("sample", file);
    return count_positions(input, format, format, Choices{});
}

/// Returns true for files whose shards cannot be put together.
bool is_exception(const Sample& sample) {
    // Logs of pipelines cannot restate tables.
    if (sample.format->name == "kanata" || sample.format->name == "o3pipeview") return true;
    // Some records use a string before it is declared.
    if (sample.name.ends_with("jsonl/valid/everything.jsonl")) return true;
    // A control entry closes the trace and opens it again, so its positions begin again.
    if (sample.name.ends_with("flux/v4/v4_21_control.flux")) return true;
    // Only some shards need femtoseconds.
    return sample.name.ends_with("txlog/valid/recorder.lwtrt");
}

/// Returns true for files whose shards make the same trace with other bytes: the form of relations depends on the
/// streams that a shard knows, and empty blocks belong to no shard.
bool has_other_bytes(const Sample& sample) {
    return sample.name.ends_with("my_db_c.ftr") || sample.name.ends_with("48_empty_txblock.ftr") ||
           sample.name.ends_with("relation_old.hex");
}

/// A shard while it is read.
struct OpenShard {
    OpenShard(const Bytes& bytes, const Concatenation& how)
        : input(Input::memory("shard", bytes)), source(input, how.shards, how.raised_for(), settings, findings) {}
    Settings settings{};
    Findings findings{};
    Input input;
    PreparedSource source;
};

/// Puts shards together as hwtrace-merge --concat does.
Bytes concatenated(const std::vector<Bytes>& files, const Concatenation& how) {
    Losses losses;
    std::deque<OpenShard> shards;
    std::vector<ShardSource> sources;
    Choices raising;
    raising.range = Range{Range::Unit::record, 0, std::nullopt};
    for (const Bytes& file : files) {
        OpenShard& shard = shards.emplace_back(file, how);
        Plan plan = make_raising_plan(shard.source.schema(), how.raised_for(), raising, losses);
        check_joinable(how, RaisedShards(plan), plan.target_schema(shard.source.schema()));
        sources.push_back({"shard", &shard.source.reader(), &shard.source.schema(), std::move(plan)});
    }
    const RaisedShards raised(sources.front().plan);
    Choices choices;
    choices.settings.source_format = how.source().name;
    ConcatenatedReader reader(std::move(sources), choices.settings.limits, how.numbers());
    const PreparedSource& first = shards.front().source;
    const SourceFormat from = how.source_format(first.format(), raised, reader.schema());
    Plan plan = make_plan(reader.schema(), from, how.to, choices, losses);
    how.check_same_form(plan.target_schema(reader.schema()), first.schema());
    Bytes made;
    const auto output = open_memory_output("whole", [&](Bytes bytes) { made = std::move(bytes); });
    const Settings for_writer = how.for_writer(first, choices.settings);
    const auto writer = how.to.create(*output, plan.target_schema(reader.schema()), for_writer, losses);
    convert(reader, plan, *writer);
    output->commit();
    return made;
}

/// Puts shards together. Tries the second way if the origin is unknown, as the command does.
Bytes joined(const std::vector<Bytes>& files, const Format& format, const Format* origin) {
    Concatenation how{format, format, origin, Concatenation::first_way(format, origin)};
    try {
        return concatenated(files, how);
    } catch (const NotContinued&) {
        if (origin != nullptr) throw;
        how.raise = Raise::all;
    }
    return concatenated(files, how);
}

std::vector<Bytes> shards_of(const Bytes& file, const Format& from, const Format& to, std::uint64_t count,
                             std::uint64_t positions) {
    std::vector<Bytes> shards;
    for (std::uint64_t number = 1; number <= count; ++number) {
        Choices choices;
        choices.range = range_of({number, count}, positions);
        shards.push_back(convert_bytes(file, from, to, choices).bytes);
    }
    return shards;
}

/// Returns how `made` differs from `whole`, or an empty string.
std::string difference_of(const Bytes& made, const Bytes& whole, const Format& format) {
    if (made == whole) return "";
    const TraceStory is = track_story(made, format, false), wanted = track_story(whole, format, false);
    return is.records == wanted.records && is.facts == wanted.facts ? "the bytes differ" : "the records differ";
}

/// Returns why the shards of `file` are not the whole, or an empty string.
std::string fault_of(const Bytes& file, const Bytes& whole, const Format& format, std::uint64_t count,
                     std::uint64_t positions) {
    try {
        return difference_of(joined(shards_of(file, format, format, count, positions), format, &format), whole, format);
    } catch (const Error& error) {
        return error.what();
    }
}

/// Returns true if converted shards of a trace are put together to the bytes of the whole, false if they are refused.
/// Anything else fails.
bool joins(const std::vector<Bytes>& shards, const Bytes& whole, const Format& to, const Format* origin) {
    Bytes made;
    try {
        made = joined(shards, to, origin);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        return false;
    }
    CHECK(difference_of(made, whole, to) == "");
    return true;
}

}  // namespace

TEST_CASE("shards of a trace, put together, are the bytes of the whole") {
    std::uint64_t compared = 0;
    for (const Sample& sample : law_samples(corpus_limit)) {
        const Format& format = *sample.format;
        if (!is_rewritten(format) || is_exception(sample) || !read_story(sample.content.bytes, format).good()) continue;
        CAPTURE(sample.name);
        std::optional<Bytes> whole;
        try {
            whole = convert_bytes(sample.content.bytes, format, format).bytes;
        } catch (const Error&) {
            continue;  // the format reads more than it writes
        }
        const std::uint64_t positions = positions_of(sample.content.bytes, format);
        std::vector<std::uint64_t> counts{2, 3, 8};
        if (positions < 40) counts.push_back(positions + 2);
        for (const std::uint64_t count : counts) {
            CAPTURE(count);
            const std::string fault = fault_of(sample.content.bytes, *whole, format, count, positions);
            if (!has_other_bytes(sample) || fault != "the bytes differ") CHECK(fault == "");
            ++compared;
        }
    }
    CHECK(compared >= at_least(100));
}

TEST_CASE("if a conversion of the whole loses nothing, its shards lose nothing") {
    for (const Sample& sample : law_samples(0)) {
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        if (!is_rewritten(format) || is_exception(sample) || !read_story(file, format).good()) continue;
        // A relation of FTR has the time of the record before it, which may be in another shard.
        if (format.name == "ftr") continue;
        CAPTURE(sample.name);
        try {
            if (!convert_bytes(file, format, format).losses.none()) continue;
        } catch (const Error&) {
            continue;  // the format reads more than it writes
        }
        const std::uint64_t positions = positions_of(file, format);
        for (std::uint64_t number = 1; number <= 7; ++number) {
            CAPTURE(number);
            Choices choices;
            choices.range = range_of({number, 7}, positions);
            CHECK(convert_bytes(file, format, format, choices).losses.none());
        }
    }
}

TEST_CASE("converted shards are put together to the bytes of the whole, or are refused") {
    std::uint64_t joined_pairs = 0;
    for (const Sample& sample : law_samples(0)) {
        const Format& from = *sample.format;
        const Bytes& file = sample.content.bytes;
        if (from.can_write() && from.writes.is_picture) continue;
        if (!read_story(file, from).good()) continue;
        CAPTURE(sample.name);
        for (const Format* const to : formats()) {
            if (!is_rewritten(*to) || !to->can_read() || to == &from || !to->writes.holds.protocol().empty()) continue;
            CAPTURE(to->name);
            try {
                const Bytes whole = convert_bytes(file, from, *to).bytes;
                Choices choices;
                Input input = Input::memory("sample", file);
                const std::uint64_t positions = count_positions(input, from, *to, choices);
                for (const std::uint64_t count : {2U, 3U, 7U}) {
                    CAPTURE(count);
                    const std::vector<Bytes> shards = shards_of(file, from, *to, count, positions);
                    if (joins(shards, whole, *to, &from)) ++joined_pairs;
                    joins(shards, whole, *to, nullptr);
                }
            } catch (const Error&) {
                continue;  // the target holds nothing of the trace
            }
        }
    }
    CHECK(joined_pairs >= at_least(100));
}

}  // namespace shard_laws

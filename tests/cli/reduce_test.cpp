// tests/cli/reduce_test.cpp - the law of partial statistics: those of all shards give exactly what the whole trace
// gives.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/info_command.hpp"
#include "cli/info_examination.hpp"
#include "cli/info_in_shards.hpp"
#include "cli/info_partial.hpp"
#include "cli/info_report.hpp"
#include "formats.hpp"
#include "io/base64.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "operate/index_making.hpp"
#include "support/corpus.hpp"
#include "support/testdata.hpp"

namespace hwtrace::cli::reduce_test {
namespace {

using namespace hwtrace::test;

constexpr std::uint64_t corpus_limit = 300'000;

FileInfo examined(const std::string& path, const std::optional<Shard>& shard) {
    InfoOptions options(formats());
    options.partial = shard.has_value();
    if (shard) options.part.shard = std::to_string(shard->number) + "/" + std::to_string(shard->count);
    Messages messages = options.common.messages("hwtrace-info");
    return examine_trace(path, options, messages);
}

/// Writes the partial statistics of a shard and returns the path.
std::string partial_file(const std::string& trace, const Shard& shard, const std::filesystem::path& path) {
    std::ofstream(path) << to_text(partial_json(examined(trace, shard), shard));
    return path.string();
}

void write_bytes(const std::string& path, const std::vector<std::byte>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Writes an index with many checkpoints beside a trace. Returns false if the trace has no checkpoints.
bool write_dense_index(const std::string& trace, const Format& format) {
    Input input = Input::open(trace);
    Findings unheard(0);
    const auto output =
        open_memory_output("index", [&](const std::vector<std::byte>& made) { write_bytes(trace + ".hwtidx", made); });
    const bool has_states = write_index(input, format, {}, unheard, {3, 0}, *output).has_states;
    output->commit();
    return has_states;
}

/// Returns what three threads find in a trace that has an index; nullopt if they cannot share the work.
std::optional<FileInfo> examined_by_threads(const std::string& path) {
    const InfoOptions options(formats());
    Messages messages = options.common.messages("hwtrace-info");
    const TraceFile trace = open_trace(path, options.common, messages);
    Settings settings = options.common.settings();
    settings.jobs = 3;
    return examined_in_shards(path, trace, options, settings, [](std::uint64_t) {});
}

FileInfo reduced_of(const std::vector<std::string>& paths) {
    return reduced(paths, formats(), InfoOptions(formats()).common.settings());
}

std::string json_of(const FileInfo& info) {
    return to_pretty_text(to_json(info, JsonIntegers::numbers));
}

/// Returns the texts around the first difference, or an empty string if there is none.
std::string first_difference(std::string_view a, std::string_view b) {
    if (a == b) return "";
    std::size_t at = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at])
        ++at;
    const std::size_t begin = at < 200 ? 0 : at - 200;
    return "\n" + std::string(a.substr(begin, 400)) + "\n--- and ---\n" + std::string(b.substr(begin, 400));
}

/// Returns why the shards of a trace are not the whole, or an empty string.
std::string fault_of(const std::string& trace, const std::string& whole, std::uint64_t count,
                     const TemporaryFolder& folder) {
    try {
        std::vector<std::string> paths;
        // In another order than that of the trace.
        for (std::uint64_t number = count; number > 0; --number)
            paths.push_back(
                partial_file(trace, {number, count}, folder / ("part-" + std::to_string(number) + ".json")));
        return first_difference(whole, json_of(reduced_of(paths)));
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<Sample> valid_samples() {
    std::vector<Sample> samples = testdata_samples();
    for (std::vector<Sample> more : {picture_samples(), read_only_samples(), corpus_samples(corpus_limit)})
        for (Sample& sample : more)
            samples.push_back(std::move(sample));
    std::erase_if(samples, [](const Sample& sample) { return !sample.valid; });
    return samples;
}

/// Writes the trace to a file whose name has the extension of the sample's.
std::string trace_file(const Sample& sample, const TemporaryFolder& folder) {
    std::string name = std::filesystem::path(sample.name).filename().string();
    if (name.ends_with(".hex")) name.resize(name.size() - 4);
    const std::string path = (folder / name).string();
    write_bytes(path, sample.content.bytes);
    return path;
}

}  // namespace

TEST_CASE("partial statistics of shards reduce to exactly those of the whole trace") {
    std::uint64_t compared = 0;
    for (const Sample& sample : valid_samples()) {
        CAPTURE(sample.name);
        const TemporaryFolder folder;
        const std::string trace = trace_file(sample, folder);
        std::optional<FileInfo> whole;
        std::uint64_t positions = 0;
        try {
            whole = examined(trace, std::nullopt);
            positions = examined(trace, Shard{2, 2}).of_shard->range.begin;
        } catch (const Error&) {
            continue;  // traces of several harts have no common positions
        }
        std::vector<std::uint64_t> counts{2, 3, 8};
        if (positions < 20) counts.push_back(2 * positions + 3);  // more shards than positions
        for (const std::uint64_t count : counts) {
            CAPTURE(count);
            CHECK(fault_of(trace, json_of(*whole), count, folder) == "");
            ++compared;
        }
    }
    CHECK(compared > 300);
}

TEST_CASE("threads that share a trace by its index find exactly what one finds") {
    std::uint64_t indexed = 0, shared = 0;
    for (const Sample& sample : valid_samples()) {
        CAPTURE(sample.name);
        const TemporaryFolder folder;
        const std::string trace = trace_file(sample, folder);
        std::optional<FileInfo> by_one;
        try {
            by_one = examined(trace, std::nullopt);
            if (!write_dense_index(trace, *sample.format)) continue;
        } catch (const Error&) {
            continue;  // a waveform, or a limit
        }
        ++indexed;
        const std::optional<FileInfo> by_threads = examined_by_threads(trace);
        if (!by_threads) continue;
        ++shared;
        CHECK(first_difference(json_of(*by_one), json_of(*by_threads)) == "");
    }
    MESSAGE(shared << " of " << indexed << " traces with an index");
    CHECK(shared >= (std::getenv("HWTRACE_CORPUS") == nullptr ? 1 : 2));  // most files of testdata are too short
}

TEST_CASE("forged partial statistics are refused or give other numbers, but never crash") {
    // The environment may ask for more.
    const char* const wanted = std::getenv("HWTRACE_FORGED");
    const std::uint64_t forgeries = wanted == nullptr ? 10 : std::stoull(wanted);
    std::mt19937_64 random(7);
    std::uint64_t refused = 0, made = 0;
    std::set<std::string_view> formats_done;
    for (const Sample& sample : valid_samples()) {
        // The largest valid files of a format have most sections; any of a few will do.
        const bool is_wanted = sample.content.bytes.size() > 500 && !formats_done.contains(sample.format->name);
        if (!is_wanted) continue;
        CAPTURE(sample.name);
        const TemporaryFolder folder;
        const std::string trace = trace_file(sample, folder);
        try {
            examined(trace, Shard{1, 2});
        } catch (const Error&) {
            continue;
        }
        formats_done.insert(sample.format->name);
        const std::vector<std::string> paths{partial_file(trace, {1, 2}, folder / "1.json"),
                                             partial_file(trace, {2, 2}, folder / "2.json")};
        const Json honest = Json::parse(read_text(paths[1]));
        for (const auto& section : honest.at("state").items()) {
            const auto bytes = bytes_of_base64(section.value().get<std::string>()).value();
            for (std::uint64_t i = 0; i < forgeries && !bytes.empty(); ++i) {
                auto forged = bytes;
                for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes)
                    forged[random() % forged.size()] = static_cast<std::byte>(random());
                if (random() % 8 == 0) forged.resize(random() % forged.size());
                Json json = honest;
                json["state"][section.key()] = base64_of(forged);
                std::ofstream(folder / "2.json") << to_text(json);
                ++made;
                bool is_known = true;
                try {
                    is_known = !json_of(reduced_of(paths)).empty();
                } catch (const Error& error) {
                    is_known = error.failure() == Failure::input || error.failure() == Failure::limit ||
                               error.failure() == Failure::usage;
                    ++refused;
                }
                CHECK(is_known);
            }
        }
    }
    CHECK(formats_done.size() >= 8);
    CHECK(made > 0);
    CHECK(refused > 0);
}

}  // namespace hwtrace::cli::reduce_test

// Laws of checks in parts: the shards of a trace, and threads that share a trace, report what one check of the whole
// reports.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/trace_index.hpp"
#include "formats.hpp"
#include "hwtrace/validation.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "laws/law_support.hpp"
#include "operate/index_making.hpp"
#include "operate/scan_in_parts.hpp"
#include "select/positions.hpp"
#include "support/corpus.hpp"

namespace checked_parts_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 20'000;

/// Returns an index of `file` with many checkpoints; null if it has none.
std::shared_ptr<const TraceIndex> dense_index(const Bytes& file, const Format& format) {
    Input input = Input::memory("sample", file);
    Findings unheard(0);
    Bytes bytes;
    try {
        const auto output = open_memory_output("index", [&](Bytes made) { bytes = std::move(made); });
        if (write_index(input, format, {}, unheard, {3, 0}, *output, {}).checkpoints == 0) return nullptr;
        output->commit();
    } catch (const Error&) {
        return nullptr;
    }
    TraceIndex::Fault fault{};
    return TraceIndex::open(std::move(bytes), input, format.name, fault);
}

/// What a check reports.
struct Checked {
    std::vector<std::string> findings;
    std::uint64_t records = 0;
};

/// Adds what the check of a shard, or of the whole file, reports. Returns false if the check ended early.
bool check(const Bytes& file, const Format& format, CheckLevel level, const std::optional<Shard>& shard,
           const std::shared_ptr<const TraceIndex>& index, Checked& checked) {
    ValidationOptions options;
    options.format = &format;
    options.level = level;
    options.shard = shard;
    options.findings_per_rule = 10'000;
    options.find_index = [&](const Input&, const Format&) { return index; };
    const ValidationReport report = validate(Input::memory("sample", file), options);
    for (const Finding& finding : report.findings.kept())
        checked.findings.push_back(describe(finding));
    checked.records += report.counts.records;
    return !report.failure;
}

/// Returns the number of shards of `file` that were checked together and report what the whole does.
std::uint64_t check_shards(const Bytes& file, const Format& format, const std::shared_ptr<const TraceIndex>& index) {
    std::uint64_t compared = 0;
    for (const CheckLevel level : {CheckLevel::full, CheckLevel::semantic}) {
        Checked whole;
        if (!check(file, format, level, std::nullopt, nullptr, whole)) continue;
        for (const std::uint64_t count : {3U, 8U}) {
            CAPTURE(name_of(level));
            CAPTURE(count);
            Checked parts;
            for (std::uint64_t number = 1; number <= count; ++number)
                CHECK(check(file, format, level, Shard{number, count}, index, parts));
            CHECK(parts.findings == whole.findings);
            CHECK(parts.records == whole.records);
            compared += count;
        }
    }
    return compared;
}

/// Returns a Kanata log with more stages than the model can name, which is a warning about the whole log.
Bytes log_of_many_stages() {
    std::string log = "Kanata\t0004\nC=\t0\n";
    for (int i = 0; i < 60; ++i) {
        const std::string id = std::to_string(i);
        log += "I\t" + id + "\t" + id + "\t0\n";
        for (int stage = 0; stage < 5; ++stage)
            log += "S\t" + id + "\t0\tS" + std::to_string(5 * i + stage) + "\nC\t1\n";
        log += "R\t" + id + "\t" + id + "\t0\n";
    }
    const auto bytes = std::as_bytes(std::span(log));
    return {bytes.begin(), bytes.end()};
}

void write_bytes(const std::filesystem::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Returns what three threads count in `file`, whose `index` need not be of the same trace.
std::optional<ScanCounts> counted_by_threads(const Bytes& file, const Format& format, CheckLevel level,
                                             const TraceIndex& index) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "trace";
    write_bytes(path, file);
    Settings settings;
    settings.check = level;
    settings.jobs = 3;
    return scan_in_parts(path, Input::open(path), format, settings, index);
}

}  // namespace

TEST_CASE("shards of a trace report its findings together, and each finding once") {
    std::uint64_t compared = 0, with_index = 0;
    for (const Sample& sample : law_samples(corpus_limit)) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        compared += check_shards(sample.content.bytes, format, nullptr);
        if (const auto index = dense_index(sample.content.bytes, format))
            with_index += check_shards(sample.content.bytes, format, index);
        // Bytes behind the end, which are only a warning in some formats.
        Bytes longer = sample.content.bytes;
        longer.resize(longer.size() + 16, std::byte{0x5A});
        if (const auto index = dense_index(longer, format)) with_index += check_shards(longer, format, index);
        // A fault behind the first records.
        Bytes damaged = sample.content.bytes;
        if (damaged.empty()) continue;
        damaged[damaged.size() / 3 * 2] ^= std::byte{0x40};
        compared += check_shards(damaged, format, nullptr);
    }
    CHECK(compared >= at_least(3'000));
    CHECK(with_index >= at_least(1000));
}

TEST_CASE("shards report what concerns a log as a whole") {
    const Format& kanata = *find_format(formats(), "kanata");
    const Bytes log = log_of_many_stages();
    const auto index = dense_index(log, kanata);
    REQUIRE(index != nullptr);
    Checked whole;
    REQUIRE(check(log, kanata, CheckLevel::full, std::nullopt, nullptr, whole));
    CHECK(whole.findings.size() == 1);
    CHECK(check_shards(log, kanata, index) > 0);
    CHECK_FALSE(counted_by_threads(log, kanata, CheckLevel::full, *index));
}

TEST_CASE("threads that share the check of a trace count what one does, and leave findings to it") {
    std::uint64_t indexed = 0, shared = 0, distrusted = 0;
    for (const Sample& sample : law_samples(corpus_limit)) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        const auto index = dense_index(file, format);
        if (!index) continue;
        for (const CheckLevel level : {CheckLevel::structure, CheckLevel::full, CheckLevel::semantic}) {
            ++indexed;
            const auto agrees = [&](const Bytes& bytes, const std::optional<ScanCounts>& counts) {
                Checked whole;
                return check(bytes, format, level, std::nullopt, nullptr, whole) && whole.findings.empty() &&
                       whole.records == counts->records;
            };
            const auto counts = counted_by_threads(file, format, level, *index);
            if (counts) CHECK(agrees(file, counts));
            shared += counts.has_value();
            // The same index beside another trace of the same size.
            for (std::size_t part = 1; part <= 4; ++part) {
                Bytes other = file;
                other[(file.size() - 1) * part / 4] ^= std::byte{0x04};
                const auto of_other = counted_by_threads(other, format, level, *index);
                if (of_other) CHECK(agrees(other, of_other));
                distrusted += !of_other;
            }
        }
    }
    MESSAGE(shared << " of " << indexed << " checks shared; " << distrusted << " of changed traces not shared");
    CHECK(shared >= at_least(30));
    CHECK(distrusted >= at_least(100));
}

}  // namespace checked_parts_laws

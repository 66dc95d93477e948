// Laws of checks in parts: the shards of a trace report together what one check of the whole reports.
#include <doctest/doctest.h>

#include <cstdint>
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
#include "select/positions.hpp"

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

/// The findings of a check, and the number of records that it has read.
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
        CAPTURE(name_of(level));
        constexpr std::uint64_t count = 3;
        Checked parts;
        for (std::uint64_t number = 1; number <= count; ++number)
            CHECK(check(file, format, level, Shard{number, count}, index, parts));
        CHECK(parts.findings == whole.findings);
        CHECK(parts.records == whole.records);
        compared += count;
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
    CHECK(compared >= at_least(1'000));
    CHECK(with_index >= at_least(300));
}

TEST_CASE("an index knows whether a byte of its trace has changed") {
    for (const Sample& sample : law_samples(corpus_limit)) {
        CAPTURE(sample.name);
        const auto index = dense_index(sample.content.bytes, *sample.format);
        if (!index) continue;
        CHECK(has_same_bytes(*index, Input::memory("sample", sample.content.bytes), [] { return false; }));
        CHECK_FALSE(has_same_bytes(*index, Input::memory("sample", sample.content.bytes), [] { return true; }));
        Bytes changed = sample.content.bytes;
        changed[changed.size() / 2] ^= std::byte{0x01};
        CHECK_FALSE(has_same_bytes(*index, Input::memory("sample", changed), [] { return false; }));
    }
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
}

}  // namespace checked_parts_laws

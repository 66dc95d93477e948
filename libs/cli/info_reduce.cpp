// The part of info_partial.hpp that joins the statistics of shards.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cli/info_partial.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

/// A section whose statistics of shards do not add up to those of the trace, and the reason.
struct OtherSection {
    std::string_view name, why;
};
constexpr std::array other_sections{
    OtherSection{"activity", "intervals of several shards may overlap"},
    OtherSection{"arrivals", "the time between two shards is in neither of them"},
    OtherSection{"relations", "related intervals may be in different shards"},
    OtherSection{"roofline", "it needs the activity"},
    OtherSection{"signals", "values last beyond the end of a shard"},
    OtherSection{"profile", "blocks, cache lines and pcs are in several shards"},
    OtherSection{"functions", "calls last beyond the end of a shard"},
    OtherSection{"statistics", "slots and entities last beyond the end of a shard"},
};

std::string name_of(const Shard& shard) {
    return fmt::format("{}/{}", shard.number, shard.count);
}

/// Checks that these are all shards of one trace, in order.
void check_shards(const std::vector<PartialInfo>& partials) {
    const PartialInfo& first = partials.front();
    const std::uint64_t count = first.shard.count;
    for (const PartialInfo& one : partials) {
        if (one.shard.count != count)
            fail(Failure::usage, fmt::format("{} is shard {}, but {} is shard {}: all must be of one division",
                                             one.path, name_of(one.shard), first.path, name_of(first.shard)));
        if (one.info.format != first.info.format || one.info.size != first.info.size || one.sample != first.sample)
            fail(Failure::usage, fmt::format("{} ({}) and {} ({}) are statistics of different traces", first.path,
                                             first.info.file, one.path, one.info.file));
    }
    std::uint64_t expected = 1;
    for (std::size_t i = 0; i < partials.size(); ++i, ++expected) {
        const Shard& shard = partials[i].shard;
        if (i > 0 && shard == partials[i - 1].shard)
            fail(Failure::usage,
                 fmt::format("{} and {} are both shard {}", partials[i - 1].path, partials[i].path, name_of(shard)));
        if (shard.number != expected) break;
    }
    if (expected <= count)
        fail(Failure::usage, fmt::format("shard {0} is missing; make it: hwtrace-info {1} --shard {0} --partial",
                                         name_of({expected, count}), first.info.file));
    for (std::size_t i = 1; i < partials.size(); ++i)
        if (partials[i - 1].range.end != partials[i].range.begin)
            fail(Failure::usage, fmt::format("{} does not begin where {} ends: they are statistics of different traces",
                                             partials[i].path, partials[i - 1].path));
}

void add_counts(ScanCounts& sum, const ScanCounts& more) {
    std::ranges::transform(sum.records_by_kind, more.records_by_kind, sum.records_by_kind.begin(), std::plus<>());
    sum.records += more.records;
    if (!more.first_time) return;
    sum.first_time = std::min(sum.first_time.value_or(*more.first_time), *more.first_time);
    sum.last_time = std::max(sum.last_time.value_or(*more.last_time), *more.last_time);
}

/// Joins the results of all shards. Returns false if join() does.
template <typename Result>
bool join_all(std::optional<Result>& sum, const std::vector<PartialInfo>& partials,
              std::optional<Result> FileInfo::*member) {
    bool is_exact = true;
    for (const PartialInfo& partial : partials) {
        const std::optional<Result>& more = partial.info.*member;
        if (!more) continue;
        if (sum)
            is_exact = sum->join(*more) && is_exact;
        else
            sum = more;
    }
    return is_exact;
}

/// Leaves out facts that were not read, or are not the same in all shards.
void reduce_facts(FileInfo& info, const std::vector<PartialInfo>& partials) {
    std::set<std::string> missing;
    for (const PartialInfo& partial : partials)
        missing.insert(partial.moving_facts.begin(), partial.moving_facts.end());
    for (const PartialInfo& partial : partials)
        for (const Fact& fact : partial.info.facts)
            if (std::ranges::find(info.facts, fact) == info.facts.end() || text_of(fact) == "not checked")
                missing.insert(fact.key);
    std::erase_if(info.facts, [&](const Fact& fact) { return missing.contains(fact.key); });
    for (const std::string& name : missing)
        info.not_reduced.push_back({"facts." + name, "known after the whole trace was read"});
}

bool has_unknown_percentiles(const FileInfo& info) {
    const auto is_unknown = [](const auto& row) {
        if constexpr (requires { row.summary; })
            return row.summary.durations.precision == Precision::unknown;
        else
            return row.durations.precision == Precision::unknown;
    };
    return (info.intervals && std::ranges::any_of(info.intervals->tracks, is_unknown)) ||
           (info.names && std::ranges::any_of(info.names->names, is_unknown));
}

}  // namespace

FileInfo reduced(std::vector<PartialInfo> partials) {
    std::ranges::stable_sort(partials, {}, [](const PartialInfo& one) { return one.shard.number; });
    check_shards(partials);
    FileInfo info;
    const FileInfo& first = partials.front().info;
    info.file = first.file;
    info.format = first.format;
    info.size = first.size;
    info.facts = first.facts;
    info.is_reduced = true;
    info.counts.emplace();
    std::set<std::string> sections;
    for (const PartialInfo& partial : partials) {
        add_counts(*info.counts, *partial.info.counts);
        info.effect = std::max(info.effect, partial.info.effect);
        info.broken = info.broken || partial.info.broken;
        info.unit = partial.info.unit;  // the last shard knows all tracks
        sections.insert(partial.sections.begin(), partial.sections.end());
    }
    reduce_facts(info, partials);
    if (!join_all(info.intervals, partials, &FileInfo::intervals))
        fail(Failure::usage, fmt::format("{} and others are statistics of different traces: their tracks differ",
                                         partials.front().path));
    if (!join_all(info.names, partials, &FileInfo::names)) {
        info.names.reset();
        info.not_reduced.push_back({"names", "there are more than 256 of them"});
    }
    if (!join_all(info.instructions, partials, &FileInfo::instructions)) {
        info.instructions.reset();
        info.not_reduced.push_back({"instructions", "there are more than 4096 kinds of events"});
    }
    if (has_unknown_percentiles(info))
        info.not_reduced.push_back({"percentiles", "too many histograms; the whole trace may give other ones"});
    for (const OtherSection& section : other_sections)
        if (sections.contains(std::string(section.name)))
            info.not_reduced.push_back({std::string(section.name), std::string(section.why)});
    return info;
}

}  // namespace hwtrace::cli

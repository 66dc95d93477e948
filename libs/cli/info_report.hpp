// cli/info_report.hpp - prints what hwtrace-info found in a file, as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "operate/scan.hpp"
#include "select/range.hpp"
#include "views/activity.hpp"
#include "views/arrivals.hpp"
#include "views/function_profile.hpp"
#include "views/instruction_profile.hpp"
#include "views/instruction_statistics.hpp"
#include "views/interval_statistics.hpp"
#include "views/named_intervals.hpp"
#include "views/relation_latencies.hpp"
#include "views/roofline.hpp"
#include "views/signal_statistics.hpp"
#include "views/statistics.hpp"

namespace hwtrace::cli {

/// The partial statistics of one kind, as bytes.
struct SavedSection {
    std::string name;
    std::vector<std::byte> bytes;
};

struct FileInfo {
    std::string file;
    const Format* format = nullptr;
    std::optional<std::uint64_t> size;
    Facts facts;
    std::string part;                  ///< the options that choose the slice; empty: the whole trace
    std::optional<ScanCounts> counts;  ///< nullopt with --quick
    std::string unit;                  ///< unit of times; see time_unit()
    std::optional<Activity> activity;  ///< nullopt without intervals
    std::optional<IntervalStatistics> intervals;
    std::optional<Arrivals> arrivals;  ///< nullopt also if intervals are out of order and cannot be sorted
    std::optional<RelationLatencies> relations;
    std::optional<DurationsByName> names;
    std::optional<Roofline> roofline;
    std::optional<SignalStatistics> signals;
    std::optional<Statistics> statistics;  ///< nullopt without tables and events
    std::optional<InstructionStatistics> instructions;
    std::optional<InstructionProfile> profile;
    std::shared_ptr<const Symbols> symbols;    ///< null without --elf
    std::optional<FunctionProfile> functions;  ///< nullopt without --elf or instructions
    /// A section or fact that is missing, because statistics of shards do not give it (--reduce).
    struct NotReduced {
        std::string name, why;
    };
    std::vector<NotReduced> not_reduced;
    /// The rest of partial statistics. The statistics of a whole trace lack it.
    struct OfShard {
        Range range;                           ///< the positions of the shard
        Facts facts_at_end{};                  ///< after the shard was read
        std::string sample;                    ///< see sample_of()
        std::vector<SavedSection> sections{};  ///< the schema and the statistics
    };
    std::optional<OfShard> of_shard;
    Effect effect = Effect::harmless;
    bool broken = false;  ///< see breaks_its_format
};

void print_text(const FileInfo& info, Volume volume, TextOutput& out);
Json to_json(const FileInfo& info, JsonIntegers integers);

}  // namespace hwtrace::cli

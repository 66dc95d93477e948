#include "cli/info_in_shards.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "cli/index_file.hpp"
#include "cli/info_examination.hpp"
#include "cli/info_partial.hpp"
#include "cli/messages.hpp"
#include "cli/ordered_work.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

/// Ends the work on all shards.
struct NotInShards {};

bool needs_one_pass(const InfoOptions& options) {
    return options.part.any() || options.quick || options.interval || options.reuse || options.elf.any();
}

/// Examines the shards of one trace.
class ShardExamination {
public:
    ShardExamination(const std::string& path, const InfoOptions& options, const Settings& settings)
        : path_(path), options_(options), settings_(settings) {
        options_.partial = true;
        settings_.jobs = 1;
    }

    /// Returns the index beside the trace; null if none can be used. An index is not necessary, so nothing is said.
    std::shared_ptr<const TraceIndex> index_of(const TraceFile& trace) { return index_beside(path_, trace, unheard_); }

    /// Returns the statistics of a shard. Throws NotInShards if there is a finding, or if another shard has failed.
    PartialInfo of(const Shard& shard, const ProgressListener& progress) {
        try {
            return examined(shard, progress);
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

private:
    PartialInfo examined(const Shard& shard, const ProgressListener& progress) {
        std::string unsaid;
        Messages messages = unheard_.into(unsaid);
        TraceFile trace = open_trace(path_, options_.common, messages);
        std::shared_ptr<const TraceIndex> index = index_beside(path_, trace, messages);
        if (!index) throw NotInShards();
        InfoOptions options = options_;
        options.part.shard = name_of(shard);
        Findings findings(0);
        findings.screen([this](const Finding&) { return stopped_ = true; });
        const ProgressListener listener = [&](std::uint64_t bytes) {
            if (stopped_) throw NotInShards();
            if (progress) progress(bytes);
        };
        Examination examination{trace, std::move(index), settings_, findings, listener, messages};
        PartialInfo partial{path_, shard, measured(examination, options)};
        if (stopped_) throw NotInShards();
        return partial;
    }

    const std::string& path_;
    InfoOptions options_;
    Settings settings_;
    std::atomic<bool> stopped_ = false;
    std::string unsaid_;
    Messages unheard_ = Messages("", Volume::quiet, Colour::off).into(unsaid_);
};

}  // namespace

std::optional<FileInfo> examined_in_shards(const std::string& path, const TraceFile& trace, const InfoOptions& options,
                                           const Settings& settings, const ProgressListener& progress) {
    if (settings.jobs <= 1 || needs_one_pass(options)) return std::nullopt;
    ShardExamination examination(path, options, settings);
    std::size_t count = 0;
    if (const auto index = examination.index_of(trace))
        count = std::min<std::size_t>(settings.jobs, index->checkpoints().size() + 1);
    if (count <= 1) return std::nullopt;
    std::vector<PartialInfo> shards;
    try {
        const auto examine = [&](std::size_t i) {
            // All shards advance at about the same speed.
            const ProgressListener of_first = [&](std::uint64_t bytes) { progress(bytes * count); };
            return examination.of({i + 1, count}, i == 0 ? of_first : ProgressListener());
        };
        work_in_order(count, static_cast<unsigned>(count), examine,
                      [&](PartialInfo partial) { shards.push_back(std::move(partial)); });
        FileInfo info = reduced(shards, settings.limits);
        if (info.not_reduced.empty()) return info;
    } catch (const NotInShards&) {
    } catch (const Error& error) {
        if (error.failure() == Failure::internal) throw;
    }
    return std::nullopt;
}

}  // namespace hwtrace::cli

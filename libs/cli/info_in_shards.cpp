#include "cli/info_in_shards.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/index_file.hpp"
#include "cli/info_examination.hpp"
#include "cli/info_partial.hpp"
#include "cli/messages.hpp"
#include "cli/ordered_work.hpp"
#include "codec/resumable.hpp"
#include "io/error.hpp"
#include "operate/index_making.hpp"

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
    ShardExamination(const std::string& path, const Format& format, const InfoOptions& options,
                     const Settings& settings)
        : path_(path), format_(format), options_(options), settings_(settings) {
        options_.partial = true;
        settings_.jobs = 1;
    }

    /// Returns the number of shards for so many threads; 1 if the trace must be read from its beginning.
    std::size_t count(const Input& trace, unsigned jobs) {
        // A pipe that was copied cannot be opened again.
        if (trace.identity() != Input::identity_of(path_)) return 1;
        index_ = index_beside(path_, trace, format_);
        if (!index_ || index_->checkpoints().empty() || !finds_locally()) return 1;
        return std::min<std::size_t>(jobs, index_->checkpoints().size() + 1);
    }

    /// Checks that the index was made of the trace as it is now. Throws NotInShards if not, or if a shard has failed.
    void check_bytes() {
        guarded([&] {
            if (!has_same_bytes(*index_, Input::open(path_), [this] { return stopped_.load(); })) throw NotInShards();
        });
    }

    /// Returns the statistics of a shard. Throws NotInShards if there is a finding, or if another shard has failed.
    PartialInfo of(const Shard& shard, const ProgressListener& progress) {
        return guarded([&] { return examined(shard, progress); });
    }

private:
    /// Does a part of the work. If it fails, the others end, too.
    template <typename Work>
    std::invoke_result_t<Work&> guarded(Work&& work) {
        try {
            return work();
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

    bool finds_locally() const {
        Input input = Input::open(path_);
        Findings unheard(0);
        const auto reader = format_.open(input, settings_, unheard);
        const auto* const resumable = dynamic_cast<const Resumable*>(reader.get());
        return resumable != nullptr && resumable->finds_locally();
    }

    PartialInfo examined(const Shard& shard, const ProgressListener& progress) {
        TraceFile trace{Input::open(path_), &format_};
        InfoOptions options = options_;
        options.part.shard = name_of(shard);
        Findings findings(0);
        findings.screen([this](const Finding&) {
            stopped_ = true;
            return true;
        });
        const ProgressListener listener = [&](std::uint64_t bytes) {
            if (stopped_) throw NotInShards();
            if (progress) progress(bytes);
        };
        std::string unsaid;
        Messages messages = Messages("", Volume::quiet, Colour::off).into(unsaid);
        Examination examination{trace, index_, settings_, findings, listener, messages};
        PartialInfo partial{path_, shard, measured(examination, options)};
        if (stopped_) throw NotInShards();
        return partial;
    }

    const std::string& path_;
    const Format& format_;
    InfoOptions options_;
    Settings settings_;  // of one thread
    std::shared_ptr<const TraceIndex> index_;
    std::atomic<bool> stopped_ = false;
};

}  // namespace

std::optional<FileInfo> examined_in_shards(const std::string& path, const TraceFile& trace, const InfoOptions& options,
                                           const Settings& settings, const ProgressListener& progress) {
    if (settings.jobs <= 1 || needs_one_pass(options)) return std::nullopt;
    ShardExamination examination(path, *trace.format, options, settings);
    std::vector<PartialInfo> shards;
    try {
        const std::size_t count = examination.count(trace.input, settings.jobs);
        if (count <= 1) return std::nullopt;
        const auto examine = [&](std::size_t i) {
            // All shards advance at about the same speed.
            const ProgressListener of_first = [&](std::uint64_t bytes) { progress(bytes * count); };
            if (i < count) return std::optional(examination.of({i + 1, count}, i == 0 ? of_first : ProgressListener()));
            examination.check_bytes();
            return std::optional<PartialInfo>();
        };
        work_in_order(count + 1, static_cast<unsigned>(count + 1), examine, [&](std::optional<PartialInfo> partial) {
            if (partial) shards.push_back(*std::move(partial));
        });
        FileInfo info = reduced(shards, settings.limits);
        if (info.not_reduced.empty()) return info;
    } catch (const NotInShards&) {
    } catch (const Error& error) {
        if (error.failure() == Failure::internal) throw;
    }
    return std::nullopt;
}

}  // namespace hwtrace::cli

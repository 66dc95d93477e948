// codec/spilled_runs.hpp - sorted runs of records in a temporary file, and their merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/appender.hpp"
#include "io/descriptor.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// Converts a signed time to an unsigned key with the same order.
constexpr std::uint64_t ascending(Tick time) noexcept {
    return static_cast<std::uint64_t>(time) ^ (std::uint64_t{1} << 63);
}

/// The key by which a record is sorted, and a tag that stays with the record.
struct SortPlace {
    std::uint64_t key;
    std::uint64_t tag;
};

/// Writes sorted runs of records to an unnamed file and reads them back as one sorted sequence. Records with equal keys
/// keep the order in which they were appended. Memory does not depend on the number of records (beyond 4096 runs, it
/// grows by 4 KiB per run).
class SpilledRuns {
public:
    /// The file is created in `folder` with the first run.
    explicit SpilledRuns(std::string folder);
    SpilledRuns(const SpilledRuns&) = delete;
    SpilledRuns& operator=(const SpilledRuns&) = delete;
    ~SpilledRuns();

    /// Begins a run. Throws Failure::io if the file cannot be created.
    void begin_run();
    /// Appends a record of `batch` to the run. Its key must be at least the key of the record before it. Throws
    /// Failure::io if `folder` has no space left.
    void append(const Batch& batch, const Record& record, const SortPlace& place);
    /// Ends the run. Throws like append().
    void end_run();

    bool empty() const noexcept { return runs_.empty(); }
    /// Returns the size of the file.
    std::uint64_t bytes() const noexcept { return file_size_; }

    /// Appends the next records of all runs to `out` until it is full, and their keys and tags to `places`. Returns
    /// false if no record is left. No run may be appended after the first call.
    bool give(Batch& out, std::vector<SortPlace>& places);

private:
    struct Extent {  ///< a run in the file, in bytes
        std::uint64_t begin, end;
    };
    struct Merge;

    void write(std::span<const std::byte> bytes);
    void flush();
    void write_to_file(std::span<const std::byte> bytes);

    std::string folder_;
    Descriptor file_;
    std::uint64_t file_size_ = 0, run_begin_ = 0;
    SortPlace before_{};                // place of the last record of the run being written
    std::vector<std::uint64_t> words_;  // reused
    Appender buffer_;
    std::vector<Extent> runs_;
    std::unique_ptr<Merge> merge_;
};

}  // namespace hwtrace

// codec/record_sorter.hpp - sorts any number of records by a key. Sorts runs in memory and merges them from a temporary
// file.
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

/// A stable sort of records by key. A trace that fits into one run stays in memory. Longer traces are spilled run by
/// run to an unnamed file and merged. Runs that arrive in order are not sorted. Memory is approximately one run for any
/// number of records (beyond 4096 runs, it grows by 4 KiB per run).
class RecordSorter {
public:
    static constexpr std::size_t default_run_bytes = std::size_t{64} << 20;

    /// The key and tag of a record, as passed to add().
    struct Place {
        std::uint64_t key;
        std::uint64_t tag;
    };

    /// Traces longer than one run are spilled to `folder`. `run_bytes` limits the memory of one run, including sorting.
    explicit RecordSorter(std::string folder, std::size_t run_bytes = default_run_bytes);
    RecordSorter(const RecordSorter&) = delete;
    RecordSorter& operator=(const RecordSorter&) = delete;
    ~RecordSorter();

    /// Copies a record from the batch `from`. give() returns it together with `tag`. Must not be called after give().
    /// Throws Failure::io if `folder` has no space left.
    void add(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record);
    /// Appends the next records to `out` until it is full, and their keys and tags to `places`. Returns false if no
    /// record is left.
    bool give(Batch& out, std::vector<Place>& places);

    bool empty() const noexcept { return count_ == 0; }
    /// Returns the size of the temporary file in bytes; 0 if everything fits into memory.
    std::uint64_t spilled_bytes() const noexcept { return file_size_; }

private:
    struct Sortable {
        std::uint64_t key;  ///< key minus the run's lowest key
        std::uint32_t index;
    };
    struct Extent {  ///< a run in the file, in bytes
        std::uint64_t begin, end;
    };
    struct Merge;

    const Record& record_at(std::size_t position) const noexcept;
    const Place& place_at(std::size_t position) const noexcept;
    void sort_run();
    void spill_run();
    /// Prefetches the next records, because records of a sorted run are scattered in memory.
    void prefetch(std::size_t position) const noexcept;
    void write(std::span<const std::byte> bytes);
    void flush();
    void write_to_file(std::span<const std::byte> bytes);
    void begin_merge();
    void release_run() noexcept;

    std::string folder_;
    std::size_t run_bytes_;
    std::uint64_t count_ = 0;
    bool giving_ = false;

    // The run in memory.
    Batch run_;
    Pool<Place> places_;
    Pool<Sortable> order_, spare_;
    const Sortable* sorted_ = nullptr;  // null: the run arrived in order
    std::size_t used_ = 0;              // bytes
    std::size_t next_ = 0;              // position of the next record to return
    std::uint64_t lowest_ = 0, highest_ = 0, last_ = 0;
    bool in_order_ = true;

    // The runs in the file.
    Descriptor file_;
    std::uint64_t file_size_ = 0;
    Appender buffer_;
    std::vector<Extent> runs_;
    std::unique_ptr<Merge> merge_;
};

}  // namespace hwtrace

// codec/record_sorter.hpp - sorts any number of records by a key: runs in memory, merged from a temporary file.
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

/// Maps a signed time to an unsigned key with the same order.
constexpr std::uint64_t ascending(Tick time) noexcept {
    return static_cast<std::uint64_t>(time) ^ (std::uint64_t{1} << 63);
}

/// Sorts records by key; the sort is stable. A trace that fits into one run stays in memory. Records that arrive in
/// order are not sorted again. Longer traces are spilled run by run to an unnamed file and merged. Memory stays at
/// about one run, whatever the number of records (beyond 4096 runs it grows by 4 KiB per run).
class RecordSorter {
public:
    static constexpr std::size_t default_run_bytes = std::size_t{64} << 20;

    /// The key and tag given to add() for a record.
    struct Place {
        std::uint64_t key;
        std::uint64_t tag;
    };

    /// Spills longer traces to `folder`. `run_bytes` limits the memory of one run, including sorting.
    explicit RecordSorter(std::string folder, std::size_t run_bytes = default_run_bytes);
    RecordSorter(const RecordSorter&) = delete;
    RecordSorter& operator=(const RecordSorter&) = delete;
    ~RecordSorter();

    /// Copies a record of `from`; give() returns `tag` with it. Must not follow a give(). Throws Failure::io if
    /// `folder` has no space left.
    void add(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record);
    /// Appends the next records to `out` until it is full, and the key and tag of each to `places`. Returns false if
    /// none is left.
    bool give(Batch& out, std::vector<Place>& places);

    bool empty() const noexcept { return count_ == 0; }
    /// Size of the temporary file in bytes; 0 while everything fits into memory.
    std::uint64_t spilled_bytes() const noexcept { return file_size_; }

private:
    struct Sortable {
        std::uint64_t key;  ///< minus the run's lowest key
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
    /// Prefetches the records that come next, because those of a sorted run are scattered in memory.
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

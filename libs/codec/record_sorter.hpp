// codec/record_sorter.hpp - records in order of a key, however many there are: runs in memory, merged from a file.
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

/// A signed time as a key: the same order, unsigned.
constexpr std::uint64_t ascending(Tick time) noexcept {
    return static_cast<std::uint64_t>(time) ^ (std::uint64_t{1} << 63);
}

/// Collects records and gives them back in order of their keys; equal keys keep the order in which they came. A trace
/// that fits into one run stays in memory, and one that comes in order is not sorted. Longer ones are spilled, run by
/// run, to a file without a name, and merged: memory stays at about one run, whatever the number of records (beyond
/// 4096 runs it grows by 4 KiB a run).
class RecordSorter {
public:
    static constexpr std::size_t default_run_bytes = std::size_t{64} << 20;

    /// What was said about a record when it was added.
    struct Place {
        std::uint64_t key;
        std::uint64_t tag;
    };

    /// Longer traces are spilled to `folder`; `run_bytes` is what one run may take in memory, sorting included.
    explicit RecordSorter(std::string folder, std::size_t run_bytes = default_run_bytes);
    RecordSorter(const RecordSorter&) = delete;
    RecordSorter& operator=(const RecordSorter&) = delete;
    ~RecordSorter();

    /// Copies a record of `from`. `tag` comes back with it. Not after the first give(). Throws Failure::io where the
    /// folder has no room.
    void add(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record);
    /// Appends the next records to `out`, until it is full, and the place of each to `places`. False: none is left.
    bool give(Batch& out, std::vector<Place>& places);

    bool empty() const noexcept { return count_ == 0; }
    /// Bytes in the temporary file; 0 while everything fits into memory.
    std::uint64_t spilled_bytes() const noexcept { return file_size_; }

private:
    struct Sortable {
        std::uint64_t key;  ///< above the run's lowest
        std::uint32_t index;
    };
    struct Extent {  ///< of a run in the file
        std::uint64_t begin, end;
    };
    struct Merge;

    const Record& record_at(std::size_t position) const noexcept;
    const Place& place_at(std::size_t position) const noexcept;
    void sort_run();
    void spill_run();
    /// Records of a sorted run lie anywhere in memory: asks early for those that come next.
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
    const Sortable* sorted_ = nullptr;  // null: the run came in order
    std::size_t used_ = 0;              // bytes
    std::size_t next_ = 0;              // to be given
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

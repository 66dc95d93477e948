// codec/record_sorter.hpp - sorts any number of records by a key. Sorts runs in memory and merges them from a temporary
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/spilled_runs.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// A stable sort of records by key. A trace that fits into one run stays in memory. Longer traces are spilled run by
/// run to an unnamed file and merged. Runs that arrive in order are not sorted. Memory is approximately one run for any
/// number of records (beyond 4096 runs, it grows by 4 KiB per run).
///
/// If the caller knows a lower bound of all later keys, promise() states it, and give_early() delivers the records
/// below it before all records were added. Only the other records then need memory. If they exceed it, the sorter
/// spills them and delivers the rest at the end.
class RecordSorter {
public:
    static constexpr std::size_t default_run_bytes = std::size_t{64} << 20;

    using Place = SortPlace;

    /// Traces longer than one run are spilled to `folder`. `run_bytes` limits the memory of one run, including sorting.
    explicit RecordSorter(std::string folder, std::size_t run_bytes = default_run_bytes);
    RecordSorter(const RecordSorter&) = delete;
    RecordSorter& operator=(const RecordSorter&) = delete;
    ~RecordSorter();

    /// Copies a record from the batch `from`. give() later returns the record, `key` and `tag`. Must not be called
    /// after give(). Throws Failure::io if `folder` has no space left. Throws Failure::input if the key is below a
    /// promise on which give_early() has already relied, because the record can no longer be delivered in order.
    void add(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record);
    /// States that no record with a key below `key` will be added. A promise cannot be withdrawn by a lower one.
    void promise(std::uint64_t key) noexcept {
        if (key > promised_) promised_ = key;
        promises_ = true;
    }
    /// Appends at most `most` records below the promised key to `out`, and their keys and tags to `places`. It may
    /// append fewer than possible, so that many records are sorted at once. To keep memory small, ask for more records
    /// than were added since the last call. Returns false if it appended none.
    bool give_early(Batch& out, std::vector<Place>& places, std::size_t most);
    /// Appends the next records to `out` until it is full, and their keys and tags to `places`. Returns false if no
    /// record is left.
    bool give(Batch& out, std::vector<Place>& places);

    bool empty() const noexcept { return count_ == 0; }
    /// Returns the size of the temporary file in bytes; 0 if everything fits into memory.
    std::uint64_t spilled_bytes() const noexcept { return spilled_.bytes(); }

private:
    struct Sortable {
        std::uint64_t key;  ///< key minus the run's lowest key
        std::uint32_t index;
    };
    /// Records in memory, in the order of arrival.
    struct Run {
        Batch records;
        Pool<Place> places;
        std::size_t used = 0;  ///< bytes
        std::uint64_t lowest = 0, highest = 0, last = 0;
        bool in_order = true;

        std::size_t size() const noexcept { return places.size(); }
        void add(const Place& place, const Batch& from, const Record& record);
        void clear() noexcept;
    };

    /// Moves the records of `run_` below the promise to `ready_`, sorted. Returns false if they are too few.
    bool make_ready();
    /// Moves all records of `run_` to `ready_`, sorted.
    void make_all_ready();
    /// Sorts the `count` records of a run whose keys are at most `limit`. See index_at().
    void sort(const Run& run, std::size_t count, std::uint64_t limit);
    /// Returns the index of the record at a position of the run that was sorted last.
    std::size_t index_at(std::size_t position) const noexcept {
        return sorted_ == nullptr ? position : sorted_[position].index;
    }
    void spill(const Run& run, std::size_t first, std::size_t count);
    void spill_all();
    /// Appends the next record of `ready_` to `out`.
    void give_next(Batch& out, std::vector<Place>& places);
    /// Does so until `out` is full. Returns false if no record is left.
    bool give_ready(Batch& out, std::vector<Place>& places);
    void release() noexcept;
    /// Prefetches the next records, because records of a sorted run are scattered in memory.
    void prefetch(const Run& run, std::size_t position) const noexcept;
    [[noreturn]] void break_promise(std::uint64_t key) const;

    std::size_t run_bytes_;
    std::uint64_t count_ = 0;
    bool giving_ = false;

    Run run_;    // receives records
    Run ready_;  // sorted, being delivered
    Pool<Sortable> order_, spare_;
    const Sortable* sorted_ = nullptr;  // null: the sorted run arrived in order
    std::size_t next_ = 0;              // position in `ready_` of the next record to return
    std::size_t ready_count_ = 0;       // number of records to return from `ready_`, which may have others

    bool promises_ = false;
    std::uint64_t promised_ = 0;  // no later key is lower
    std::uint64_t given_ = 0;     // lower keys may have been delivered
    std::size_t step_;            // make_ready() waits for this number of records

    SpilledRuns spilled_;
};

}  // namespace hwtrace

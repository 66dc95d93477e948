// codec/record_sorter.hpp - sorts any number of records by a key. Sorts runs in memory and merges them from a temporary
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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
///
/// A record is copied into the sorter and out of it. Between, it stays in its place, and entries that refer to it are
/// sorted. Records that wait much longer than most others are moved together, so that they do not keep the memory of
/// records that were delivered.
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
    /// Records in order of arrival.
    struct Block {
        Batch records;
        Pool<std::uint64_t> tags;
        std::size_t bytes = 0;    ///< of the records and of what sorting them needs
        std::size_t waiting = 0;  ///< number of records that were not delivered
    };
    /// Refers to a record that was not delivered.
    struct Entry {
        std::uint64_t key;
        std::uint32_t block;  ///< index into blocks_
        std::uint32_t at;     ///< index into the records of the block
    };

    /// Copies a record into the block that is being filled.
    Entry keep(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record);
    /// States that a record of the block was delivered or moved. Frees the block with its last record.
    void leave(std::uint32_t block) noexcept;
    /// Returns true if the records that wait in a full block should move, so that the block becomes free.
    bool is_sparse(std::uint32_t block) const noexcept;
    Entry moved(const Entry& entry);

    /// Makes the waiting records below the promise ready. Returns false if they are too few.
    bool make_ready();
    /// Makes all waiting records ready.
    void make_all_ready();
    /// Sorts `ready_`, which becomes the records to deliver next.
    void sort_ready();
    void spill_ready();
    void spill_all();
    /// Appends the next ready record to `out`.
    void give_next(Batch& out, std::vector<Place>& places);
    /// Does so until `out` is full. Returns false if no record is left.
    bool give_ready(Batch& out, std::vector<Place>& places);
    void release() noexcept;
    /// Prefetches the records after the next one, because sorted records are scattered in memory.
    void prefetch() const noexcept;
    [[noreturn]] void break_promise(std::uint64_t key) const;

    static constexpr std::uint32_t no_block = 0xFFFF'FFFF;

    std::size_t run_bytes_;
    std::uint64_t count_ = 0;
    bool giving_ = false;

    std::deque<Block> blocks_;
    std::vector<std::uint32_t> free_;  // blocks without records
    std::uint32_t filling_ = no_block;
    std::size_t bytes_ = 0, records_ = 0;  // of all blocks, with records that were delivered

    Pool<Entry> waiting_;   // in order of arrival
    Pool<Entry> ready_;     // sorted, being delivered
    Pool<Entry> spare_;     // for sorting
    std::size_t next_ = 0;  // index into ready_ of the next record to deliver

    std::uint64_t promised_ = 0;  // no later key is lower
    std::uint64_t given_ = 0;     // lower keys may have been delivered
    std::size_t step_;            // make_ready() waits for this number of records

    SpilledRuns spilled_;
};

}  // namespace hwtrace

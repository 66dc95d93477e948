// domain/length_counts.hpp - a histogram of lengths: percentiles of durations in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hwtrace {

/// Limits how many histograms of more than one length a program keeps, so that memory is bounded.
class HistogramBudget {
public:
    /// Returns true if one more histogram can be kept.
    bool take() noexcept { return taken_++ < most; }
    /// Returns true if there were more histograms than can be kept.
    bool exceeded() const noexcept { return taken_ > most; }

private:
    static constexpr std::size_t most = 400;  // 50 MiB of 128 KiB each

    std::size_t taken_ = 0;
};

/// A histogram of lengths. Up to 4096 different lengths are counted exactly. If there are more, the histogram counts
/// classes of nearly equal lengths, which differ by less than 1 % (1/128).
class LengthCounts {
public:
    /// A length and how often it occurs. If exact() is false, the length is the smallest one of its class.
    struct Entry {
        std::uint64_t length = 0, times = 0;
    };

    /// `budget`, if any, must outlive this object. A histogram that gets a second length when the budget is used up is
    /// dropped.
    explicit LengthCounts(HistogramBudget* budget = nullptr) noexcept : budget_(budget) {}

    void add(std::uint64_t length) {
        ++count_;
        if (waiting_.empty()) {
            count(length, 1);
            return;
        }
        waiting_[waits_++] = length;
        if (waits_ == waiting_.size()) count_waiting();
    }
    void add(std::uint64_t length, std::uint64_t times) {
        count_ += times;
        count(length, times);
    }
    void add(const LengthCounts& other);
    /// Adds lengths of another histogram, which had `entries` and was exact or not.
    void add(const std::vector<Entry>& entries, bool exact);
    /// Adds `times` lengths that are unknown, because another histogram dropped them.
    void add_dropped(std::uint64_t times) noexcept {
        count_ += times;
        drop();
    }
    std::uint64_t count() const noexcept { return count_; }
    /// Returns a copy whose results take less time.
    LengthCounts settled() const;
    bool exact() const { return waits_ == 0 ? classes_.empty() : settled().exact(); }
    /// Returns true if the lengths were not kept, because the budget is used up.
    bool dropped() const noexcept { return dropped_; }
    /// Returns the lower median, rounded down to the start of its class; 0 if empty.
    std::uint64_t median() const;
    /// Returns all lengths that occur, in ascending order; nothing if they were dropped.
    std::vector<Entry> entries() const;

private:
    static constexpr std::size_t most_lengths = 4096, most_waiting = 64;

    /// Returns true while all lengths are equal. Many tracks have a single length, which needs no table.
    bool has_one() const noexcept { return slots_.empty() && classes_.empty() && !dropped_; }
    void count(std::uint64_t length, std::uint64_t times);
    void count_waiting();
    /// Makes room for a second length. Returns false if the histogram is dropped instead.
    bool begin_table();
    std::size_t first_slot_of(std::uint64_t length) const noexcept;
    std::size_t slot_of(std::uint64_t length) const noexcept;
    void resize(std::size_t slots);
    void use_classes();
    void drop() noexcept;

    HistogramBudget* budget_ = nullptr;
    std::uint64_t count_ = 0;
    std::uint64_t only_ = 0, only_times_ = 0;  // the common length while has_one()
    // An open hash table. Its size is a power of two; free slots have no times.
    std::vector<Entry> slots_;
    std::size_t lengths_ = 0, latest_ = 0;
    std::vector<std::uint64_t> classes_;
    // Lengths that are not counted yet. Counting many at once is faster, because a table is read from memory once for
    // all of them. Empty as long as there is no table.
    std::vector<std::uint64_t> waiting_;
    std::size_t waits_ = 0;
    bool dropped_ = false;
};

/// Returns the smallest length that is not exceeded by `per_cent` per cent of the lengths (1 to 100), such as 50 for
/// the lower median. `entries` are those of a LengthCounts. Returns 0 if there are none.
std::uint64_t percentile(const std::vector<LengthCounts::Entry>& entries, unsigned per_cent) noexcept;

}  // namespace hwtrace

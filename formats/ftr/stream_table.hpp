// formats/ftr/stream_table.hpp - finds the stream of a transaction, for relations that do not state it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Maps transaction ids to stream indexes. Dense ids take about six bytes each, sparse ids at most 72. An
/// open-addressing table has a slot for each page of 32 ids. A slot has a bit mask of the ids in the table, and refers
/// to their streams.
class StreamTable {
public:
    /// The table takes at most limits.block bytes. Further transactions are not stored.
    explicit StreamTable(const Limits& limits) : limits_(limits) {}

    /// Stores the stream of a transaction.
    void set(std::uint64_t transaction, std::uint32_t stream) {
        const std::uint64_t page = transaction / page_size;
        if (last_ >= slots_.size() || slots_[last_].page != page || slots_[last_].ids == 0) {
            if (!has_slot(page) && 2 * (used_ + 1) > slots_.size() && !grow()) return;
            last_ = place_of(page);
        }
        Slot& slot = slots_[last_];
        const std::uint32_t bit = std::uint32_t{1} << transaction % page_size;
        const std::uint32_t rank = rank_of(slot, bit);
        if ((slot.ids & bit) == 0) {
            if (!make_room(slot)) return;
            if (slot.ids == 0) ++used_;
            slot.page = page;
            std::uint32_t* const streams = streams_.data() + slot.streams;
            std::copy_backward(streams + rank, streams + count_of(slot), streams + count_of(slot) + 1);
            slot.ids |= bit;
        }
        streams_[slot.streams + rank] = stream;
    }
    /// Returns the stream, or none if it is unknown or the transaction was not stored.
    std::uint32_t find(std::uint64_t transaction) const {
        if (used_ == 0) return none;
        const Slot& slot = slots_[place_of(transaction / page_size)];
        const std::uint32_t bit = std::uint32_t{1} << transaction % page_size;
        return (slot.ids & bit) == 0 ? none : streams_[slot.streams + rank_of(slot, bit)];
    }
    /// Throws Failure::limit if a transaction was not stored.
    void check_complete() const {
        if (is_full_) check_limit(wanted_, limits_.block, "the table of transactions and their streams", "max-block");
    }
    std::uint64_t bytes() const noexcept {
        return slots_.size() * sizeof(Slot) + streams_.capacity() * sizeof(std::uint32_t);
    }

private:
    static constexpr std::uint64_t page_size = 32;
    static constexpr std::size_t smallest = 64;
    /// `ids` 0: the slot is free. `streams`: position of the streams of these ids, in the order of ids.
    struct Slot {
        std::uint64_t page = 0;
        std::uint32_t ids = 0, streams = 0;
    };

    static std::uint32_t count_of(const Slot& slot) noexcept {
        return static_cast<std::uint32_t>(std::popcount(slot.ids));
    }
    static std::uint32_t rank_of(const Slot& slot, std::uint32_t bit) noexcept {
        return static_cast<std::uint32_t>(std::popcount(slot.ids & (bit - 1)));
    }
    bool has_slot(std::uint64_t page) const { return used_ != 0 && slots_[place_of(page)].ids != 0; }
    /// Returns the slot of `page`, or the free slot in which it belongs.
    std::size_t place_of(std::uint64_t page) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = KeyedHash<std::uint64_t>()(page) & mask;
        while (slots_[at].ids != 0 && slots_[at].page != page)
            at = (at + 1) & mask;
        return at;
    }
    /// Returns true if the table may take `more` bytes more.
    bool may_take(std::uint64_t more) {
        wanted_ = bytes() + more;
        if (wanted_ > limits_.block) is_full_ = true;
        return !is_full_;
    }
    bool grow() {
        const std::size_t size = std::max(smallest, 2 * slots_.size());
        if (!may_take((size - slots_.size()) * sizeof(Slot))) return false;
        std::vector<Slot> before(size);
        std::swap(before, slots_);
        for (const Slot& slot : before)
            if (slot.ids != 0) slots_[place_of(slot.page)] = slot;
        return true;
    }
    /// Makes room for another stream in the slot. The room for 1, 2, 4, 8, 16 or 32 streams is reused by other slots.
    bool make_room(Slot& slot) {
        const std::uint32_t count = count_of(slot);
        if (count != 0 && !std::has_single_bit(count)) return true;
        const std::uint32_t size = count == 0 ? 1 : 2 * count;
        std::uint32_t& free = free_[static_cast<std::size_t>(std::countr_zero(size))];
        std::uint32_t place = free;
        if (place != none) {
            free = streams_[place];
        } else {
            place = static_cast<std::uint32_t>(streams_.size());
            if (streams_.size() + size > streams_.capacity()) {
                const std::size_t more = std::max<std::size_t>(streams_.capacity() / 4, smallest);
                if (streams_.size() + more >= none || !may_take(more * sizeof(std::uint32_t))) return false;
                streams_.reserve(streams_.capacity() + more);
            }
            streams_.resize(streams_.size() + size);
        }
        std::copy_n(streams_.begin() + slot.streams, count, streams_.begin() + place);
        if (count != 0) {
            std::uint32_t& left = free_[static_cast<std::size_t>(std::countr_zero(count))];
            streams_[slot.streams] = left;
            left = slot.streams;
        }
        slot.streams = place;
        return true;
    }

    Limits limits_;
    std::vector<Slot> slots_;  ///< the size is a power of two
    std::size_t used_ = 0;
    std::size_t last_ = 0;                ///< the latest slot
    std::vector<std::uint32_t> streams_;  ///< streams of all slots
    /// The first free place in `streams_` for 1, 2, 4, 8, 16 and 32 streams. A free place holds the next one.
    std::array<std::uint32_t, 6> free_{none, none, none, none, none, none};
    std::uint64_t wanted_ = 0;  ///< bytes that were not allowed
    bool is_full_ = false;      ///< a transaction was not stored
};

}  // namespace hwtrace::ftr

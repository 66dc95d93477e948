#include "codec/record_sorter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "io/error.hpp"

namespace hwtrace {

namespace {

constexpr unsigned digit_bits = 11;  // digit size of the radix sort; small enough for counters in the L1 cache
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// The memory that a record needs, including the memory for sorting. Excludes the data that the record refers to.
constexpr std::size_t bytes_a_record = sizeof(Record) + sizeof(std::uint64_t) + 2 * (2 * sizeof(std::uint64_t));

/// A block is full if it has this number of records or bytes.
constexpr std::size_t block_records = 1024, block_bytes = std::size_t{1} << 20;

/// The least number of records that are sorted at once for give_early(). So many fit in the cache of a core.
constexpr std::size_t smallest_step = 4096;

/// Returns the size in bytes of the data that a record refers to.
std::size_t payload_size(const Batch& batch, const Record& record) {
    switch (record.kind) {
        case Kind::event:
        case Kind::relation:
            return std::size_t{record.count} * sizeof(std::uint64_t);
        case Kind::interval:
        case Kind::change:
            return std::size_t{record.count} * sizeof(Attribute);
        case Kind::note:
        case Kind::native:
            return record.count;
        case Kind::instruction: {
            const Instruction& instruction = batch.instruction(record);
            std::size_t size = sizeof instruction + batch.order(instruction).size() +
                               batch.operands(instruction).size_bytes() + batch.accesses(instruction).size_bytes();
            for (const Operand& operand : batch.operands(instruction))
                size += batch.cells(operand.words).size_bytes();
            for (const Access& access : batch.accesses(instruction))
                size += batch.cells(access.data).size_bytes();
            return size;
        }
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            break;
    }
    return 0;
}

}  // namespace

RecordSorter::RecordSorter(std::string folder, std::size_t run_bytes)
    : run_bytes_(run_bytes), step_(smallest_step), spilled_(std::move(folder)) {}

RecordSorter::~RecordSorter() = default;

// --- adding --------------------------------------------------------------------------------------------------------

RecordSorter::Entry RecordSorter::keep(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record) {
    if (filling_ == no_block || blocks_[filling_].tags.size() == block_records ||
        blocks_[filling_].bytes >= block_bytes) {
        if (free_.empty()) {
            filling_ = static_cast<std::uint32_t>(blocks_.size());
            blocks_.emplace_back();
            free_.reserve(blocks_.size());  // leave() must not throw
        } else {
            filling_ = free_.back();
            free_.pop_back();
        }
    }
    Block& block = blocks_[filling_];
    block.records.copy(from, record, record.track);
    block.tags.push_back(tag);
    const std::size_t bytes = bytes_a_record + payload_size(from, record);
    block.bytes += bytes;
    bytes_ += bytes;
    ++block.waiting;
    ++records_;
    return {key, filling_, static_cast<std::uint32_t>(block.tags.size() - 1)};
}

void RecordSorter::leave(std::uint32_t number) noexcept {
    Block& block = blocks_[number];
    if (--block.waiting != 0) return;
    bytes_ -= block.bytes;
    records_ -= block.tags.size();
    if (block.bytes > 2 * block_bytes) {  // free blocks keep the memory of usual records only
        block = {};
    } else {
        block.records.clear();
        block.tags.clear();
        block.bytes = 0;
    }
    free_.push_back(number);
    if (number == filling_) filling_ = no_block;
}

void RecordSorter::add(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record) {
    if (key < given_) [[unlikely]]
        break_promise(key);
    waiting_.push_back(keep(key, tag, from, record));
    ++count_;
    if (bytes_ >= run_bytes_) [[unlikely]]
        spill_all();
}

void RecordSorter::break_promise(std::uint64_t key) const {
    fail(Failure::input, "a record with sort key " + std::to_string(key) + " follows records with the key " +
                             std::to_string(given_) +
                             ", which an earlier reading of the input excludes: the input changes while it is read; "
                             "convert a copy of it");
}

// --- sorting -------------------------------------------------------------------------------------------------------

void RecordSorter::sort_ready() {
    next_ = 0;
    const std::size_t count = ready_.size();
    if (count == 0) return;
    const std::span<Entry> entries(ready_.data(), count);
    if (std::ranges::is_sorted(entries, {}, &Entry::key)) return;
    const auto [first, last] = std::ranges::minmax_element(entries, {}, &Entry::key);
    const std::uint64_t lowest = first->key;
    const auto bits = static_cast<unsigned>(std::bit_width(last->key - lowest));
    spare_.clear();
    spare_.grow(count);
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        const auto digit = [&](const Entry& entry) { return (entry.key - lowest) >> shift & (digits - 1); };
        std::array<std::uint32_t, digits> next{};
        for (std::size_t i = 0; i < count; ++i)
            ++next[digit(ready_[i])];
        std::uint32_t before = 0;
        for (std::uint32_t& place : next)
            before += std::exchange(place, before);
        for (std::size_t i = 0; i < count; ++i)
            spare_[next[digit(ready_[i])]++] = ready_[i];
        std::swap(ready_, spare_);
    }
}

void RecordSorter::make_all_ready() {
    std::swap(ready_, waiting_);
    waiting_.clear();
    sort_ready();
}

bool RecordSorter::is_sparse(std::uint32_t block) const noexcept {
    return block != filling_ && blocks_[block].waiting < blocks_[block].tags.size() / 4;
}

RecordSorter::Entry RecordSorter::moved(const Entry& entry) {
    const Block& from = blocks_[entry.block];
    const Entry to = keep(entry.key, from.tags[entry.at], from.records, from.records.records()[entry.at]);
    leave(entry.block);
    return to;
}

bool RecordSorter::make_ready() {
    std::size_t early = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i)
        early += waiting_[i].key < promised_ ? 1 : 0;
    step_ = std::max(smallest_step, waiting_.size() + waiting_.size() / 2);
    if (early < waiting_.size() / 4 + 1) return false;  // looking at the others again would take longer
    given_ = promised_;
    const bool moves = records_ / 2 > waiting_.size();  // most of the memory belongs to delivered records
    ready_.clear();
    std::size_t late = 0;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        const Entry entry = waiting_[i];
        if (entry.key < promised_)
            ready_.push_back(entry);
        else
            waiting_[late++] = moves && is_sparse(entry.block) ? moved(entry) : entry;
    }
    waiting_.shrink_to(late);
    step_ = std::max(smallest_step, late + late / 2);
    sort_ready();
    return true;
}

/// Writes the ready records to the file.
void RecordSorter::spill_ready() {
    if (next_ == ready_.size()) return;
    spilled_.begin_run();
    for (; next_ < ready_.size(); ++next_) {
        prefetch();
        const Entry entry = ready_[next_];
        const Block& block = blocks_[entry.block];
        spilled_.append(block.records, block.records.records()[entry.at], {entry.key, block.tags[entry.at]});
        leave(entry.block);
    }
    spilled_.end_run();
}

void RecordSorter::spill_all() {
    spill_ready();  // precedes all others
    make_all_ready();
    spill_ready();
}

// --- delivering ----------------------------------------------------------------------------------------------------

bool RecordSorter::give_early(Batch& out, std::vector<Place>& places, std::size_t most) {
    const std::size_t before = places.size();
    if (!spilled_.empty()) return false;
    while (places.size() - before < most) {
        if (next_ == ready_.size() && (waiting_.size() < step_ || !make_ready())) break;
        give_next(out, places);
    }
    return places.size() != before;
}

bool RecordSorter::give(Batch& out, std::vector<Place>& places) {
    if (!std::exchange(giving_, true) && !spilled_.empty()) {
        spill_all();
        release();
    }
    if (!spilled_.empty()) return spilled_.give(out, places);
    if (!give_ready(out, places) && !waiting_.empty()) {
        make_all_ready();
        give_ready(out, places);
    }
    if (next_ < ready_.size() || !waiting_.empty()) return true;
    release();
    return false;
}

bool RecordSorter::give_ready(Batch& out, std::vector<Place>& places) {
    while (next_ < ready_.size() && !out.full())
        give_next(out, places);
    return next_ < ready_.size();
}

void RecordSorter::prefetch() const noexcept {
    constexpr std::size_t ahead = 16, soon = 8;
    if (next_ + ahead >= ready_.size()) return;
    const Entry &far = ready_[next_ + ahead], &near = ready_[next_ + soon];
    __builtin_prefetch(&blocks_[far.block].records.records()[far.at]);
    const Batch& records = blocks_[near.block].records;
    const Record& record = records.records()[near.at];
    if (record.kind == Kind::interval || record.kind == Kind::change)
        __builtin_prefetch(records.attributes(record).data());
}

void RecordSorter::give_next(Batch& out, std::vector<Place>& places) {
    prefetch();
    const Entry entry = ready_[next_++];
    const Block& block = blocks_[entry.block];
    const Record& record = block.records.records()[entry.at];
    places.push_back({entry.key, block.tags[entry.at]});
    out.copy(block.records, record, record.track);
    leave(entry.block);
}

void RecordSorter::release() noexcept {
    blocks_.clear();
    free_.clear();
    filling_ = no_block;
    bytes_ = records_ = 0;
    waiting_ = {};
    ready_ = {};
    spare_ = {};
    next_ = 0;
}

}  // namespace hwtrace

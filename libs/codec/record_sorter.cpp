#include "codec/record_sorter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "io/error.hpp"

namespace hwtrace {

namespace {

constexpr unsigned digit_bits = 11;  // digit size of the radix sort; small enough for counters in the L1 cache
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// The memory that a record needs in a run, including the memory for sorting. Excludes the data that the record refers
/// to.
constexpr std::size_t bytes_a_record = sizeof(Record) + sizeof(SortPlace) + 2 * (2 * sizeof(std::uint64_t));

/// A run with more records than this gets its full capacity at once, because growing would move the records.
constexpr std::size_t few_records = 4096;

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

void RecordSorter::Run::add(const Place& place, const Batch& from, const Record& record) {
    if (places.empty()) {
        lowest = highest = place.key;
    } else {
        in_order = in_order && place.key >= last;
        lowest = std::min(lowest, place.key);
        highest = std::max(highest, place.key);
    }
    last = place.key;
    records.copy(from, record, record.track);
    places.push_back(place);
    used += bytes_a_record + payload_size(from, record);
}

void RecordSorter::Run::clear() noexcept {
    records.clear();
    places.clear();
    used = 0;
    in_order = true;
}

void RecordSorter::add(std::uint64_t key, std::uint64_t tag, const Batch& from, const Record& record) {
    if (key < given_) [[unlikely]]
        break_promise(key);
    if (run_.size() == few_records && !promises_) [[unlikely]] {
        const std::size_t most = run_bytes_ / bytes_a_record + 1;
        run_.records.reserve(most);
        run_.places.reserve(most);
    }
    run_.add({key, tag}, from, record);
    ++count_;
    // With promises, the records being delivered take the other half of the memory.
    if (run_.used >= (promises_ ? run_bytes_ / 2 : run_bytes_)) spill_all();
}

void RecordSorter::break_promise(std::uint64_t key) const {
    fail(Failure::input, "a record with sort key " + std::to_string(key) + " follows records with the key " +
                             std::to_string(given_) +
                             ", which an earlier reading of the input excludes: the input changes while it is read; "
                             "convert a copy of it");
}

// --- sorting -------------------------------------------------------------------------------------------------------

void RecordSorter::prefetch(const Run& run, std::size_t position) const noexcept {
    constexpr std::size_t ahead = 16, soon = 8;
    if (sorted_ == nullptr || position + ahead >= order_.size()) return;
    const std::size_t index = index_at(position + ahead);
    __builtin_prefetch(&run.records.records()[index]);
    __builtin_prefetch(&run.places[index]);
    const Record& record = run.records.records()[index_at(position + soon)];
    if (record.kind == Kind::interval || record.kind == Kind::change)
        __builtin_prefetch(run.records.attributes(record).data());
}

void RecordSorter::sort(const Run& run, std::size_t count, std::uint64_t limit) {
    sorted_ = nullptr;
    if (run.in_order) return;
    order_.clear();
    spare_.clear();
    Sortable* from = order_.grow(count);
    Sortable* to = spare_.grow(count);
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < run.size() && chosen < count; ++i)
        if (run.places[i].key <= limit)
            from[chosen++] = {run.places[i].key - run.lowest, static_cast<std::uint32_t>(i)};
    const auto bits = static_cast<unsigned>(std::bit_width(std::min(limit, run.highest) - run.lowest));
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        const auto digit = [shift](const Sortable& entry) { return (entry.key >> shift) & (digits - 1); };
        std::array<std::uint32_t, digits> next{};
        for (std::size_t i = 0; i < count; ++i)
            ++next[digit(from[i])];
        std::uint32_t before = 0;
        for (std::uint32_t& place : next)
            before += std::exchange(place, before);
        for (std::size_t i = 0; i < count; ++i)
            to[next[digit(from[i])]++] = from[i];
        std::swap(from, to);
    }
    sorted_ = from;
}

void RecordSorter::make_all_ready() {
    std::swap(ready_, run_);
    run_.clear();
    next_ = 0;
    ready_count_ = ready_.size();
    sort(ready_, ready_count_, ready_.highest);
}

bool RecordSorter::make_ready() {
    std::size_t early = 0;
    for (std::size_t i = 0; i < run_.size(); ++i)
        early += run_.places[i].key < promised_ ? 1 : 0;
    step_ = std::max(smallest_step, 2 * run_.size());
    if (early < run_.size() / 4 + 1) return false;  // copying the others would take longer than the sort saves
    given_ = promised_;
    if (early == run_.size()) {
        make_all_ready();
        return true;
    }
    std::swap(ready_, run_);
    run_.clear();
    next_ = 0;
    ready_count_ = early;
    for (std::size_t i = 0; i < ready_.size(); ++i)
        if (ready_.places[i].key >= promised_) run_.add(ready_.places[i], ready_.records, ready_.records.records()[i]);
    sort(ready_, early, promised_ - 1);
    step_ = std::max(smallest_step, run_.size() + run_.size() / 2);
    return true;
}

/// Writes the sorted records of a run from position `first` on to the file.
void RecordSorter::spill(const Run& run, std::size_t first, std::size_t count) {
    if (first == count) return;
    spilled_.begin_run();
    for (std::size_t i = first; i < count; ++i) {
        prefetch(run, i);
        const std::size_t index = index_at(i);
        spilled_.append(run.records, run.records.records()[index], run.places[index]);
    }
    spilled_.end_run();
}

void RecordSorter::spill_all() {
    // The records being delivered precede all others. They need their order, which sorting the others overwrites.
    spill(ready_, next_, ready_count_);
    ready_ = {};
    next_ = ready_count_ = 0;
    sort(run_, run_.size(), run_.highest);
    spill(run_, 0, run_.size());
    run_.clear();
}

// --- delivering ----------------------------------------------------------------------------------------------------

bool RecordSorter::give_early(Batch& out, std::vector<Place>& places, std::size_t most) {
    const std::size_t before = places.size();
    if (!spilled_.empty()) return false;
    while (places.size() - before < most) {
        if (next_ == ready_count_ && (run_.size() < step_ || !make_ready())) break;
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
    if (!give_ready(out, places) && run_.size() != 0) {
        make_all_ready();
        give_ready(out, places);
    }
    if (next_ < ready_count_ || run_.size() != 0) return true;
    release();
    return false;
}

bool RecordSorter::give_ready(Batch& out, std::vector<Place>& places) {
    while (next_ < ready_count_ && !out.full())
        give_next(out, places);
    return next_ < ready_count_;
}

void RecordSorter::give_next(Batch& out, std::vector<Place>& places) {
    prefetch(ready_, next_);
    const std::size_t index = index_at(next_++);
    const Record& record = ready_.records.records()[index];
    places.push_back(ready_.places[index]);
    out.copy(ready_.records, record, record.track);
}

void RecordSorter::release() noexcept {
    run_ = {};
    ready_ = {};
    order_ = {};
    spare_ = {};
    sorted_ = nullptr;
    next_ = ready_count_ = 0;
}

}  // namespace hwtrace

#include "domain/length_counts.hpp"

#include <algorithm>
#include <bit>

#include "model/hash.hpp"

namespace hwtrace {
namespace {

constexpr unsigned class_bits = 7;  // 128 classes per power of two
constexpr std::size_t first_slots = 16;
constexpr std::size_t class_count = (64 - class_bits + 1) << class_bits;

/// Returns the class of a length. Each length below 256 has its own class. Longer lengths share a class if they have
/// the same bit width and the same highest 8 bits.
std::size_t class_of(std::uint64_t length) noexcept {
    const auto width = static_cast<unsigned>(std::bit_width(length));
    if (width <= class_bits) return static_cast<std::size_t>(length);
    const unsigned shift = width - class_bits - 1;
    return static_cast<std::size_t>((std::uint64_t{shift} << class_bits) + (length >> shift));
}

/// Returns the smallest length of a class.
std::uint64_t least_of(std::size_t number) noexcept {
    constexpr std::size_t first_wide = std::size_t{2} << class_bits;
    if (number < first_wide) return number;
    const std::size_t shift = (number >> class_bits) - 1;
    return static_cast<std::uint64_t>(number - (shift << class_bits)) << shift;
}

}  // namespace

void LengthCounts::count_waiting() {
    if (!slots_.empty())
        for (std::size_t i = 0; i < waits_; ++i)
            __builtin_prefetch(&slots_[first_slot_of(waiting_[i])]);
    for (std::size_t i = 0; i < waits_; ++i)
        count(waiting_[i], 1);
    waits_ = 0;
}

LengthCounts LengthCounts::settled() const {
    LengthCounts copy = *this;
    copy.count_waiting();
    return copy;
}

void LengthCounts::count(std::uint64_t length, std::uint64_t times) {
    if (times == 0 || dropped_) return;
    if (!classes_.empty()) {
        classes_[class_of(length)] += times;
        return;
    }
    if (slots_.empty()) {
        if (only_times_ == 0) only_ = length;
        if (length == only_) {
            only_times_ += times;
            return;
        }
        if (!begin_table()) return;
    }
    if (latest_ >= slots_.size() || slots_[latest_].length != length) latest_ = slot_of(length);
    Entry& slot = slots_[latest_];
    if (slot.times == 0) {
        slot.length = length;
        ++lengths_;
    }
    slot.times += times;
    if (lengths_ > most_lengths)
        use_classes();
    else if (lengths_ > slots_.size() / 2)
        resize(slots_.size() * 2);
}

bool LengthCounts::begin_table() {
    if (budget_ != nullptr && !budget_->take()) {
        drop();
        return false;
    }
    resize(first_slots);
    waiting_.resize(most_waiting);
    slots_[slot_of(only_)] = {only_, only_times_};
    lengths_ = 1;
    return true;
}

std::size_t LengthCounts::first_slot_of(std::uint64_t length) const noexcept {
    return KeyedHash<std::uint64_t>{}(length) & (slots_.size() - 1);
}

/// Returns the slot of a length, or the free slot for it.
std::size_t LengthCounts::slot_of(std::uint64_t length) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = first_slot_of(length);
    while (slots_[slot].times != 0 && slots_[slot].length != length)
        slot = (slot + 1) & mask;
    return slot;
}

void LengthCounts::resize(std::size_t slots) {
    std::vector<Entry> before(slots);
    before.swap(slots_);
    for (const Entry& entry : before)
        if (entry.times != 0) slots_[slot_of(entry.length)] = entry;
    latest_ = slots;  // none
}

void LengthCounts::use_classes() {
    if (!classes_.empty() || dropped_) return;
    classes_.resize(class_count);
    classes_[class_of(only_)] = slots_.empty() ? only_times_ : 0;
    for (const Entry& entry : slots_)
        if (entry.times != 0) classes_[class_of(entry.length)] += entry.times;
    slots_ = {};
}

void LengthCounts::drop() noexcept {
    dropped_ = true;
    waiting_ = {};
    waits_ = 0;
    slots_ = {};
    classes_ = {};
}

void LengthCounts::add(const LengthCounts& other) {
    if (other.dropped_) {
        count_ += other.count_;
        return drop();
    }
    if (other.has_one()) return add(other.only_, other.only_times_);
    for (std::size_t i = 0; i < other.waits_; ++i)
        add(other.waiting_[i]);
    for (const Entry& entry : other.slots_)
        if (entry.times != 0) add(entry.length, entry.times);
    if (other.classes_.empty()) return;
    if (has_one() && budget_ != nullptr && !budget_->take()) drop();
    use_classes();
    count_ += other.count_ - other.waits_;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        classes_[i] += other.classes_[i];
}

void LengthCounts::add(const std::vector<Entry>& entries, bool exact) {
    for (const Entry& entry : entries)
        add(entry.length, entry.times);
    if (exact) return;
    if (has_one() && budget_ != nullptr && !budget_->take()) drop();
    use_classes();
}

std::uint64_t LengthCounts::median() const {
    return percentile(entries(), 50);
}

std::vector<LengthCounts::Entry> LengthCounts::entries() const {
    if (waits_ != 0) return settled().entries();
    std::vector<Entry> all;
    if (count_ == 0 || dropped_) return all;
    if (has_one()) return {{only_, only_times_}};
    all.reserve(lengths_);
    for (const Entry& entry : slots_)
        if (entry.times != 0) all.push_back(entry);
    std::ranges::sort(all, {}, &Entry::length);
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i] != 0) all.push_back({least_of(i), classes_[i]});
    return all;
}

std::uint64_t percentile(const std::vector<LengthCounts::Entry>& entries, unsigned per_cent) noexcept {
    std::uint64_t count = 0;
    for (const LengthCounts::Entry& entry : entries)
        count += entry.times;
    // The rank is ceil(count * per_cent / 100), computed without overflow.
    const std::uint64_t wanted = count / 100 * per_cent + (count % 100 * per_cent + 99) / 100;
    std::uint64_t passed = 0;
    for (const LengthCounts::Entry& entry : entries)
        if ((passed += entry.times) >= wanted) return entry.length;
    return 0;
}

}  // namespace hwtrace

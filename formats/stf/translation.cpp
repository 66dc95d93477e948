#include "translation.hpp"

#include <algorithm>

namespace hwtrace::stf {
namespace {

constexpr std::uint16_t csr_satp = 0x180;
constexpr std::size_t most_settings = 65'536;

// Bits of a page table entry.
constexpr std::uint64_t valid = 1, readable = 2, executable = 8;
constexpr std::uint64_t contiguous = std::uint64_t{1} << 63;

constexpr bool is_leaf(std::uint64_t entry) noexcept {
    return (entry & (readable | executable)) != 0;
}

constexpr std::uint64_t low_bits(std::uint64_t value, unsigned count) noexcept {
    return value & ((std::uint64_t{1} << count) - 1);
}

}  // namespace

Translation::Translation(bool rv64, std::uint64_t features, std::uint64_t most_pages)
    : rv64_(rv64), active_((features & feature_page_tables) != 0), most_pages_(static_cast<std::size_t>(most_pages)) {}

Translation::Translation(std::span<const HeaderRecord> header, std::uint64_t most_pages)
    : Translation(is_rv64(header), features_of(header), most_pages) {}

std::size_t Translation::PageHash::operator()(const Page& page) const noexcept {
    const KeyedHash<std::uint64_t> hash;
    return hash(page.number ^ hash(page.satp + page.shift));
}

// --- records ---------------------------------------------------------------------------------------------------------

void Translation::register_value(const RawRecord& record) {
    const auto meta = record.at<std::uint8_t>(3);
    if ((meta & 0xFu) != register_csr || record.at<std::uint16_t>(1) != csr_satp) return;
    const auto value = record.at<std::uint64_t>(vector_head);
    if (meta >> 4u == operand_destination)
        next_satp_ = value;
    else
        set_satp(value);
}

void Translation::event(const RawRecord& record, bool event64) {
    const EventHead head = head_of_event(record, event64);
    if (head.wide_id != event_mode_change || record.size < head.size + 8) return;
    const auto mode = record.at<std::uint64_t>(head.size);
    if (mode > machine_mode) return;
    // The first MODE_CHANGE of the first instruction states the current mode. A second one changes the mode.
    if (instruction_ == 0 && !begins_in_mode_) {
        mode_ = static_cast<unsigned>(mode);
        begins_in_mode_ = true;
    } else {
        next_mode_ = static_cast<unsigned>(mode);
    }
}

void Translation::lose(std::uint64_t next) {
    instruction_ = next;
    mode_known_ = satp_known_ = false;
    next_mode_.reset();
    next_satp_.reset();
}

void Translation::end_instruction() {
    ++instruction_;
    if (next_mode_) {
        mode_ = *next_mode_;
        mode_known_ = true;
    }
    next_mode_.reset();
    if (next_satp_) set_satp(*next_satp_);
    next_satp_.reset();
}

/// Sets the encoding mode, which determines how SATP is interpreted from here on.
void Translation::set_encoding_mode(const RawRecord& record) {
    const auto mode = record.at<std::uint16_t>(1);
    if (mode != iem_rv32 && mode != iem_rv64) return;
    rv64_ = mode == iem_rv64;
    if (!settings_.empty()) scheme_ = scheme_of(settings_.back().satp);
}

void Translation::set_satp(std::uint64_t satp) {
    scheme_ = scheme_of(satp);
    satp_known_ = true;
    if (!settings_.empty() && settings_.back().satp == satp) return;
    if (settings_.size() == most_settings) settings_.erase(settings_.begin(), settings_.begin() + most_settings / 2);
    settings_.push_back({instruction_, satp});
}

// --- page tables -----------------------------------------------------------------------------------------------------

Translation::Scheme Translation::scheme_of(std::uint64_t satp) const noexcept {
    if (!rv64_) return (satp >> 31 & 1) != 0 ? Scheme{2, 10, 4} : Scheme{};
    switch (satp >> 60) {
        case 8:
            return {3, 9, 8};
        case 9:
            return {4, 9, 8};
        case 10:
            return {5, 9, 8};
        default:
            return {};
    }
}

/// Returns the address of the root page table.
std::uint64_t Translation::table_of(std::uint64_t satp) const noexcept {
    return low_bits(satp, rv64_ ? 44 : 22) << 12;
}

/// Returns the address of the table or page that an entry points to.
std::uint64_t Translation::target_of(std::uint64_t entry) const noexcept {
    return low_bits(entry >> 10, rv64_ ? 44 : 22) << 12;
}

/// Returns the SATP value that applied at an instruction. For later instructions, returns the latest value.
std::uint64_t Translation::satp_at(std::uint64_t instruction) const noexcept {
    const auto behind = std::upper_bound(settings_.begin(), settings_.end(), instruction,
                                         [](std::uint64_t at, const Setting& s) { return at < s.instruction; });
    return behind == settings_.begin() ? behind->satp : (behind - 1)->satp;
}

void Translation::walk(const RawRecord& record) {
    fault_ = WalkFault::nothing;
    if (!active_ || !satp_known_) return;
    if (settings_.empty()) {
        fault_ = WalkFault::no_satp;
        return;
    }
    const auto address = record.at<std::uint64_t>(1);
    const std::uint64_t satp = satp_at(record.at<std::uint64_t>(9));
    const Scheme scheme = scheme_of(satp);
    const std::size_t count = (record.size - page_walk_head) / page_walk_entry;
    if (scheme.levels == 0 || count == 0) return;
    // The page size determines the last level, because a walk need not begin at the root.
    const std::uint64_t size = record.at<std::uint32_t>(17);
    std::optional<unsigned> stated;
    for (unsigned level = 0; level < scheme.levels; ++level)
        if (size == std::uint64_t{1} << scheme.shift_of(level)) stated = level;
    if (rv64_ && size == std::uint64_t{1} << contiguous_shift) stated = 0;
    if (count + stated.value_or(0) > scheme.levels) {
        fault_ = WalkFault::entries;
        return;
    }
    const unsigned last_level = stated.value_or(scheme.levels - static_cast<unsigned>(count));
    std::optional<std::uint64_t> table;
    if (last_level + count == scheme.levels) table = table_of(satp);
    std::uint64_t entry = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = page_walk_head + page_walk_entry * i;
        const std::uint64_t place = record.at<std::uint64_t>(at);
        const auto level = last_level + static_cast<unsigned>(count - 1 - i);
        const std::uint64_t offset = scheme.index_of(address, level) * scheme.entry_size;
        if (table ? place != *table + offset : low_bits(place, 12) != offset) fault_ = WalkFault::entries;
        if (i > 0 && is_leaf(entry)) fault_ = WalkFault::entries;
        entry = record.at<std::uint64_t>(at + 8);
        table = target_of(entry);
    }
    if ((entry & valid) == 0 || !is_leaf(entry)) return;  // the walk ends in a page fault
    unsigned shift = scheme.shift_of(last_level);
    if (rv64_ && last_level == 0 && (entry & contiguous) != 0) shift = contiguous_shift;
    const Page page{satp, address >> shift, shift};
    const std::uint64_t begin = target_of(entry) >> shift << shift;
    if (fault_ == WalkFault::nothing && (!stated || (shift != contiguous_shift && begin != target_of(entry))))
        fault_ = WalkFault::page;
    if (pages_.size() >= most_pages_ && !pages_.contains(page)) return;
    pages_.insert_or_assign(page, begin);
    shifts_[shift] = true;
}

std::optional<std::uint64_t> Translation::physical(std::uint64_t address) const {
    if (active_ && !mode_known_) return std::nullopt;
    return physical_in(mode_, address);
}

std::optional<std::uint64_t> Translation::physical_next(std::uint64_t address) const {
    if (active_ && !mode_known_ && !next_mode_) return std::nullopt;
    return physical_in(next_mode_.value_or(mode_), address);
}

std::optional<std::uint64_t> Translation::physical_in(unsigned mode, std::uint64_t address) const {
    if (active_ && mode != machine_mode && !satp_known_) return std::nullopt;
    if (!translates_in(mode)) return address;
    const std::uint64_t satp = settings_.back().satp;
    for (unsigned shift = 12; shift < shifts_.size(); ++shift) {
        if (!shifts_[shift]) continue;
        const auto found = pages_.find({satp, address >> shift, shift});
        if (found != pages_.end()) return found->second + low_bits(address, shift);
    }
    return std::nullopt;
}

}  // namespace hwtrace::stf

// The sections of a ring, from the oldest to the newest.
#include "entries.hpp"

#include <algorithm>
#include <utility>

#include "domain/value_text.hpp"
#include "io/error.hpp"

namespace hwtrace::flux {

/// Reads all sections of the ring at the cursor, then continues with the oldest one.
void Entries::open_sections() {
    std::vector<std::uint8_t> laps;
    const std::uint64_t first_at = entry_at_;
    // The level is pushed last: its outer cursor must be after the last section.
    Level sections;
    bool more = true;
    while (more && begins(cursor_.rest(), 0, Tag::section))
        more = take_section(sections, laps);
    if (more) {
        const bool cut = cursor_.at_end() && depth_ == 0;
        report(cut ? Check::cut_entry : Check::section_damaged, "the last section of a ring",
               cut ? "the end" : "no more sections");
        if (!cut) gap_ = Gap::damage;
    }
    counts_.sections += laps.size();
    entry_at_ = first_at;
    order_sections(sections, laps);
    Level& level = push(false);
    level.bytes = std::move(sections.bytes);
    level.pieces = std::move(sections.pieces);
    next_piece();
}

/// Reads the section at the cursor. Returns false if no section of this ring can follow.
bool Entries::take_section(Level& level, std::vector<std::uint8_t>& laps) {
    entry_at_ = cursor_.offset();
    const auto whole = [this](std::uint64_t size) {
        if (need(size)) return true;
        report(Check::cut_entry, counted(size, "byte") + " of a section", counted(cursor_.left(), "byte"));
        cursor_.skip(cursor_.left());
        return false;
    };
    if (!whole(section_head)) return false;
    Cursor head(cursor_.rest().first(section_head));
    head.skip(2);
    const auto counter = head.le<std::uint8_t>();
    const auto size = head.le<std::uint16_t>();
    auto used = head.le<std::uint16_t>();
    if (!whole(section_head + size)) return false;
    if (used > size) {
        report(Check::section_damaged, "at most " + counted(size, "used byte"), std::to_string(used));
        gap_ = Gap::damage;
        used = 0;
    }
    check_limit(level.bytes.size() + used, limits_.block, "a ring", "--max-block");
    const std::uint64_t content = cursor_.offset() + section_head;
    cursor_.skip(section_head);
    const std::span<const std::byte> bytes = cursor_.take(size).first(used);
    if ((counter & section_lap_mask) == 0) used = 0;  // the section was never entered
    level.pieces.push_back({level.bytes.size(), used, content});
    level.bytes.insert(level.bytes.end(), bytes.begin(), bytes.end());
    laps.push_back(static_cast<std::uint8_t>(counter & section_lap_mask));
    need(section_head);
    return (counter & last_section) == 0;
}

/// Sorts the sections from oldest to newest and removes unused ones.
void Entries::order_sections(Level& level, const std::vector<std::uint8_t>& laps) {
    const auto same = [&](std::uint8_t lap) { return lap == laps.front(); };
    if (laps.empty()) return;
    const auto newest = static_cast<std::size_t>(std::find_if_not(laps.begin(), laps.end(), same) - laps.begin());
    const std::uint8_t before = laps.front() == 1 ? section_laps : static_cast<std::uint8_t>(laps.front() - 1);
    const bool has_rest = newest != laps.size();
    const std::uint8_t rest = has_rest ? laps[newest] : laps.front();
    const bool in_order = std::all_of(laps.begin() + static_cast<std::ptrdiff_t>(newest), laps.end(),
                                      [&](std::uint8_t lap) { return lap == rest; }) &&
                          (!has_rest || rest == 0 || rest == before);
    if (!in_order) {
        report(Check::section_order, "lap " + std::to_string(laps.front()) + ", then the previous lap",
               "lap " + std::to_string(rest));
    } else if (has_rest && rest != 0) {
        std::rotate(level.pieces.begin(), level.pieces.begin() + static_cast<std::ptrdiff_t>(newest),
                    level.pieces.end());
    }
    const bool wrapped = laps.front() > 1 || (has_rest && rest != 0);
    if (wrapped && gap_ == Gap::none) gap_ = Gap::ring;
    std::erase_if(level.pieces, [](const Level::Piece& piece) { return piece.size == 0; });
}

}  // namespace hwtrace::flux

#include "ring.hpp"

#include <algorithm>
#include <string>

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t smallest_section = 16, largest_section = 0xFFFF;

}  // namespace

Ring::Ring(std::span<const std::byte> head, std::uint64_t size, std::uint64_t sections) {
    const std::uint64_t least = head.size() + sections * (section_head + smallest_section);
    if (sections == 0 || size < least)
        fail(Failure::usage, "--flux-ring: the definitions before the ring need " + counted(head.size(), "byte") +
                                 "; with " + counted(sections, "section") + " the ring needs at least " +
                                 std::to_string(least));
    const std::uint64_t left = size - head.size(), each = left / sections, last = left - each * (sections - 1);
    if (last > section_head + largest_section)
        fail(Failure::usage, "--flux-ring: a section has at most 65535 bytes; " + std::to_string(left) + " bytes in " +
                                 counted(sections, "section") + " would make a section of " + std::to_string(last));
    memory_.resize(static_cast<std::size_t>(size));
    std::ranges::copy(head, memory_.begin());
    std::size_t at = head.size();
    for (std::uint64_t i = 1; i <= sections; ++i) {
        Section& made = sections_.emplace_back();
        made.at = at;
        made.size = static_cast<std::size_t>((i == sections ? last : each) - section_head);
        at += section_head + made.size;
        state(made);
    }
    enter(0);
}

void Ring::state(const Section& of) {
    const bool is_last = of.at + section_head + of.size == memory_.size();
    const auto append_16 = [&](std::size_t at, std::size_t value) {
        memory_[at] = static_cast<std::byte>(value);
        memory_[at + 1] = static_cast<std::byte>(value >> 8);
    };
    memory_[of.at + 1] = static_cast<std::byte>(Tag::section);
    memory_[of.at + 2] = static_cast<std::byte>(of.counter | (is_last ? unsigned{last_section} : 0u));
    append_16(of.at + 3, of.size);
    append_16(of.at + 5, of.used);
}

void Ring::enter(std::size_t next) {
    current_ = next;
    lost_ += section().records;
    section().records = 0;
    section().used = 0;
    section().counter = section().counter % section_laps + 1;
    state(section());
}

bool Ring::reserve(std::size_t size) {
    if (section().size - section().used >= size) return true;
    const std::size_t next = (current_ + 1) % sections_.size();
    if (sections_[next].size < size) return false;
    enter(next);
    ++lap_;
    return true;
}

void Ring::put(std::span<const std::byte> entry) {
    std::ranges::copy(entry,
                      memory_.begin() + static_cast<std::ptrdiff_t>(section().at + section_head + section().used));
    section().used += entry.size();
    state(section());
}

}  // namespace hwtrace::flux

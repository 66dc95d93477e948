#include "layout.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "io/counted.hpp"

namespace hwtrace::uscope {

namespace {

std::string ps(std::uint64_t time) {
    return std::to_string(time) + " ps";
}

/// Returns true if the bytes are alignment padding: up to seven zero bytes.
bool is_padding(const Input& input, ByteRange at) {
    std::array<std::byte, 8> bytes{};
    return at.length < bytes.size() && (at.offset + at.length) % bytes.size() == 0 &&
           input.read_at(at.offset, std::span(bytes).first(static_cast<std::size_t>(at.length))) == at.length &&
           std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

bool begins_trace(const Input& input, std::uint64_t offset) {
    std::array<std::byte, file_magic.size()> bytes{};
    return input.read_at(offset, bytes) == bytes.size() && std::ranges::equal(bytes, file_magic);
}

}  // namespace

void Layout::begin_segment(std::size_t number, std::uint64_t offset, std::uint64_t extent, std::uint64_t previous,
                           const SegmentHeader& header, const SegmentEntry* entry) {
    claim(offset, extent);
    place_.where = "segment " + std::to_string(number);
    offset_ = offset;
    header_ = header;
    if (header.flags != 0 || header.reserved != 0)
        report(findings_, Check::reserved, {offset + 4, 4}, "flags and reserved 0", "other bits", place_);
    if (header.previous != previous)
        report(findings_, Check::chain, {offset + 0x18, 8}, "the previous segment at byte " + std::to_string(previous),
               std::to_string(header.previous), place_);
    if (entry != nullptr && (entry->time_start != header.time_start || entry->time_end != header.time_end))
        report(findings_, Check::segment_table, {offset, segment_header_size},
               "times " + ps(entry->time_start) + " to " + ps(entry->time_end),
               ps(header.time_start) + " to " + ps(header.time_end), place_);
    if (number == 0 && header.time_start != 0)
        report(findings_, Check::first_start, {offset + 8, 8}, "start at 0 ps", ps(header.time_start), place_);
    if (last_end_ && *last_end_ != header.time_start)
        report(findings_, Check::segment_times, {offset + 8, 8}, "start at " + ps(*last_end_), ps(header.time_start),
               place_);
    last_end_ = header.time_end;
}

void Layout::end_segment(std::uint64_t last_time) {
    if (header_.num_frames != 0 && header_.time_end != last_time)
        report(findings_, Check::segment_times, {offset_ + 0x10, 8}, "end at " + ps(last_time), ps(header_.time_end),
               place_);
}

void Layout::finish(const Input& input, const FileHeader& header, const Preamble& preamble,
                    const SectionTable& sections, bool all_read) {
    if (header.complete() && all_read && !sections.cut && header.total_time != last_end_.value_or(0))
        report(findings_, Check::segment_times, {0x10, 8}, "total_time " + ps(last_end_.value_or(0)),
               ps(header.total_time));
    claim(0, preamble.end);
    for (const SectionPlace& section : sections.sections)
        claim(section.offset, section.size);
    if (sections.size != 0) claim(sections.offset, sections.size);
    check_claims(input, sections.cut);
}

/// Reports overlapping parts, and bytes that belong to no part. If the file is cut, an incomplete structure at its end
/// is not reported.
void Layout::check_claims(const Input& input, bool is_cut) {
    const std::uint64_t size = input.size().value_or(0);
    claims_.emplace_back(size, size);
    std::ranges::sort(claims_);
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < claims_.size(); ++i) {
        const std::uint64_t first = claims_[i].first;
        const std::uint64_t next = i + 1 < claims_.size() ? claims_[i + 1].first : first;
        const std::uint64_t last = claims_[i].second == to_next_part ? next : claims_[i].second;
        if (first < end && first < last)
            report(findings_, Check::overlap, {first, std::min(end, last) - first},
                   "a part that begins at byte " + std::to_string(end) + " or later",
                   counted(std::min(end, last) - first, "byte") + " in another part");
        const bool is_rest = is_cut && i + 1 == claims_.size();
        if (first > end && (!is_rest || begins_trace(input, end))) check_unclaimed(input, {end, first - end});
        end = std::max(end, last);
    }
}

void Layout::check_unclaimed(const Input& input, ByteRange bytes) {
    if (begins_trace(input, bytes.offset))
        report(findings_, Check::second_trace, bytes, "the end of the file",
               "another trace of " + counted(bytes.length, "byte"));
    else if (!is_padding(input, bytes))
        report(findings_, Check::unclaimed, bytes, "a structure of the format",
               counted(bytes.length, "byte") + " that nothing refers to");
}

}  // namespace hwtrace::uscope

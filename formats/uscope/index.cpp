#include "index.hpp"

#include <algorithm>
#include <array>

#include "domain/value_text.hpp"
#include "io/little_endian.hpp"
#include "rules.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t most_sections = 4096;

std::string offset_text(std::uint64_t offset) {
    return "offset " + std::to_string(offset);
}

void check_count(const FileHeader& header, std::size_t found, Findings& findings) {
    const std::uint64_t stated = header.num_segments;
    const bool lagging = !header.complete() && stated <= found && found - stated <= 1;
    if (found != stated && !lagging)
        report(findings, Check::header_counts, {at_num_segments, 4}, counted(found, "segment"), std::to_string(stated));
}

void report_open(Findings& findings) {
    report(findings, Check::unfinished, {8, 8}, "flag COMPLETE", "a file that is still open");
}

/// Returns the offset after a segment and its text block.
std::uint64_t end_of(const Input& input, std::uint64_t offset, const SegmentHeader& segment) {
    const std::uint64_t end = offset + segment.total_size();
    return end + text_block_size(input, end);
}

class SegmentFinder {
public:
    SegmentFinder(const Input& input, const FileHeader& header, std::uint64_t first, const Limits& limits,
                  Findings& findings)
        : input_(input),
          header_(header),
          first_(first),
          size_(input.size().value_or(0)),
          limits_(limits),
          findings_(findings) {}

    SegmentList run(const SectionTable& sections) {
        SegmentList list;
        if (header_.complete() && from_table(sections, list)) return list;
        if (header_.tail_offset == 0 && header_.num_segments == 0 && header_.complete()) return list;
        const bool tail_missing = is_tail_missing();
        const bool is_cut = sections.cut || tail_missing;
        if (tail_missing)
            report(findings_, Check::truncated, size_, "a segment at byte " + std::to_string(header_.tail_offset),
                   "the end of the file");
        const bool whole = follow_chain(list, is_cut);
        if (!whole) {
            const std::uint64_t end = list.offsets.empty() ? size_ : list.offsets.front();
            const std::vector<std::uint64_t> found = search(first_, end);
            list.offsets.insert(list.offsets.begin(), found.begin(), found.end());
        } else if (list.offsets.size() < header_.num_segments) {
            if (!is_cut)
                report(findings_, Check::chain, {at_tail_offset, 8},
                       "a chain of " + counted(header_.num_segments, "segment"), std::to_string(list.offsets.size()));
            if (auto found = search(first_, size_); found.size() > list.offsets.size()) list.offsets = std::move(found);
        }
        if (!header_.complete() && whole) append_uncommitted(list.offsets);
        if (!is_cut) check_count(header_, list.offsets.size(), findings_);
        return list;
    }

private:
    bool holds_header(std::uint64_t offset) const noexcept {
        return offset >= first_ && offset <= size_ && size_ - offset >= segment_header_size;
    }

    /// Returns true if an open file ends before the last committed segment.
    bool is_tail_missing() const noexcept {
        return !header_.complete() && header_.tail_offset >= first_ && !holds_header(header_.tail_offset);
    }

    /// Returns the segment header at `offset`, or nothing if the magic is wrong.
    std::optional<SegmentHeader> header_at(std::uint64_t offset) const {
        return holds_header(offset) ? read_segment_header(input_, offset) : std::nullopt;
    }

    bool from_table(const SectionTable& sections, SegmentList& list) {
        const SectionPlace* place = sections.find(Section::segments);
        if (place == nullptr) {
            if (header_.num_segments != 0 && sections.size != 0 && !sections.cut)
                report(findings_, Check::segment_table, sections.offset, "a segment table", "none");
            return false;
        }
        const std::uint64_t rows = place->size / segment_table_entry_size;
        if (rows != header_.num_segments || place->size % segment_table_entry_size != 0) {
            report(findings_, Check::segment_table, {place->offset, place->size},
                   counted(header_.num_segments, "row") + " of 24 bytes", counted(place->size, "byte"));
            return false;
        }
        check_limit(place->size, limits_.block, "the segment table", "--max-block");
        const std::vector<std::byte> bytes = input_.read_all_at(place->offset, static_cast<std::size_t>(place->size));
        std::uint64_t previous = 0;
        for (std::size_t at = 0; at < bytes.size(); at += segment_table_entry_size) {
            const SegmentEntry entry{load_le<std::uint64_t>(bytes.data() + at),
                                     load_le<std::uint64_t>(bytes.data() + at + 8),
                                     load_le<std::uint64_t>(bytes.data() + at + 16)};
            if (entry.offset <= previous || !holds_header(entry.offset)) {
                report(findings_, Check::segment_table, {place->offset + at, segment_table_entry_size},
                       "the offset of a segment after the previous one", offset_text(entry.offset));
                list = {};
                return false;
            }
            previous = entry.offset;
            list.table.push_back(entry);
            list.offsets.push_back(entry.offset);
        }
        return true;
    }

    /// Fills `list` along the chain from the tail to the first segment. Returns false if the chain is broken. `cut`:
    /// the end of the file is missing. In this case a missing tail has been reported already.
    bool follow_chain(SegmentList& list, bool cut) {
        std::vector<std::uint64_t>& offsets = list.offsets;
        std::uint64_t offset = header_.tail_offset;
        std::uint64_t link_at = at_tail_offset;
        bool whole = true;
        while (offset != 0) {
            const std::optional<SegmentHeader> segment =
                offsets.empty() || offset < offsets.back() ? header_at(offset) : std::nullopt;
            if (!segment) {
                const bool missing_tail = offset >= size_ || size_ - offset < segment_header_size;
                if (!cut || !missing_tail)
                    report(findings_, offset >= size_ ? Check::truncated : Check::chain, {link_at, 8},
                           "the offset of a segment before byte " +
                               std::to_string(offsets.empty() ? size_ : offsets.back()),
                           offset_text(offset));
                list.reported_link = link_at;
                whole = false;
                break;
            }
            offsets.push_back(offset);
            link_at = offset + 0x18;
            offset = segment->previous;
        }
        std::ranges::reverse(offsets);
        if (whole && !offsets.empty() && offsets.front() != first_) {
            report(findings_, Check::chain, {offsets.front() + 0x18, 8},
                   "a chain to the first segment at byte " + std::to_string(first_),
                   "an end at byte " + std::to_string(offsets.front()));
            list.reported_link = offsets.front() + 0x18;
            whole = false;
        }
        return whole && (!offsets.empty() || header_.num_segments == 0);
    }

    /// Finds segments in [from, end). Expects each segment at the end of the previous one. If there is none, searches
    /// for the next plausible magic.
    std::vector<std::uint64_t> search(std::uint64_t from, std::uint64_t end) const {
        std::vector<std::uint64_t> offsets;
        std::uint64_t at = from;
        while (at < end) {
            const std::optional<SegmentHeader> segment = header_at(at);
            if (segment) {
                offsets.push_back(at);
                if (segment->total_size() <= end - at) {
                    at = end_of(input_, at, *segment);
                    continue;
                }
            }
            const std::optional<std::uint64_t> next = next_plausible(at + 1, end);
            if (!next) break;
            at = *next;
        }
        return offsets;
    }

    std::optional<std::uint64_t> next_plausible(std::uint64_t from, std::uint64_t end) const {
        constexpr std::size_t window = std::size_t{64} << 10;
        constexpr std::size_t overlap = segment_magic.size() - 1;
        std::vector<std::byte> bytes(window);
        for (std::uint64_t at = from; at < end; at += window - overlap) {
            const std::size_t got = input_.read_at(at, bytes);
            const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(got);
            for (auto hit = bytes.begin();; ++hit) {
                hit = std::search(hit, last, segment_magic.begin(), segment_magic.end());
                if (hit == last) break;
                const std::uint64_t offset = at + static_cast<std::uint64_t>(hit - bytes.begin());
                if (offset < end && is_plausible(offset)) return offset;
            }
            if (got < window) break;
        }
        return std::nullopt;
    }

    bool is_plausible(std::uint64_t offset) const {
        const std::optional<SegmentHeader> segment = header_at(offset);
        return segment && segment->flags == 0 && segment->reserved == 0 && segment->previous < offset &&
               segment->time_start <= segment->time_end && segment->num_frames_active <= segment->num_frames &&
               segment->total_size() <= size_ - offset;
    }

    /// Appends whole segments that an interrupted recording wrote but did not commit.
    void append_uncommitted(std::vector<std::uint64_t>& offsets) const {
        std::uint64_t previous = offsets.empty() ? 0 : offsets.back();
        std::uint64_t at = first_;
        if (!offsets.empty()) {
            const std::optional<SegmentHeader> last = header_at(previous);
            if (!last) return;
            at = end_of(input_, previous, *last);
        }
        while (true) {
            const std::optional<SegmentHeader> segment = header_at(at);
            if (!segment || segment->previous != previous || !is_plausible(at)) return;
            offsets.push_back(at);
            previous = at;
            at = end_of(input_, at, *segment);
        }
    }

    const Input& input_;
    const FileHeader& header_;
    std::uint64_t first_;
    std::uint64_t size_;
    const Limits& limits_;
    Findings& findings_;
};

}  // namespace

const SectionPlace* SectionTable::find(Section type) const noexcept {
    const auto found = std::ranges::find(sections, static_cast<std::uint16_t>(type), &SectionPlace::type);
    return found == sections.end() ? nullptr : &*found;
}

SectionTable read_section_table(const Input& input, const FileHeader& header, Findings& findings) {
    SectionTable table;
    if (!header.complete()) {
        report_open(findings);
        return table;
    }
    const std::uint64_t size = input.size().value_or(0);
    table.offset = header.section_table_offset;
    if (table.offset > size) {
        report(findings, Check::truncated, size, "a section table at byte " + std::to_string(table.offset),
               "the end of the file");
        table.cut = true;
        return table;
    }
    if (table.offset < file_header_size) {
        report(findings, Check::section_table, {0x20, 8}, "the offset of the section table", offset_text(table.offset));
        return table;
    }
    for (std::uint64_t at = table.offset;; at += section_entry_size) {
        std::array<std::byte, section_entry_size> entry{};
        if (table.sections.size() == most_sections || input.read_at(at, entry) < entry.size()) {
            const std::uint64_t left = size - std::min(size, at);
            table.cut = left < entry.size();
            report(findings, table.cut ? Check::truncated : Check::section_table,
                   {at, std::min<std::uint64_t>(left, entry.size())}, "an END entry in the section table", "none");
            break;
        }
        table.size = at + section_entry_size - table.offset;
        const auto type = load_le<std::uint16_t>(entry.data());
        if (Section{type} == Section::end) break;
        const SectionPlace place{type, load_le<std::uint64_t>(entry.data() + 8),
                                 load_le<std::uint64_t>(entry.data() + 16)};
        if (load_le<std::uint16_t>(entry.data() + 2) != 0 || load_le<std::uint32_t>(entry.data() + 4) != 0)
            report(findings, Check::reserved, {at + 2, 6}, "0", "other bits", {"section entry", {}, {}});
        if (place.offset > size || place.size > size - place.offset || place.offset < header.preamble_end) {
            report(findings, Check::section_table, {at, section_entry_size}, "a section inside the file",
                   counted(place.size, "byte") + " at " + offset_text(place.offset));
            continue;
        }
        table.sections.push_back(place);
    }
    return table;
}

void report_unfinished(const FileHeader& header, std::size_t segments,
                       const std::optional<CommittedSegments::Fault>& fault, Findings& findings) {
    report_open(findings);
    if (fault)
        report(findings, fault->check, fault->at, fault->expected, fault->got);
    else
        check_count(header, segments, findings);
}

std::optional<FileHeader> read_file_header(const Input& input) {
    std::array<std::byte, file_header_size> bytes{};
    if (input.read_at(0, bytes) < bytes.size() || !std::equal(file_magic.begin(), file_magic.end(), bytes.begin()))
        return std::nullopt;
    return FileHeader::decode(bytes);
}

std::uint64_t text_block_size(const Input& input, std::uint64_t offset) {
    std::array<std::byte, text_block_header_size> bytes{};
    if (input.read_at(offset, bytes) < bytes.size() ||
        !std::equal(text_block_magic.begin(), text_block_magic.end(), bytes.begin()))
        return 0;
    const std::uint64_t stated = bytes.size() + std::uint64_t{load_le<std::uint32_t>(bytes.data() + 4)};
    return std::min(stated, input.size().value_or(0) - offset);
}

std::optional<SegmentHeader> read_segment_header(const Input& input, std::uint64_t offset) {
    std::array<std::byte, segment_header_size> bytes{};
    if (input.read_at(offset, bytes) < bytes.size() || !has_segment_magic(bytes)) return std::nullopt;
    return SegmentHeader::decode(bytes);
}

CommittedSegments committed_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                                     std::optional<std::uint64_t> last) {
    const std::uint64_t size = input.size().value_or(0);
    const std::uint64_t stop = last.value_or(0);
    CommittedSegments found;
    std::uint64_t end = size;  // the search goes backwards: the next segment must not end after this offset
    std::uint64_t link_at = at_tail_offset;
    std::uint64_t offset = header.tail_offset;
    const auto stand_at = [&](std::uint64_t from, std::uint64_t until) {
        const std::optional<SegmentHeader> segment = read_segment_header(input, from);
        return segment && segment->total_size() <= until - from ? segment : std::nullopt;
    };
    while (offset != stop) {
        const bool is_ahead = offset >= first && offset > stop && offset < end;
        const std::optional<SegmentHeader> segment = is_ahead ? stand_at(offset, end) : std::nullopt;
        if (!segment) {
            const bool is_cut = link_at == at_tail_offset && offset > stop && offset >= first;
            found.fault = {is_cut ? Check::truncated : Check::chain,
                           {link_at, 8},
                           "the offset of a whole segment before byte " + std::to_string(end),
                           offset_text(offset)};
            break;
        }
        found.offsets.push_back(offset);
        end = offset;
        link_at = offset + 0x18;
        offset = segment->previous;
    }
    if (!found.fault && !last && !found.offsets.empty() && found.offsets.back() != first)
        found.fault = {Check::chain, link_at, "a chain to the first segment at byte " + std::to_string(first),
                       "an end at byte " + std::to_string(found.offsets.back())};
    std::ranges::reverse(found.offsets);
    if (!found.fault) return found;

    // The chain is broken: search forward from the last known segment up to the segments found so far.
    std::uint64_t previous = stop;
    std::uint64_t at = first;
    if (last) {
        const std::optional<SegmentHeader> known = stand_at(*last, size);
        if (!known) return found;
        at = end_of(input, *last, *known);
    }
    const std::uint64_t until = found.offsets.empty() ? size : found.offsets.front();
    std::vector<std::uint64_t> ahead;
    while (at < until && at <= header.tail_offset) {
        const std::optional<SegmentHeader> segment = stand_at(at, until);
        if (!segment || segment->previous != previous) break;
        ahead.push_back(at);
        previous = at;
        at = end_of(input, at, *segment);
    }
    found.offsets.insert(found.offsets.begin(), ahead.begin(), ahead.end());
    return found;
}

SegmentList find_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                          const SectionTable& sections, const Limits& limits, Findings& findings) {
    return SegmentFinder(input, header, first, limits, findings).run(sections);
}

}  // namespace hwtrace::uscope

// formats/uscope/index.hpp - finds the parts of a file: sections by the section table, segments by the segment table,
// the chain or a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// One entry of the section table.
struct SectionPlace {
    std::uint16_t type = 0;
    std::uint64_t offset = 0, size = 0;
};

/// The sections of a closed file. Sections that exceed the file are left out.
struct SectionTable {
    std::vector<SectionPlace> sections;
    std::uint64_t offset = 0, size = 0;  ///< byte range of the section table; size 0: no table
    bool cut = false;                    ///< the file ends inside the table (reported)

    const SectionPlace* find(Section type) const noexcept;
};
/// Reads the section table. Reports faults in the table. If the file is still open, reports that instead.
SectionTable read_section_table(const Input& input, const FileHeader& header, Findings& findings);

/// A row of the segment table (8.3).
struct SegmentEntry {
    std::uint64_t offset = 0, time_start = 0, time_end = 0;
};

/// The segments of a file.
struct SegmentList {
    std::vector<std::uint64_t> offsets;  ///< file offsets of segment headers, increasing
    std::vector<SegmentEntry> table;     ///< one row for each offset if the table was used, else empty
    std::uint64_t reported_link = 0;     ///< file offset of the broken link that was reported; 0: none
};
/// Reads the header of a file that a writer may still be writing. Returns nothing if the first 48 bytes are not a
/// µScope header.
std::optional<FileHeader> read_file_header(const Input& input);
/// The segments that are known to be committed.
struct CommittedSegments {
    struct Fault {
        Check check = Check::chain;
        ByteRange at{0};
        std::string expected{}, got{};
    };
    std::vector<std::uint64_t> offsets;  ///< increasing
    std::optional<Fault> fault;          ///< set if the chain is broken
};
/// Finds the committed segments (2.2) after the segment at `last`. If `last` is nullopt, finds all committed segments.
/// Follows the chain back from the header's tail. A broken chain (the writer is at work, or the file is damaged) is
/// completed by a forward search from `last`. The search accepts a complete segment before or at the tail if it links
/// to the previous segment. `first` is the end of the preamble.
CommittedSegments committed_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                                     std::optional<std::uint64_t> last);
/// Returns the size of the text block at `offset`, which ends at the end of the input at the latest. Returns 0 if there
/// is none.
std::uint64_t text_block_size(const Input& input, std::uint64_t offset);
/// Reads the segment header at `offset`. Returns nothing if the magic is wrong or the header exceeds the input.
std::optional<SegmentHeader> read_segment_header(const Input& input, std::uint64_t offset);

/// Reports that a file was not closed. Also reports a broken chain, or a wrong number of segments in the header.
void report_unfinished(const FileHeader& header, std::size_t segments,
                       const std::optional<CommittedSegments::Fault>& fault, Findings& findings);

/// Finds all segments. Uses the segment table if it agrees with the header, else the chain from the tail, else a
/// search. `first` is the end of the preamble. All offsets are inside the file; contents are checked when they are
/// read. README.md#damaged-files describes the order.
SegmentList find_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                          const SectionTable& sections, const Limits& limits, Findings& findings);

}  // namespace hwtrace::uscope

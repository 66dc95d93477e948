// formats/uscope/index.hpp - finds the parts of a file: sections by their table, segments by table, chain or search.
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

struct SectionPlace {
    std::uint16_t type = 0;
    std::uint64_t offset = 0, size = 0;
};

/// The sections of a closed file that lie inside it. What is wrong with the table becomes a finding.
struct SectionTable {
    std::vector<SectionPlace> sections;
    std::uint64_t offset = 0, size = 0;  ///< of the table itself; size 0: there is none
    bool cut = false;                    ///< the file ends before the table does, which has been reported

    const SectionPlace* find(Section type) const noexcept;
};
SectionTable read_section_table(const Input& input, const FileHeader& header, Findings& findings);

/// What the segment table says about a segment (spec/uscope.txt 8.3).
struct SegmentEntry {
    std::uint64_t offset = 0, time_start = 0, time_end = 0;
};

struct SegmentList {
    std::vector<std::uint64_t> offsets;  ///< of the segment headers, increasing
    std::vector<SegmentEntry> table;     ///< one for each offset when the table was used, else empty
    std::uint64_t told_link = 0;         ///< where the link stands that does not lead to the first segment, as was told
};
/// The first 48 bytes of a file that may be in the writing, where they are the header of a µScope file.
std::optional<FileHeader> read_file_header(const Input& input);
/// What a writer has committed, as far as it can be found.
struct CommittedSegments {
    struct Fault {
        Check check = Check::chain;
        ByteRange at{0};
        std::string expected{}, got{};
    };
    std::vector<std::uint64_t> offsets;  ///< increasing
    std::optional<Fault> fault;          ///< the chain does not lead back: what is wrong with it
};
/// The segments that have been committed (2.2) behind `last`, or since the beginning, where that is none: the chain
/// from the header's tail back to there. Where it does not lead there - a writer is at work between its pieces, or the
/// file is damaged - those to which it leads, and in front of them those that stand one behind the other from there
/// on, each whole, linked to the one before and not behind the tail. `first` is the end of the preamble.
CommittedSegments committed_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                                     std::optional<std::uint64_t> last);
/// The header at `offset`; none where it has another magic or does not fit into the input.
std::optional<SegmentHeader> read_segment_header(const Input& input, std::uint64_t offset);

/// Reports that a file was not closed, and what is wrong with its chain, else a number of segments in its header that
/// is not theirs.
void report_unfinished(const FileHeader& header, std::size_t segments,
                       const std::optional<CommittedSegments::Fault>& fault, Findings& findings);

/// All segments: from the table when it agrees with the header, else along the chain from the tail, else by searching
/// forward from `first`, the end of the preamble. Offsets lie inside the file; what stands there is checked on reading.
SegmentList find_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                          const SectionTable& sections, const Limits& limits, Findings& findings);

}  // namespace hwtrace::uscope

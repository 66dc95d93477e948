// formats/uscope/index.hpp - finds the parts of a file: sections by their table, segments by table, chain or search.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
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
};
/// All segments: from the table when it agrees with the header, else along the chain from the tail, else by searching
/// forward from `first`, the end of the preamble. Offsets lie inside the file; what stands there is checked on reading.
SegmentList find_segments(const Input& input, const FileHeader& header, std::uint64_t first,
                          const SectionTable& sections, const Limits& limits, Findings& findings);

}  // namespace hwtrace::uscope

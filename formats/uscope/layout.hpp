// formats/uscope/layout.hpp - checks that headers, segment table, times and offsets of a file agree.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codec/findings.hpp"
#include "index.hpp"
#include "io/input.hpp"
#include "preamble.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// Checks a file segment by segment, from the first to the last.
class Layout {
public:
    explicit Layout(Findings& findings) noexcept : findings_(findings) {}

    /// Checks the header of the segment at `offset`, which takes `extent` bytes. `entry` is its row in the segment
    /// table, or null. `previous` is the offset of the previous segment.
    void begin_segment(std::size_t number, std::uint64_t offset, std::uint64_t extent, std::uint64_t previous,
                       const SegmentHeader& header, const SegmentEntry* entry);
    /// Checks the end of the segment. Must be called after all its frames were read; `last_time` is the time of the
    /// last frame.
    void end_segment(std::uint64_t last_time);
    /// Registers a segment at `offset` that could not be read. The size and times in its header are not used.
    void skip_segment(std::uint64_t offset) {
        last_end_.reset();
        claims_.emplace_back(offset, to_next_part);
    }
    /// Returns true if the end time of the previous segment is known.
    bool knows_end() const noexcept { return last_end_.has_value(); }
    /// Checks the total time. Reports bytes that belong to no part, to two parts, or to another trace.
    void finish(const Input& input, const FileHeader& header, const Preamble& preamble, const SectionTable& sections,
                bool all_read);

private:
    static constexpr std::uint64_t to_next_part = ~std::uint64_t{0};

    void claim(std::uint64_t offset, std::uint64_t size) { claims_.emplace_back(offset, offset + size); }
    void check_claims(const Input& input, bool is_cut);
    void check_unclaimed(const Input& input, ByteRange bytes);

    Findings& findings_;
    Place place_;
    std::uint64_t offset_ = 0;
    SegmentHeader header_;
    std::optional<std::uint64_t> last_end_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> claims_;  // [begin, end); end may be to_next_part
};

}  // namespace hwtrace::uscope

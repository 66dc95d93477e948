// formats/uscope/reader.hpp - reads µScope 0.1 to 0.3: segments in order, one at a time, items to records.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "index.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/input.hpp"
#include "preamble.hpp"
#include "segment.hpp"
#include "verification.hpp"

namespace hwtrace::uscope {

class FileReader final : public Reader {
public:
    /// Reads everything in front of the first segment and behind the last one. Throws Failure::input where that is not
    /// enough to understand frames. All arguments outlive the reader; `input` is seekable.
    FileReader(const Input& input, const Settings& settings, Findings& findings);

    Schema& schema() override { return schema_; }
    /// As Reader says; a batch holds records of one segment only.
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return position_; }

    const FileHeader& header() const noexcept { return header_; }
    const Preamble& preamble() const noexcept { return preamble_; }
    std::size_t segments() const noexcept { return list_.offsets.size(); }
    /// The segment that the last batch came from: its number and its header. Before the first batch: nothing.
    std::optional<std::size_t> segment() const noexcept { return segment_; }
    const SegmentHeader& segment_header() const noexcept { return segment_header_; }
    std::uint64_t segment_offset() const noexcept { return list_.offsets[*segment_]; }

private:
    void read_strings();
    /// The minor version that the file's structures and frames belong to, whatever its header says.
    std::uint16_t structures_minor() const noexcept;
    void check_sections();
    void declare_metadata();
    bool next_segment();
    void end_segment(bool whole);
    void finish();
    Place place() const;

    const Input& input_;
    const Settings& settings_;
    Findings& findings_;
    FileHeader header_;
    Schema schema_;
    Preamble preamble_;
    SectionTable sections_;
    SegmentList list_;
    std::size_t strings_ = 0;  // of the file's table
    std::optional<SummaryTotals> totals_;

    SegmentLoader loader_;
    std::optional<Verification> verification_;  // when asked for
    std::optional<FrameDecoder> decoder_;       // always, once the schema is complete

    std::size_t next_ = 0;  // segment to be read
    std::optional<std::size_t> segment_;
    SegmentHeader segment_header_;
    bool in_segment_ = false, finished_ = false;
    bool all_read_ = true;          // every frame of every segment so far
    bool end_checkpoints_ = false;  // the first one is not empty
    std::uint64_t frames_ = 0, active_frames_ = 0, items_ = 0;
    std::optional<Tick> first_time_, last_time_;
    std::uint64_t position_ = 0;
};

/// Format::open of this format.
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);

}  // namespace hwtrace::uscope

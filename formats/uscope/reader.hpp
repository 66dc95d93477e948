// formats/uscope/reader.hpp - reads µScope 0.1 to 0.3, one segment at a time, in order or from any time on.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/reader.hpp"
#include "codec/resumable.hpp"
#include "codec/settings.hpp"
#include "index.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/input.hpp"
#include "layout.hpp"
#include "preamble.hpp"
#include "segment.hpp"
#include "verification.hpp"

namespace hwtrace::uscope {

/// Reads a µScope file. It can also seek by time and follow a file that grows.
class FileReader final : public Reader, public Resumable {
public:
    /// The handling of strings and string tables above the limits. `refused` throws Failure::limit; `left_out` reports
    /// a finding and leaves them empty.
    enum class LargeTexts : std::uint8_t { refused, left_out };

    /// Reads everything before the first and after the last segment. Throws Failure::input if that does not suffice to
    /// decode frames. All arguments must outlive the reader; `input` must be seekable.
    FileReader(const Input& input, const Settings& settings, Findings& findings,
               LargeTexts large_texts = LargeTexts::refused);

    Schema& schema() override { return schema_; }
    /// See Reader. A batch has records of one segment only.
    bool read(Batch& batch) override;
    /// Moves to the last segment that begins before `time`. Sets `state` to the state before that segment, which is
    /// replayed from the nearest usable checkpoint. Returns false during verification. Resets the counts of facts().
    /// Without a segment table, the first call reads all segment headers. No call needs more memory than the largest
    /// segment.
    bool seek(Tick time, StateTable* state) override;
    /// Checks whether the writer of an open file has committed more segments or has closed the file. Treats a
    /// half-written header or tail as no change. Returns true if read() has more records, even if it returned false
    /// before.
    ///
    /// With Settings::wait_for_growth, an open file is read up to its last committed segment. read() then calls
    /// wait_for_growth: after true it calls poll(), after false it reports the file as unfinished. Without
    /// wait_for_growth, the file is reported as unfinished at once, and whole segments after the committed ones are
    /// read too.
    bool poll();
    /// States exist between two segments of a closed file.
    bool keep_states() override;
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    Facts facts() const override;
    std::uint64_t position() const override { return position_; }

    /// From now on, strings in records and states are indexes into the file's string table. This includes indexes that
    /// the table lacks.
    void keep_text_numbers();

    const FileHeader& header() const noexcept { return header_; }
    const SectionTable& sections() const noexcept { return sections_; }
    /// Returns the number of strings in the file's string table. In an open file, these are the strings that were
    /// committed with its segments.
    std::size_t string_count() const noexcept { return strings_; }
    std::string_view string(std::size_t number) const {
        return schema_.text(static_cast<StringId>(first_string_ + number));
    }
    /// Returns true if the values of long DUT properties are in the schema's metadata. In an open file, they may not
    /// have been committed yet.
    bool has_long_texts() const noexcept { return has_long_texts_; }
    const Preamble& preamble() const noexcept { return preamble_; }
    std::size_t segments() const noexcept { return list_.offsets.size(); }
    /// Returns the number of the last batch's segment; nothing before the first batch.
    std::optional<std::size_t> segment() const noexcept { return segment_; }
    const SegmentHeader& segment_header() const noexcept { return segment_header_; }
    /// Returns true while the findings about a file that is still open are reported.
    bool reports_open_end() const noexcept { return reporting_open_end_; }
    std::uint64_t segment_offset() const noexcept { return list_.offsets[*segment_]; }

private:
    /// The meaning of the file's checkpoints (README.md#state-reconstruction). `before` and `behind`: a checkpoint
    /// holds the state before or after its segment. `empty`: all checkpoints are empty. `stated`: checkpoints match
    /// neither state, probably because a program set the state at the start of segments. `unusable`: checkpoints match
    /// neither state and are ignored.
    enum class Checkpoints : std::uint8_t { unknown, before, behind, empty, stated, unusable };
    /// The findings about a segment that were reported before and are not repeated when it is read again.
    enum Reported : std::uint8_t {
        reported_load = 1,
        reported_frames = 2,
        reported_checkpoint = 4,
        reported_times = 8,
        reported_state = 16,
        reported_checkpoint_texts = 32
    };

    void read_strings(const FileHeader& header, const SectionTable& sections);
    void read_text_blocks();
    std::vector<std::string_view> texts_in(Cursor& at, ByteRange place, bool cut);
    void append_texts(std::uint32_t first, const std::vector<std::string_view>& texts, ByteRange place);
    bool is_too_large(std::uint64_t size, std::uint64_t limit, std::string_view what, std::string_view option,
                      std::uint64_t offset);
    /// Returns the minor version of the file's structures and frames, regardless of its header.
    std::uint16_t structures_minor() const noexcept;
    void check_version();
    void check_sections();
    void declare_metadata();
    void declare_long_texts();
    void declare_long_text(const Property& property);
    void report_open_end();
    bool is_growing(FileHeader& header) const;
    std::uint64_t end_of(std::size_t number) const;
    bool load(std::size_t number);
    bool next_segment();
    bool wait_for_segment();
    void end_segment(bool whole);
    void end_frames(std::size_t number, const SegmentHeader& header, bool whole);
    void finish();
    std::uint64_t link_of(std::size_t number) const;
    static Place place_of(std::size_t number);

    // access.cpp
    void close_with(const FileHeader& header);
    std::size_t segment_before(std::uint64_t time);
    void go_to(std::size_t number);
    bool replay(std::size_t from, std::size_t to, StateTable& state);
    void load_state(std::size_t number, StateTable& state);
    bool load_start(std::size_t number, StateTable& state);
    bool is_first_left_out(std::size_t number);
    bool load_checkpoint(std::size_t number, StateTable& state);
    bool open_checkpoint(std::size_t number);
    std::uint64_t translate_texts(StateTable& state);
    Checkpoints find_checkpoints();
    Checkpoints checkpoints();
    bool is_reported(std::size_t number, Reported what) const noexcept {
        return number < reported_.size() && (reported_[number] & what) != 0;
    }
    Findings& findings_of(std::size_t number, Reported what);

    const Input& input_;
    const Settings& settings_;
    Findings& findings_;
    LargeTexts large_texts_;
    FileHeader header_;
    Schema schema_;
    Preamble preamble_;
    SectionTable sections_;
    SegmentList list_;
    std::size_t first_string_ = 0, strings_ = 0;  // the file's string table in the schema
    std::size_t blocks_read_ = 0;                 // number of segments whose text blocks were read
    std::uint64_t block_bytes_ = 0;               // size of these text blocks
    bool has_long_texts_ = false;
    bool text_numbers_ = false;  // string cells are indexes into that table, not StringIds
    bool live_ = false;          // the file is open and is followed
    std::optional<SummaryTotals> totals_;

    Findings silent_{0};  // for findings that are reported elsewhere
    SegmentLoader loader_;
    std::optional<std::size_t> loaded_;         // index of the segment in loader_
    std::optional<Layout> layout_;              // set until the first seek
    std::optional<Verification> verification_;  // set only at CheckLevel::full
    std::optional<FrameDecoder> decoder_;       // set once the schema is complete

    std::size_t next_ = 0;  // index of the next segment
    std::optional<std::size_t> segment_;
    SegmentHeader segment_header_;
    bool in_segment_ = false, finished_ = false, end_reported_ = false, reporting_open_end_ = false;
    bool all_read_ = true;          // every frame of all segments so far was read
    bool end_checkpoints_ = false;  // the first checkpoint is not empty
    std::uint64_t frames_ = 0, active_frames_ = 0, items_ = 0;
    std::optional<Tick> first_time_, last_time_;
    std::uint64_t position_ = 0;

    std::vector<std::uint8_t> reported_;        // by segment: a mask of Reported
    std::optional<FileHeader> closing_header_;  // the header of a closed file whose sections did not fit
    std::optional<FileHeader> unsure_header_;   // a header whose tail did not lead back to the last known segment
    std::optional<CommittedSegments::Fault> chain_fault_;  // fault in an open file; reported when following ends
    std::vector<std::uint64_t> starts_;                    // by segment: the maximum start time up to it
    SegmentLoader checkpoint_loader_;                      // loads checkpoints without replacing the frames in loader_
    std::optional<std::size_t> loaded_checkpoint_;
    Checkpoints checkpoints_ = Checkpoints::unknown;
    std::size_t checkpoints_seen_ = 0;  // number of segments examined without a decision
    Batch replayed_;
};

/// Implements Format::open.
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);

}  // namespace hwtrace::uscope

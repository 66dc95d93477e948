// formats/uscope/reader.hpp - reads µScope 0.1 to 0.3: segments in order or from any time on, one at a time, items to
// records.
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

class FileReader final : public Reader {
public:
    /// What becomes of a string table, or a string, above the limits: Failure::limit, or a finding, and there is none.
    enum class LargeTexts : std::uint8_t { refused, left_out };

    /// Reads everything in front of the first segment and behind the last one. Throws Failure::input where that is not
    /// enough to understand frames. All arguments outlive the reader; `input` is seekable.
    FileReader(const Input& input, const Settings& settings, Findings& findings,
               LargeTexts large_texts = LargeTexts::refused);

    Schema& schema() override { return schema_; }
    /// As Reader says; a batch holds records of one segment only.
    bool read(Batch& batch) override;
    /// Goes to the last segment that begins before `time`; `state` comes from the nearest checkpoint that can be used,
    /// replayed up to there. Refuses while it verifies. What facts() counts begins anew. Without a table of segments,
    /// the first call reads all their headers; no call allocates memory beyond that of the largest segment.
    bool seek(Tick time, StateTable* state) override;
    /// Looks whether the writer of a file that was not closed has committed more, and whether it has closed it. A
    /// header or tail that is only half written counts as nothing new. True when there is more for read(), which may
    /// have returned false before.
    ///
    /// Where Settings::wait_for_growth is set, a file that is still open is taken up to its last committed segment,
    /// and that it is unfinished is a finding only when that function has returned false; read() calls poll() itself
    /// only when it has returned true. Where it is null, what stands behind the committed segments is read too, and the
    /// finding comes at once.
    bool poll();
    Facts facts() const override;
    std::uint64_t position() const override { return position_; }

    /// From now on texts in records and states are numbers in the file's string table, whether it has them or not, for
    /// callers who want them as they stand.
    void keep_text_numbers();

    const FileHeader& header() const noexcept { return header_; }
    const SectionTable& sections() const noexcept { return sections_; }
    /// The file's string table, which comes when the file is closed.
    std::size_t string_count() const noexcept { return strings_; }
    std::string_view string(std::size_t number) const {
        return schema_.text(static_cast<StringId>(first_string_ + number));
    }
    const Preamble& preamble() const noexcept { return preamble_; }
    std::size_t segments() const noexcept { return list_.offsets.size(); }
    /// The segment that the last batch came from: its number and its header. Before the first batch: nothing.
    std::optional<std::size_t> segment() const noexcept { return segment_; }
    const SegmentHeader& segment_header() const noexcept { return segment_header_; }
    std::uint64_t segment_offset() const noexcept { return list_.offsets[*segment_]; }

private:
    /// What checkpoints hold: the state before their segment, or behind it. `empty`: all of them hold nothing.
    /// `stated`: neither fits what the frames say; they are what a program states at the start of segments. `unusable`:
    /// neither fits, and the other one is nearer.
    enum class Checkpoints : std::uint8_t { unknown, before, behind, empty, stated, unusable };
    /// What has been told about a segment: reading it again tells nothing.
    enum Told : std::uint8_t {
        told_load = 1,
        told_frames = 2,
        told_checkpoint = 4,
        told_times = 8,
        told_state = 16,
        told_checkpoint_texts = 32
    };

    void read_strings(const FileHeader& header, const SectionTable& sections);
    bool is_too_large(std::uint64_t size, std::uint64_t limit, std::string_view what, std::string_view option,
                      std::uint64_t offset);
    /// The minor version that the file's structures and frames belong to, whatever its header says.
    std::uint16_t structures_minor() const noexcept;
    void check_version();
    void check_sections();
    void declare_metadata();
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
    bool is_told(std::size_t number, Told what) const noexcept {
        return number < told_.size() && (told_[number] & what) != 0;
    }
    Findings& findings_of(std::size_t number, Told what);

    const Input& input_;
    const Settings& settings_;
    Findings& findings_;
    LargeTexts large_texts_;
    FileHeader header_;
    Schema schema_;
    Preamble preamble_;
    SectionTable sections_;
    SegmentList list_;
    std::size_t first_string_ = 0, strings_ = 0;  // of the file's table, in the schema
    bool text_numbers_ = false;                   // texts are numbers in that table, not StringIds
    bool live_ = false;                           // more is to come, and is waited for
    std::optional<SummaryTotals> totals_;

    Findings silent_{0};  // what has been told, or will be when frames are read
    SegmentLoader loader_;
    std::optional<std::size_t> loaded_;         // the segment that loader_ holds
    std::optional<Layout> layout_;              // until it reads elsewhere than behind what it has read
    std::optional<Verification> verification_;  // when asked for
    std::optional<FrameDecoder> decoder_;       // always, once the schema is complete

    std::size_t next_ = 0;  // segment to be read
    std::optional<std::size_t> segment_;
    SegmentHeader segment_header_;
    bool in_segment_ = false, finished_ = false, end_reported_ = false;
    bool all_read_ = true;          // every frame of every segment so far
    bool end_checkpoints_ = false;  // the first one is not empty
    std::uint64_t frames_ = 0, active_frames_ = 0, items_ = 0;
    std::optional<Tick> first_time_, last_time_;
    std::uint64_t position_ = 0;

    std::vector<std::uint8_t> told_;                       // by segment: Told
    std::optional<FileHeader> closing_header_;             // stated a closed file that did not look like one
    std::optional<FileHeader> unsure_header_;              // its tail did not lead back to what was known
    std::optional<CommittedSegments::Fault> chain_fault_;  // of an open file, told when following ends
    std::vector<std::uint64_t> starts_;  // by segment: the latest time at which it or one before begins
    SegmentLoader checkpoint_loader_;    // for checkpoints alone: loader_ keeps its frames
    std::optional<std::size_t> loaded_checkpoint_;
    Checkpoints checkpoints_ = Checkpoints::unknown;
    std::size_t checkpoints_seen_ = 0;  // how many told nothing
    Batch replayed_;
};

/// Format::open of this format.
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);

}  // namespace hwtrace::uscope

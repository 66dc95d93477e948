// formats/uscope/segment.hpp - loads and decompresses segments, and decodes their frames into records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/input.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "preamble.hpp"
#include "rules.hpp"
#include "verification.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// Reads segments into reused buffers, which grow to the largest segment.
class SegmentLoader {
public:
    SegmentLoader(const Input& input, const FileHeader& header, const Limits& limits, Findings& findings);

    /// Loads the segment at `offset`. `end` is the file offset of the next segment, which limits this one. Returns
    /// false after a finding if none of its frames can be read. `with_checkpoint` loads the checkpoint too.
    bool load(std::size_t number, std::uint64_t offset, std::uint64_t end, bool with_checkpoint);
    /// Loads only the header and the checkpoint; frames() is empty afterwards. Returns false after a finding if header
    /// or checkpoint cannot be read.
    bool load_checkpoint(std::size_t number, std::uint64_t offset, std::uint64_t end);
    /// Reports all later findings to `findings`.
    void report_to(Findings& findings) noexcept { findings_ = &findings; }

    const SegmentHeader& header() const noexcept { return segment_; }
    std::span<const std::byte> checkpoint() const noexcept { return checkpoint_; }
    /// Returns the decompressed frames. At least 8 more bytes after them are readable.
    std::span<const std::byte> frames() const noexcept { return std::span(raw_).first(raw_size_); }
    /// Returns true if only some frames were loaded, because the file ends or the next segment begins before their end.
    bool cut() const noexcept { return cut_; }
    /// Returns the size of the segment in the file, in bytes.
    std::uint64_t extent() const noexcept { return std::min(segment_.total_size(), end_ - offset_); }

private:
    bool begin(std::size_t number, std::uint64_t offset, std::uint64_t end, bool with_checkpoint);
    bool read_header(std::uint64_t offset);
    bool read_exactly(std::uint64_t at, std::span<std::byte> bytes) const;
    bool read_frames(std::uint64_t at, std::uint64_t left);
    void no_room(std::uint64_t needed, std::string_view what, std::uint64_t left) const;
    bool decompress(std::span<const std::byte> stored);
    bool read_cut_frames(std::uint64_t at, std::uint64_t left);
    std::size_t decompress_front(std::span<const std::byte> stored, std::span<std::byte> raw);
    void fault(Check check, ByteRange at, std::string expected, std::string got) const;
    std::span<std::byte> raw_space(std::size_t size);

    const Input& input_;
    const FileHeader& file_;
    const Limits& limits_;
    Findings* findings_;
    std::uint64_t size_ = 0;  // size of the input when the segment was loaded
    std::uint64_t end_ = 0;   // end of the segment: at most size_
    ZstdBlock zstd_;
    std::size_t number_ = 0;
    std::uint64_t offset_ = 0;
    SegmentHeader segment_;
    std::vector<std::byte> checkpoint_, stored_, raw_;
    std::size_t raw_size_ = 0;
    bool cut_ = false;
    bool bare_block_reported_ = false;
};

/// Decodes frames into records, segment by segment. It can stop after any item when a batch is full.
class FrameDecoder {
public:
    enum class Status : std::uint8_t { more, ended, damaged };

    /// The first `strings` strings of `schema` must be the strings of the file. In `schema`, native tracks must follow
    /// the tracks of the file. All arguments must outlive this object; the header of a growing file may change.
    /// `verification` may be null.
    FrameDecoder(Schema& schema, const FileHeader& header, const Preamble& preamble, std::size_t strings,
                 Findings& findings, Verification* verification);

    /// Suppresses reports of missing strings, because the string table does not exist yet.
    void expect_strings() noexcept { strings_expected_ = true; }
    /// Reports missing strings as a consequence of a cut file, because the string table was cut off.
    void lose_strings() noexcept { strings_lost_ = true; }
    /// From now on, the file's strings are the strings [first, first + count) of the schema.
    void use_strings(std::size_t first, std::size_t count) noexcept {
        first_string_ = first;
        strings_ = count;
        strings_expected_ = false;
        missing_named_ = false;
        if (count != 0) missing_.clear();  // without a table, placeholders remain valid
    }
    /// Returns the string for value 0 in a file without a string table. The value means index 0 or a string that was
    /// never set. Reports no finding.
    StringId text_of_zero();
    /// Returns true if an item used an index that the string table lacks.
    bool missing_named() const noexcept { return missing_named_; }
    /// Reports all later findings to `findings`.
    void report_to(Findings& findings) noexcept { findings_ = &findings; }
    /// Returns the string at an index of the string table, or "(missing string N)" if the table lacks it.
    StringId text_of(std::uint32_t index) {
        return has_text(index) ? static_cast<StringId>(first_string_ + index) : missing_text(index);
    }
    bool has_text(std::uint32_t index) const noexcept { return index < strings_; }
    /// Reports `count` missing strings, unless the string table does not exist yet.
    void report_missing(std::uint64_t count, ByteRange at, Place place, Findings& findings) const;

    /// Starts a segment. At least 8 readable bytes must follow `frames`, which must stay valid until the segment has
    /// ended. `start` is the segment's start time. `cut`: the end of the frames is missing, and this has been reported
    /// already.
    void begin(std::span<const std::byte> frames, Tick start, std::size_t number, ByteRange segment, bool cut);
    /// Appends records. Returns `more` if the batch is full, `ended` at the end of the frames, and `damaged` after a
    /// finding.
    Status decode(Batch& batch);

    std::uint64_t frames() const noexcept { return frames_; }
    std::uint64_t active_frames() const noexcept { return active_frames_; }
    std::uint64_t items() const noexcept { return items_; }
    /// Returns the time of the current frame, or the start of the segment before its first frame.
    Tick time() const noexcept { return time_; }
    /// Reports items that do not fit the schema, and missing strings. Must be called at the end of a segment.
    void report_misfits();

private:
    struct Column {
        std::uint8_t width = 1;
        bool is_signed = false;
        bool is_text = false;
    };
    struct StoragePlan {
        std::uint32_t fields = 0, properties = 0;
        std::uint32_t first_field = 0;  ///< index in columns_; properties follow the fields
        bool has_text = false;
    };
    struct EventPlan {
        std::uint32_t first_field = 0, fields = 0;
        std::uint32_t payload = 0;
    };

    /// `old`: frames are in the 0.1 format.
    template <bool verify, bool old>
    Status run(Batch& batch);
    template <bool verify, bool old>
    bool begin_frame(Cursor& at, Batch& batch);
    /// Decodes the item at `at`. Returns null after a finding if its tag is unknown. Inlined because it is the body of
    /// run()'s loop.
    template <bool verify>
    [[gnu::always_inline]] inline Record* push_item(Cursor& at, Batch& batch);
    template <bool verify>
    Record* push_old_item(Cursor& at, Batch& batch);
    template <bool verify>
    Record& push_op(Tag tag, std::uint8_t action, std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
                    std::uint64_t value, std::span<const std::byte> item, Batch& batch);
    /// `item` points to the first byte of the event.
    template <bool verify>
    Record& push_event(std::uint16_t type, std::span<const std::byte> payload, const std::byte* item, Batch& batch);
    /// Appends an item that does not fit the schema as a native record.
    Record& keep(std::span<const std::byte> item, Batch& batch);
    /// Converts an item of a 0.1 frame to the interleaved form, the only one in the model.
    std::span<const std::byte> interleaved(std::span<const std::byte> item);
    std::uint64_t model_value(std::size_t column, std::uint64_t value, const std::byte* item);
    /// Returns the string at an index of the string table. Counts a missing string as a fault of `item`.
    StringId item_text(std::uint32_t index, const std::byte* item) {
        if (!has_text(index)) [[unlikely]]
            lost_texts_.count(inner(item));
        return text_of(index);
    }
    StringId missing_text(std::uint32_t index);
    void add_columns(const std::vector<Field>& fields, bool& has_text);
    Status damaged(Check check, std::uint64_t inner, std::string expected, std::string got);
    Place place(std::uint64_t inner) const;
    std::uint64_t inner(const std::byte* item) const noexcept {
        return static_cast<std::uint64_t>(item - bytes_.data());
    }

    Schema& schema_;
    const FileHeader& file_;
    Findings* findings_;
    Verification* verification_;
    std::size_t first_string_ = 0, strings_;
    bool strings_expected_ = false, strings_lost_ = false;
    TrackId first_event_, item_track_, frame_track_;
    std::vector<StoragePlan> storages_;
    std::vector<EventPlan> events_;
    std::vector<Column> columns_;
    std::size_t first_event_column_ = 0;
    HashMap<std::uint32_t, StringId> missing_;
    bool missing_named_ = false;
    StringId missing_many_ = none;

    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    bool cut_ = false;
    Tick time_ = 0;
    std::uint32_t items_left_ = 0;
    std::uint32_t events_left_ = 0;     // number of events that follow the operations of a 0.1 frame
    std::uint8_t flags_ = 0;            // flags of the next record
    bool old_frames_ = false;           // frames are in the 0.1 format
    bool old_compact_allowed_ = false;  // the file header allows compact operations
    bool old_compact_ = false;          // the current 0.1 frame has compact operations
    std::vector<std::byte> kept_;       // an item of a 0.1 frame, in interleaved form
    std::size_t number_ = 0;
    ByteRange segment_{0};
    std::uint64_t frames_ = 0, active_frames_ = 0, items_ = 0;
    Tally misfits_, lost_texts_;
};

}  // namespace hwtrace::uscope

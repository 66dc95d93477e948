// formats/uscope/segment.hpp - one segment: loads and decompresses it, and turns its frames into records.
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

/// Reads segments into reused buffers: memory stays at the largest one.
class SegmentLoader {
public:
    SegmentLoader(const Input& input, const FileHeader& header, const Limits& limits, Findings& findings);

    /// Loads the segment at `offset`, which ends at the latest at byte `end`, where another one begins. False, after a
    /// finding, when none of its frames can be had. With `with_checkpoint`, the checkpoint is loaded too.
    bool load(std::size_t number, std::uint64_t offset, std::uint64_t end, bool with_checkpoint);
    /// Loads the header and the checkpoint only; frames() is empty then. False, after a finding, when they cannot be
    /// had.
    bool load_checkpoint(std::size_t number, std::uint64_t offset, std::uint64_t end);
    /// Where findings go from now on.
    void report_to(Findings& findings) noexcept { findings_ = &findings; }

    const SegmentHeader& header() const noexcept { return segment_; }
    std::span<const std::byte> checkpoint() const noexcept { return checkpoint_; }
    /// The frames; at least 8 more bytes can be read behind them.
    std::span<const std::byte> frames() const noexcept { return std::span(raw_).first(raw_size_); }
    /// True when the file, or the room in front of the next segment, ends inside the frames, and those before that are
    /// there.
    bool cut() const noexcept { return cut_; }
    /// Bytes of the file that the segment takes.
    std::uint64_t extent() const noexcept { return std::min(segment_.total_size(), end_ - offset_); }

private:
    bool begin(std::size_t number, std::uint64_t offset, std::uint64_t end, bool with_checkpoint);
    bool read_header(std::uint64_t offset);
    bool read_exactly(std::uint64_t at, std::span<std::byte> bytes) const;
    bool read_frames(std::uint64_t at, std::uint64_t left);
    void no_room(std::uint64_t needed, std::string_view what, std::uint64_t left) const;
    bool decompress(std::span<const std::byte> stored);
    void fault(Check check, ByteRange at, std::string expected, std::string got) const;
    std::span<std::byte> raw_space(std::size_t size);

    const Input& input_;
    const FileHeader& file_;
    const Limits& limits_;
    Findings* findings_;
    std::uint64_t size_ = 0;  // of the input, which may grow, when the segment was loaded
    std::uint64_t end_ = 0;   // the first byte that is not the segment's: at most size_
    ZstdBlock zstd_;
    std::size_t number_ = 0;
    std::uint64_t offset_ = 0;
    SegmentHeader segment_;
    std::vector<std::byte> checkpoint_, stored_, raw_;
    std::size_t raw_size_ = 0;
    bool cut_ = false;
    bool bare_block_told_ = false;
};

/// Turns the frames of one segment after another into records; can stop behind any item when a batch is full.
class FrameDecoder {
public:
    enum class Status : std::uint8_t { more, ended, damaged };

    /// `schema` holds the file's strings as its first `strings` ones, and the native tracks behind the file's own.
    /// `header` outlives this; that of a file which grows may change. `verification` may be null.
    FrameDecoder(Schema& schema, const FileHeader& header, const Preamble& preamble, std::size_t strings,
                 Findings& findings, Verification* verification);

    /// The table of strings is not there yet: that it lacks a text is no finding.
    void expect_strings() noexcept { strings_expected_ = true; }
    /// The table of strings was cut off with the end of the file: that it lacks a text follows from that.
    void lose_strings() noexcept { strings_lost_ = true; }
    /// The file's strings are from now on `count` ones of the schema, from `first` on.
    void use_strings(std::size_t first, std::size_t count) noexcept {
        first_string_ = first;
        strings_ = count;
        strings_expected_ = false;
        missing_named_ = false;
        if (count != 0) missing_.clear();  // else they stay the texts that they were
    }
    /// The text of a zero where there is no table: that of index 0, or a text that was never set. No finding.
    StringId text_of_zero();
    /// Whether a text of the file's string table was named that is not there.
    bool missing_named() const noexcept { return missing_named_; }
    /// Where findings go from now on.
    void report_to(Findings& findings) noexcept { findings_ = &findings; }
    /// The text of an index of the file's string table; one that names the index where the table does not have it.
    StringId text_of(std::uint32_t index) {
        return has_text(index) ? static_cast<StringId>(first_string_ + index) : missing_text(index);
    }
    bool has_text(std::uint32_t index) const noexcept { return index < strings_; }
    /// That `count` texts are missing. No finding where the table is still to come.
    void report_missing(std::uint64_t count, ByteRange at, Place place, Findings& findings) const;

    /// `frames` is followed by 8 readable bytes and lives until the segment has ended. When `cut`, their end has been
    /// reported as the file's end already.
    void begin(std::span<const std::byte> frames, Tick start, std::size_t number, ByteRange segment, bool cut);
    /// Appends records until the batch is full (more), the frames end, or damage ends them (reported).
    Status decode(Batch& batch);

    std::uint64_t frames() const noexcept { return frames_; }
    std::uint64_t active_frames() const noexcept { return active_frames_; }
    std::uint64_t items() const noexcept { return items_; }
    /// Of the last frame begun; before one, the segment's start.
    Tick time() const noexcept { return time_; }
    /// Told at the end of a segment: items that did not fit the schema, and texts that are not there.
    void report_misfits();

private:
    struct Column {
        std::uint8_t width = 1;
        bool is_signed = false;
        bool is_text = false;
    };
    struct StoragePlan {
        std::uint32_t fields = 0, properties = 0;
        std::uint32_t first_field = 0;  ///< in columns_; the properties stand behind the fields
        bool has_text = false;
    };
    struct EventPlan {
        std::uint32_t first_field = 0, fields = 0;
        std::uint32_t payload = 0;
    };

    /// `old`: the frames are those of 0.1.
    template <bool verify, bool old>
    Status run(Batch& batch);
    template <bool verify, bool old>
    bool begin_frame(Cursor& at, Batch& batch);
    /// An item, at whose first byte `at` stands; null, after a finding, where its tag is unknown. Inlined, because it
    /// is all that run() does.
    template <bool verify>
    [[gnu::always_inline]] inline Record* push_item(Cursor& at, Batch& batch);
    template <bool verify>
    Record* push_old_item(Cursor& at, Batch& batch);
    template <bool verify>
    Record& push_op(Tag tag, std::uint8_t action, std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
                    std::uint64_t value, std::span<const std::byte> item, Batch& batch);
    /// `item` is the event's first byte; it ends with the payload.
    template <bool verify>
    Record& push_event(std::uint16_t type, std::span<const std::byte> payload, const std::byte* item, Batch& batch);
    /// `item` stands in the frames.
    Record& keep(std::span<const std::byte> item, Batch& batch);
    /// The item of an old frame in the form that an interleaved one gives it, the only one that the model knows.
    std::span<const std::byte> interleaved(std::span<const std::byte> item);
    std::uint64_t model_value(std::size_t column, std::uint64_t value, const std::byte* item);
    /// The text of an index that stands in `item`.
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
    std::uint32_t events_left_ = 0;     // of an old frame: these are the last of the items left
    std::uint8_t flags_ = 0;            // of the next record
    bool old_frames_ = false;           // the file's
    bool old_compact_allowed_ = false;  // by the file's header
    bool old_compact_ = false;          // the old frame's operations
    std::vector<std::byte> kept_;       // an item of an old frame, rewritten
    std::size_t number_ = 0;
    ByteRange segment_{0};
    std::uint64_t frames_ = 0, active_frames_ = 0, items_ = 0;
    Tally misfits_, lost_texts_;
};

}  // namespace hwtrace::uscope

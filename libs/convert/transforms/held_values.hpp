// convert/transforms/held_values.hpp - converts signals, events, notes and native records to intervals, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "convert/transforms/signal_mark.hpp"
#include "convert/translated_copy.hpp"
#include "io/text_output.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of signals to intervals. A signal becomes a stream of the same name and time base. Each interval lasts from
// one change to the next. The last interval ends at the time of the last record of that time base, or at the end of the
// recording if the source states it and the trace is no slice. Attributes:
//   one per field   with phase begin; a repeated field has one attribute per element; blobs become hexadecimal digits;
//                   an enum value without a unique label becomes a number
//   mark            if the change has a mark
//   no_value        on an interval of length 0 where the signal ceases to have a value; a gap follows up to the next
//                   value
// An event becomes an interval of length 0 with its cells as attributes, row by row. A note becomes such an interval
// with the text as attribute. A native record becomes such an interval with its bytes as hexadecimal digits. If
// attributes would have equal names, the later ones get a suffix such as ".blob". If tracks share a native id, only the
// first track keeps it. Scopes get no native id. A native id would mark the trace as a recording, and transactions of a
// recording keep their order even if viewers need another one. All records keep the order of the source. Records after
// a long interval wait in the sorter, whose memory is bounded, and are passed on when the interval ends. In a source
// without time order, an interval gets length 0 if the next change is earlier than the start of the interval.

/// Makes intervals from all signals, events, notes and native records. Passes on all other records unchanged.
class HeldValues final : public Stage {
public:
    /// `source` must outlive the stage. Its tracks and fields must be complete, and no track may be a hart. Long traces
    /// are spilled to `folder`.
    HeldValues(const Schema& source, std::string folder, std::size_t run_bytes = RecordSorter::default_run_bytes);
    /// Creates a stage for a conversion that cannot be undone. `losses` counts its losses and must outlive the stage.
    /// `text_attribute` names the only attribute that the target keeps, a text that shows the values of each change.
    /// Empty: the target keeps all attributes.
    HeldValues(const Schema& source, std::string folder, std::string_view text_attribute, Losses& losses);

    /// Lets the last value of a signal last until the end of its recording (RecordingEnds). Call it before apply(). A
    /// slice ends before its recording.
    void hold_until_stated_ends() noexcept { until_stated_ends_ = true; }

    /// Returns true if records of the track become intervals.
    static bool makes(const Track& track) noexcept;
    /// Returns true if records of the track can be restored. This is true for records that become intervals, and for
    /// intervals and relations of the source.
    static bool returns(const Track& track) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// The attributes of one field.
    struct Column {
        std::uint32_t value = 0;
        std::uint32_t number = none;  ///< the attribute for enum values without a label
    };
    struct Lane {
        std::uint32_t base = 0;  ///< index of its time base in last_times_
        std::vector<Column> columns = {};
        std::uint32_t mark_field = none, no_value_field = none, text_field = none;
        bool is_used = false;  ///< has records
        bool is_open = false;  ///< the signal has a value, which the next members describe
        Tick begin = 0;
        std::uint64_t position = 0;  ///< in the source
        std::vector<Attribute> values = {};
    };
    HeldValues(const Schema& source, std::string folder, std::size_t run_bytes, std::string_view text_attribute,
               Losses* losses);
    void count(const Record& record);
    void count_unused();
    void change(const Batch& in, const Record& record, Lane& lane, std::uint64_t position);
    void moment(const Batch& in, const Record& record, Lane& lane, std::uint64_t position);
    void end(TrackId track, Tick time);
    void end_all();
    void give_early(std::size_t count, Batch& out);
    Attribute attribute(const Lane& lane, const Field& field, std::uint32_t index, std::uint64_t value);
    bool has_label(EnumId enumeration, std::uint64_t value) const;

    const Schema& source_;
    Losses* losses_;  // null if everything can be restored
    Schema schema_;
    TranslatedCopy copies_;
    RecordSorter sorter_;
    std::vector<RecordSorter::Place> places_;  // reused, like the next two members
    Batch made_;
    TextOutput text_{-1, 256};
    std::vector<Lane> lanes_;                         // by track
    std::vector<std::vector<std::uint64_t>> labels_;  // by enumeration: the values that have a label, sorted
    std::vector<Tick> last_times_;                    // by base
    std::uint64_t position_ = 0;
    std::size_t since_search_ = 0;  // number of records since the open values were searched for the oldest
    bool ended_ = false;
    bool has_texts_ = false;  // a writer may write all strings with the first record, so records wait for the last one
    bool until_stated_ends_ = false;
};

/// Undoes HeldValues: turns the intervals back into signals, events, notes and native records.
class SignalsOfHeldValues final : public Stage {
public:
    /// Requires is_lowered(source). `source` and `losses` must outlive the stage.
    SignalsOfHeldValues(const Schema& source, Losses& losses);

    /// Returns true if HeldValues made the trace with this schema, and all its tracks still exist.
    static bool is_lowered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Lane {
        std::optional<Track::Kind> kind;    ///< kind of the restored track
        std::vector<std::uint32_t> fields;  ///< by attribute, as Made::field
    };
    void raise(const Batch& in, const Record& record, const Lane& lane, Batch& out);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Lane> lanes_;  // by track
    std::vector<Attribute> values_;
    std::vector<std::uint64_t> cells_;
    std::vector<std::byte> bytes_;
};

}  // namespace hwtrace

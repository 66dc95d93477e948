// pipeline/held_values.hpp - signals become an interval for each value that they hold, and come back; so do events,
// notes and native records beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "io/text_output.hpp"
#include "pipeline/signal_mark.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/translated_copy.hpp"

namespace hwtrace {

// What a signal becomes, on its own base of time: a stream of its name, whose intervals last from one change to the
// next one of the signal, the last to the last time that any record of this base of time has. Attributes:
//   its fields   as stated at the begin, a repeated one for each element; bytes as text of hexadecimal digits, a value
//                of an enumeration that has no label of its own as number
//   mark         where the change has one
//   no_value     of an interval of length 0 where the signal ceased to have a value; up to its next interval there is a
//                gap
// An event is an interval of length 0 with its cells as attributes, rows one behind the other; a note one with its
// text, a native record one with its bytes as hexadecimal digits. Where several attributes would have one name, the
// later ones go on behind it: with ".blob" and the like. Of numbers that several tracks have (Track::native_id) the
// first one's stays; scopes have none: they would be taken for those of a recording, whose transactions keep their
// order whatever viewers want. Intervals, and everything else, come in the order of the source: a value that is held
// for long keeps what comes behind it waiting, in the sorter's bounded memory. A change before the one in front of it,
// in a source without order of time, ends that where it began.

/// Makes intervals of all signals, events, notes and native records; everything else goes on as it is.
class HeldValues final : public Stage {
public:
    /// `source`, complete in its tracks and fields and without harts, outlives the stage. Long traces are spilled to
    /// `folder`.
    HeldValues(const Schema& source, std::string folder, std::size_t run_bytes = RecordSorter::default_run_bytes);
    /// The same where it does not come back, which is counted in `losses`, which outlive the stage. Of a target that
    /// keeps one attribute, a text of that name, it shows what each change said; empty: it keeps all.
    HeldValues(const Schema& source, std::string folder, std::string_view text_attribute, Losses& losses);

    /// Whether intervals are made of the track's records.
    static bool makes(const Track& track) noexcept;
    /// Whether records of the track come back as what they are: as those that are made something else, intervals and
    /// relations do.
    static bool returns(const Track& track) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// The attributes of a field.
    struct Column {
        std::uint32_t value = 0;
        std::uint32_t number = none;  ///< of an enumeration
    };
    struct Lane {
        std::uint32_t base = 0;  ///< its base of time, in last_times_
        std::vector<Column> columns = {};
        std::uint32_t mark_field = none, no_value_field = none, text_field = none;
        bool is_used = false;  ///< there are records
        bool is_open = false;  ///< holds a value, since:
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
    Attribute attribute(const Lane& lane, const Field& field, std::uint32_t index, std::uint64_t value);
    bool has_label(EnumId enumeration, std::uint64_t value) const;

    const Schema& source_;
    Losses* losses_;  // null where all comes back
    Schema schema_;
    TranslatedCopy copies_;
    RecordSorter sorter_;
    std::vector<RecordSorter::Place> places_;  // reused, as the next two
    Batch made_;
    TextOutput text_{-1, 256};
    std::vector<Lane> lanes_;                         // by track
    std::vector<std::vector<std::uint64_t>> labels_;  // by enumeration: values with a label of their own, in order
    std::vector<Tick> last_times_;                    // by base
    std::uint64_t position_ = 0;
    bool ended_ = false;
};

/// Undoes HeldValues.
class SignalsOfHeldValues final : public Stage {
public:
    /// `source`, for which is_lowered(), and `losses` outlive the stage.
    SignalsOfHeldValues(const Schema& source, Losses& losses);

    /// True when HeldValues made the trace of that schema, and its tracks are still there.
    static bool is_lowered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Lane {
        std::optional<Track::Kind> kind;    ///< of what is raised
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

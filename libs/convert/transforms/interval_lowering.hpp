// convert/transforms/interval_lowering.hpp - converts intervals to a table of active intervals with events at the start
// and end of each interval, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "convert/track_map.hpp"
#include "convert/transforms/interval_mark.hpp"
#include "domain/picosecond_scale.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of one interval to records. All records of one picosecond form a frame.
//   at the start  set active[slot].id, .type       the lowest free slot of its scope's table; if no slot is free,
//                                                  not_shown counts the interval instead
//                 event "<stream>"                 id, begin, duration and attributes, exactly as in the source
//                 event "<stream>.<attribute>"     id and value of an attribute that may occur repeatedly, each time
//                 event "<stream>.order", .again   if attributes are in another order than the stream's, or recur:
//                                                  see conventions::order_suffix
//   at the end    clear active[slot]
//                 event "<stream>.end"             the id of the interval
//                 add busy                         if no other interval of the scope is active: the length of the
//                                                  busy phase that ends here
// `id` numbers the intervals of all streams in source order. If the intervals of a stream have own ids, to which
// relations refer, `id` is the own id in the table and in the events, and the field `number` of the events is the
// number. Raising restores the source order. If the source is not in time order, raising also restores the position of
// relations among the intervals. If events cannot have the type of an attribute, the attribute becomes a number or text
// with a unique name, and the mark records the type. If intervals end and begin at the same time, the records of the
// ends are written first. An interval shorter than a picosecond may begin and end in one frame. busy counts ticks of
// the streams' time base, or picoseconds if the streams of a scope have several time bases. An end beyond the last
// picosecond (2^63 - 1) is never shown: the interval stays active and its scope busy. A start after that time, or
// before 0, is shown at the nearest valid time and counted as Loss::time_rounded. The event still has the exact tick.

/// The order in which records arrive.
enum class Order : std::uint8_t { by_time, any };

/// Lowers every stream of a source. Other records get times in picoseconds from which raising restores the source's
/// times. Records of a source without time order are sorted first.
class IntervalLowering final : public Stage {
public:
    static constexpr std::uint32_t slots = 64;    ///< slots per table; one machine word holds the mask of free slots
    static constexpr std::size_t mask_bits = 64;  ///< attributes per mask
    static constexpr std::size_t own_fields = 3;  ///< fields of a begin event before its masks: id, begin, duration
    static constexpr std::size_t most_attributes = 16384;        ///< per stream
    static constexpr std::uint64_t max_period_ps = 0xFFFF'FFFF;  ///< the maximum in µScope's clock definition

    /// Returns the number of masks in an event with that many attributes.
    static constexpr std::size_t masks_for(std::size_t attributes) noexcept {
        return (attributes + mask_bits - 1) / mask_bits;
    }

    /// `source` and `losses` must outlive the stage. The tracks of `source` must be complete. `unknown_period_ps` (1 to
    /// max_period_ps) is the tick length where the source states none. Long traces are spilled to `folder`.
    IntervalLowering(const Schema& source, std::uint64_t unknown_period_ps, Order order, std::string folder,
                     Losses& losses, std::size_t run_bytes = RecordSorter::default_run_bytes);

    /// States that no record precedes a record before it by more than `ticks`. The stage then lowers records of a
    /// source without time order before it ends, if all tracks have one time base.
    void expect_lateness(std::uint64_t ticks) noexcept {
        if (order_ == Order::any && one_base_) lateness_ = ticks;
    }

    /// Returns true if a trace without intervals can be restored from format `target` only with this stage. For
    /// example, this is true if the trace has times other than picoseconds, records other than events and tables, other
    /// field types, or several roots.
    static bool is_needed(const Schema& source, std::string_view target) noexcept;
    /// Returns true for tracks that the lowered trace can hold, unchanged or as events.
    static bool takes(const Track& track) noexcept;
    /// Returns true for metadata keys that the lowering omits. Readers would mistake them for marks of this suite or
    /// for keys of the target format. Marks of earlier lowerings of signals and records are kept.
    static bool drops_metadata(std::string_view key) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// A scope with streams.
    struct Unit {
        TrackId active = none, busy = none, not_shown = none;
        std::uint64_t free_slots = ~std::uint64_t{0};  ///< one bit per slot
        std::uint64_t under_way = 0;
        Tick busy_begin = 0, busy_end = 0;  ///< start of the open busy phase, and its end so far
        TimeBase base;                      ///< time base of its first stream
        bool in_ps = false;                 ///< true if its streams have several time bases
    };
    struct Stream {
        std::uint32_t unit = none;  ///< none: no stream, or dropped
        TrackId begin_event = none, end_event = none;
        TrackId order_event = none, again_event = none;  ///< for attributes that were stated one by one
        bool has_ids = false;                            ///< the first attribute is the interval's own id
        std::uint32_t attributes = 0;
        std::uint32_t masks = 0;       ///< number of masks of the attributes that an interval has
        std::uint32_t first_list = 0;  ///< attributes from here on may occur repeatedly
        std::uint64_t type = 0;
        std::vector<bool> text;            ///< which attributes are text; empty if none is
        std::vector<TrackId> list_events;  ///< by attribute minus first_list
        std::vector<bool> list_text;
    };
    /// The future end of an active interval.
    struct Ending {
        Tick time;             ///< in ps
        std::uint64_t id;      ///< number among all intervals
        std::uint64_t own_id;  ///< equals `id` if the interval has no own id
        TrackId stream;
        std::uint32_t slot;  ///< `slots`: none
        /// Orders a heap: the earliest end is first. If ends are equal, the lowest id is first.
        friend bool operator<(const Ending& a, const Ending& b) noexcept {
            return a.time != b.time ? a.time > b.time : a.id > b.id;
        }
    };

    void declare_metadata();
    void declare_scopes();
    void declare_units();
    void declare_stream(TrackId id);
    TrackId declare(Track::Kind kind, ScopeId scope, std::string_view name, std::vector<Field> fields);
    ScopeId own_scope(ScopeId scope) const noexcept {
        return scope < source_.scopes().size() ? scope + scope_shift_ : scope_shift_ != 0 ? 0 : none;
    }

    std::uint64_t key_of(const Record& record) const noexcept;
    void hold(const Record& record, const Batch& in);
    void lower_early(std::size_t count, Batch& out);
    void lower_in_order(const Batch& in, const Record& record, std::uint64_t id, Batch& out);
    Tick shown_at(const Record& record);
    void lower(const Batch& in, const Record& record, std::uint64_t id, Tick time, Batch& out);
    void begin(const Batch& in, const Record& record, std::uint64_t id, Tick time, Batch& out);
    static std::optional<std::uint64_t> own_id_of(const Batch& in, const Record& record, const Stream& stream);
    void append_attributes(const Batch& in, const Record& record, const Stream& stream, std::uint64_t id,
                           std::span<std::uint64_t> cells);
    void append_order(const Batch& in, const Record& record, const Stream& stream, std::uint64_t id, Tick time,
                      Batch& out);
    void append_lists(const Batch& in, const Record& record, const Stream& stream, std::uint64_t id, Tick time,
                      Batch& out);
    std::uint64_t shown_value(const Stream& stream, const Attribute& attribute) {
        const bool text = !stream.text.empty() && stream.text[attribute.field];
        return text ? track_maps_.translated(static_cast<StringId>(attribute.value)) : attribute.value;
    }
    std::optional<Tick> end_of(const Record& record) const noexcept;
    void end(const Ending& ending, Batch& out);
    void end_first(Batch& out);
    bool due(Tick time) const noexcept { return !endings_.empty() && endings_.front().time <= time; }
    void pass(const Batch& in, const Record& record, std::uint64_t position, Tick time, Batch& out);
    /// Sets record_first_of_frame if the record begins a frame.
    Record& in_frame(Record& record) noexcept {
        if (record.time != frame_ || !frame_open_) record.flags |= record_first_of_frame;
        frame_ = record.time;
        frame_open_ = true;
        return record;
    }

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TrackMaps track_maps_;
    IntervalMark mark_;
    ScopeId scope_shift_ = 0;
    std::vector<Unit> units_;
    std::vector<Stream> streams_;          // by source track
    std::vector<PicosecondScale> scales_;  // by source track
    StringId no_text_ = 0;                 // value of a text attribute that an interval lacks
    std::vector<bool> stated_;             // which attributes the current interval has
    std::string order_text_;               // reused, like the next two members
    std::vector<std::uint64_t> cells_;
    Batch positioned_;
    bool one_base_ = true;  // all tracks have one base, so that ticks can be compared

    Order order_;
    bool holding_ = false;                   // records go to the sorter and are lowered when their turn comes
    std::optional<std::uint64_t> lateness_;  // in ticks; none: they are lowered at the end
    RecordSorter sorter_;
    bool sorter_ended_ = false;
    Batch held_;  // from the sorter
    std::vector<RecordSorter::Place> held_places_;
    std::size_t next_held_ = 0;
    std::optional<Tick> next_time_;  // the time of the next record, once it is known

    std::uint64_t next_id_ = 0;
    std::uint64_t greatest_key_ = 0;                  // the greatest key so far
    bool holds_others_ = false;                       // records other than intervals are held
    bool holds_late_ = false;                         // an interval out of time order is held
    std::uint64_t last_position_ = 0, last_key_ = 0;  // position and key of the last positioned relation that was held
    std::vector<Ending> endings_;                     // a heap
    Tick frame_ = 0;                                  // time of the last record appended
    bool frame_open_ = false;
};

/// Undoes IntervalLowering: turns the begin events back into intervals, in source order.
class IntervalRaising final : public Stage {
public:
    /// Requires is_lowered(source). `source` and `losses` must outlive the stage. Traces without time order are spilled
    /// to `folder` if they are long.
    IntervalRaising(const Schema& source, std::string folder, Losses& losses,
                    std::size_t run_bytes = RecordSorter::default_run_bytes);

    /// Returns true if IntervalLowering made the trace with this schema, and all its tracks still exist.
    static bool is_lowered(const Schema& source);
    /// Returns true if the source of such a trace is known to have been in time order. Raising restores this order.
    static bool was_time_ordered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Meaning {
        enum class Content : std::uint8_t {
            foreign,  ///< not made by the lowering; counted as a loss
            derived,  ///< redundant with the begin events
            interval,
            list,   ///< a repeatable attribute of the preceding interval
            order,  ///< the order of the attributes of the preceding interval
            again,  ///< a recurring attribute of the preceding interval
            event,
            rows,  ///< an event whose rows follow; the last cell is their number
            row,
            relation,
            note,
            native,
            storage,
        } content = Content::foreign;
        TrackId target = none;
        std::vector<bool> text;             ///< which fields or attributes are text; empty if none is
        std::vector<bool> text_properties;  ///< for a storage
        std::uint32_t attribute = 0;        ///< for a list: its attribute
        std::uint32_t masks = 0;            ///< for an interval: number of masks
        bool goes_on = false;               ///< for an interval: further events may add attributes
        bool positioned = false;            ///< for a relation: the last cell is its position among the intervals
    };
    void declare_scopes();
    void declare_track(const IntervalMark::SourceTrack& track, TrackId lowered, TrackId order,
                       std::span<const TrackId> lists);
    ScopeId source_scope(ScopeId scope) const noexcept;
    void raise(const Batch& in, const Record& record, const Meaning& meaning, Batch& out);
    void list(const Batch& in, const Record& record, const Meaning& meaning);
    void order(const Batch& in, const Record& record, const Meaning& meaning);
    void again(const Batch& in, const Record& record, const Meaning& meaning);
    void append_open(Batch& out);
    void append_in_order();
    void relate(const Batch& in, const Record& record, const Meaning& meaning, Batch& out);
    /// Returns the sorter's key of interval `id`. Key 2 * id is for records before the interval.
    static std::uint64_t key_of(std::uint64_t id) noexcept { return 2 * id + 1; }
    static std::uint64_t key_before(std::uint64_t id) noexcept { return 2 * id; }
    void pass(const Batch& in, const Record& record, const Meaning& meaning, Batch& out);
    void begin_rows(const Batch& in, const Record& record, const Meaning& meaning);
    void row(const Batch& in, const Record& record, const Meaning& meaning, Batch& out);
    void append_rows(Batch& out);
    void misfit(const Record& record);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TextTranslation translate_;
    IntervalMark mark_;
    std::vector<Meaning> meanings_;        // by source track
    std::vector<PicosecondScale> scales_;  // by target track

    RecordSorter
        sorter_;  // intervals that arrive before intervals with lower ids, and relations that wait for intervals
    std::vector<RecordSorter::Place> places_;
    std::uint64_t expected_ = 0;            // id of the interval that may be passed on directly
    std::uint64_t held_from_ = UINT64_MAX;  // intervals from this id on must not be passed on
    Batch held_;                            // one interval that is passed to the sorter
    struct Open {                           // the interval being assembled, with attributes_
        std::uint64_t id = 0;
        TrackId target = none;  // none: no interval is open
        Tick begin = 0;
        std::uint64_t duration = 0;
    } open_;
    struct Rows {  // the event whose rows are expected
        TrackId target = none;
        Tick time = 0;
        std::uint64_t left = 0;
        std::vector<std::uint64_t> cells = {};
    } rows_;
    std::vector<Attribute> attributes_;
    std::vector<std::uint32_t> order_;  // the order of the open interval's attributes, if it was stated
    std::vector<Attribute> again_;      // the recurring attributes of the open interval
    std::vector<Attribute> in_order_;   // reused
    Batch raised_;                      // one relation that is passed to the sorter
    std::vector<std::byte> bytes_;
};

}  // namespace hwtrace

// pipeline/interval_lowering.hpp - intervals of streams become tables of what is under way and events at begin and end,
// and come back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "pipeline/interval_mark.hpp"
#include "pipeline/picosecond_scale.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

// What one interval becomes, a frame being all that happens at one picosecond:
//   at its begin  set active[slot].id, .type       the lowest free slot of its scope's table; where all are taken, no
//                                                  slot, and not_shown counts it
//                 event "<stream>"                 id, begin, duration and attributes, exactly as the source has them
//                 event "<stream>.<attribute>"     id and value of an attribute that may occur several times, each time
//                 event "<stream>.order", .again   where attributes were stated one by one, in another order than their
//                                                  stream's or again: see conventions::order_suffix
//   at its end    clear active[slot]
//                 event "<stream>.end"             its id
//                 add busy                         when nothing else of the scope is under way: the ticks since
//                                                  something was, so that busy is the length of the union
// `id` is the interval's number in the source, over all streams, in the order in which the source has them: raising
// restores that order, and that of relations among the intervals of a source without order of time. Attributes of types
// that events lack are numbers or text there, with their names made different; the mark knows. Ends at a time come
// before begins at that time; an interval that takes no whole picosecond begins and ends in one frame. busy counts
// ticks of the streams' time base, or picoseconds where a scope's streams have several. An end that lies beyond the
// last representable picosecond (2^63 - 1) is never shown: the interval stays active, and its scope busy. A begin
// beyond it, or before 0, is shown at the nearest one that there is, which is counted as Loss::time_rounded; the event
// still has the exact tick.

/// Whether records come in order of time.
enum class Order : std::uint8_t { by_time, any };

/// Lowers every stream of a source, and gives what else is in it times in picoseconds, from which raising restores the
/// source's. Records that come in any order are sorted first.
class IntervalLowering final : public Stage {
public:
    static constexpr std::uint32_t slots = 64;             ///< of each table: one machine word says which are free
    static constexpr std::size_t mask_bits = 64;           ///< of a mask of the attributes that an interval has
    static constexpr std::size_t most_attributes = 16384;  ///< of a stream
    static constexpr std::uint64_t max_period_ps = 0xFFFF'FFFF;  ///< what µScope's clocks can state

    /// Number of masks in an event of so many attributes.
    static constexpr std::size_t masks_for(std::size_t attributes) noexcept {
        return (attributes + mask_bits - 1) / mask_bits;
    }

    /// `source`, complete in its tracks, and `losses` outlive the stage. `unknown_period_ps`, 1 to max_period_ps, is
    /// taken for a tick where the source does not say how long it is. Long traces are spilled to `folder`.
    IntervalLowering(const Schema& source, std::uint64_t unknown_period_ps, Order order, std::string folder,
                     Losses& losses, std::size_t run_bytes = RecordSorter::default_run_bytes);

    /// Whether a trace without intervals has what comes back from a target of that name only as this stage tells it:
    /// other times than picoseconds, other records than events and tables, other types, several roots.
    static bool is_needed(const Schema& source, std::string_view target) noexcept;
    /// True for tracks whose records find a place in the lowered trace, as what they are or as events.
    static bool takes(const Track& track) noexcept;
    /// True for metadata keys that would be taken for ours or the target's own, and are left out; the marks of signals
    /// and records, which were lowered before, are kept.
    static bool drops_metadata(std::string_view key) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// A scope with streams.
    struct Unit {
        TrackId active = none, busy = none, not_shown = none;
        std::uint64_t free_slots = ~std::uint64_t{0};  ///< a bit for each
        std::uint64_t under_way = 0;
        Tick busy_begin = 0, busy_end = 0;  ///< of the open busy phase, the end so far
        TimeBase base;                      ///< of its first stream
        bool in_ps = false;                 ///< its streams have several bases
    };
    struct Stream {
        std::uint32_t unit = none;  ///< none: no stream, or no place for it
        TrackId begin_event = none, end_event = none;
        TrackId order_event = none, again_event = none;  ///< where attributes were stated one by one
        std::uint32_t attributes = 0;
        std::uint32_t masks = 0;       ///< of which attributes an interval has
        std::uint32_t first_list = 0;  ///< attributes from here on may occur several times
        std::uint64_t type = 0;
        std::vector<bool> text;            ///< which attributes are text, when any is
        std::vector<TrackId> list_events;  ///< by attribute, from first_list on
        std::vector<bool> list_text;
    };
    /// An interval that will end.
    struct Ending {
        Tick time;  ///< in ps
        std::uint64_t id;
        TrackId stream;
        std::uint32_t slot;  ///< or `slots`: none
        /// The heap's order: the first to end is on top, of equal ones that with the lower id.
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
    Tick shown_at(const Record& record);
    void lower(const Batch& in, const Record& record, std::uint64_t id, Tick time, Batch& out);
    void begin(const Batch& in, const Record& record, std::uint64_t id, Tick time, Batch& out);
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
    /// Marks a record as the first of its frame where it is.
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
    StringId no_text_ = 0;                 // for text attributes that an interval does not have
    std::vector<bool> stated_;             // attributes of one interval
    std::string order_text_;               // reused, as the next two
    std::vector<std::uint64_t> cells_;
    Batch positioned_;
    bool one_base_ = true;  // of all tracks: ticks can be compared

    Order order_;
    bool holding_ = false;  // records go to the sorter, and are lowered at the end
    RecordSorter sorter_;
    bool sorter_ended_ = false;
    Batch held_;  // from the sorter
    std::vector<RecordSorter::Place> held_places_;
    std::size_t next_held_ = 0;
    std::optional<Tick> next_time_;  // where it is shown, once that is known

    std::uint64_t next_id_ = 0;
    std::uint64_t greatest_key_ = 0;                  // so far
    bool holds_others_ = false;                       // records that are no intervals
    bool holds_late_ = false;                         // an interval that is not in order of time
    std::uint64_t last_position_ = 0, last_key_ = 0;  // of the positioned relation that was held last
    std::vector<Ending> endings_;                     // a heap
    Tick frame_ = 0;                                  // of the record appended last
    bool frame_open_ = false;
};

/// Undoes IntervalLowering: the events at the beginnings become intervals again, in the source's order.
class IntervalRaising final : public Stage {
public:
    /// `source` is a schema that carries our mark (is_lowered()). `source` and `losses` outlive the stage. Long traces
    /// that were not in order of time are spilled to `folder`.
    IntervalRaising(const Schema& source, std::string folder, Losses& losses,
                    std::size_t run_bytes = RecordSorter::default_run_bytes);

    /// True when IntervalLowering made the trace of that schema, and its tracks are still there.
    static bool is_lowered(const Schema& source);
    /// Whether such a trace tells that its source was in order of time, which is what it is raised to.
    static bool was_time_ordered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Meaning {
        enum class What : std::uint8_t {
            foreign,  ///< not made by the lowering: counted as a loss
            derived,  ///< what the events at the beginnings say too
            interval,
            list,   ///< an attribute of the interval before it
            order,  ///< of the attributes of the interval before it
            again,  ///< an attribute of the interval before it, which has one of that field already
            event,
            rows,  ///< an event whose last cell is the number of its rows, which follow
            row,
            relation,
            note,
            native,
            storage,
        } what = What::foreign;
        TrackId target = none;
        std::vector<bool> text;             ///< which fields, or attributes, are text, when any is
        std::vector<bool> text_properties;  ///< of a storage
        std::uint32_t attribute = 0;        ///< of a list
        std::uint32_t masks = 0;            ///< of an interval
        bool goes_on = false;               ///< of an interval: further events may say more of its attributes
        bool positioned = false;            ///< of a relation: its last cell is its place among intervals
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
    /// Keys of the sorter: of the interval of that number, and of what came before it and behind those of lower ones.
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

    RecordSorter sorter_;  // intervals that come before others of lower ids, and relations likewise
    std::vector<RecordSorter::Place> places_;
    std::uint64_t expected_ = 0;            // the id that may go straight out,
    std::uint64_t held_from_ = UINT64_MAX;  // but none from here on
    Batch held_;                            // one interval on its way to the sorter
    struct Open {                           // the interval that is being put together, with attributes_
        std::uint64_t id = 0;
        TrackId target = none;  // none: there is no such
        Tick begin = 0;
        std::uint64_t duration = 0;
    } open_;
    struct Rows {  // the event whose rows come
        TrackId target = none;
        Tick time = 0;
        std::uint64_t left = 0;
        std::vector<std::uint64_t> cells = {};
    } rows_;
    std::vector<Attribute> attributes_;
    std::vector<std::uint32_t> order_;  // of the open interval's attributes, where it is told
    std::vector<Attribute> again_;      // its attributes that it has already
    std::vector<Attribute> in_order_;   // reused
    Batch raised_;                      // one relation on its way to the sorter
    std::vector<std::byte> bytes_;
};

}  // namespace hwtrace

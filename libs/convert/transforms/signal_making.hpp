// convert/transforms/signal_making.hpp - turns records of other kinds into changes of signals, and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "convert/track_map.hpp"
#include "convert/translated_copy.hpp"
#include "domain/instruction_values.hpp"
#include "domain/record_mark.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of records to changes. Every record becomes a change of the signal that replaces its track. The signal is a
// structure with the track's name and scope.
//   event, relation  the fields as members; repeated fields as one array per field
//   interval         at the start of the interval: the duration, then the attributes in order
//   set, add         the slot, and the field with its value; for a property, only the property with its value
//   clear            only the slot
//   instruction      see InstructionValues
//   note             the text as member "note"
//   native           the bytes as member "bytes"
//   change           the change itself, also on tracks of the target format ("<format>.…"); raising restores the
//                    original types of the fields
// If the target states times in another time base (WriteCapabilities::stated_base), the times of the records and all
// durations among their values are converted to that base.
// A change's mark states that the record begins a frame, is an add record, or restates a value. If two fields have the
// same name, a suffix with the index ("#3") is appended to the name of the later field. Signals must be in time order.
// An additional last member "order" counts the records if the source is not in time order, or if the target does not
// keep the order of records. Raising can then restore the order. The metadata conventions::record_source holds the
// source's format and schema objects, so that nothing is lost.

/// Turns the records of the source into changes of signals.
class SignalMaking final : public Stage {
public:
    /// The bits of marks of changes that represent other records.
    enum Mark : std::uint64_t { frame_mark = 2, add_mark = 4, restated_mark = 8 };
    /// The flags of a record that its change keeps.
    static constexpr std::uint8_t kept_flags = record_no_value | record_restated;

    /// `source` and `losses` must outlive the stage. `source` must be complete except for strings. `to` is the target
    /// format. `passes` states by track which tracks the target holds as they are; empty: only its own tracks. Its own
    /// tracks are not restored unless `passes` states them.
    SignalMaking(const Schema& source, const Format& to, RecordOrder order, Losses& losses,
                 std::vector<bool> passes = {});

    /// Returns true if the times of the track are converted to another time base.
    static bool rescales(const Track& track, const Format& to) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Origin {
        TrackId target = none;
        bool passes = false;                  ///< the track is passed on
        std::uint32_t first = 0;              ///< the member that holds the first field
        std::uint32_t fields = 0, fixed = 0;  ///< number of fields; number of fields before the rows of an event
        std::uint32_t properties = 0;         ///< number of properties, after the fields
        std::uint32_t order = none;           ///< the member "order", if there is one
        std::vector<bool> text;               ///< which members are strings; empty if none is
        Ratio ticks = {};                     ///< ticks of the signal per tick of the track
        std::vector<bool> durations;          ///< which members are in ticks; empty if `ticks` is 1
    };
    void declare(const Track& track, const Format& to, bool passes);
    Tick scaled(const Origin& origin, Tick ticks);
    void put(const Batch& in, const Record& record, Batch& out);
    bool append_operation(const Record& record, const Origin& origin);
    void add(const Origin& origin, std::uint32_t member, std::uint64_t cell);

    Losses& losses_;
    const bool counts_;
    bool is_own_ = false;  ///< the source's signals belong to the target format
    std::uint64_t count_ = 0;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Origin> origins_;  ///< by source track
    std::vector<Attribute> values_;
};

/// Undoes SignalMaking.
class RecordsOfSignals final : public Stage {
public:
    /// Returns true if SignalMaking made the trace, and all its tracks still exist.
    static bool is_made(const Schema& schema);

    /// Returns true if the restored records get another order, which is known only after the last record.
    static bool reorders(const Schema& schema);
    /// Returns true if the times of the restored records never decrease.
    static bool are_time_ordered(const Schema& schema);

    /// `source` and `losses` must outlive the stage. Data that does not fit in memory is spilled to `folder`.
    RecordsOfSignals(const Schema& source, std::string folder, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    static constexpr std::uint32_t order_field = none - 1;

    struct Origin {
        TrackId target = none;
        bool passes = false;  ///< the track was passed on
        Ratio ticks;          ///< ticks of the target per tick of the source
        /// By field of the source: for a signal, the target's field; for other tracks, the member, order_field or none.
        std::vector<std::uint32_t> fields;
        std::vector<bool> text;       ///< by field of the source: true for strings
        std::vector<bool> durations;  ///< by field of the source: true for durations in ticks of the source
        /// By field of the source: number of bits if a number becomes a string of logic states; 0: it stays a number.
        std::vector<std::uint8_t> digits;
    };
    void meet_fields(TrackId source);
    std::uint32_t field_of_signal(Origin& origin, const Field& field);
    std::uint64_t order_of(const Batch& in, const Record& change);
    void put(const Batch& in, const Record& record, Batch& out);
    void pass(const Batch& in, const Record& record, const Origin& origin, Batch& out);
    Record* make_event(const Track& track, TrackId id, Tick time, Batch& out);
    Record* make_interval(TrackId id, Tick time, Batch& out);
    Record* make_operation(const Track& track, TrackId id, Tick time, bool is_add, Batch& out);
    void lost(const Record& record, std::string_view why);
    std::uint64_t cell(const Origin& origin, const Attribute& value);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Origin> origins_;              ///< by source track
    std::vector<std::vector<Field>> members_;  ///< by target track
    InstructionValues instructions_;
    std::vector<Attribute> values_;
    std::vector<std::uint64_t> cells_;
    std::string states_;
    std::vector<bool> seen_;                           ///< by member: true if it has a value
    std::vector<std::vector<std::uint64_t>> columns_;  ///< by repeated field: the values in an event's rows
    const bool reorders_;
    Batch held_;
    RecordSorter sorter_;
    std::uint64_t greatest_order_ = 0;  ///< the maximum so far; changes without an order follow the change that has it
    std::vector<RecordSorter::Place> places_;
};

}  // namespace hwtrace

// pipeline/signal_making.hpp - what is no signal becomes one, for targets that have nothing else, and comes back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "pipeline/instruction_values.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

// What becomes of a record (DESIGN 9): one change of the signal that its track becomes, which has the track's name and
// place, and is a structure.
//   event, relation  the fields as members; what rows of repeated fields hold as an array for each field
//   interval         at its begin: its duration, then its attributes in their order
//   set, add         the slot, and the field with its value; of a property that one alone
//   clear            the slot alone
//   instruction      see InstructionValues
//   note             the text as member "note"
//   native           its bytes as member "bytes"
//   change           itself, as is what belongs to the target's format (tracks named "<format>.…"); fields of one name
//                    get their numbers behind it, and the types that they had come back
// Marks tell which record begins a frame, which is an add, and which states again what is so since before. Members have
// names of their own: where two fields share one, the later has its number behind it. Of a source that is not in order
// of time, which signals have to be in, or whose order the target does not keep, a last member "order" counts the
// records, so that they come back in theirs. The
// metadata conventions::record_source holds the format's name and the objects of the source, so that nothing is lost by
// it.

/// Makes signals of what the source has.
class SignalMaking final : public Stage {
public:
    /// In what order the source's records come, and whether the target keeps that.
    enum class Order : std::uint8_t {
        by_time,          ///< times never decrease, and records come back as they went
        by_time_counted,  ///< times never decrease, but the target has an order of its own
        any,
    };
    /// What marks of changes that were other records are made of.
    enum Mark : std::uint64_t { frame_mark = 2, add_mark = 4, restated_mark = 8 };

    /// `source`, which is complete but for texts, and `losses` outlive the stage. `to` is the target.
    SignalMaking(const Schema& source, const Format& to, Order order, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Origin {
        TrackId target = none;
        bool passes = false;                  ///< it is the target format's own
        std::uint32_t first = 0;              ///< the member that is the first field
        std::uint32_t fields = 0, fixed = 0;  ///< how many there are, and of those of an event in front of its rows
        std::uint32_t properties = 0;         ///< how many there are, behind the fields
        std::uint32_t order = none;           ///< the member that counts, where they do
        std::vector<bool> text;               ///< which members are texts, when any is
    };
    void declare(const Track& track, std::string_view format);
    void pass(const Batch& in, const Record& record, const Origin& origin, Batch& out);
    void put(const Batch& in, const Record& record, Batch& out);
    bool append_operation(const Record& record, const Origin& origin);
    void add(const Origin& origin, std::uint32_t member, std::uint64_t cell);

    Losses& losses_;
    const bool counts_;
    bool is_own_ = false;  ///< its signals are the target's
    std::uint64_t count_ = 0;
    Schema schema_;
    TextTranslation translate_;
    std::vector<Origin> origins_;  ///< by source track
    std::vector<Attribute> values_;
};

/// Which signals of a trace, in their order, SignalMaking has made of records of other kinds, as its mark says.
std::vector<bool> signals_of_records(const Schema& schema);

/// The signals that SignalMaking has made of the tracks that its mark in `schema` speaks of, without enumerations, in
/// their order; `objects`, which has none, gets these tracks. Empty where there is no such mark.
std::vector<Track> signals_of_mark(const Schema& schema, Schema& objects);

/// Gives back what SignalMaking made signals of.
class RecordsOfSignals final : public Stage {
public:
    /// Whether the trace is one that SignalMaking has made, whose signals are all there.
    static bool is_made(const Schema& schema);

    /// Whether they come back in an order of their own, when all of them have come.
    static bool reorders(const Schema& schema);
    /// Whether their times never decrease.
    static bool are_time_ordered(const Schema& schema);

    /// `source` and `losses` outlive the stage. What does not fit in memory goes to a file in `folder`.
    RecordsOfSignals(const Schema& source, std::string folder, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    static constexpr std::uint32_t order_field = none - 1;

    struct Origin {
        TrackId target = none;
        Ratio ticks;  ///< of the target in one of the source
        /// By field of the source: of a signal the target's field; of others the member, order_field or none.
        std::vector<std::uint32_t> fields;
        std::vector<bool> text;            ///< likewise: which are texts
        std::vector<std::uint8_t> digits;  ///< likewise: how many states a number is; 0: it is a number
    };
    void meet_fields(TrackId source);
    std::uint32_t field_of_signal(Origin& origin, const Field& field);
    std::uint64_t order_of(const Batch& in, const Record& change);
    void put(const Batch& in, const Record& record, Batch& out);
    Record* make(const Batch& in, const Record& record, const Origin& origin, Tick time, Batch& out);
    Record* make_event(const Track& track, TrackId id, Tick time, Batch& out);
    Record* make_interval(TrackId id, Tick time, Batch& out);
    Record* make_operation(const Track& track, TrackId id, Tick time, bool is_add, Batch& out);
    void lost(const Record& record, std::string_view why);
    std::uint64_t cell(const Origin& origin, const Attribute& value);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TextTranslation translate_;
    std::vector<Origin> origins_;              ///< by source track
    std::vector<std::vector<Field>> members_;  ///< by target track
    InstructionValues instructions_;
    std::vector<Attribute> values_;
    std::vector<std::uint64_t> cells_;
    std::string states_;
    std::vector<bool> seen_;                           ///< which of them have come
    std::vector<std::vector<std::uint64_t>> columns_;  ///< of the rows of an event
    const bool reorders_;
    Batch held_;
    RecordSorter sorter_;
    std::uint64_t greatest_order_ = 0;  ///< so far; changes, which have none, stay behind it and so in order of time
    std::vector<RecordSorter::Place> places_;
};

}  // namespace hwtrace

// pipeline/signal_making.hpp - what is no signal becomes one, for targets that have nothing else, and comes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "pipeline/passage.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

// What becomes of a record (DESIGN 9): one change of the signal that its track becomes, which has the track's name and
// place, and is a structure.
//   event, relation  the fields as members; what rows of repeated fields hold as an array for each field
//   interval         at its begin: its duration, then its attributes in their order
//   note             the text as member "note"
//   change           itself, as is what belongs to the target's format (tracks named "<format>.…")
// A record that begins a frame is marked (frame_mark). Members have names of their own: where two fields share one, the
// later has its number behind it. Of a source that is not in order of time, which signals have to be in, a last member
// "order" counts the records, so that they come back in theirs. The metadata conventions::record_source holds the
// format's name and the objects of the source, so that nothing is lost by it. Storages and instructions become
// intervals first (IntervalMaking).

/// Makes signals of what the source has.
class SignalMaking final : public Stage {
public:
    /// Of a change that was a record which begins a frame.
    static constexpr std::uint64_t frame_mark = 2;

    /// Whether records of the track become changes, or are some.
    static bool takes(const Track& track) noexcept;

    /// `source`, which is complete but for texts, and `losses` outlive the stage. `to` is the target;
    /// `time_ordered`: times of the source never decrease.
    SignalMaking(const Schema& source, const Format& to, bool time_ordered, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Origin {
        TrackId target = none;
        bool passes = false;             ///< it is the target format's own
        std::size_t fixed = 0, row = 0;  ///< fields of an event: in front of its rows, and of each row
        std::uint32_t first = 0;         ///< the member that is the first field
        std::uint32_t order = none;      ///< the member that counts, where they do
        std::vector<bool> text;          ///< which fields are texts, when any is
    };
    void declare(const Track& track, std::string_view format);
    void pass(const Batch& in, const Record& record, const Origin& origin, Batch& out);
    void put(const Batch& in, const Record& record, Batch& out);
    void add(const Origin& origin, std::size_t field, std::uint64_t cell);

    const Schema& source_;
    Losses& losses_;
    const bool counts_;
    std::uint64_t count_ = 0;
    Schema schema_;
    TextTranslation translate_;
    std::vector<Origin> origins_;  ///< by source track
    std::vector<Attribute> values_;
};

/// Gives back what SignalMaking made signals of.
class RecordsOfSignals final : public Stage {
public:
    /// Whether the trace is one that SignalMaking has made, whose signals are all there.
    static bool is_made(const Schema& schema);

    /// Whether they come back in an order of their own, when all of them have come.
    static bool reorders(const Schema& schema);

    /// `source` and `losses` outlive the stage. What does not fit in memory goes to a file in `folder`.
    RecordsOfSignals(const Schema& source, std::string folder, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    static constexpr std::uint32_t duration_field = none - 1, order_field = none - 2;

    struct Origin {
        TrackId target = none;
        Ratio ticks;                        ///< of the target in one of the source
        std::vector<std::uint32_t> fields;  ///< by field of the source: that of the target, one of below, or none
        std::vector<bool> text;             ///< likewise: which are texts
    };
    void meet_fields(TrackId source);
    void put(const Batch& in, const Record& record, Batch& out);
    bool put_event(const Batch& in, const Record& record, const Origin& origin, Tick time, Batch& out);
    std::uint64_t cell(const Origin& origin, const Attribute& value);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TextTranslation translate_;
    std::vector<Origin> origins_;                    ///< by source track
    std::vector<std::vector<std::string>> members_;  ///< by target track: what its fields are called in the source
    std::vector<Attribute> values_;
    std::vector<std::uint64_t> cells_;
    std::vector<bool> seen_;                           ///< which of them have come
    std::vector<std::vector<std::uint64_t>> columns_;  ///< of the rows of an event
    const bool reorders_;
    Batch held_;
    RecordSorter sorter_;
    std::uint64_t order_ = 0;           ///< of the record that is put
    std::uint64_t greatest_order_ = 0;  ///< so far; changes, which have none, stay behind it and so in order of time
    std::vector<RecordSorter::Place> places_;
};

}  // namespace hwtrace

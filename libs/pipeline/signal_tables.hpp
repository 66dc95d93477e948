// pipeline/signal_tables.hpp - signals become tables of one slot, and come back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "pipeline/signal_mark.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/translated_copy.hpp"

namespace hwtrace {

// What a signal becomes, on its own base of time:
//   storage "<signal>", one slot, sparse     its fields, but those that are repeated, behind an enumeration one for
//                                            values without a label (".number"), behind a second one of one name its
//                                            type (".logic"); then, as far as it has them,
//                                            members: masks of the columns that it has now, where there are several
//                                            elements: how many values stand in events behind this, of an array
//                                            mark
//   event "<signal>.<field>" {<field>}       a value of a repeated field: one for each element
//   event "<signal>.order" {order}           in front of a change whose values are not in the order of their fields
// The slot is what the signal is, at every moment: empty before the first change and where the signal has no value (a
// clear), else its last value. So nobody takes a 0 that is none for a value, as in a dense table, which viewers would
// also take for a counter, and --at shows the state from a checkpoint without replaying a change. A change of a signal
// with one field is one set: 16 bytes in a µScope frame, or 9; an event beside it would double that. Members and mark
// are set only where they are others than before. Elements are events because a slot has no room for a number of them
// that is not known before, and a table of many slots would cost as many clears.
//
// Where a change ends is told by what it consists of: the set of the only field; of several, the set of the last member
// in the mask (of none, of the last mask); of an array, its last element (of none, the set of `elements`). Floats, and
// what else tables lack, are bits there; texts of all kinds are text, bytes as hexadecimal digits. SignalMark says what
// they were.

/// Makes tables of all signals; everything else goes on as it is.
class SignalTables final : public Stage {
public:
    static constexpr std::size_t mask_bits = 64;
    static constexpr std::uint16_t no_column = 0xFFFF;

    /// The columns of a field.
    struct Column {
        std::uint16_t value = no_column;
        std::uint16_t number = no_column;  ///< of an enumeration with labels
    };

    /// `source`, complete in its tracks and fields, and `losses` outlive the stage.
    SignalTables(const Schema& source, Losses& losses);

    /// Whether a track that is no signal has fields of enumerations that µScope has no room for: they become numbers.
    static bool narrows(const Schema& source, const Track& track) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Signal {
        TrackId table = none;
        TrackId order = none;                            ///< none: it has no members
        std::vector<TrackId> elements;                   ///< by field: of a repeated one, else none
        std::vector<Column> columns;                     ///< by field: of one that is not repeated
        std::uint16_t members = 0, count = 0, mark = 0;  ///< columns of our own
        bool has_arrays = false;
        std::vector<std::uint64_t> masks;  ///< as the slot has them
        std::uint64_t marked = 0;          ///< likewise
    };
    void declare(const Track& track, const SignalMark& mark);
    void lower(const Batch& in, const Record& record, Signal& signal, Batch& out);
    std::uint16_t column_of(const Signal& signal, TrackId track, const Attribute& value) const;
    bool take_values(const Batch& in, const Record& record, const Signal& signal);
    void append_order(const Record& record, const Signal& signal, Batch& out);
    void append_values(const Record& record, Signal& signal, Batch& out);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Signal> signals_;                     // by source track
    std::vector<TrackId> targets_;                    // of what is no signal, by source track
    std::vector<std::vector<std::uint64_t>> labels_;  // by enumeration: values that have one, in order
    // Of one change, reused:
    std::vector<Attribute> values_;
    std::vector<std::uint64_t> masks_;
    std::string order_text_;
    bool is_sorted_ = true;
    std::vector<bool> stated_;  // by field
};

/// Undoes SignalTables.
class SignalsOfTables final : public Stage {
public:
    /// `source`, for which is_lowered(), and `losses` outlive the stage.
    SignalsOfTables(const Schema& source, Losses& losses);

    /// True when SignalTables made the trace of that schema, and its tracks are still there.
    static bool is_lowered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Signal {
        TrackId target = none;
        std::vector<std::uint32_t> fields;  ///< by column
        std::uint16_t members = 0, count = 0,
                      mark = 0;  ///< columns of our own; members and count: 0 where there are none
        bool has_arrays = false;
        std::vector<std::uint64_t> masks;
        std::uint64_t marked = 0;
        // Of the change that is being put together:
        std::vector<Attribute> values;
        std::uint64_t elements_left = 0;
        std::vector<std::uint32_t> order;
        bool has_order = false;
    };
    struct Meaning {
        enum class What : std::uint8_t { other, table, element, order } what = What::other;
        std::uint32_t signal = none;
        TrackId target = none;
        std::uint32_t field = 0;  ///< of an element
    };
    TrackId declare(const SignalMark::SourceTrack& track, TrackId first);
    void operate(const Record& record, Signal& signal, Batch& out);
    void set(const Record& record, Signal& signal, Batch& out);
    void element(const Batch& in, const Record& record, const Meaning& meaning, Batch& out);
    void order(const Batch& in, const Record& record, Signal& signal);
    void put(const Record& record, Signal& signal, Batch& out);
    void append_in_order(Signal& signal);
    void misfit(const Record& record);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Meaning> meanings_;  // by source track
    std::vector<Signal> signals_;
    std::vector<Attribute> in_order_;  // reused, as the next one
    std::vector<std::size_t> next_;
};

}  // namespace hwtrace

// convert/transforms/signal_tables.hpp - turns signals into storages with one slot, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "convert/transforms/signal_mark.hpp"
#include "convert/translated_copy.hpp"
#include "model/hash.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of a signal to tracks with its time base:
//   storage "<signal>", one slot, sparse     the fields that are not repeated. A field of an enum is followed by a
//                                            field (".number") for values without a label. Labels of an enum that
//                                            µScope cannot hold become texts. If two fields have the same name, the
//                                            second one gets its type as suffix (".logic").
//                                            Additional fields, if needed:
//                                            members: masks of the fields that have a value, if there are several
//                                            elements: the number of array values in the events that follow
//                                            mark: the mark of the change
//   event "<signal>.<field>" {<field>}       one value of a repeated field; for an enum its label as text, and the
//                                            number
//   event "<signal>.order" {order}           before a change whose values are not in field order
// The slot always holds the current value of the signal. It is empty before the first change and while the signal has
// no value (after a clear record). A dense storage would show 0 before the first change, and viewers would take it for
// a counter. The slot also lets --at show the value from a checkpoint, without reading earlier changes. A change of a
// signal with one field is one set record, which takes 16 or 9 bytes in a µScope frame. An additional event would
// double that size. Members and mark are set only when they change. Elements are events, because a slot cannot hold a
// variable number of values, and a storage with many slots would need as many clear records.
//
// The contents of a change determine its last record. For a single field, it is the set record of that field. For
// several fields, it is the set record of the last member in the mask, or of the last mask if the mask is empty. For
// an array, it is the last element, or the set record of `elements` if the array is empty. Floats and other types that
// storages lack are stored as bits, strings of all kinds as text, and bytes as hexadecimal digits. SignalMark records
// the original types.

/// Turns all signals into storages. Passes on all other records unchanged.
class SignalTables final : public Stage {
public:
    static constexpr std::size_t mask_bits = 64;
    static constexpr std::uint16_t no_column = 0xFFFF;

    /// The columns of one field.
    struct Column {
        std::uint16_t value = no_column;
        std::uint16_t number = no_column;  ///< for an enum with labels: the column for values without a label
    };

    /// `source` and `losses` must outlive the stage. The tracks and fields of `source` must be complete.
    SignalTables(const Schema& source, Losses& losses);

    /// Returns true if the track is not a signal and has fields of enums that µScope cannot hold. These fields become
    /// numbers.
    static bool narrows(const Schema& source, const Track& track) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    /// The labels of an enum.
    struct Labels {
        std::vector<std::uint64_t> values = {};  ///< the values that a column of labels holds, sorted
        struct Label {
            std::size_t index = 0;  ///< in the enum of the source
            StringId text = none;   ///< none: not interned yet
        };
        HashMap<std::uint64_t, Label> by_value = {};  ///< the labels of `values`
        bool are_texts = false;                       ///< the columns hold texts
    };
    struct Signal {
        TrackId table = none;
        TrackId order = none;                            ///< none: the signal has no mask of members
        std::vector<TrackId> elements;                   ///< by field: the event of a repeated field, else none
        std::vector<Column> columns;                     ///< by field; unused for repeated fields
        std::uint16_t members = 0, count = 0, mark = 0;  ///< additional columns
        bool has_arrays = false;
        std::vector<std::uint64_t> masks;  ///< current values in the slot
        std::uint64_t marked = 0;          ///< current mark in the slot
    };
    void declare(const Track& track, const SignalMark& mark);
    void lower(const Batch& in, const Record& record, Signal& signal, Batch& out);
    std::uint16_t column_of(const Signal& signal, TrackId track, const Attribute& value) const;
    StringId label_of(EnumId enumeration, std::uint64_t value);
    std::uint64_t cell_of(const Field& field, const Column& column, std::uint16_t chosen, std::uint64_t value);
    void append_element(const Record& record, const Field& field, TrackId event, std::uint64_t value, Batch& out);
    bool take_values(const Batch& in, const Record& record, const Signal& signal);
    void append_order(const Record& record, const Signal& signal, Batch& out);
    void append_values(const Record& record, Signal& signal, Batch& out);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Signal> signals_;   // by source track
    std::vector<TrackId> targets_;  // by source track, for tracks other than signals
    std::vector<Labels> labels_;    // by enum
    // For one change, reused:
    std::vector<Attribute> values_;
    std::vector<std::uint64_t> masks_;
    std::string order_text_;
    bool is_sorted_ = true;
    std::vector<bool> stated_;  // by field
};

/// Undoes SignalTables.
class SignalsOfTables final : public Stage {
public:
    /// Requires is_lowered(source). `source` and `losses` must outlive the stage.
    SignalsOfTables(const Schema& source, Losses& losses);

    /// Returns true if SignalTables made the trace with this schema, and its tracks still exist.
    static bool is_lowered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Signal {
        TrackId target = none;
        std::vector<std::uint32_t> fields;  ///< by column
        std::uint16_t members = 0, count = 0,
                      mark = 0;  ///< additional columns; members and count are 0 if missing
        bool has_arrays = false;
        std::vector<std::uint64_t> masks;
        std::uint64_t marked = 0;
        // The change being assembled:
        std::vector<Attribute> values;
        std::uint64_t elements_left = 0;
        std::vector<std::uint32_t> order;
        bool has_order = false;
    };
    struct Meaning {
        enum class Content : std::uint8_t { other, table, element, order } content = Content::other;
        std::uint32_t signal = none;
        TrackId target = none;
        std::uint32_t field = 0;  ///< of an element
    };
    TrackId declare(const SignalMark& mark, const SignalMark::SourceTrack& track, TrackId first);
    void operate(const Record& record, Signal& signal, Batch& out);
    void set(const Record& record, Signal& signal, Batch& out);
    std::optional<std::uint64_t> value_of(const Record& record, const Field& type);
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
    std::vector<HashMap<std::string, std::uint64_t>> values_of_labels_;  // by enum that became texts
    std::vector<Attribute> in_order_;                                    // reused, like next_
    std::vector<std::size_t> next_;
};

}  // namespace hwtrace

// convert/transforms/row_records.hpp - turns samples of SignalMaking into events or operations on tables, for targets
// that hold neither signals nor intervals, and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "convert/track_map.hpp"
#include "convert/translated_copy.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of a sample to an event of the same name:
//   a member            a field
//   the members it has  bits of the fields "members": bit n is the n-th member that is no array
//   mark, flags         fields
//   an array            rows of member, value and text, one per element
// If the values of a sample are not in the order of the members, the fields "members" are 0 and all values are rows.
// Without events, the sample becomes operations on a one-slot table of the same name, which may not interleave with
// operations of other samples: clear, then set for mark, flags and each value in order. Tracks that SignalMaking passed
// on are passed on again. The trace keeps the mark of SignalMaking.

/// The track that holds the samples of a signal.
struct RowLayout {
    Track track;
    std::vector<std::uint32_t> columns;  ///< by member: its field; none for an array in an event
    std::vector<bool> text;              ///< by member: true for strings
    std::uint32_t members = 0;           ///< the first field of bits; unused in a table
    std::uint32_t mark = 0, flags = 0;   ///< fields
    bool has_text = false;               ///< rows have a text

    RowLayout(const Track& signal, Track::Kind kind);
};

/// Turns samples into records of another shape.
class RowRecords final : public Stage {
public:
    /// `source` must outlive the stage. It must be the schema of a SignalMaking stage whose mark states all tracks.
    /// `kind` must be event_type or storage.
    RowRecords(const Schema& source, Track::Kind kind);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    void put_event(const Batch& in, const Record& sample, const RowLayout& row, Batch& out);
    void operate(const Batch& in, const Record& sample, const RowLayout& row, Batch& out);
    std::uint64_t cell(const RowLayout& row, const Attribute& value);

    Schema schema_;
    TranslatedCopy copies_;
    std::vector<bool> passes_;     ///< by track
    std::vector<RowLayout> rows_;  ///< by track; unused for tracks that are passed on
    StringId no_text_ = 0;         ///< the empty string, if a row has strings
    std::vector<std::uint64_t> cells_;
};

/// Restores the samples from which RowRecords made events or operations. RecordsOfSignals then restores the records.
class SamplesOfRows final : public Stage {
public:
    /// Returns true if RowRecords made the trace, and all its tracks still exist.
    static bool is_made(const Schema& source);

    /// Requires is_made(source). `source` and `losses` must outlive the stage. Records that RowRecords did not make are
    /// lost.
    SamplesOfRows(const Schema& source, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    void take_event(const Batch& in, const Record& record, const RowLayout& row, Batch& out);
    void take_operation(const Record& record, const RowLayout& row);
    void give(Batch& out);
    void add(const RowLayout& row, std::uint32_t member, std::uint64_t cell);
    void lost(const Record& record);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<bool> passes_;
    std::vector<RowLayout> rows_;
    std::vector<std::vector<std::uint32_t>> member_of_;  ///< by track and column
    std::vector<Attribute> values_;
    Record row_;            ///< the sample whose operations are being read
    bool is_open_ = false;  ///< there is such a sample
};

}  // namespace hwtrace

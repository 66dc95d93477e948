// convert/transforms/sample_intervals.hpp - turns samples of SignalMaking into intervals, for targets that hold no
// signals, and back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "convert/track_map.hpp"
#include "convert/transforms/register_attributes.hpp"
#include "convert/translated_copy.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of SignalMaking's samples to intervals, by the record that a sample represents:
//   from an interval     that interval
//   from a relation      an interval of length 0 with the fields as attributes, and the relation itself beside it if
//                        the target holds relations
//   from an instruction  an interval of one tick named "instruction"; see InstructionValues for its attributes, and
//                        RegisterAttributes for the attributes of registers
//   from another record  an interval of length 0 with the members as attributes; bytes become hexadecimal digits
// Attributes made from scalar members have phase begin; attributes made from arrays have phase record. The mark of a
// sample becomes an attribute, and so do the flags of a change of a signal. Tracks that SignalMaking passed on are
// passed on again. The trace keeps the mark of SignalMaking.

/// Turns samples that represent other records into intervals.
class SampleIntervals final : public Stage {
public:
    /// `source` must outlive the stage. It must be the schema of a SignalMaking stage whose mark states all tracks.
    /// Ticks of unknown length get `base`, if there is one.
    /// With `beside_relations`, the target holds relations.
    SampleIntervals(const Schema& source, std::optional<TimeBase> base, bool beside_relations = true);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Origin {
        bool passes = false;            ///< the track was passed on
        std::uint64_t duration = 0;     ///< duration of samples that do not come from intervals
        bool is_interval = false;       ///< the first member is the duration
        std::uint32_t mark = 0;         ///< the attribute for the mark
        std::uint32_t flags = none;     ///< the attribute for the flags of a change
        TrackId relation = none;        ///< the relation track beside the samples
        std::vector<bool> text, bytes;  ///< which attributes are strings; which of these hold bytes; may be empty
        std::unique_ptr<RegisterAttributes> registers = {};  ///< for instructions
    };
    void declare(const Track& signal, const Track& object, const std::optional<TimeBase>& base);
    std::uint64_t cell(const Origin& origin, const Attribute& value);

    const Schema& source_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Origin> origins_;  ///< by source track
    std::vector<Attribute> attributes_;
    std::string hex_;
};

/// Restores the samples from which SampleIntervals made intervals. RecordsOfSignals then restores the records from
/// the samples.
class SignalsOfIntervals final : public Stage {
public:
    /// Returns true if SampleIntervals made the intervals of the trace.
    static bool is_made(const Schema& source);
    /// Returns true if some of these intervals represent instructions.
    static bool has_instructions(const Schema& source);

    /// Requires is_made(source). `source` and `losses` must outlive the stage. Records that SampleIntervals did not
    /// make are lost.
    SignalsOfIntervals(const Schema& source, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Origin {
        bool passes = false, is_interval = false;
        std::uint32_t mark = 0;      ///< the attribute for the mark; attributes after it were added by others
        std::uint32_t flags = none;  ///< the attribute for the flags of a change
        TrackId relation = none;     ///< the relation track beside samples of a relation
        std::vector<bool> text, bytes;
        std::unique_ptr<RegisterAttributes> registers = {};
    };
    void append_instruction(const Batch& in, const Record& record, const Origin& origin, Batch& out);
    void put(const Batch& in, const Record& record, const Origin& origin, Batch& out);
    void pass_relation(const Record& record);
    void lost(Loss loss, const Record& record, std::uint64_t count = 1);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Origin> origins_;    ///< by source track
    std::vector<Attribute> values_;  // reused, like bytes_
    std::vector<std::byte> bytes_;
    std::vector<std::int64_t> relations_;  ///< by source track: number of relations minus number of samples
    std::vector<bool> beside_;             ///< by source track: true for relation tracks beside samples
};

}  // namespace hwtrace

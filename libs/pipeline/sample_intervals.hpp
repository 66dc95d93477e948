// pipeline/sample_intervals.hpp - samples that stand for records as intervals, for targets that have nothing else, and
// back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "pipeline/register_attributes.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

// What becomes of a sample of what SignalMaking has made:
//   of an interval     that interval
//   of a relation      an interval of length 0 with the fields as attributes, and the relation of its ends beside it
//   of an instruction  an interval of one tick named "instruction"; see InstructionValues for its attributes, and
//                      RegisterAttributes for those of registers
//   of others          an interval of length 0 with the members as attributes; bytes are hexadecimal text
// Members that stand once are stated at the begin, arrays while it lasts. The mark of a sample that has one is an
// attribute. The mark of the trace is that of SignalMaking.

/// Makes intervals of samples that stand for records of other kinds.
class SampleIntervals final : public Stage {
public:
    /// `source` is that of a SignalMaking none of whose tracks passed, and outlives the stage. Ticks that do not say
    /// how long they are get `base`.
    SampleIntervals(const Schema& source, TimeBase base);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Origin {
        std::uint64_t duration = 0;     ///< of what is no interval
        bool is_interval = false;       ///< its first member is the duration
        std::uint32_t mark = 0;         ///< the attribute for the mark
        TrackId relation = none;        ///< beside it
        std::vector<bool> text, bytes;  ///< which attributes are texts, and of these bytes, when any is
        std::unique_ptr<RegisterAttributes> registers = {};  ///< of instructions
    };
    void declare(const Track& signal, const Track& object, TimeBase base);
    std::uint64_t cell(const Origin& origin, const Attribute& value);

    const Schema& source_;
    Schema schema_;
    TextTranslation translate_;
    std::vector<Origin> origins_;  ///< by source track
    std::vector<Attribute> attributes_;
    std::string hex_;
};

/// Gives back the samples that SampleIntervals made intervals of, of which RecordsOfSignals gives back the records.
class SignalsOfIntervals final : public Stage {
public:
    /// Whether the intervals of the trace are such samples.
    static bool is_made(const Schema& source);
    /// Whether some of them are instructions.
    static bool has_instructions(const Schema& source);

    /// `source`, which is_made(), and `losses` outlive the stage. What SampleIntervals has not made is lost.
    SignalsOfIntervals(const Schema& source, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Origin {
        bool is_made = false, is_interval = false;
        std::uint32_t mark = 0;   ///< the attribute that is the mark; those behind it are not the trace's
        TrackId relation = none;  ///< of samples of a relation: what stands beside them
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
    TextTranslation translate_;
    std::vector<Origin> origins_;    ///< by source track
    std::vector<Attribute> values_;  // reused, as the next one
    std::vector<std::byte> bytes_;
    std::vector<std::int64_t> relations_;  ///< by source track: how many there are more than samples
    std::vector<bool> beside_;             ///< by source track: relations that stand beside samples
};

}  // namespace hwtrace

// pipeline/interval_making.hpp - what is no interval becomes one, for targets that have nothing else.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "model/schema_news.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

// What becomes of a record (DESIGN 9):
//   event          an interval of length 0, its fields as attributes (one named `id`, which would be the interval's
//                  identity, as stated at its begin), those of rows as often as there are any
//   note           an interval of length 0 with the text as attribute "note"
//   sparse storage an interval from a slot's first set to its clear, with the attribute "slot" and the fields' last
//                  values; at the trace's end for a slot that is never cleared
//   instruction    an interval of one tick named "instruction", with all that InstructionValues tell, or with pc and
//                  encoding
//   interval       itself
//   relation       itself, where the target has relations
// Values of other storages, and native records, have no place. The way back gives intervals again and not what they
// were made of, so every record is counted as Loss::type_changed; of a trace without records the tracks are, once, as
// Loss::part_dropped of `tracks`: nothing tells that they were there.

/// Makes intervals out of what the source has. An interval that was made of a slot comes when the slot is cleared, so
/// the result is not in order of time.
class IntervalMaking final : public Stage {
public:
    /// What of an instruction becomes attributes.
    enum class Detail : std::uint8_t { encoding, everything };

    /// `source` and `losses` outlive the stage. `instruction_time` is the base of tracks whose ticks have no known
    /// length: positions, and cycles of an unknown clock. `target` are the kinds that it takes.
    /// `unused`: whether tracks without records are counted.
    enum class Unused : std::uint8_t { silent, counted };
    IntervalMaking(const Schema& source, TimeBase instruction_time, Kinds target, Detail detail, Losses& losses,
                   Unused unused = Unused::silent);

    /// The subject of what a trace without records loses.
    static constexpr std::string_view tracks = "tracks";

    /// Whether records of the track become intervals, are some, or go on as they are.
    static bool takes(const Track& track, Kinds target) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Slot {
        bool occupied = false;
        Tick begin = 0;
        std::vector<std::uint64_t> values;
        std::vector<bool> known;  ///< fields that have been set
    };
    struct Origin {
        TrackId target = none;
        std::size_t fields = 0;        ///< attributes that are fields
        std::size_t fixed = 0;         ///< of an event: those in front of its rows
        std::vector<bool> text;        ///< which of them are texts, when any is
        std::vector<Slot> slots;       ///< of a storage, as far as they were used
        std::uint32_t slot_limit = 0;  ///< of a storage
        bool is_used = false;          ///< records of it were made something else, or lost
    };
    struct Growing;  ///< takes what SchemaNews tells
    void declare(const Track& track);
    void add_attribute(TrackId track, Field field);
    void translate_enumeration(Field& field) const;
    void make(const Batch& in, const Record& record, Batch& out);
    void make_of_event(const Batch& in, const Record& record, const Origin& origin, Batch& out);
    void operate(const Record& record, Origin& origin, Batch& out);
    void end_slot(Origin& origin, std::uint32_t slot, Tick time, Batch& out);
    void count(Loss loss, const Record& record);
    void count_unused();
    std::uint64_t cell(const Origin& origin, std::size_t field, std::uint64_t value);

    const Schema& source_;
    const TimeBase instruction_time_;
    const Kinds target_;
    const Detail detail_;
    const bool counts_unused_;
    Losses& losses_;
    SchemaNews news_;
    Schema schema_;
    TextTranslation translate_;
    std::vector<EnumId> enums_;    ///< by source enumeration
    std::vector<Origin> origins_;  ///< by source track
    std::vector<Attribute> attributes_;
    std::vector<std::uint64_t> cells_;
    Tick last_ = 0;
    bool any_record_ = false, unused_told_ = false;
    std::size_t ending_track_ = 0, ending_slot_ = 0;  ///< where finish() goes on
};

}  // namespace hwtrace

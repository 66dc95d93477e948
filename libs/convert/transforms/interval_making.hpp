// convert/transforms/interval_making.hpp - converts records to intervals, for targets that hold only intervals and
// relations.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "convert/track_map.hpp"
#include "model/schema_news.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of records to intervals:
//   event           an interval of length 0 with the fields as attributes; row fields occur once per row.
//                   A field named `id` gets phase begin, because it would otherwise be the interval's id.
//   note            an interval of length 0 with the text as attribute "note"
//   sparse storage  an interval from the first value of a slot to its clear record, or to the end of the trace if there
//                   is none; has the attribute "slot" and the last values of the fields
//   instruction     an interval of one tick named "instruction", with the attributes of InstructionValues, or with pc
//                   and encoding only
//   interval        unchanged
//   relation        unchanged, if the target has relations
// Other storages, signals and native records are dropped. Converting back yields intervals, not the original records.
// Therefore, every new interval is counted as Loss::type_changed. If the trace has no records at all, its tracks are
// counted as Loss::part_dropped of `tracks`, because the target does not show that they existed.

/// Makes intervals from the records of the source. The interval for a slot is written when the slot is cleared, so the
/// result is not in time order.
class IntervalMaking final : public Stage {
public:
    /// The properties of an instruction that become attributes.
    enum class Detail : std::uint8_t { encoding, everything };

    /// Selects whether tracks without records are counted as losses.
    enum class Unused : std::uint8_t { silent, counted };
    /// `source` and `losses` must outlive the stage. `instruction_time` is the time base for tracks whose ticks have no
    /// known length: positions, and cycles of an unknown clock. `target` is the set of kinds that the target accepts.
    IntervalMaking(const Schema& source, TimeBase instruction_time, Shapes target, Detail detail, Losses& losses,
                   Unused unused = Unused::silent);

    /// The subject of the loss that counts the tracks of a trace without records.
    static constexpr std::string_view tracks = "tracks";

    /// Returns true if records of the track become intervals, are intervals, or are passed on unchanged.
    static bool takes(const Track& track, Shapes target) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Slot {
        bool occupied = false;
        Tick begin = 0;
        std::vector<std::uint64_t> values;
        std::vector<bool> known;  ///< fields that were set
    };
    struct Origin {
        TrackId target = none;
        std::size_t fields = 0;        ///< number of attributes that are fields
        std::size_t fixed = 0;         ///< for an event: number of fields before the fields of its rows
        std::vector<bool> text;        ///< which attributes are texts; empty if none is
        std::vector<Slot> slots;       ///< for a storage: up to the highest slot used
        std::uint32_t slot_limit = 0;  ///< for a storage
        bool is_used = false;          ///< has records that were changed or dropped
    };
    struct Growing;  ///< receives the additions to the schema
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
    const Shapes target_;
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
    std::size_t ending_track_ = 0, ending_slot_ = 0;  ///< where finish() continues
};

}  // namespace hwtrace

// convert/transforms/instruction_lowering.hpp - turns instructions into entities of µScope's `cpu` protocol, and back.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codec/losses.hpp"
#include "convert/plan.hpp"
#include "convert/track_map.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Mapping of one instruction to records, in this order:
//   at the start of a cycle   clear entities[...] for every instruction of the previous cycle: they have retired
//   its preceding records     every event, note and native record of its group, as an event of the same name
//   the entity                set entities[slot].entity_id, .pc, .inst_bits (.size if inst_bits does not imply it)
//                             stage_transition to "commit"
//   its parts                 branch; registers as set records of x, f, v, csr; memory_access and memory_data;
//                             instruction_order
//   its counters              add loads, stores, taken_branches, events; finally committed_insns, which ends the group
// A cycle is a frame. The role of a register is set only when it changes. The set record of `value` (for v: of the last
// word) completes an operand. Therefore, the tables show the architectural state at any time, and every operand can be
// restored.

/// Lowers the source's hart to the `cpu` protocol.
class InstructionLowering final : public Stage {
public:
    /// The meaning of the source's times. With `numbers`, the time of an instruction is its position, and every other
    /// record has the time of the next instruction. Such times can be restored. With `any`, a time that differs from
    /// this position is counted as Loss::time_rounded.
    enum class Positions : std::uint8_t { numbers, any };

    /// `source` and `losses` must outlive the stage. `period_ps` must be 1 to max_period_ps. `per_cycle` is the number
    /// of instructions per cycle, at most max_per_cycle.
    InstructionLowering(const Schema& source, TrackId hart, std::uint64_t period_ps, Ratio per_cycle, Losses& losses,
                        Positions positions = Positions::numbers);
    /// Returns true for the hart and for tracks whose records become events.
    static bool takes(const Schema& source, const Track& track) noexcept;
    /// Returns true if the whole schema can be restored. The schema must have one hart, and all other tracks must hold
    /// only records that precede instructions.
    static bool returns(const Schema& source) noexcept;
    static constexpr std::uint64_t max_per_cycle = 8192;
    static constexpr std::uint64_t max_period_ps = 0xFFFF'FFFF;  ///< the maximum in µScope's clock definition
    /// Vector registers with more 64-bit words are dropped. The plan states this loss.
    static constexpr std::uint64_t max_vector_words = 4096;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Table {  ///< one per register class
        TrackId track = none;
        std::uint16_t role_field = 0;
        std::vector<OperandRole> roles;
    };
    void declare_scopes(std::uint64_t period_ps);
    void declare_metadata();
    void declare_storages(Ratio per_cycle);
    void declare_events();
    void pass(const Batch& in, const Record& record, Batch& out);
    void lower(const Batch& in, const Record& record, Batch& out);
    void lower_operand(const Batch& in, const Operand& operand, Batch& out);
    void begin_cycle_of(Tick index, Batch& out);
    void retire(Tick time, Batch& out);
    Tick time_of(Tick index) const;
    void check_position(const Record& record);
    void add_to_counter(TrackId counter, std::uint64_t value, Batch& out) {
        if (value != 0) out.add(counter, time_, 0, 0, value);
    }

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TrackMaps track_maps_;
    std::uint64_t period_ps_;
    Ratio cycles_per_instruction_;
    Positions positions_;
    TrackId hart_;
    ScopeId scope_ = none;

    std::vector<bool> counts_as_event_;  // by source track
    Table tables_[4];                    // by RegisterClass
    TrackId entities_ = none, committed_ = none, loads_ = none, stores_ = none, branches_ = none, events_ = none;
    TrackId stage_transition_ = none, branch_ = none, memory_access_ = none, memory_data_ = none, order_ = none;
    std::uint32_t slot_mask_ = 0;

    Tick time_ = 0;  // time of the open frame
    bool frame_open_ = false;
    std::uint32_t next_entity_ = 0;
    std::vector<std::uint32_t> live_;   // slots of the instructions in the open cycle
    std::uint64_t pending_events_ = 0;  // events in the open group
    std::string order_text_;            // reused
};

/// Undoes InstructionLowering: turns entities and their parts back into instructions. Batches end between groups,
/// unless a group is too long to hold back.
class InstructionRaising final : public Stage {
public:
    /// Requires is_lowered(source). `source` and `losses` must outlive the stage.
    InstructionRaising(const Schema& source, Losses& losses);

    /// Returns true if InstructionLowering made the trace with this schema.
    static bool is_lowered(const Schema& source) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Meaning {
        enum class Content : std::uint8_t {
            foreign,  ///< not made by the lowering; counted as a loss
            counter,  ///< redundant: derived from other records
            stage,    ///< the transition to "commit", which every instruction has
            entity,
            committed,
            registers,
            branch,
            memory_access,
            memory_data,
            order,
            event,
            row,
            note,
            native,
        } content = Content::foreign;
        TrackId target = none;
        RegisterClass register_class = RegisterClass::integer;
        std::uint16_t role_field = 0;  ///< for a register table: follows the fields of the value
        bool has_rows = false;         ///< the last cell is the number of rows that follow
        bool is_trap = false;          ///< included in the counter of events
        std::size_t counter = 0;       ///< for a counter: its index in counted_
        std::vector<bool> text;
    };
    void declare(const Schema& source);
    Meaning meaning_of(TrackId id);
    Meaning meaning_of_table(TrackId id);
    Meaning meaning_of_event(TrackId id);
    /// Returns true if the lowering gives the protocol `cpu` an event with this name, and sets its meaning.
    static bool is_own_event(const Track& track, Meaning::Content& content);
    void raise(const Batch& in, const Record& record, const Meaning& meaning, Batch& out);
    void raise_event(const Meaning& meaning, std::span<const std::uint64_t> cells);
    void raise_row(const Record& record, const Meaning& meaning, std::span<const std::uint64_t> cells);
    void raise_entity(const Record& record);
    void raise_register(const Record& record, const Meaning& meaning);
    void raise_access(const Record& record, std::span<const std::uint64_t> cells);
    void raise_data(const Record& record, std::uint64_t word);
    void raise_order(const Record& record, std::string_view letters);
    void check_counters();
    /// Counts a record that the lowering would not have written at this place.
    void misfit(const Record& record);
    /// Counts a part that is missing from the open instruction, or that occurs too often.
    void lost_part(std::string_view subject, std::string_view what);
    void begin_group(Tick time, Batch& out);
    void release_records(Batch& out);
    void release_strangers(Batch& out);
    void commit(Batch& out);
    void flush_rows();
    /// Replaces the string ids of the source by those of the raised schema.
    void translate_texts(const Meaning& meaning, std::span<std::uint64_t> cells);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TrackId hart_ = none;
    std::uint16_t id_field_ = 0xFFFF, pc_field_ = 0xFFFF, encoding_field_ = 0xFFFF, size_field_ = 0xFFFF;
    std::vector<Meaning> meanings_;  // by source track
    static constexpr std::size_t counters = 4;
    TrackId counter_tracks_[counters] = {none, none, none, none};  // loads, stores, taken branches, events
    std::uint64_t counted_[counters] = {};                         // counts since the last commit
    std::vector<OperandRole> roles_[4];
    std::vector<std::uint64_t> words_;  // words of the current vector operand

    Batch group_;                 // records and parts since the last commit
    Batch strangers_;             // earlier records with another time
    std::uint64_t released_ = 0;  // records of the open group that were passed on early, because the group is too long
    std::uint64_t released_strangers_ = 0;  // records that were passed on, but whose instruction never arrived
    Tick group_time_ = 0;                   // source time of the records in group_
    Tick index_ = 0;                        // position of the open instruction
    std::uint64_t pc_ = 0, encoding_ = 0, target_ = 0;
    std::uint8_t size_ = 0;
    bool has_pc_ = false, has_encoding_ = false, has_target_ = false, has_stage_ = false;
    std::uint64_t parts_ = 0;       // parts of the open instruction so far
    std::uint64_t traps_ = 0;       // events before the open instruction that the counter of events includes
    std::uint64_t words_left_ = 0;  // words still expected for the open access
    bool more_words_ = false;
    std::size_t next_word_ = 0;  // next word of the current vector operand
    std::vector<Part> order_;
    TrackId rows_target_ = none;  // the event whose rows follow
    std::uint64_t rows_left_ = 0;
    std::vector<std::uint64_t> row_cells_;
    std::vector<std::byte> native_;
};

/// Returns the size of a RISC-V instruction in bytes, from the two lowest bits of its encoding: 4 if both are set, else
/// 2.
constexpr std::uint8_t size_told_by(std::uint64_t inst_bits) noexcept {
    return (inst_bits & 3) == 3 ? 4 : 2;
}

}  // namespace hwtrace

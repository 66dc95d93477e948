// formats/kanata/writer.hpp - the writer of a log: what it remembers of the records so far.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/instruction_labels.hpp"
#include "codec/writer.hpp"
#include "domain/in_flight.hpp"
#include "domain/pipeline_roles.hpp"
#include "domain/protocols.hpp"
#include "log_ids.hpp"
#include "log_text.hpp"
#include "model/id_set.hpp"
#include "model/name_table.hpp"
#include "model/state.hpp"

namespace hwtrace::kanata {

/// Writes the records of a trace of the protocol `cpu` as the commands of a log.
class KanataWriter final : public Writer {
public:
    KanataWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

    void write(const Batch& batch) override;
    bool has_threads() const noexcept override { return log_.has_thread(); }
    void finish() override;

private:
    struct Stage {
        std::string name;
        bool changed = false;  ///< the original name cannot be written
    };
    struct Core {
        CpuScope cpu;
        std::vector<Stage> stages;
        InFlight in_flight;
        std::vector<bool> left = {};  ///< by slot; true: its instruction has retired or was flushed
        LogIds ids = {};              ///< used only with next_id_; of a single core, only ids other than the entity
        std::uint64_t next_simulator_id = 0, next_retire_id = 0;
        std::uint64_t gone =
            no_entity;  ///< entity of the last retire event; its flush and clear records need no second `R`
        std::int64_t uncounted_commits = 0;  ///< retired instructions minus the commits counted by the trace
        std::uint64_t label_entity = 0, label_type = 0;
        std::uint64_t dependency_type = no_type;
        bool label_open = false;
        InFlight seats;  ///< the table that a reader of the log will build
        std::uint64_t begun = 0,
                      most_begun = 0;  ///< instructions that a reader will count as in flight
        std::uint64_t moved = 0;       ///< instructions to which a reader will assign another slot
    };
    /// The records that a reader derives from the last `R`. In the trace, they must directly follow the retire event.
    struct Leaving {
        bool flush = false, clear = false, commit = false;
        std::uint32_t core = 0, entity = 0, slot = no_slot;
        Tick time = 0;
        TrackId track = none;

        bool any() const noexcept { return flush || clear || commit; }
    };
    /// The set records of one instruction at one time. They are written as one `I` and one label.
    struct Pending {
        std::uint32_t core = 0, slot = no_slot, entity = 0;
        Tick time = 0;
        bool fresh = false;      ///< true: the instruction begins with these records
        unsigned last_rank = 0;  ///< rank of the last set field in the order of a log
        bool ordered = true;     ///< true: each field was set once, in the order of a log
        bool sets_pc = false;
        bool has_simulator_id = false, has_thread_id = false;
        std::uint64_t simulator_id = 0, thread_id = 0;
        std::optional<std::uint64_t> pc = {}, bits = {};  ///< none if 0
    };

    /// An instruction that leaves the pipeline by a clear or flush record. Its `R` is its last command in the cycle.
    struct Leaver {
        std::uint32_t core = 0, entity = 0;
        bool is_flushed = false;
    };
    /// A flush record of an instruction that no longer has a slot.
    struct LateFlush {
        std::uint32_t core = 0, entity = 0;
        bool finds_leaver = false;

        auto order() const noexcept { return std::pair(core, entity); }
    };

    static constexpr std::uint64_t no_entity = std::uint64_t{std::numeric_limits<std::uint32_t>::max()} + 1;
    static constexpr std::uint64_t no_type = ~std::uint64_t{0};
    static constexpr std::size_t most_leavers = 1u << 16;  ///< largest number of operations in a frame
    static constexpr std::uint32_t low_mask = 0xFFFF;

    void measure_ticks(std::uint64_t period_ps);
    void put(const Batch& batch, const Record& record, PipelineUse use);
    void append_event(const Batch& batch, const Record& record, PipelineUse use);
    bool joins_pending(const Record& record, PipelineUse use) const;
    void append_set(const Record& record, PipelineUse use);
    void append_clear(const Record& record, PipelineUse use);
    bool is_part_of_leaving(const Batch& batch, const Record& record, PipelineUse use);
    void count_unsaid();
    void leave(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type);
    void write_pending(const Batch& batch, const Record* next);
    bool tells_address(const Batch& batch, const Record* next) const;
    void append_label(Core& core, const Record& record, std::uint64_t entity, StringId text);
    void append_stage(Core& core, const Record& record, char letter, std::uint32_t id, std::uint64_t lane,
                      std::uint64_t stage);
    void note_stage(std::string_view name, bool begins_on_lane_0) {
        (begins_on_lane_0 ? lane_0_stages_ : other_stages_).add(name);
    }
    void append_flush(std::uint32_t number, const Record& record, std::uint64_t cell, std::uint64_t reason);
    void append_line(const Record& record, std::string_view text);
    void append_retire(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type);
    void add_leaver(std::uint32_t core, std::uint32_t entity, bool is_flushed);
    void write_leavers();
    Scaled cycle_of(const Record& record) const noexcept;
    void go_to(const Record& record);
    void start(std::int64_t cycle);
    std::uint32_t id_of(Core& core, std::uint64_t entity);
    std::uint32_t new_id_of(Core& core, std::uint32_t entity);
    void drop(const Record& record);
    void drop(TrackId track, Kind kind, std::int64_t cycle);
    void count(Loss loss, TrackId track, std::string_view what, std::uint64_t times = 1);

    const Schema& schema_;
    Losses& losses_;
    LogText log_;
    InstructionLabels labels_;
    std::vector<Core> cores_;
    std::vector<PipelineUse> uses_;  ///< one per track
    std::vector<Ratio> cycles_;      ///< of a tick, one per track
    struct Dropped {
        std::uint64_t count = 0;
        Kind kind = Kind::event;
        std::int64_t first_cycle = 0;
    };
    std::vector<Dropped> dropped_;  ///< one per track

    bool started_ = false;
    bool born_here_ = false;     ///< true: the trace was read from a log, directly or through another format
    bool is_log_ = false;        ///< true: the trace comes directly from a log, so that derived data cannot be lost
    bool states_clock_ = false;  ///< true: the log states the length of a cycle
    std::int64_t offset_ = 0;    ///< the cycle of tick 0
    std::int64_t cycle_ = 0;
    Tick last_time_ = std::numeric_limits<Tick>::min();  ///< the tick that was converted to cycle_
    Ratio last_ratio_{};
    std::uint32_t next_id_ = 0;  ///< next id in the log; used only with several cores, or for an id that began before
    IdSet begun_ids_;
    Pending pending_;
    Leaving leaving_now_;
    bool any_retire_ = false;                 ///< true: the trace has retire events
    bool address_told_ = false;               ///< true: the next label states the address that was set
    NameTable lane_0_stages_, other_stages_;  ///< in the order in which a reader will number them
    std::vector<Leaver> leavers_;             ///< leavers of the open cycle, in order
    std::vector<LateFlush> late_flushes_;
    std::vector<bool> leaving_ = std::vector<bool>(std::size_t{low_mask} + 1);  ///< by the low bits of an entity
};

}  // namespace hwtrace::kanata

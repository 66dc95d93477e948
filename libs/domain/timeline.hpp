// domain/timeline.hpp - follows the instructions of `cpu` scopes and the transactions of `noc` scopes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cycle_scale.hpp"
#include "domain/protocols.hpp"
#include "io/saved_state.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A storage whose slots hold entities: `entities` of a `cpu` scope, `transactions` of a `noc` scope.
struct Catalogue {
    enum class Protocol : std::uint8_t { cpu, noc };
    Protocol protocol = Protocol::cpu;
    ScopeId scope = none;
    std::string path;  ///< path of the scope
    TrackId storage = none;
    CycleScale cycles;                                                ///< converts times of the catalogue to cycles
    std::uint16_t id = no_field, pc = no_field, encoding = no_field;  ///< field numbers
    std::uint64_t id_bits = 0;                                        ///< mask of the bits that the id field can hold
    std::vector<std::string> stages;  ///< names of stages by number, see CpuScope::stages
    // Fields whose labels name types and reasons; null if missing.
    const Field* dependency_type = nullptr;
    const Field* flush_reason = nullptr;
    const Field* retry_reason = nullptr;
    const Field* annotation = nullptr;
};
/// Returns the catalogues of `schema` that have a field for ids, one per scope.
std::vector<Catalogue> catalogues_of(const Schema& schema);

/// The lifetime of an instruction or a transaction. It begins with the set record of its id and ends with the clear
/// record of its slot or with its flush. Values that were set in the slot earlier in the first frame belong to the
/// lifetime.
struct Lifetime {
    enum class Status : std::uint8_t {
        retired,    ///< its slot was cleared: the entity is complete
        flushed,    ///< a flush event discarded it
        in_flight,  ///< it was still in its slot at the end of the trace
        replaced,   ///< another entity took its slot, so its end is unknown
    };
    struct Stage {
        std::uint64_t stage = 0;
        std::uint32_t lane = 0;
        bool open = true;  ///< nothing has ended the stage
        Tick begin = 0, end = 0;
    };
    /// A remark about the entity. Remarks are in the order of the trace.
    struct Remark {
        enum class Kind : std::uint8_t {
            annotation,  ///< `what` is the text (a cell of the annotation field), `type` the label type
            dependency,  ///< `what` is the id of the entity it depends on, `type` the dependency type
            retry,       ///< `what` is the reason
            timeout,     ///< `what` is the threshold in cycles
        };
        Kind kind = Kind::annotation;
        Tick time = 0;
        std::uint64_t what = 0, type = 0;
    };
    struct Retirement {
        std::uint64_t id = 0, type = 0;
    };

    std::uint32_t catalogue = 0;  ///< index into Timeline::catalogues()
    std::uint32_t slot = 0;
    std::uint64_t id = 0;
    Tick first = 0, last = 0;
    bool born_before = false;  ///< it existed before the start of this slice: `first` is not the start of its lifetime
    Status status = Status::in_flight;
    std::vector<std::uint64_t> cells;  ///< by field of the catalogue; valid where `known` is true
    std::vector<bool> known;
    std::vector<Stage> stages;  ///< in order of their starts
    std::vector<Remark> remarks;
    std::optional<std::uint64_t> flush_reason;
    std::optional<Retirement> retirement;     ///< set by a `retire` event
    std::uint64_t beats = 0, beat_bytes = 0;  ///< number of beats and their bytes, for a transaction

    bool has(std::uint16_t field) const noexcept { return field < known.size() && known[field]; }
};
/// Returns "retired", "flushed", "in_flight" or "replaced".
std::string_view name_of(Lifetime::Status status) noexcept;

/// Returns the annotation with the disassembly. This is the first annotation that begins with the entity's pc, as at
/// least four hexadecimal digits, with or without 0x and a colon. Returns null if there is none, or if the pc is
/// unknown or 0.
const Lifetime::Remark* disassembly_of(const Schema& schema, const Catalogue& catalogue, const Lifetime& life);
/// Returns the text of an annotation, or its number if it has no text.
std::string text_of(const Schema& schema, const Catalogue& catalogue, const Lifetime::Remark& annotation);

/// Counts of the entities of a catalogue.
struct LifetimeCounts {
    std::uint64_t created = 0, retired = 0, flushed = 0, replaced = 0;
    std::uint64_t born_before = 0;    ///< included in `created`
    std::uint64_t in_flight = 0;      ///< final after Timeline::finish()
    std::uint64_t unattached = 0;     ///< events about entities that do not exist
    std::uint64_t not_followed = 0;   ///< entities, stages and remarks beyond the limits for entities in flight
    std::optional<Tick> first, last;  ///< start of the first entity; end of the last entity or of the trace
};

/// Returns "3 instructions: 2 retired, 1 flushed, 0 in flight". Adds the numbers of entities that were replaced or born
/// before, unless they are 0.
std::string summary(Catalogue::Protocol protocol, const LifetimeCounts& counts);

using LifetimeListener = std::function<void(const Lifetime&)>;

/// Follows the entities of a trace. Memory is bounded and proportional to the number of entities in flight. If several
/// live entities have the same id, events concern the youngest one. After the end of that entity, events with this id
/// concern none of the others.
///
/// This class follows the specification of the format even if the format's own tools differ from it. The id in an event
/// decides which entity the event concerns. The slot of the entity does not matter. An entity occupies the slot
/// in which its id is set, even if the slot number is out of range. After a flush, the clear record of the slot ends
/// nothing. Events in the frame in which an entity ends still concern it, because frames of µScope 0.1 have their
/// events last.
class Timeline {
public:
    enum class Detail : std::uint8_t {
        whole,
        values,  ///< no stages and remarks
        counts,  ///< no stages, remarks and field values
    };

    /// `schema` must outlive this object and may grow. With `only`, only entities of that id are followed and counted.
    explicit Timeline(const Schema& schema, Detail detail = Detail::whole, std::optional<std::uint64_t> only = {});

    /// Calls `ended` for every lifetime that has ended, in order of the ends. The reference is valid during the call.
    void add(const Batch& batch, const LifetimeListener& ended);
    /// Ends the trace. Calls `ended` for lifetimes that have ended, then for those in flight in order of creation.
    void finish(const LifetimeListener& ended);

    /// Prepares this object for a shard of a trace, which follows only the entities that the shard creates. Call it
    /// before add().
    void begin_shard();
    /// Appends what add() needs: the counts, what the shard does to entities of earlier shards, and the entities that
    /// are in flight at its end, without their values.
    void save(StateOut& out) const;
    /// Follows the entities of earlier shards through the next one. Calls `ended` for those that end there. Returns the
    /// number of each catalogue of the shard.
    std::vector<std::uint32_t> add(StateIn& in, const LifetimeListener& ended);
    /// Returns why shards do not give what the whole trace gives; empty if they do.
    std::string_view not_reduced() const noexcept { return not_reduced_; }

    const std::vector<Catalogue>& catalogues() const noexcept { return catalogues_; }
    const std::vector<LifetimeCounts>& counts() const noexcept { return counts_; }  ///< by catalogue
    std::size_t in_flight() const noexcept { return lives_.size() - free_.size(); }

private:
    enum class Part : std::uint8_t {
        nothing,
        catalogue,
        stage_transition,
        lane_stage,
        stage_end,
        annotate,
        label_type,
        dependency,
        flush,
        retire,
        beat,
        retry,
        timeout,
    };
    struct Meaning {
        Part part = Part::nothing;
        std::uint32_t catalogue = 0;
    };
    /// An entity in flight: its Lifetime, and the state needed to follow it.
    struct Entry {
        Lifetime life;
        bool in_use = false, over = false;
        bool known_by_id = false;  // linked in a bucket: no younger entity has the same id
        std::uint32_t next_in_bucket = none;
        std::uint64_t serial = 0;
        std::uint64_t next_label = 0;
        std::vector<std::uint32_t> open_stages;  // indexes into life.stages, one per lane
    };

    /// A set record of a slot that may belong to an entity whose id is set later in the same frame.
    struct Early {
        std::uint32_t catalogue = 0, slot = 0;
        std::uint16_t field = 0;
        std::uint64_t value = 0;
        std::uint32_t lent_to = none;  // the ended entity that gets the value unless a new one claims it
        std::uint64_t value_before = 0;
        bool known_before = false;
    };

    /// A change that a shard makes to an entity of an earlier shard, if there is one.
    struct Operation {
        enum class Kind : std::uint8_t {
            clear,   ///< clears the slot `what`, as the first operation on it
            create,  ///< creates an entity in the slot `what`, likewise
            rename,  ///< creates an entity with the id `what`
            event,   ///< states something about the entity with the id `what`
        };
        Kind kind = Kind::event;
        Part part = Part::nothing;
        std::uint32_t catalogue = 0;
        std::uint64_t frame = 0;  ///< number of the frame in the shard
        Tick time = 0;
        std::uint64_t what = 0;
        std::array<std::uint64_t, 3> cells{};  ///< of an event
    };
    /// The memory of a shard.
    struct OfShard {
        Tick first_time = 0;      ///< of the first frame
        std::uint64_t frame = 0;  ///< number of the current frame; 0: there was none
        std::vector<Operation> operations{};
        std::vector<std::vector<bool>> touched{};           ///< by catalogue and slot
        std::vector<HashSet<std::uint64_t>> earlier_ids{};  ///< by catalogue: ids that earlier shards left in slots
    };

    void learn();
    bool follow_shard(const Record& record, Meaning play);
    void note(Operation operation);
    bool note_slot(Operation::Kind kind, std::uint32_t catalogue, std::uint32_t slot);
    void save_entry(const Entry& entry, StateOut& out) const;
    void add_operation(StateIn& in, const std::vector<std::uint32_t>& catalogues, std::uint64_t& frame,
                       const LifetimeListener& ended);
    void add_counts(StateIn& in, LifetimeCounts& counts);
    void add_entry(StateIn& in, const std::vector<std::uint32_t>& catalogues);
    std::uint32_t free_entry();
    void play_storage(const Record& record, std::uint32_t catalogue);
    void play_event(std::span<const std::uint64_t> cells, Meaning play);
    void annotate_entry(Entry& entry, Part part, std::span<const std::uint64_t> cells);
    void create(std::uint32_t catalogue, const Record& record);
    void set(std::uint32_t catalogue, const Record& record);
    void adopt_early(std::uint32_t index);
    void end(std::uint32_t index, Lifetime::Status status);
    void show_ended(const LifetimeListener& ended);
    void begin_stage(Entry& entry, std::uint32_t lane, std::uint64_t stage);
    void end_stage(Entry& entry, std::uint32_t lane);
    void remark(Entry& entry, Lifetime::Remark::Kind kind, std::uint64_t what, std::uint64_t type);
    bool has_room(Entry& entry);

    std::uint32_t* place_of(std::uint32_t catalogue, std::uint32_t slot);
    std::uint32_t find(std::uint32_t catalogue, std::uint64_t id) const noexcept;
    std::size_t bucket(std::uint32_t catalogue, std::uint64_t id) const noexcept;
    /// Returns the link to the entity with this id in its bucket, or the link where it can be inserted.
    std::uint32_t* link_to(std::uint32_t catalogue, std::uint64_t id) noexcept;
    void remember(std::uint32_t index);
    void forget(std::uint32_t index) noexcept;

    static constexpr std::size_t most_lanes = 64;  // open stages of an entity

    const Schema& schema_;
    Detail detail_;
    std::optional<std::uint64_t> only_;
    std::vector<Catalogue> catalogues_;
    std::vector<LifetimeCounts> counts_;
    std::vector<Meaning> plays_;                     // by track
    std::vector<std::vector<std::uint32_t>> slots_;  // by catalogue: the entity in each slot
    std::size_t slots_kept_ = 0;
    std::vector<Entry> lives_;
    std::vector<std::uint32_t> free_, ended_;
    std::vector<Early> early_;            // set records of the current frame
    std::vector<std::uint32_t> buckets_;  // heads of chains of entities, by id
    std::size_t kept_ = 0;                // number of stages and remarks kept
    std::uint64_t serial_ = 0;
    Tick now_ = 0;
    std::optional<Tick> last_;
    std::unique_ptr<OfShard> shard_;  // null: a whole trace
    std::string_view not_reduced_;
};

}  // namespace hwtrace

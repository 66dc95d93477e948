// pipeline/timeline.hpp - what happened to each instruction of `cpu` scopes and to each transaction of `noc` scopes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/protocols.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/cycle_scale.hpp"

namespace hwtrace {

/// A table whose slots are lives: `entities` of a `cpu` scope, `transactions` of a `noc` scope.
struct Catalogue {
    enum class Protocol : std::uint8_t { cpu, noc };
    Protocol protocol = Protocol::cpu;
    ScopeId scope = none;
    std::string path;  ///< of the scope
    TrackId storage = none;
    CycleScale cycles;                                                ///< of its times
    std::uint16_t id = no_field, pc = no_field, encoding = no_field;  ///< field numbers
    std::uint64_t id_bits = 0;                                        ///< those that an id's field can hold
    std::vector<std::string> stages;                                  ///< names by number, see CpuScope::stages
    // The fields that say why, for their labels; null where there are none.
    const Field* dependency_type = nullptr;
    const Field* flush_reason = nullptr;
    const Field* retry_reason = nullptr;
    const Field* annotation = nullptr;
};
/// Every scope of `schema` that has such a table with an id.
std::vector<Catalogue> catalogues_of(const Schema& schema);

/// An instruction or a transaction, from the set of its id to the clear of its slot or to its flush. What the frame of
/// its first moment sets in its slot before the id is part of it.
struct Lifetime {
    enum class Status : std::uint8_t {
        retired,    ///< its slot was cleared: it is done
        flushed,    ///< a flush event threw it away
        in_flight,  ///< still there at the end of the trace
        replaced,   ///< another one was put into its slot; nothing says how it ended
    };
    struct Stage {
        std::uint64_t stage = 0;
        std::uint32_t lane = 0;
        bool open = true;  ///< nothing ended it
        Tick begin = 0, end = 0;
    };
    /// Something said about it, in the order of the trace.
    struct Remark {
        enum class Kind : std::uint8_t {
            annotation,  ///< `what`: the text, a cell of the annotation's field; `type`: of the label
            dependency,  ///< on the life with id `what`; `type`
            retry,       ///< `what`: the reason
            timeout,     ///< `what`: the threshold in cycles
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
    bool born_before = false;  ///< it was there already where this part of a trace begins: `first` is not its begin
    Status status = Status::in_flight;
    std::vector<std::uint64_t> cells;  ///< by field of the catalogue, where `known` says that it was set
    std::vector<bool> known;
    std::vector<Stage> stages;  ///< in order of their begin
    std::vector<Remark> remarks;
    std::optional<std::uint64_t> flush_reason;
    std::optional<Retirement> retirement;     ///< where a `retire` event tells it
    std::uint64_t beats = 0, beat_bytes = 0;  ///< of a transaction

    bool has(std::uint16_t field) const noexcept { return field < known.size() && known[field]; }
};
/// "retired", "flushed", "in_flight", "replaced".
std::string_view name_of(Lifetime::Status status) noexcept;

/// The field of a life whose pc it is known by, if it has one: the first annotation that begins with its pc, in at
/// least four hexadecimal digits, with or without 0x and a colon (formats/uscope.md 4, item 10). None: no such text.
const Lifetime::Remark* disassembly_of(const Schema& schema, const Catalogue& catalogue, const Lifetime& life);
/// The text of an annotation, or its number where it is none.
std::string text_of(const Schema& schema, const Catalogue& catalogue, const Lifetime::Remark& annotation);

/// How many lives a catalogue has had.
struct LifetimeCounts {
    std::uint64_t created = 0, retired = 0, flushed = 0, replaced = 0;
    std::uint64_t born_before = 0;    ///< of `created`
    std::uint64_t in_flight = 0;      ///< complete after Timeline::finish()
    std::uint64_t unattached = 0;     ///< events about lives that are not there
    std::uint64_t not_followed = 0;   ///< lives, stages and remarks beyond what is kept of those in flight
    std::optional<Tick> first, last;  ///< of the first life, of the last life or the end of the trace
};

/// "3 instructions: 2 retired, 1 flushed, 0 in flight", and how many were replaced or born before, where any were.
std::string summary(Catalogue::Protocol protocol, const LifetimeCounts& counts);

using LifetimeListener = std::function<void(const Lifetime&)>;

/// Follows the lives of a trace. Memory is what is in flight, and bounded. Of several lives with one id, events speak
/// of the youngest, and of none of the others once it is over.
///
/// Where the format's own tools and its text differ, this follows the text: an event speaks of the life with its id,
/// whatever its slot; a life has the slot that the set of its id names, though that be out of range; after a flush, the
/// clear of the slot ends nothing. What a frame says of a life counts also behind its end in the same frame: frames of
/// µScope 0.1 have their events last.
class Timeline {
public:
    enum class Detail : std::uint8_t {
        whole,
        values,  ///< stages and remarks are not followed
        counts,  ///< nor what fields of a life were set to
    };

    /// `schema` outlives this object and may grow. With `only`, lives of that id alone are followed and counted.
    explicit Timeline(const Schema& schema, Detail detail = Detail::whole, std::optional<std::uint64_t> only = {});

    /// Shows `ended` every life that is over, in order of their ends. A reference is good for the call.
    void add(const Batch& batch, const LifetimeListener& ended);
    /// Ends the trace: shows what is over, then what is still in flight in order of creation.
    void finish(const LifetimeListener& ended);

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
    /// What is under way, around the Lifetime that is shown.
    struct Entry {
        Lifetime life;
        bool in_use = false, over = false;
        bool known_by_id = false;  // in a bucket: no younger life has the same id
        std::uint32_t next_in_bucket = none;
        std::uint64_t serial = 0;
        std::uint64_t next_label = 0;
        std::vector<std::uint32_t> open_stages;  // indices into life.stages, one a lane
    };

    /// A set in a slot that may be of the life whose id is set behind it in the same frame.
    struct Early {
        std::uint32_t catalogue = 0, slot = 0;
        std::uint16_t field = 0;
        std::uint64_t value = 0;
        std::uint32_t lent_to = none;  // the life that is over and has it, as long as no other one comes
        std::uint64_t value_before = 0;
        bool known_before = false;
    };

    void learn();
    void play_storage(const Record& record, std::uint32_t catalogue);
    void play_event(const Batch& batch, const Record& record, Meaning play);
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
    /// Where the life of that id is linked in its bucket, or would be.
    std::uint32_t* link_to(std::uint32_t catalogue, std::uint64_t id) noexcept;
    void remember(std::uint32_t index);
    void forget(std::uint32_t index) noexcept;

    const Schema& schema_;
    Detail detail_;
    std::optional<std::uint64_t> only_;
    std::vector<Catalogue> catalogues_;
    std::vector<LifetimeCounts> counts_;
    std::vector<Meaning> plays_;                     // by track
    std::vector<std::vector<std::uint32_t>> slots_;  // by catalogue: the life in each slot
    std::size_t slots_kept_ = 0;
    std::vector<Entry> lives_;
    std::vector<std::uint32_t> free_, ended_;
    std::vector<Early> early_;            // of this moment
    std::vector<std::uint32_t> buckets_;  // heads of chains of lives, by id
    std::size_t kept_ = 0;                // stages and remarks of all lives
    std::uint64_t serial_ = 0;
    Tick now_ = 0;
    std::optional<Tick> last_;
};

}  // namespace hwtrace

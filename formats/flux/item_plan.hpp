// formats/flux/item_plan.hpp - which items, members and positions of a stream the tracks of a trace become.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"
#include "stream_facts.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// How a value of a field is stored.
enum class As : std::uint8_t {
    integer,  ///< with its sign
    natural,  ///< an integer without one
    event,    ///< likewise, of the kind that events have
    single,
    real,
    text,
    bytes,   ///< as they are: of binaries, and of integers beyond 64 bits
    vector,  ///< bits of a number
    states,  ///< characters
    raw,     ///< bytes of the kind `nibble`
};

struct FieldPlan {
    As as = As::text;
    std::uint8_t nibble = 0;   ///< of As::raw
    std::uint8_t width = 0;    ///< of As::vector, in bits
    std::uint64_t item = 0;    ///< of a part of a scattered signal
    std::uint64_t member = 0;  ///< of a struct: its number
    MemberType type = MemberType::unknown;
    std::uint8_t modifiers = 0;     ///< of the member
    std::vector<std::uint64_t> in;  ///< struct members that it is in, the outermost first
    EnumId labels = none;           ///< that have to be in the stream before a value
    std::uint64_t labels_of = 0;    ///< see EnumDomain
    bool dropped = false;           ///< the version has no such member
    bool labelled = false;          ///< they are in the stream
    /// Of a member, in a trace that was a stream: numbers that fit into an integer are none, or the field would be one
    /// of integers. They are of an enumeration, whatever the member was defined as.
    bool enumerated = false;
};

/// A running position.
struct ContextPlan {
    std::uint64_t item = 0;
    bool opens = true;  ///< OPEN is written
    OpenFacts open;
    bool closes = true;
    std::optional<std::int64_t> end;  ///< none: behind the last sample
    TimeBase base = ordinals;         ///< of tracks whose positions count in it
    std::uint64_t multiply = 1;       ///< positions of the domain in a tick of that
    bool from_first = false;          ///< the first sample's position is the start, where it is below 0

    // --- while it is written ---
    bool opened = false;  ///< OPEN is in the stream
    std::int64_t position = 0;
    std::uint64_t lap = 0;  ///< of a ring, whose section states the position
    bool in_ring = false;   ///< so does OPEN
};

struct MemberPlan {
    std::uint64_t number = 0, parent = 0;  ///< parent: 0, or its number and 1
    std::uint8_t type = 0;
    std::string label, descriptor;
    std::string path = {};  ///< its label behind those of the structs that it is in
};

struct ItemPlan {
    std::uint64_t id = 0;
    bool defined = true;
    bool is_scope = false;
    SignalType type = SignalType::structure;
    std::uint64_t parent = 0;
    std::string name, description, descriptor;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> bits;
    std::vector<MemberPlan> members;
    std::vector<std::pair<std::uint64_t, std::string>> indexes;
    std::vector<LabelFact> labels;
};

/// What is written next in front of the samples.
struct StepPlan {
    enum class Kind : std::uint8_t { item, member, index, label, reference, open };
    Kind kind = Kind::item;
    std::size_t place = 0;  ///< in the trace's items, references or contexts
    std::size_t index = 0;  ///< in the item's members, indexes or labels
};

struct TracePlan {
    std::uint64_t id = 0;
    bool was_stream = false;        ///< it is read from a stream
    bool was_this_version = false;  ///< likewise, one of the same version
    bool has_head = true;
    std::optional<std::uint8_t> was_version;  ///< of the source, where it was another one
    std::uint8_t source_version = version_6;  ///< of entries that stand in records
    bool reopens = false;                     ///< there may be such entries, by which things are opened anew
    std::uint8_t version = version_6;
    std::string magic{flux::magic}, name, description;
    bool sync = false;
    std::uint64_t greatest_item = 0;
    std::vector<StepPlan> steps;  ///< in the order in which they are written
    std::vector<ItemPlan> items;
    std::vector<ReferenceFacts> references;
    std::deque<ContextPlan> contexts;
    HashMap<std::uint64_t, std::size_t> context_by_item;
    HashMap<std::uint64_t, std::uint64_t> parents;  ///< of items
    std::uint64_t mark_scope = 0, mark_signal = 0;  ///< items for facts of other formats; 0: none
    std::size_t mark_context = 0;

    // --- while it is written ---
    std::uint32_t epoch = 0;  ///< grows as something is opened anew; 0: positions never change their context
};

struct TrackPlan {
    enum class Use : std::uint8_t { none, signal, relation, label, control, opening };
    Use use = Use::none;
    std::size_t trace = 0, context = 0;
    std::uint64_t item = 0;
    SignalType type = SignalType::structure;
    std::uint32_t states = 1;  ///< of a logic signal
    bool is_foreign = false;   ///< no stream says what its values are
    bool drops = false;        ///< some of its fields
    std::vector<FieldPlan> fields;

    // --- while it is written ---
    std::uint32_t epoch = 0;  ///< of the trace, for which its context is settled
};

struct StreamPlan {
    std::deque<TracePlan> traces;
    std::vector<TrackPlan> tracks;                            ///< by TrackId
    std::vector<std::pair<std::size_t, std::size_t>> closes;  ///< traces and contexts that are closed, in their order
    std::vector<TrackId> merged;                 ///< tracks whose item, or its domain, another track has already
    std::vector<const Metadata*> others, stale;  ///< stale: of a stream whose traces are not there
    std::vector<std::pair<std::uint64_t, std::uint64_t>> redefined;  ///< traces and items that were defined differently
    std::vector<ScopeId> renamed_scopes;                             ///< whose number another item has
    std::vector<std::string> renumbered;    ///< members whose number another one has: the keys of that
    std::vector<TrackId> foreign_openings;  ///< entries of a stream that the trace is not
    std::vector<std::pair<std::size_t, std::uint64_t>>
        restated;                                          ///< traces and items that are opened in another domain
    std::vector<std::pair<TrackId, std::string>> dropped;  ///< members that version 4 has not

    /// A step of the domain in which ticks of that base are whole positions, and how many a tick is.
    static std::pair<std::string_view, std::uint64_t> domain_of(const TimeBase& base) noexcept;

    /// `version`: 0 for that of the source. `schema` outlives the plan.
    static StreamPlan of(const Schema& schema, std::uint8_t version);
};

/// Whether the schema is one that was read from a flux stream.
bool is_from_flux(const Schema& schema);

}  // namespace hwtrace::flux

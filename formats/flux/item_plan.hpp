// formats/flux/item_plan.hpp - plans the items, members and positions of a stream from the tracks of a trace.
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

/// How the values of a field are stored.
enum class As : std::uint8_t {
    integer,  ///< signed
    natural,  ///< unsigned
    event,    ///< unsigned, stored as an event
    single,
    real,
    text,
    bytes,   ///< unchanged bytes: binaries, and integers of more than 64 bits
    vector,  ///< logic; the states are the bits of a number
    states,  ///< logic; the states are characters
    raw,     ///< bytes whose kind is `nibble`
};

struct FieldPlan {
    As as = As::text;
    std::uint8_t nibble = 0;   ///< for As::raw
    std::uint8_t width = 0;    ///< bits, for As::vector
    std::uint64_t item = 0;    ///< item of the field; each part of a scattered signal has its own item
    std::uint64_t member = 0;  ///< number of the struct member
    MemberType type = MemberType::unknown;
    std::uint8_t modifiers = 0;     ///< flags of the member's type byte
    std::vector<std::uint64_t> in;  ///< enclosing struct members, outermost first
    EnumId labels = none;           ///< labels that must precede the first value
    std::uint64_t labels_of = 0;    ///< see EnumDomain
    bool is_empty = false;          ///< its values state that the member has no elements
    bool dropped = false;           ///< the version cannot store such a member
    bool labelled = false;          ///< the labels have been written
    /// True for an unsigned member of a flux source. Its numbers that fit in a signed integer must have been
    /// enumeration values, regardless of the definition; otherwise the field would be signed.
    bool enumerated = false;
};

/// A current position, shared by an opened item and all items inside it.
struct ContextPlan {
    std::uint64_t item = 0;
    bool opens = true;  ///< the writer writes an OPEN
    OpenFacts open;
    bool closes = true;               ///< the writer writes a CLOS
    std::optional<std::int64_t> end;  ///< position of the CLOS; none: position of the last sample
    TimeBase base = ordinals;         ///< time base of its tracks
    std::uint64_t multiply = 1;       ///< steps of the domain per tick of `base`
    bool from_first = false;          ///< OPEN starts at the first sample if its position is negative

    // --- state while writing ---
    bool opened = false;  ///< the OPEN has been written
    std::int64_t position = 0;
    std::uint64_t lap = 0;  ///< lap of the last ring section that states the position
    bool in_ring = false;   ///< the OPEN is inside the ring, not before it
};

struct MemberPlan {
    std::uint64_t number = 0, parent = 0;  ///< `parent`: number of the enclosing member + 1; 0: none
    std::uint8_t type = 0;
    std::string label;
    Display display = {};
    std::string path = {};  ///< labels of the enclosing structs and its own label
};

struct ItemPlan {
    std::uint64_t id = 0;
    bool defined = true;
    bool is_scope = false;
    SignalType type = SignalType::structure;
    std::uint8_t unknown_type = 0;  ///< the stored number, if the type is unknown
    std::uint64_t parent = 0;
    std::string name;
    Display display;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> bits;
    std::vector<MemberPlan> members;
    std::vector<MemberPlan> indexes;  ///< labels of array elements
    std::vector<LabelFact> labels;
};

/// One step in writing the definitions before the samples.
struct StepPlan {
    enum class Kind : std::uint8_t { item, member, index, label, reference, open };
    Kind kind = Kind::item;
    std::size_t place = 0;  ///< index in the trace's items, references or contexts
    std::size_t index = 0;  ///< index in the item's members, indexes or labels
};

struct TracePlan {
    std::uint64_t id = 0;
    bool was_stream = false;        ///< the source is a flux stream
    bool was_this_version = false;  ///< the source is a flux stream of the same version
    bool has_head = true;
    std::optional<std::uint8_t> was_version;  ///< version of the source, if it is neither 4 nor 6
    std::uint8_t source_version = version_6;
    Layout source_layout = Layout::emitters_6;  ///< layout of the entries in flux.opening records
    bool reopens = false;                       ///< the trace may have flux.opening records
    std::uint8_t version = version_6;
    Layout layout = Layout::emitters_6;
    std::string magic{flux::magic}, name, description;
    bool sync = false;
    std::uint64_t greatest_item = 0;
    std::vector<StepPlan> steps;  ///< in writing order
    std::vector<ItemPlan> items;
    std::vector<ReferenceFacts> references;
    std::deque<ContextPlan> contexts;
    HashMap<std::uint64_t, std::size_t> context_by_item;
    HashMap<std::uint64_t, std::uint64_t> parents;  ///< parent of each item
    std::uint64_t mark_scope = 0, mark_signal = 0;  ///< items that hold metadata of other formats; 0: none
    std::size_t mark_context = 0;

    // --- state while writing ---
    std::uint32_t epoch = 0;  ///< incremented when an item is opened again; 0: contexts of tracks never change
};

struct TrackPlan {
    enum class Use : std::uint8_t { none, signal, relation, label, control, opening };
    Use use = Use::none;
    std::size_t trace = 0, context = 0;
    std::uint64_t item = 0;
    SignalType type = SignalType::structure;
    Layout layout = Layout::emitters_6;
    std::uint32_t states = 1;  ///< width of a logic signal
    bool is_foreign = false;   ///< the source is not a flux stream
    bool drops = false;        ///< some fields are dropped
    std::vector<FieldPlan> fields;

    // --- state while writing ---
    std::uint32_t epoch = 0;  ///< epoch of the trace during which `context` is valid
};

/// The layout that the user wants.
struct WantedLayout {
    std::uint8_t version = 0;               ///< 0: the version of the source
    std::optional<bool> is_impulse_3 = {};  ///< nullopt: as the source

    /// Returns the layout for a trace that had the layout `source`.
    Layout of(Layout source) const noexcept;
};

struct StreamPlan {
    std::deque<TracePlan> traces;
    std::vector<TrackPlan> tracks;                            ///< by TrackId
    std::vector<std::pair<std::size_t, std::size_t>> closes;  ///< indexes of traces and contexts to close, in order
    std::vector<TrackId> merged;                              ///< tracks that share their item with another track
    std::vector<const Metadata*> others, stale;  ///< metadata of other formats; flux metadata of missing traces
    std::vector<std::pair<std::uint64_t, std::uint64_t>> redefined;  ///< traces and items with several definitions
    std::vector<TrackId> retyped;           ///< tracks with values of an earlier definition; each gets another item
    std::vector<ScopeId> renamed_scopes;    ///< scopes whose id belongs to another item
    std::vector<std::string> renumbered;    ///< metadata keys of members whose number belongs to another member
    std::vector<TrackId> foreign_openings;  ///< flux.opening tracks of a trace that is not a flux stream
    std::vector<std::pair<std::size_t, std::uint64_t>> restated;  ///< traces and items whose OPEN gets another domain
    std::vector<std::pair<TrackId, std::string>> dropped;         ///< fields that version 4 cannot store as members
    std::vector<ExpectedLoss> restyled;  ///< metadata of definitions that the layout stores otherwise or not at all

    /// Returns the coarsest domain in which a tick of `base` is a whole number of steps, and this number.
    static std::pair<std::string_view, std::uint64_t> domain_of(const TimeBase& base) noexcept;

    /// Plans a stream. `schema` must outlive the plan.
    static StreamPlan of(const Schema& schema, const WantedLayout& wanted);
};

/// Returns true if the schema was read from a flux stream.
bool is_from_flux(const Schema& schema);

}  // namespace hwtrace::flux

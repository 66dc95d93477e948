// model/protocols.hpp - µScope's protocols `cpu` and `noc`: which tracks and fields of a scope play which part. The one
// place that knows; views, raisings, writers and rules ask here (formats/uscope.md 4, 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

constexpr std::uint16_t no_field = 0xFFFF;  ///< "no such field" for field numbers

/// The number of the track's field of that name, or no_field.
std::uint16_t find_field(const Track& track, std::string_view name) noexcept;
/// The bits that a slot keeps of a value of the field: ids are compared by them, because operations carry 64.
std::uint64_t bits_kept(const Field& field) noexcept;
/// The first track of that kind and name that belongs to the scope, or none.
TrackId find_track_in(const Schema& schema, ScopeId scope, Track::Kind kind, std::string_view name) noexcept;
/// Calls `visit(ScopeId)` for the scope and then for each above it, the nearest first, until it returns true: whether
/// it did. Scopes of a broken trace may lie in a circle, so that it ends after as many as there are.
template <typename Visit>
bool any_upwards(const Schema& schema, ScopeId scope, Visit&& visit) {
    const auto& scopes = schema.scopes();
    for (std::size_t left = scopes.size(); left != 0 && scope < scopes.size(); --left, scope = scopes[scope].parent)
        if (visit(scope)) return true;
    return false;
}

/// The scope's clock, that of the nearest scope above where it has none of its own; none where nobody states one.
ClockId clock_of(const Schema& schema, ScopeId scope) noexcept;
/// The period of clock_of(), in ps; 0: unknown.
std::uint64_t period_of(const Schema& schema, ScopeId scope) noexcept;

/// The scope's name behind those of the scopes above it: "root/core0"; "..." for what is above the nearest 64. Empty
/// for none.
std::string path_of(const Schema& schema, ScopeId scope);
/// A name behind the path of the scope that it is in: "root/core0/rob"; roots may be called "/", and a scope may be
/// none, whose path is empty.
std::string name_in(std::string_view path, std::string_view name);

/// True for a storage that tools show as a counter: one slot, neither sparse nor a buffer, one u64 field.
bool is_counter(const Track& track) noexcept;

/// True for the storage whose slots are the lives of its scope: `entities` of `cpu`, `transactions` of `noc`.
bool is_catalogue(const Schema& schema, TrackId track) noexcept;
/// The field of a catalogue that says which life a slot holds; no_field: it has none, or is no catalogue.
std::uint16_t life_id_field(const Schema& schema, TrackId track) noexcept;
/// True for a storage whose slots hold what waits somewhere: it is marked as a buffer, or it is a table of entities
/// (`cpu`) or of transactions (`noc`) other than the catalogue of its scope.
bool is_buffer(const Schema& schema, TrackId track) noexcept;

/// Two properties of a storage that bound what is in use of it as a ring: head inclusive, tail exclusive.
struct RingPointers {
    std::uint16_t head = no_field, tail = no_field;  ///< property numbers
    std::uint8_t pair = 0;                           ///< by which they belong together
};
/// The pairs of properties with roles head and tail and the same pair number, by the order of their heads; of several
/// heads or tails with one number, the first counts.
std::vector<RingPointers> ring_pointers(const Track& storage);
/// How many of `slots` a ring encloses whose pointers have these values. Equal ones enclose either nothing or all: all
/// where every slot is occupied, else nothing, so that it is never more than what is there. `occupied` counts those
/// slots; none where nobody knows, as of a dense storage, all of whose slots always have values. None where pointers do
/// not tell: they are equal and `occupied` is none, or one is no slot's number.
std::optional<std::uint32_t> ring_fill(std::uint32_t slots, std::uint64_t head, std::uint64_t tail,
                                       std::optional<std::uint32_t> occupied) noexcept;

/// A scope of protocol `cpu`. Tracks and fields that it does not have are none and no_field.
struct CpuScope {
    ScopeId scope = none;
    std::uint64_t period_ps = 0;  ///< of its clock; 0: unknown

    TrackId entities = none;  ///< sparse storage: the instructions in flight
    std::uint16_t entity_id = no_field, pc = no_field, inst_bits = no_field, size = no_field;
    std::uint16_t simulator_id = no_field, thread_id = no_field;

    // The events' payloads are known by position: the entity (u32), then ...
    TrackId stage_transition = none;  ///< the stage
    TrackId annotate = none;          ///< the text
    TrackId dependency = none;        ///< (the producer,) the consumer, the type
    TrackId flush = none;             ///< the reason
    TrackId stall = none;             ///< of the whole core: the reason
    // Beyond the protocol; see conventions.
    TrackId label_type = none, lane_stage = none, stage_end = none, retire = none;

    std::vector<std::string> stages;  ///< by number: the metadata cpu.pipeline_stages, else the labels of the enum; a
                                      ///< number without a label is its own name. A name may be empty.

    /// The name of a stage, or its number as text where there is none.
    std::string stage_name(std::uint64_t stage) const;
};
/// Every scope of protocol `cpu`, in order.
std::vector<CpuScope> cpu_scopes(const Schema& schema);

/// A scope of protocol `noc`. Tracks and fields that it does not have are none and no_field.
struct NocScope {
    ScopeId scope = none;
    std::uint64_t period_ps = 0;  ///< of its clock; 0: unknown

    TrackId transactions = none;  ///< sparse storage: the transactions in flight
    std::uint16_t txn_id = no_field, opcode = no_field, address = no_field, length = no_field, size = no_field,
                  source_port = no_field, destination_port = no_field;

    // The events' payloads are known by position.
    TrackId stage_transition = none;  ///< transaction u32, stage
    TrackId beat = none;              ///< transaction u32, beat number u16, bytes u16
    TrackId retry = none;             ///< transaction u32, reason
    TrackId timeout = none;           ///< transaction u32, threshold in cycles u32
    TrackId annotate = none;          ///< transaction u32, text

    std::vector<std::string> stages;  ///< as those of a CpuScope; the metadata is noc.pipeline_stages

    std::string stage_name(std::uint64_t stage) const;
};
/// Every scope of protocol `noc`, in order.
std::vector<NocScope> noc_scopes(const Schema& schema);

/// What each track is for, in a few words ("instructions in flight", "counter", "a stage begins"), by TrackId; empty
/// for those that no protocol speaks of.
std::vector<std::string_view> track_roles(const Schema& schema);

}  // namespace hwtrace

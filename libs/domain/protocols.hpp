// domain/protocols.hpp - µScope's protocols `cpu` and `noc`: the roles of a scope's tracks and fields
// (formats/uscope/README.md#mapping-to-the-model). All views, raisings, writers and rules use these look-ups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

constexpr std::uint16_t no_field = 0xFFFF;  ///< "no such field" for field indexes

/// Returns the index of the track's field with that name, or no_field.
std::uint16_t find_field(const Track& track, std::string_view name) noexcept;
/// Returns a mask of the bits that fit the field. Apply the mask before comparing ids, because records carry 64 bits.
std::uint64_t bits_kept(const Field& field) noexcept;
/// Returns the first track with that kind and name in the scope, or `none`.
TrackId find_track_in(const Schema& schema, ScopeId scope, Track::Kind kind, std::string_view name) noexcept;
/// Calls `visit(ScopeId)` for the scope and each ancestor, nearest first, until a call returns true. Returns true if a
/// call returned true. Makes at most one call per scope, because the scopes of a broken trace may form a cycle.
template <typename Visit>
bool any_upwards(const Schema& schema, ScopeId scope, Visit&& visit) {
    const auto& scopes = schema.scopes();
    for (std::size_t left = scopes.size(); left != 0 && scope < scopes.size(); --left, scope = scopes[scope].parent)
        if (visit(scope)) return true;
    return false;
}

/// Returns the clock of the scope or of the nearest ancestor that has a clock; `none` if there is no such clock.
ClockId clock_of(const Schema& schema, ScopeId scope) noexcept;
/// Returns the period of clock_of(), in ps; 0 if unknown.
std::uint64_t period_of(const Schema& schema, ScopeId scope) noexcept;

/// Returns the names of the scope and its ancestors: "root/core0". Only the nearest 64 are named; "..." replaces the
/// others. Empty for `none`.
std::string path_of(const Schema& schema, ScopeId scope);
/// Appends a name to the path of its scope: "root/core0/rob". The path may be "/" for a root, or empty for no scope.
std::string name_in(std::string_view path, std::string_view name);

/// Returns true for a storage that is shown as a counter: it has one slot and one u64 field, and is neither sparse nor
/// a buffer.
bool is_counter(const Track& track) noexcept;

/// Returns true for the storage whose slots hold the entities of a scope: `entities` of `cpu`, `transactions` of `noc`.
bool is_catalogue(const Schema& schema, TrackId track) noexcept;
/// Returns the field that holds the id of a slot's entity. Returns no_field if the track is not a catalogue or lacks
/// the field.
std::uint16_t life_id_field(const Schema& schema, TrackId track) noexcept;
/// Returns true for a storage whose slots hold waiting entities. Such a storage is marked as a buffer, or it is a table
/// of entities (`cpu`) or transactions (`noc`) other than the scope's catalogue.
bool is_buffer(const Schema& schema, TrackId track) noexcept;

/// Two properties of a storage whose used slots form a ring, from the head (inclusive) to the tail (exclusive).
struct RingPointers {
    std::uint16_t head = no_field, tail = no_field;  ///< property indexes
    std::uint8_t pair = 0;                           ///< Field::pair of both properties
};
/// Returns the pairs of head and tail properties with the same pair number, in order of the heads. Uses the first of
/// several heads or tails with the same number.
std::vector<RingPointers> ring_pointers(const Track& storage);
/// Returns the number of slots from `head` up to `tail` in a ring of `slots` slots. If the pointers are equal, the ring
/// is full if every slot is occupied, otherwise empty. `occupied` is the number of occupied slots, or nullopt if
/// unknown, as for a dense storage. Returns nullopt if a pointer is not a slot number, or if the pointers are equal and
/// `occupied` is nullopt.
std::optional<std::uint32_t> ring_fill(std::uint32_t slots, std::uint64_t head, std::uint64_t tail,
                                       std::optional<std::uint32_t> occupied) noexcept;

/// A scope of protocol `cpu`. Missing tracks are `none`, and missing fields are `no_field`.
struct CpuScope {
    ScopeId scope = none;
    std::uint64_t period_ps = 0;  ///< period of the scope's clock; 0: unknown

    TrackId entities = none;  ///< sparse storage: the instructions in flight
    std::uint16_t entity_id = no_field, pc = no_field, inst_bits = no_field, size = no_field;
    std::uint16_t simulator_id = no_field, thread_id = no_field;

    // Payload fields are identified by position.
    TrackId stage_transition = none;  ///< entity u32, stage
    TrackId annotate = none;          ///< entity u32, text
    TrackId dependency = none;        ///< producer u32, consumer u32, type
    TrackId flush = none;             ///< entity u32, reason
    TrackId stall = none;             ///< reason; concerns the whole core
    // These tracks are not part of the protocol; see conventions.hpp.
    TrackId label_type = none, lane_stage = none, stage_end = none, retire = none;

    /// The names of the stages, indexed by stage number. They come from the metadata cpu.pipeline_stages if it is
    /// present, otherwise from the labels of the enum. A stage without a label has its number as the name. A name may
    /// be empty.
    std::vector<std::string> stages;

    /// Returns the name of a stage, or its number in decimal if it has no name.
    std::string stage_name(std::uint64_t stage) const;
};
/// Returns every scope of protocol `cpu`, in order.
std::vector<CpuScope> cpu_scopes(const Schema& schema);

/// A scope of protocol `noc`. Missing tracks are `none`, and missing fields are `no_field`.
struct NocScope {
    ScopeId scope = none;
    std::uint64_t period_ps = 0;  ///< period of the scope's clock; 0: unknown

    TrackId transactions = none;  ///< sparse storage: the transactions in flight
    std::uint16_t txn_id = no_field, opcode = no_field, address = no_field, length = no_field, size = no_field,
                  source_port = no_field, destination_port = no_field;

    // Payload fields are identified by position.
    TrackId stage_transition = none;  ///< transaction u32, stage
    TrackId beat = none;              ///< transaction u32, beat number u16, bytes u16
    TrackId retry = none;             ///< transaction u32, reason
    TrackId timeout = none;           ///< transaction u32, threshold in cycles u32
    TrackId annotate = none;          ///< transaction u32, text

    std::vector<std::string> stages;  ///< as in CpuScope; the metadata is noc.pipeline_stages

    std::string stage_name(std::uint64_t stage) const;
};
/// Returns every scope of protocol `noc`, in order.
std::vector<NocScope> noc_scopes(const Schema& schema);

/// Returns the purpose of each track by TrackId ("instructions in flight", "counter", "a stage begins"); empty for
/// tracks without a role in a protocol.
std::vector<std::string_view> track_roles(const Schema& schema);

/// Returns true if a scope with this protocol has the catalogue to which its other tracks refer.
bool has_catalogue(const Schema& schema, std::string_view protocol);

}  // namespace hwtrace

// formats/uscope/protocol_check.hpp - checks scopes of the protocols `cpu` and `noc`: required tables and events exist,
// and events refer to existing entities (README.md#protocols).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "domain/protocols.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"
#include "preamble.hpp"
#include "rules.hpp"

namespace hwtrace::uscope {

/// A set of mostly ascending ids. Stores ranges, so that its size does not grow with the trace.
class IdRanges {
public:
    explicit IdRanges(std::size_t most_ranges = 0) noexcept : most_ranges_(most_ranges) {}

    void insert(std::uint64_t id);
    bool contains(std::uint64_t id) const noexcept;
    /// Returns true if ids were dropped because there were too many ranges.
    bool overflowed() const noexcept { return overflowed_; }

private:
    std::map<std::uint64_t, std::uint64_t> ranges_;  // first id of a range to its last id
    std::size_t most_ranges_;
    bool overflowed_ = false;
};

/// Follows the tables of entities (`cpu`) and transactions (`noc`) and the events about them. Memory is bounded: up to
/// 2^20 slots in all tables and 65,536 ranges of ids. Beyond these limits nothing is reported.
class ProtocolCheck {
public:
    /// Reports tables and events that scopes of the protocols lack. All arguments must outlive this object.
    ProtocolCheck(const Schema& schema, const Preamble& preamble, Findings& findings);

    /// Returns the index of the watched table for a storage, or `none`.
    std::uint32_t table_of(TrackId storage) const noexcept { return table_of_[storage]; }
    void set(std::uint32_t table, std::uint32_t slot, std::uint16_t field, std::uint64_t value, std::uint64_t inner);
    void clear(std::uint32_t table, std::uint32_t slot);
    /// Checks an event. `type` is its number in the file. The payload must have the size that the schema states.
    void event(std::size_t type, std::span<const std::uint64_t> cells, std::uint64_t inner);

    /// Marks the set of existing entities as unknown, because frames could not be read.
    void lose() noexcept { complete_ = false; }
    /// Reports the faults counted in this segment.
    void end_segment(ByteRange segment, const Place& place);
    /// Reports flushed entities that kept their slots. The arguments describe the last segment.
    void finish(ByteRange segment, const Place& place);

private:
    struct Slot {
        std::uint64_t id = 0;
        bool taken = false, flushed = false;
    };
    struct Table {
        std::uint16_t id_field = no_field;
        std::uint64_t id_mask = 0;
        std::size_t stages = 0;  ///< number of stage names; 0: unknown
        std::vector<Slot> slots;
        HashMap<std::uint64_t, std::uint32_t> live;  ///< id to slot
        IdRanges created;
    };
    /// The meaning of the cells of an event type.
    struct Meaning {
        std::uint32_t table = none;
        std::uint8_t ids = 0;  ///< number of leading cells that hold ids
        bool stage = false;    ///< the second cell holds a stage
        bool flush = false;
    };
    struct Part {
        TrackId event = none;
        std::string_view name;
        std::vector<std::uint8_t> payload;  ///< widths of the first fields
        Meaning meaning;
        bool required = false;
    };

    void add_cpu(const CpuScope& cpu);
    void add_noc(const NocScope& noc);
    void add(ScopeId scope, TrackId table, std::uint16_t id_field, std::size_t stages, std::vector<Part> parts);
    void check_clock(ScopeId scope);
    void check_payload(const Part& part);
    void report(Check check, std::uint64_t offset, std::string expected, std::string got, std::string where);

    const Schema& schema_;
    const Preamble& preamble_;
    Findings& findings_;
    std::vector<Table> tables_;
    std::vector<std::uint32_t> table_of_;  // by storage
    std::vector<Meaning> meanings_;        // by event type
    std::size_t slots_ = 0;                // number of slots of all watched tables
    bool complete_ = true;
    Tally unknown_, stages_, taken_;
    FileTally flushed_;
};

}  // namespace hwtrace::uscope

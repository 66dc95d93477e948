// formats/uscope/protocol_check.hpp - what validation checks of the protocols `cpu` and `noc`: that tools which know
// them find what they look for, and that events speak of entities that exist (formats/uscope.md 4, 5).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "model/hash.hpp"
#include "model/protocols.hpp"
#include "model/schema.hpp"
#include "preamble.hpp"
#include "rules.hpp"

namespace hwtrace::uscope {

/// A set of ids that are mostly given in ascending order: kept as ranges, so that its size does not grow with a trace.
class IdRanges {
public:
    explicit IdRanges(std::size_t most_ranges = 0) noexcept : most_ranges_(most_ranges) {}

    void insert(std::uint64_t id);
    bool contains(std::uint64_t id) const noexcept;
    /// True when ids were left out because they make more ranges than are kept.
    bool overflowed() const noexcept { return overflowed_; }

private:
    std::map<std::uint64_t, std::uint64_t> ranges_;  // first, last
    std::size_t most_ranges_;
    bool overflowed_ = false;
};

/// Follows the tables of entities (`cpu`) and transactions (`noc`) and the events about them. Memory is bounded: tables
/// are followed up to 2^20 slots in all, ids ever seen up to 65,536 ranges in all; what is beyond gives no findings.
class ProtocolCheck {
public:
    /// Tells what scopes of the protocols lack. All arguments outlive it.
    ProtocolCheck(const Schema& schema, const Preamble& preamble, Findings& findings);

    /// The number of the watched table that a storage is, or `none`.
    std::uint32_t table_of(TrackId storage) const noexcept { return table_of_[storage]; }
    void set(std::uint32_t table, std::uint32_t slot, std::uint16_t field, std::uint64_t value, std::uint64_t inner);
    void clear(std::uint32_t table, std::uint32_t slot);
    /// An event of the file's type `type`, whose payload is as large as the schema says.
    void event(std::size_t type, std::span<const std::uint64_t> cells, std::uint64_t inner);

    /// Frames are missing from here on: which entities exist is not known any more.
    void lose() noexcept { complete_ = false; }
    /// Tells what was found in the segment at `offset`.
    void end_segment(ByteRange segment, const Place& place);
    /// Tells which flushed entities were never cleared. `offset` and `place` are those of the last segment.
    void finish(ByteRange segment, const Place& place);

private:
    struct Slot {
        std::uint64_t id = 0;
        bool taken = false, flushed = false;
    };
    struct Table {
        std::uint16_t id_field = no_field;
        std::uint64_t id_mask = 0;
        std::size_t stages = 0;  ///< names of stages; 0: none are known
        std::vector<Slot> slots;
        HashMap<std::uint64_t, std::uint32_t> live;  ///< id to slot
        IdRanges created;
    };
    /// What the cells of an event type are.
    struct Meaning {
        std::uint32_t table = none;
        std::uint8_t ids = 0;  ///< the first cells that are ids
        bool stage = false;    ///< the second cell is a stage
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
    std::size_t slots_ = 0;                // of all tables that are followed
    bool complete_ = true;
    Tally unknown_, stages_, taken_, flushed_;
};

}  // namespace hwtrace::uscope

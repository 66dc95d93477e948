// convert/transforms/transaction_raising.hpp - raises recorded transactions, which were not lowered, to instructions
// and bus accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "domain/riscv.hpp"
#include "domain/stream_roles.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Each transaction of an instruction stream (see stream_roles.hpp) becomes an instruction with its pc and encoding.
// Instructions are in order of end, then of id. A transaction may state the target of a branch or jump. Otherwise, the
// target is the next instruction. The streams of one scope are one hart. Each memory access becomes an event
// conventions::bus_access before the instruction that ends after it. The event has the address, size, direction and
// data, and the master if it is stated. Everything else (times, stages, other attributes, relations) has no place in an
// instruction trace and is counted as lost.

/// Turns transactions into instructions and bus accesses.
class TransactionRaising final : public Stage {
public:
    /// Requires is_possible(source). `source`, which must be complete, and `losses` must outlive the stage. Data that
    /// does not fit in memory is spilled to `folder`.
    TransactionRaising(const Schema& source, std::string folder, Losses& losses);

    /// Returns true if transactions of the trace are instructions or accesses, and all these tracks have the same time
    /// base.
    static bool is_possible(const Schema& source);
    /// Appends the possible losses, track by track.
    static void foretell(const Schema& source, std::vector<ExpectedLoss>& losses);
    /// Returns which attributes a track lacks for raising, such as "'read' lacks a size". Returns an empty string if
    /// there is no such track.
    static std::string missing(const Schema& source);
    /// Returns the assumption about accesses without a stated master, or an empty string if no assumption is needed.
    static std::string assumption(const Schema& source);

    const Schema& schema() const override { return schema_; }
    /// Returns the track in schema() for the records of a source track, or `none` if these records are lost.
    TrackId target_of(TrackId source) const noexcept;
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// The properties of a transaction that are passed on.
    struct Fact {
        StreamRole role = StreamRole::other;
        std::size_t hart = 0;
        std::uint64_t number = 0;
        std::optional<std::uint64_t> pc = {}, encoding = {}, target = {}, address = {}, size = {};
        std::optional<AccessType> command = {};
        std::uint64_t master = interconnect_master, index = 0;
        bool discarded = false;
        std::vector<std::uint64_t> data = {};
    };
    struct Lane {
        StreamRole role = StreamRole::other;
        std::size_t hart = 0;
        std::optional<AccessType> command = {};  ///< the command that the track's name implies
        std::vector<AttributeRole> attributes = {};
    };
    struct Hart {
        TrackId track = none;
        std::optional<Fact> last = {};  ///< the last instruction, until the next one is known
        Tick index = 0;
    };

    Fact fact_of(const Batch& in, const Record& record) const;
    void take_attribute(const Field& field, AttributeRole role, std::uint64_t cell, Fact& fact) const;
    std::string_view name_in(const Field& field, std::uint64_t cell) const;
    bool is_complete(const Fact& fact) const noexcept;
    void release(Batch& out);
    void add(Fact fact, Batch& out);
    void put(Hart& hart, std::optional<std::uint64_t> next_pc, Batch& out);
    void append_accesses(Batch& out);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    std::vector<Lane> lanes_;  ///< by source track
    std::vector<Hart> harts_;
    TrackId accesses_ = none;
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
    RecordSorter sorter_;
    std::vector<RecordSorter::Place> places_;
    Batch held_;
    std::uint64_t moment_ = 0;            ///< end of the waiting instructions
    std::vector<Fact> waiting_;           ///< instructions with this end
    std::vector<Fact> waiting_accesses_;  ///< accesses that wait for the instruction before them
    std::vector<std::uint64_t> cells_;
    std::uint64_t without_data_ = 0;  ///< accesses without data so far
};

}  // namespace hwtrace

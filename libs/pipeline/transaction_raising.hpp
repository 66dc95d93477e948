// pipeline/transaction_raising.hpp - what transactions of a trace that nobody lowered record of a core or a bus, as
// instructions and bus accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "model/riscv.hpp"
#include "model/stream_roles.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

// Each transaction of a stream of instructions (see stream_roles.hpp) is one, in order of its end, of one time in order
// of its number: its pc and its encoding, and where it went, which it says, or which the next one of a branch or a jump
// shows. Those of one scope are one hart's. Each access to memory is an event conventions::bus_access in front of the
// instruction that ends behind it: address, size, direction, data, and the master where the trace says it. What else is
// said (times, stages, other attributes, relations) has no place beside instructions, and is counted.

/// Makes instructions and bus accesses of transactions.
class TransactionRaising final : public Stage {
public:
    /// `source`, which is complete and is_possible(), and `losses` outlive the stage. What does not fit in memory goes
    /// to a file in `folder`.
    TransactionRaising(const Schema& source, std::string folder, Losses& losses);

    /// Whether transactions of the trace say what instructions or accesses are, and count the same time.
    static bool is_possible(const Schema& source);
    /// What can be lost, track by track.
    static void foretell(const Schema& source, std::vector<ExpectedLoss>& losses);
    /// Of a trace of which nothing can be made: which facts tracks lack that say some ("'read' has no size").
    static std::string missing(const Schema& source);
    /// What is assumed where accesses do not say their master; empty where none may be assumed.
    static std::string assumption(const Schema& source);

    const Schema& schema() const override { return schema_; }
    /// The track in schema() of what a track of the source becomes; `none` of one that is lost.
    TrackId target_of(TrackId source) const noexcept;
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// What of a transaction goes on.
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
        std::optional<AccessType> command = {};  ///< that the track's name says
        std::vector<AttributeRole> attributes = {};
    };
    struct Hart {
        TrackId track = none;
        std::optional<Fact> last = {};  ///< whose successor is not known yet
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
    std::uint64_t moment_ = 0;            ///< of those that wait
    std::vector<Fact> waiting_;           ///< of one time
    std::vector<Fact> waiting_accesses_;  ///< for the instruction before them
    std::vector<std::uint64_t> cells_;
};

}  // namespace hwtrace

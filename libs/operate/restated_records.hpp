// operate/restated_records.hpp - recognises and drops the state that a shard restates at its begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/hart_state.hpp"
#include "io/advised_error.hpp"
#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "select/held_signals.hpp"

namespace hwtrace {

/// The error for a shard that does not continue the shards before it. Shards that were cut before they were lowered may
/// continue each other after they are raised.
class NotContinued : public AdvisedError {
public:
    explicit NotContinued(const std::string& fact,
                          const std::string& advice = "give all shards of one trace in their order")
        : AdvisedError(Failure::input, fact, advice) {}
};

/// Follows the state of a trace whose shards are read one after the other. This state determines what the next shard
/// restates: see Earlier::restated and HartSelection, for ranges with Range::is_shard. Exactly these records and
/// operands are dropped.
class RestatedRecords {
public:
    /// `schema` is the schema of the whole trace. It must outlive this object and may grow.
    RestatedRecords(const Schema& schema, const Limits& limits);

    /// Begins a shard. `name` is the name of its file, for errors.
    void begin_shard(std::string name);
    /// Appends `record` of `in` to `out`, unless the shard only restates it. May hold records back until their
    /// instruction arrives. Throws NotContinued if the shard does not restate what it should.
    void pass(const Batch& in, const Record& record, Batch& out);
    /// Ends the shard: appends the records that were held back.
    void end_shard(Batch& out);

    /// Learns from a record that was written without pass(). Call it only while is_passing().
    void learn(const Batch& batch, const Record& record);
    /// Returns true if all further records of the shard can be written as they are.
    bool is_passing() const noexcept { return !begins_; }
    /// Returns true if the trace has state that shards restate.
    bool any();

private:
    void meet_tracks();
    void expect(const Record& first);
    void drop_from_group(Batch& out);
    std::vector<bool> restated_events(const Batch& expected) const;
    [[noreturn]] void refuse(std::string_view what) const;

    const Schema& schema_;
    const Limits& limits_;
    std::string name_;
    bool begins_ = false;       // the restated records of the shard are not passed yet
    bool has_records_ = false;  // the shards so far had records

    std::size_t met_ = 0, met_signals_ = 0;
    std::vector<bool> of_records_;  // by signal: see signals_of_records()
    bool has_hart_ = false, has_storages_ = false;
    HartState hart_;
    StateTable storages_;
    HeldSignals signals_;

    bool knows_ = false;       // `expected_` is set
    Batch expected_;           // what the shard of a trace without a hart restates
    std::size_t dropped_ = 0;  // number of records of `expected_` that were dropped
    Batch group_;              // the first group of instructions, without its end
};

}  // namespace hwtrace

// operate/concatenated_reader.hpp - puts the shards of a trace together again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"
#include "operate/restated_records.hpp"

namespace hwtrace {

/// A shard to be put together with others.
struct ShardSource {
    std::string name;        ///< name of the file, for errors
    Reader* reader;          ///< has not been read yet
    const Schema* complete;  ///< the complete schema of its records, or the growing schema of `reader`
    Plan plan;               ///< applied first, such as a plan that raises the trace
};

/// Delivers the records of the shards one after the other, as the whole trace has them: without the state that shards
/// restate, with one schema, and with positions counted from the begin of the trace.
class ConcatenatedReader final : public Reader {
public:
    /// How read() treats shards whose intervals are numbered from 0 again: `checked` throws NotContinued, because such
    /// shards were cut before their intervals were lowered.
    enum class Numbers : std::uint8_t { checked, accepted };

    /// `limits` and the readers and schemas of `sources` must outlive this object. read() throws NotContinued if a
    /// shard does not continue the shards before it.
    ConcatenatedReader(std::vector<ShardSource> sources, const Limits& limits, Numbers numbers = Numbers::checked);
    ~ConcatenatedReader() override;

    Schema& schema() override;
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override;
    /// Returns the number of records read from all shards, including restated ones.
    std::uint64_t records_read() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace

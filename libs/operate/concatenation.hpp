// operate/concatenation.hpp - how the shards of a trace become the trace again: what is undone before they are joined,
// what is known about the whole, and whether the result has the form of the shards.
#pragma once

#include <cstdint>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "convert/source_format.hpp"
#include "model/schema.hpp"
#include "operate/concatenated_reader.hpp"
#include "operate/restated_records.hpp"

namespace hwtrace {

/// Which lowerings of the shards are undone before they are put together.
enum class Raise : std::uint8_t {
    as_converted,  ///< those that a conversion to the target undoes, because it cuts the trace behind them
    all,           ///< all, for shards of a trace that was cut before it was lowered
};

/// What is known about the whole trace after its shards were raised.
struct RaisedShards {
    explicit RaisedShards(const Plan& plan) noexcept : any(!plan.stages.empty()), time_ordered(plan.time_ordered) {}

    bool any;           ///< a lowering was undone
    bool time_ordered;  ///< the undone lowerings state that records are in order of time
};

/// The shards of one trace, and the format in which they are put together.
struct Concatenation {
    const Format& shards;            ///< format of the shards
    const Format& to;                ///< format of the whole
    const Format* origin = nullptr;  ///< format of the trace that was cut; null: unknown
    Raise raise = Raise::as_converted;

    /// Returns which lowerings are undone first: all, if the trace was cut in another format.
    static Raise first_way(const Format& shards, const Format* origin) noexcept;
    /// Returns the target towards which the shards are raised.
    const Format& raised_for() const noexcept { return raise == Raise::all ? whole_model() : to; }
    /// Returns the format that writers take as that of the source.
    const Format& source() const noexcept { return origin != nullptr ? *origin : shards; }
    /// Returns true if the trace was cut in another format than that of the shards.
    bool is_foreign() const noexcept { return &source() != &shards; }
    /// Returns how the reader treats intervals that are numbered from 0 again. It looks for them if the origin is
    /// unknown.
    ConcatenatedReader::Numbers numbers() const noexcept {
        return origin == nullptr ? ConcatenatedReader::Numbers::checked : ConcatenatedReader::Numbers::accepted;
    }
    /// Returns what is known about the whole trace. `shard` and `raised` are of the first shard, `schema` is that
    /// of the whole.
    SourceFormat source_format(const SourceFormat& shard, const RaisedShards& raised, const Schema& schema) const;
    /// Returns the settings of the writer. A writer may keep the form of a source of its own format; a trace of another
    /// format has no such form. `first` is the first shard.
    Settings for_writer(const PreparedSource& first, const Settings& settings) const;
    /// Throws Failure::input if the whole would have other marks than its shards, which have the same format. Its
    /// records then are not those of the whole either. `whole` is the schema that is written, `shard` that of a shard.
    void check_same_form(const Schema& whole, const Schema& shard) const;
};

/// Returns true if a conversion from `origin` to `shards` makes transactions that do not state what they were before.
/// Its shards cannot be put together. `is_marked` is true if a lowering left a mark; `schema` is that of the
/// transactions.
bool lacks_mark(const Format& origin, const Format& shards, bool is_marked, const Schema& schema) noexcept;

/// Throws Failure::input if the shards hold transactions that may have been made of other records without a mark: the
/// begin of a shard cannot be told from records of its own. `raised` and `schema` are of a shard.
void check_joinable(const Concatenation& how, const RaisedShards& raised, const Schema& schema);

/// Throws Failure::input for shards that do not continue each other although a manifest lists them in their order.
[[noreturn]] void refuse_ordered(const NotContinued& error);

}  // namespace hwtrace

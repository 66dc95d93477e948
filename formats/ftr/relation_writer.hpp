// formats/ftr/relation_writer.hpp - writes relations. FTR stores three or five numbers for each relation, but no time
// and no position among transactions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "block_writer.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "stream_table.hpp"

namespace hwtrace::ftr {

class RelationWriter {
public:
    struct How {
        bool looks_up_streams = false;  ///< looks up the streams of both ends if the source does not state them
        /// Relations before their transactions wait for them. Otherwise their streams are not stated.
        bool waits = true;
        /// True if streams that cannot be looked up within the limits are an error. Otherwise such relations are
        /// written without streams.
        bool needs_streams = false;
        bool has_times = false;      ///< in the source, a relation has the time of the record before it
        bool counts_places = false;  ///< counts the loss of a relation's position among transactions
    };

    /// `blocks` states the ids of streams. All arguments must outlive the writer.
    RelationWriter(const Schema& schema, ChunkWriter& chunks, DictionaryWriter& dictionary, const BlockWriter& blocks,
                   Heads heads, const How& how, const Limits& limits, Losses& losses)
        : schema_(schema),
          chunks_(chunks),
          dictionary_(dictionary),
          blocks_(blocks),
          heads_(heads),
          how_(how),
          limits_(limits),
          losses_(losses),
          table_(limits) {}

    /// Stores the stream of a transaction. Must be called for each written transaction if how.looks_up_streams is set.
    void note_transaction(std::uint64_t number, std::uint32_t stream) { table_.set(number, stream); }
    /// The record before a relation.
    struct Before {
        TrackId track = none;  ///< none: no record
        Tick time = 0;
    };
    /// Returns true if the relation is the first one of its track that gets streams, unless relations wait. Must be
    /// called before append().
    bool begins_to_add(const Batch& batch, const Record& record);
    void append(const Batch& batch, const Record& record, Before before);
    /// Writes the relations that waited for their transactions. Also counts the lost fields of relation tracks without
    /// relations. Must be called after the last transaction.
    void resolve();
    /// Writes a chunk with the relations appended so far.
    void flush();

    /// Returns true if a relation of the track has occurred.
    bool has_met(TrackId track) const noexcept { return track < lanes_.size() && lanes_[track].known; }
    /// Returns true if a relation states streams that its track does not have.
    bool has_added_streams() const noexcept { return added_streams_; }
    /// Returns the number of relations without streams.
    std::uint64_t without_streams() const noexcept { return without_streams_; }

private:
    struct Lane {
        bool known = false;
        std::uint64_t name = 0;
        std::uint32_t streams = none;  ///< index of the first stream field
        bool has_added = false;        ///< a relation got streams
        bool ambiguous = false;        ///< in a file, relations of this track look like relations of another track
    };
    struct Held {
        std::uint64_t name, from, to;
    };
    using Streams = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

    Lane& lane_of(TrackId track);
    TrackId first_like(const Track& relation);
    void count_losses(const Lane& lane, std::span<const std::uint64_t> cells, const Record& record, Before before);
    void count_unused_fields();
    Streams streams_of(std::uint64_t from, std::uint64_t to) const;
    void put_waiting();
    void put_without_streams();
    void put(std::uint64_t name, std::uint64_t from, std::uint64_t to, const Streams& streams);
    void drop(TrackId track, std::string_view why);

    const Schema& schema_;
    ChunkWriter& chunks_;
    DictionaryWriter& dictionary_;
    const BlockWriter& blocks_;
    const Heads heads_;
    const How how_;
    const Limits& limits_;
    Losses& losses_;
    StreamTable table_;
    std::vector<Lane> lanes_;                        ///< by track
    HashMap<std::string, TrackId> first_relations_;  ///< see first_like()
    TrackId known_tracks_ = 0;                       ///< tracks that first_like() has examined
    std::vector<Held> held_;                         ///< relations that wait for their transactions
    std::size_t next_look_ = 1024;  ///< the number of waiting relations at which they are examined again
    bool added_streams_ = false;
    std::uint64_t without_streams_ = 0;
    Appender content_;
};

}  // namespace hwtrace::ftr

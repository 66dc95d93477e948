// formats/ftr/relation_writer.hpp - relations as a file has them: three or five numbers, without a time or a place.
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
        bool looks_up_streams = false;  ///< relations that do not say the streams of their ends get them
        bool has_times = false;         ///< those of the source have the time of what stands before them
        bool counts_places = false;     ///< those of the source have a place among transactions, which is lost
    };

    /// `blocks` know the numbers of streams. All outlive the writer.
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

    /// To be told of each transaction that has been written, where how.looks_up_streams. Throws Failure::limit.
    void note_transaction(std::uint64_t number, std::uint32_t stream) { table_.set(number, stream); }
    /// The record that came before a relation.
    struct Before {
        TrackId track = none;  ///< none: there was none
        Tick time = 0;
    };
    void append(const Batch& batch, const Record& record, Before before);
    /// Writes those that have waited for their transactions; no more of these come. Counts what relations that never
    /// came have beside their ends.
    void resolve();
    /// Writes a chunk of what has been appended.
    void flush();

    /// Relation tracks that have had a relation.
    bool has_met(TrackId track) const noexcept { return track < lanes_.size() && lanes_[track].known; }

private:
    struct Lane {
        bool known = false;
        std::uint64_t name = 0;
        std::uint32_t streams = none;  ///< the field of the first stream
        bool ambiguous = false;        ///< another track's relations look the same
    };
    struct Held {
        std::uint64_t name, from, to;
        TrackId track;
    };
    using Streams = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

    Lane& lane_of(TrackId track);
    TrackId first_like(const Track& relation);
    void count_losses(const Lane& lane, std::span<const std::uint64_t> cells, const Record& record, Before before);
    void count_unused_fields();
    Streams streams_of(std::uint64_t from, std::uint64_t to) const;
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
    TrackId known_tracks_ = 0;                       ///< that first_like() has looked at
    std::vector<Held> held_;
    Appender content_;
};

}  // namespace hwtrace::ftr

#include "relation_writer.hpp"

#include <algorithm>

#include "io/limits.hpp"
#include "schema_mark.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

namespace {

/// Returns the description of a relation for the example of a loss: "of 3 to 7".
std::string ends_text(std::span<const std::uint64_t> cells) {
    return "of " + std::to_string(cells[0]) + " to " + std::to_string(cells[1]);
}

}  // namespace

RelationWriter::Lane& RelationWriter::lane_of(TrackId id) {
    if (id >= lanes_.size()) lanes_.resize(schema_.tracks().size());
    Lane& lane = lanes_[id];
    if (lane.known) return lane;
    const Track& track = schema_.tracks()[id];
    lane.known = true;
    lane.name = dictionary_.number_of_name(track.name);
    lane.streams = streams_field(track);
    lane.ambiguous = first_like(track) < id;
    return lane;
}

/// Returns the first track whose relations look the same in a file as relations of `relation`.
TrackId RelationWriter::first_like(const Track& relation) {
    const auto key = [this](const Track& track) {
        return std::string(streams_field(track) == none && !how_.looks_up_streams ? "3" : "5").append(track.name);
    };
    for (; known_tracks_ < schema_.tracks().size(); ++known_tracks_) {
        const Track& track = schema_.tracks()[known_tracks_];
        if (track.kind == Track::Kind::relation_type) first_relations_.try_emplace(key(track), known_tracks_);
    }
    return first_relations_.at(key(relation));
}

bool RelationWriter::begins_to_add(const Batch& batch, const Record& record) {
    if (!how_.looks_up_streams || how_.waits) return false;
    Lane& lane = lane_of(record.track);
    const std::span<const std::uint64_t> cells = batch.cells(record);
    if (lane.has_added || lane.streams != none || cells.size() < 2) return false;
    return lane.has_added = streams_of(cells[0], cells[1]).has_value();
}

void RelationWriter::append(const Batch& batch, const Record& record, Before before) {
    const Lane& lane = lane_of(record.track);
    const std::span<const std::uint64_t> cells = batch.cells(record);
    if (cells.size() < 2) return drop(record.track, "it has no ends");
    count_losses(lane, cells, record, before);
    if (lane.streams != none && lane.streams + 1 < cells.size()) {
        put(lane.name, cells[0], cells[1], std::pair(cells[lane.streams], cells[lane.streams + 1]));
    } else if (!how_.looks_up_streams) {
        put(lane.name, cells[0], cells[1], std::nullopt);
    } else if (const auto streams = streams_of(cells[0], cells[1]); streams || !how_.waits) {
        put(lane.name, cells[0], cells[1], streams);
        added_streams_ = added_streams_ || streams;
    } else {
        added_streams_ = true;
        held_.push_back({lane.name, cells[0], cells[1]});
        if (held_.size() >= next_look_) put_waiting();
        if (held_.size() * sizeof(Held) > limits_.block) put_without_streams();
    }
}

/// Writes the waiting relations, which are too many, without streams.
void RelationWriter::put_without_streams() {
    if (how_.needs_streams)
        check_limit(held_.size() * sizeof(Held), limits_.block, "relations before their transactions", "max-block");
    for (const Held& held : held_)
        put(held.name, held.from, held.to, streams_of(held.from, held.to));
    held_.clear();
}

/// Writes the waiting relations whose transactions have been written.
void RelationWriter::put_waiting() {
    std::erase_if(held_, [&](const Held& held) {
        const Streams streams = streams_of(held.from, held.to);
        if (streams) put(held.name, held.from, held.to, streams);
        return streams.has_value();
    });
    next_look_ = std::max(next_look_, 2 * held_.size());
}

/// Counts the lost fields of relation tracks that have no relations: all fields except the ends and the streams of the
/// ends. A directory cannot declare such fields.
void RelationWriter::count_unused_fields() {
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind != Track::Kind::relation_type || (id < lanes_.size() && lanes_[id].known)) continue;
        const std::uint32_t streams = streams_field(track);
        for (std::uint32_t i = 2; i < track.fields.size(); ++i)
            if (streams == none || (i != streams && i != streams + 1))
                losses_.count(Loss::field_dropped, Subject::unused(track.name + '.' + track.fields[i].name),
                              [] { return std::string("the track has no relation"); });
    }
}

void RelationWriter::count_losses(const Lane& lane, std::span<const std::uint64_t> cells, const Record& record,
                                  Before before) {
    const Track& track = schema_.tracks()[record.track];
    if (lane.ambiguous)
        losses_.count(Loss::scope_flattened, track.name, [&] {
            return "at " + std::to_string(record.time) +
                   ": relations have no scope, and another relation track has this name";
        });
    for (std::size_t i = 2; i < std::min(cells.size(), track.fields.size()); ++i)
        if (lane.streams == none || (i != lane.streams && i != lane.streams + 1))
            losses_.count(Loss::field_dropped, track.name + '.' + track.fields[i].name,
                          [&] { return ends_text(cells); });
    const bool is_timed = before.track == none
                              ? record.time != 0
                              : record.time != before.time && schema_.tracks()[before.track].time == track.time;
    if (how_.has_times && is_timed)
        losses_.count(Loss::time_rounded, track.name, [&] {
            return ends_text(cells) + " at " + std::to_string(record.time) +
                   ": the relation gets the time of the record before it";
        });
    if (how_.counts_places)
        losses_.count(Loss::order_changed, track.name,
                      [&] { return ends_text(cells) + ": the relation loses its position among transactions"; });
}

RelationWriter::Streams RelationWriter::streams_of(std::uint64_t from, std::uint64_t to) const {
    const std::uint32_t source = table_.find(from), sink = table_.find(to);
    if (source == none || sink == none) {
        if (how_.needs_streams) table_.check_complete();
        return std::nullopt;
    }
    return std::pair(blocks_.number_of(source), blocks_.number_of(sink));
}

void RelationWriter::put(std::uint64_t name, std::uint64_t from, std::uint64_t to, const Streams& streams) {
    if (content_.empty()) *content_.grow(1) = begin_of_array;
    constexpr std::size_t bound = 6 * longest_head;
    std::byte* const first = content_.grow(bound);
    if (!streams) ++without_streams_;
    std::byte* at = heads_.put(first, Major::array, streams ? relation_elements : old_relation_elements);
    at = heads_.put(at, name);
    at = heads_.put(at, from);
    at = heads_.put(at, to);
    if (streams) at = heads_.put(heads_.put(at, streams->first), streams->second);
    content_.shrink(bound - static_cast<std::size_t>(at - first));
    if (content_.size() > block_size) flush();
}

void RelationWriter::resolve() {
    count_unused_fields();
    put_waiting();
    // An end that is not in the trace is said to be in the stream of the other end.
    for (const Held& held : held_) {
        const std::uint32_t source = table_.find(held.from), sink = table_.find(held.to);
        const std::uint32_t known = source != none ? source : sink != none ? sink : 0;
        const std::uint64_t stream = known < blocks_.streams() ? blocks_.number_of(known) : 0;
        put(held.name, held.from, held.to, std::pair(stream, stream));
    }
    held_.clear();
}

void RelationWriter::drop(TrackId track, std::string_view why) {
    losses_.count(Loss::relation_dropped, schema_.tracks()[track].name, [&] { return std::string(why); });
}

void RelationWriter::flush() {
    if (content_.empty()) return;
    dictionary_.take_source();
    dictionary_.flush(chunks_, heads_);
    *content_.grow(1) = end_of_array;
    chunks_.put(Chunk::relations, {}, content_.span());
    content_.clear();
}

}  // namespace hwtrace::ftr

// formats/ftr/scan_relations.cpp - relations, and the checks of their ends.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "domain/conventions.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

bool Scan::next_relation(Item& item) {
    CborCursor& cursor = *cursor_;
    while (cursor.more(items_)) {
        const std::uint64_t at = cursor.offset();
        CborItems parts;
        if (!cursor.array(parts)) return false;
        std::array<std::uint64_t, relation_elements> numbers{};
        std::size_t count = 0;
        for (; cursor.more(parts); ++count)
            if (count < numbers.size() ? !cursor.unsigned_integer(numbers[count]) : !cursor.skip(limits_.depth))
                return false;
        if (cursor.failed()) return false;
        if (count != relation_elements && count != old_relation_elements)
            tally(Check::relation_size, at, "5 or 3 elements", std::to_string(count));
        if (count < old_relation_elements) continue;
        const bool streams = count >= relation_elements;
        if (count == old_relation_elements) tally(Check::relation_old, at, "5 elements", "3");
        std::copy_n(numbers.begin() + 1, cells_.size(), cells_.begin());
        item.kind = Item::Kind::relation;
        find_relation_track(numbers[0], streams, at);
        const std::span<const std::uint64_t> cells(cells_);
        item.track = last_relation_.track;
        item.cells = cells.first(last_relation_.cells);
        if (identities_) check_relation(cells.first(streams ? 4 : 2), at);
        ++relations_;
        return true;
    }
    return false;
}

/// Sets last_relation_.
void Scan::find_relation_track(std::uint64_t name, bool streams, std::uint64_t at) {
    if (last_relation_.is_defined && last_relation_.name == name && last_relation_.streams == streams) [[likely]]
        return;
    Dictionary::Entry* const entry = dictionary_.find(name);
    if (entry == nullptr)
        tally(Check::text_undefined, at, "a key of the dictionary", std::to_string(name));
    else if (entry->chunk > chunk_.offset)
        tally(Check::text_late, at, "a key that is already defined", std::to_string(name));
    const bool states_streams = streams && (entry == nullptr || !without_streams_.contains(dictionary_.text(*entry)));
    const std::uint64_t key = (entry != nullptr ? dictionary_.name_number(*entry) : number_without_name(name)) << 1 |
                              (states_streams ? 1u : 0u);
    const auto [found, is_new] = relation_tracks_.try_emplace(key, none);
    if (is_new) found->second = add_relations(name, states_streams);
    last_relation_ = {name, streams, found->second, states_streams ? std::size_t{4} : std::size_t{2}, entry != nullptr};
}

/// Declares the track of relations of this name.
TrackId Scan::add_relations(std::uint64_t name, bool states_streams) {
    growth_.push_back({none, name, states_streams});
    Track track;
    track.kind = Track::Kind::relation_type;
    track.name = dictionary_.name(name);
    track.time = time_;
    track.fields = {{std::string(conventions::relation_from), Type::u64},
                    {std::string(conventions::relation_to), Type::u64}};
    if (states_streams) {
        track.fields.push_back({std::string(conventions::relation_source_stream), Type::u64});
        track.fields.push_back({std::string(conventions::relation_sink_stream), Type::u64});
    }
    const TrackId id = schema_.declare(std::move(track));
    check_schema_size();
    return id;
}

void Scan::check_relation(std::span<const std::uint64_t> cells, std::uint64_t at) {
    const Finding here = finding(Check::relation_end, at);
    const bool streams = cells.size() == cells_.size();
    for (std::size_t i = 0; i < 2; ++i) {
        RelationEnd end{cells[i], std::nullopt, here.offset, here.inner_offset};
        if (streams) end.stream = cells[2 + i];
        check_end(end, false);
    }
}

/// Checks one end of a relation. If `last` is set, no more transactions follow.
void Scan::check_end(const RelationEnd& end, bool last) {
    const std::optional<std::uint32_t> stream = identities_->stream_of(end.transaction);
    if (!stream && !last) return identities_->await(end);
    Finding here{&rule(stream ? Check::relation_stream : Check::relation_end), end.offset};
    here.inner_offset = end.inner_offset;
    if (!stream)
        tally(Check::relation_end, std::move(here), "a transaction of the file", std::to_string(end.transaction));
    else if (end.stream && *end.stream != streams_[*stream].id)
        tally(Check::relation_stream, std::move(here),
              std::string("stream ")
                  .append(std::to_string(streams_[*stream].id))
                  .append(" of transaction ")
                  .append(std::to_string(end.transaction)),
              std::to_string(*end.stream));
}

}  // namespace hwtrace::ftr

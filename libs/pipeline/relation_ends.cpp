#include "pipeline/relation_ends.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace hwtrace {

bool RelationEnds::is_needed(const Schema& source) noexcept {
    return std::any_of(source.tracks().begin(), source.tracks().end(),
                       [](const Track& track) { return track.kind == Track::Kind::relation_type; });
}

void RelationEnds::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (record.kind == Kind::relation && record.count >= 2) {
            const auto ends = in.cells(record);
            relation({ends[0], ends[1], record.track});
        } else if (const auto id = ids_.of(in, record)) {
            learn(*id);
        }
        out.copy(in, record, record.track);
    }
}

bool RelationEnds::finish(Batch&) {
    close_up_to(std::numeric_limits<std::uint64_t>::max());
    return false;
}

void RelationEnds::relation(const Open& relation) {
    if (runs_.empty() || relation.from > runs_.back().second) {
        open_.push(relation);
        check_size();
    } else if (!is_there(relation.from)) {
        count(relation);
    }
}

void RelationEnds::close_up_to(std::uint64_t id) {
    for (; !open_.empty() && open_.top().from <= id; open_.pop())
        if (!is_there(open_.top().from)) count(open_.top());
}

void RelationEnds::learn(std::uint64_t id) {
    if (runs_.empty() || id > runs_.back().second) {
        if (!runs_.empty() && id == runs_.back().second + 1)
            runs_.back().second = id;
        else
            runs_.emplace_back(id, id);
        close_up_to(id);
    } else if (!is_there(id)) {
        const auto behind = late_.upper_bound(id);
        if (behind != late_.begin() && std::prev(behind)->second + 1 == id)
            std::prev(behind)->second = id;
        else
            late_.emplace(id, id);
    }
    check_size();
}

bool RelationEnds::is_there(std::uint64_t id) const {
    const auto holds = [id](auto begin, auto behind) { return behind != begin && std::prev(behind)->second >= id; };
    const auto run = std::upper_bound(runs_.begin(), runs_.end(), id,
                                      [](std::uint64_t wanted, const auto& other) { return wanted < other.first; });
    return holds(runs_.begin(), run) || holds(late_.begin(), late_.upper_bound(id));
}

void RelationEnds::count(const Open& relation) {
    losses_.count(Loss::part_dropped, source_.tracks()[relation.track].name, [&] {
        return "from " + std::to_string(relation.from) + " to " + std::to_string(relation.to) +
               ": the first is not in the part";
    });
}

void RelationEnds::check_size() const {
    constexpr std::size_t map_node = 64;
    check_limit(runs_.size() * sizeof runs_[0] + late_.size() * map_node + open_.size() * sizeof(Open), limits_.block,
                "the identities of the intervals in the part", "--max-block");
}

}  // namespace hwtrace

#include "select/relation_ends.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace hwtrace {

namespace {

constexpr std::uint32_t nothing = 0xFFFF'FFFF;
/// Maximum number of timeless relations that are collected before they are written.
constexpr std::size_t most_ready = 8192;

}  // namespace

bool RelationEnds::is_needed(const Schema& source) noexcept {
    return std::any_of(source.tracks().begin(), source.tracks().end(),
                       [](const Track& track) { return track.kind == Track::Kind::relation_type; });
}

void RelationEnds::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (record.kind == Kind::relation && record.count >= 2) {
            if (keep_ == Keep::leading_in && !there_.contains(in.cells(record)[1])) {
                wait(in, record);
                continue;
            }
            append_ready(out);
        } else if (const auto id = ids_.of(in, record)) {
            learn(*id);
            release(*id, out);
        }
        put(in, record, out);
    }
}

bool RelationEnds::finish(Batch& out) {
    append_ready(out);
    close_up_to(std::numeric_limits<std::uint64_t>::max());
    for (const auto& entry : missing_)
        for (const Open& relation : entry.second)
            count(relation);
    missing_.clear();
    return false;
}

void RelationEnds::put(const Batch& from, const Record& record, Batch& out) {
    Record& copied = out.copy(from, record, record.track);
    if (record.kind == Kind::relation && record.count >= 2) {
        const auto ends = from.cells(record);
        check_source({ends[0], ends[1], record.track});
        // A timeless relation has the time of the preceding record. That record may be left out, so use the time of the
        // last record written.
        if (place_ == RelationPlace::timeless && keep_ == Keep::leading_in) copied.time = now_;
    }
    now_ = copied.time;
}

// --- relations to intervals that have not arrived yet ----------------------------------------------------------------

void RelationEnds::wait(const Batch& in, const Record& record) {
    const auto index = static_cast<std::uint32_t>(waiting_.records().size());
    waiting_.copy(in, record, record.track);
    next_.push_back(nothing);
    const auto [chain, is_first] = chains_.try_emplace(in.cells(record)[1], Chain{index, index});
    if (!is_first) {
        next_[chain->second.last] = index;
        chain->second.last = index;
    }
    check_size();
}

void RelationEnds::release(std::uint64_t id, Batch& out) {
    if (chains_.empty()) return;
    const auto chain = chains_.find(id);
    if (chain == chains_.end()) return;
    for (std::uint32_t index = chain->second.first; index != nothing; index = next_[index], ++released_) {
        const Record& record = waiting_.records()[index];
        if (place_ == RelationPlace::timeless)
            ready_.copy(waiting_, record, record.track);
        else
            put(waiting_, record, out);
    }
    chains_.erase(chain);
    if (ready_.records().size() >= most_ready) append_ready(out);
    forget_released();
}

void RelationEnds::append_ready(Batch& out) {
    for (const Record& record : ready_.records())
        put(ready_, record, out);
    ready_.clear();
}

/// Removes released relations once they are the majority.
void RelationEnds::forget_released() {
    constexpr std::size_t worth_it = 1024;
    if (chains_.empty()) {
        waiting_.clear();
        next_.clear();
        released_ = 0;
    }
    if (released_ < worth_it || released_ * 2 < next_.size()) return;
    Batch old;
    std::swap(old, waiting_);
    std::vector<bool> waits(next_.size(), false);
    for (const auto& entry : chains_)
        for (std::uint32_t index = entry.second.first; index != nothing; index = next_[index])
            waits[index] = true;
    next_.clear();
    chains_.clear();
    released_ = 0;
    for (std::size_t index = 0; index < waits.size(); ++index)
        if (waits[index]) wait(old, old.records()[index]);
}

// --- the intervals of the slice --------------------------------------------------------------------------------------

void RelationEnds::check_source(const Open& relation) {
    if (losses_ == nullptr) return;
    if (place_ != RelationPlace::before_sink) {
        if (there_.contains(relation.from)) return;
        missing_[relation.from].push_back(relation);
        ++missing_relations_;
        return check_size();
    }
    if (!greatest_ || relation.from > *greatest_) {
        open_.push(relation);
        check_size();
    } else if (!there_.contains(relation.from)) {
        count(relation);
    }
}

void RelationEnds::close_up_to(std::uint64_t id) {
    for (; !open_.empty() && open_.top().from <= id; open_.pop())
        if (!there_.contains(open_.top().from)) count(open_.top());
}

void RelationEnds::learn(std::uint64_t id) {
    if (const auto found = missing_.find(id); found != missing_.end()) {
        missing_relations_ -= found->second.size();
        missing_.erase(found);
    }
    there_.insert(id);
    if (!greatest_ || id > *greatest_) {
        greatest_ = id;
        close_up_to(id);
    }
    check_size();
}

void RelationEnds::count(const Open& relation) {
    losses_->count(Loss::part_dropped, source_.tracks()[relation.track].name, [&] {
        return "from " + std::to_string(relation.from) + " to " + std::to_string(relation.to) +
               ": the first is outside the slice";
    });
}

void RelationEnds::check_size() const {
    constexpr std::size_t map_node = 64;
    constexpr std::size_t waiting = sizeof(Record) + 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t) + map_node;
    check_limit(there_.bytes() + open_.size() * sizeof(Open) + next_.size() * waiting + missing_.size() * map_node +
                    missing_relations_ * sizeof(Open),
                limits_.block, "the ids of intervals in the slice and relations to others", "--max-block");
}

}  // namespace hwtrace

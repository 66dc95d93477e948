#include "convert/transforms/recording_ends.hpp"

#include <vector>

#include "domain/conventions.hpp"
#include "io/number_text.hpp"
#include "io/text_cursor.hpp"

namespace hwtrace {

RecordingEnds::RecordingEnds(const Schema& schema) : schema_(schema) {
    for (const Metadata& fact : schema.metadata()) {
        TextCursor key(fact.key);
        std::uint64_t trace = 0, item = 0;
        if (!key.word(conventions::recording_prefix) || !key.number(trace) || !key.word(conventions::recording_end) ||
            !key.number(item) || !key.ended())
            continue;
        if (const auto end = parse_decimal<Tick>(fact.value)) ends_[{trace, item}] = *end;
    }
    if (ends_.empty()) return;
    for (const Track& track : schema.tracks()) {
        if (!track.native_id) continue;
        const auto [base, is_new] = bases_.emplace(std::pair(track.scope, *track.native_id), track.time);
        if (base->second != track.time) base->second.reset();
    }
}

std::optional<Tick> RecordingEnds::end_of(std::uint64_t trace, std::uint64_t item) const {
    const auto found = ends_.find({trace, item});
    return found == ends_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Tick> RecordingEnds::of(TrackId id) const {
    const Track& track = schema_.tracks()[id];
    if (ends_.empty() || !track.native_id || !bases_.at({track.scope, *track.native_id})) return std::nullopt;
    std::vector<std::uint64_t> items{*track.native_id};
    ScopeId scope = track.scope;
    for (std::size_t left = schema_.scopes().size(); scope != none && left != 0; --left) {
        items.push_back(schema_.scopes()[scope].native_id.value_or(0));
        scope = schema_.scopes()[scope].parent;
    }
    const std::uint64_t trace = items.back();  // the outermost scope is the trace, and its item is 0
    items.back() = 0;
    for (const std::uint64_t item : items)
        if (const auto end = end_of(trace, item)) return end;
    return std::nullopt;
}

}  // namespace hwtrace

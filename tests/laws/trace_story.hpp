// tests/laws/trace_story.hpp - a trace track by track, and what losses are about: to tell what differs, and whether a
// loss names it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "laws/law_support.hpp"

namespace hwtrace::test {

/// What a track says.
struct TrackStory {
    std::set<std::string> names;       ///< its own and those of the scopes that it is in
    std::string declaration;           ///< as the model dump shows it, without its number and its scope's
    std::vector<std::string> records;  ///< as the model dump shows them, whatever frames they stand in
};
struct ScopeStory {
    std::string facts;  ///< its protocol and its number
    std::string clock;  ///< empty: it has none of its own
};
/// A trace track by track.
struct TraceStory {
    std::map<std::string, TrackStory> tracks;  ///< by kind, scopes and name
    std::map<std::string, ScopeStory> scopes;  ///< by path
    std::vector<std::string> clocks;
    std::vector<std::string> facts;    ///< enumerations and metadata, as the model dump shows them
    std::vector<std::string> records;  ///< of all tracks as they come
    Losses losses;                     ///< of raising
};
/// Reads `file`; with `raised`, what was lowered as what it was before.
TraceStory track_story(const Bytes& file, const Format& format, bool raised);

/// What losses are about: subjects ("read", or one of its fields: "read.address"), and whether any is about the order
/// of records.
struct Named {
    std::set<std::string> subjects;
    bool reordered = false;

    void add(const Losses& losses);
    bool has(const std::string& name) const;
    /// Whether they name the track, one of its fields or a scope that it is in; a fact about the whole file (its time
    /// scale, its texts) names all, and that about tracks without records those.
    bool has(const TrackStory& track) const;
};

}  // namespace hwtrace::test

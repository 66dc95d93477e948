// tests/laws/trace_story.hpp - a trace by tracks, and the subjects of losses, to find differences that no loss names.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "laws/law_support.hpp"

namespace hwtrace::test {

/// The contents of a track.
struct TrackStory {
    std::set<std::string> names;       ///< its own name and those of its scopes
    std::string declaration;           ///< as in the model dump, without its number and its scope's
    std::vector<std::string> records;  ///< as in the model dump, without frames
};
struct ScopeStory {
    std::string facts;  ///< its protocol and its number
    std::string clock;  ///< empty: none of its own
};
/// The contents of a trace by tracks.
struct TraceStory {
    std::map<std::string, TrackStory> tracks;  ///< by kind, scopes and name
    std::map<std::string, ScopeStory> scopes;  ///< by path
    std::vector<std::string> clocks;
    std::vector<std::string> facts;    ///< enums and metadata as in the model dump
    std::vector<std::string> records;  ///< of all tracks in order
    Losses losses;                     ///< of raising
};
/// Reads `file`; with `raised`, undoes lowerings.
TraceStory track_story(const Bytes& file, const Format& format, bool raised);

/// The subjects of losses ("read", or a field: "read.address"), and whether one is about the order of records.
struct Named {
    std::set<std::string> subjects;
    bool reordered = false;

    void add(const Losses& losses);
    bool has(const std::string& name) const;
    /// Returns true if losses name the track, one of its fields or one of its scopes. A loss of a fact about the whole
    /// file (its time scale, its texts) names all tracks; one of tracks without records names those.
    bool has(const TrackStory& track) const;
};

}  // namespace hwtrace::test

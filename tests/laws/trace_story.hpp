// tests/laws/trace_story.hpp - groups a trace by track and collects the subjects of losses, to find differences that no
// loss names.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "laws/law_support.hpp"

namespace hwtrace::test {

/// The contents of a track.
struct TrackStory {
    std::set<std::string> names;       ///< the names of the track, of its scopes and of its enums
    std::string declaration;           ///< line of the model dump, without ids, and the labels of its enums
    std::vector<std::string> records;  ///< as in the model dump, without frames
};
struct ScopeStory {
    std::set<std::string> names;  ///< the names of the scope and of the scopes around it
    std::string protocol;
    std::string clock;  ///< empty: the scope has no clock
};
/// The contents of a trace, by tracks. Does not show native ids: each format numbers scopes and tracks in its own way.
struct TraceStory {
    std::map<std::string, TrackStory> tracks;  ///< by kind, scopes and name; namesakes are numbered
    std::map<std::string, ScopeStory> scopes;  ///< by path
    std::vector<std::string> clocks;
    std::vector<std::string> facts;    ///< enum and metadata lines of the model dump
    std::vector<std::string> records;  ///< records of all tracks, in order
    Losses losses;                     ///< losses of the raising
};
/// Reads `file`. With `raised`, undoes lowerings.
TraceStory track_story(const Bytes& file, const Format& format, bool raised);

/// The subjects that losses name, such as "read" or the field "read.address". `reordered` is true if a loss concerns
/// the record order.
struct Named {
    std::set<std::string> subjects;
    bool reordered = false;

    void add(const Losses& losses);
    bool has(const std::string& name) const;
    /// Returns true if losses name the track, one of its fields or one of its scopes. A loss about the whole file, such
    /// as its time scale or its strings, names all tracks. A loss about tracks without records names those tracks.
    bool has(const TrackStory& track) const;
};

/// Returns the tracks with changes that no loss names: of a record, or of the declaration (fields, types, time base).
std::string unnamed(const TraceStory& before, const TraceStory& after, const Named& named);

/// Converts `there`, which was made from `file`, back from the format `other`. Returns the tracks with changes that no
/// loss names, or nothing if the file cannot be converted back.
std::optional<std::string> unnamed_on_return(const Bytes& file, const Format& format, const Rewritten& there,
                                             const Format& other);

}  // namespace hwtrace::test

// pipeline/pieces.hpp - into which pieces a trace falls (hwtrace-split).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/reader.hpp"
#include "model/schema.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/range.hpp"

namespace hwtrace {

/// How long pieces are: the n-th is the range from n lengths on.
struct PieceLength {
    Range::Unit unit = Range::Unit::record;
    std::uint64_t value = 1;  ///< not 0
};
/// "1000000#", "1000cyc", "1ms". Throws Failure::usage for anything else.
PieceLength parse_piece_length(std::string_view text);

/// What each piece is of.
enum class PieceOf : std::uint8_t { scope, hart, track };

/// Some of the tracks of a trace.
struct PieceTracks {
    std::string name;             ///< the path of the scope or of the track; of what is in none, "rest"
    std::vector<TrackId> tracks;  ///< in ascending order
};

/// How pieces are looked for.
struct PieceSearch {
    std::optional<std::uint64_t> period_ps{};  ///< of a cycle, for the tracks that do not say how long theirs are
    Kinds kinds{};                             ///< that the source's format can have
    std::uint64_t most = 10'000;               ///< pieces; more are Failure::limit
    std::uint64_t depth = 0;  ///< of scopes that are pieces, from 1, the outermost; 0: the first with more than one
};

/// Reads `reader` to its end: the ranges of that length that have any records of what comes out of the plan's stages,
/// which is what a range in their place would be of, in order. `plan` is of the reader's schema. Throws Failure::usage
/// where a track's time cannot be compared with the length.
std::vector<Range> find_ranges(Reader& reader, Plan& plan, const PieceLength& length, const PieceSearch& search);

/// The same, by where the tracks stand that have records: by the scope at PieceSearch::depth, a root "/" aside, what is
/// above it by its own; by the scope of a hart, or of the protocol `cpu`; each track by itself. Tracks of one path are
/// together. Relations that follow intervals (see relations_follow_intervals) are in none. Throws Failure::usage where
/// there are no harts.
std::vector<PieceTracks> find_tracks(Reader& reader, Plan& plan, PieceOf what, const PieceSearch& search);

}  // namespace hwtrace

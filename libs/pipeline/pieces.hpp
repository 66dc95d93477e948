// pipeline/pieces.hpp - into which pieces a trace falls (hwtrace-split).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
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
    std::optional<Range> range{};  ///< that is cut by length; none: the whole trace
};

/// What leads from a source to what pieces are made of. Each plan is of the schema that the one before makes.
struct PiecePlans {
    Plan raising;           ///< undoes an earlier lowering
    Plan part;              ///< keeps the range, where there is one, and the instructions that are wanted
    Plan records;           ///< keeps the records that are wanted, without regard to those before them
    RecordCriteria wanted;  ///< what `records` keeps
};
/// Plans the search for pieces of what `choices` select of `source` (a `from` trace), for `to`; without a range the
/// part is not cut. `source`, `to` and `losses` outlive the plans. Throws as make_plan() does.
PiecePlans plan_pieces(const Schema& source, const Format& from, const Format& to, const Choices& choices,
                       Losses& losses);

/// Reads `reader` to its end: the ranges of that length, from where PieceSearch::range begins and cut off where it
/// ends, that have any records of what comes out of the plans, which is what a range in their place would be of, in
/// order. PiecePlans::part has no range. Throws Failure::usage where a track's time cannot be compared with the length,
/// and where that and the range are of different units.
std::vector<Range> find_ranges(Reader& reader, PiecePlans& plans, const PieceLength& length, const PieceSearch& search);

/// The same, by where the tracks stand that have records: by the scope at PieceSearch::depth, a root "/" aside, what is
/// above it by its own; by the scope of a hart, or of the protocol `cpu`; each track by itself. Tracks of one path are
/// together. Relations that follow intervals (see relations_follow_intervals) are in none. Throws Failure::usage where
/// there are no harts.
std::vector<PieceTracks> find_tracks(Reader& reader, PiecePlans& plans, PieceOf what, const PieceSearch& search);

}  // namespace hwtrace

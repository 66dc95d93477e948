// pipeline/pieces.hpp - finds the pieces into which a trace is split (hwtrace-split).
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

/// The length of pieces. Piece n is the range that begins after n lengths.
struct PieceLength {
    Range::Unit unit = Range::Unit::record;
    std::uint64_t value = 1;  ///< not 0
};
/// Parses "1000000#", "1000cyc" or "1ms". Throws Failure::usage for anything else.
PieceLength parse_piece_length(std::string_view text);

/// The object to which each piece belongs.
enum class PieceOf : std::uint8_t { scope, hart, track };

/// A set of tracks of a trace that form one piece.
struct PieceTracks {
    std::string name;             ///< path of the scope or track; "rest" for tracks without a scope
    std::vector<TrackId> tracks;  ///< in ascending order
};

/// Parameters of the search for pieces.
struct PieceSearch {
    std::optional<std::uint64_t> period_ps{};  ///< of a cycle, for tracks that state none
    Kinds kinds{};                             ///< the kinds that the source's format can have
    std::uint64_t most = 10'000;               ///< maximum number of pieces; more throw Failure::limit
    /// Depth of the scopes that become pieces, 1 for the outermost; 0: the first depth with several scopes.
    std::uint64_t depth = 0;
    std::optional<Range> range{};  ///< the range to be split; none: the whole trace
};

/// The plans that lead from a source to the records that are split. Each plan applies to the schema of the one before
/// it.
struct PiecePlans {
    Plan raising;           ///< undoes an earlier lowering
    Plan part;              ///< keeps the range, if there is one, and the selected instructions
    Plan records;           ///< keeps the selected records, regardless of earlier ones
    RecordCriteria wanted;  ///< the criteria of `records`
};
/// Plans the search for pieces in the records that `choices` select from `source`, a trace in format `from`, for target
/// `to`. `source`, `to` and `losses` outlive the plans. Throws as make_plan() does.
PiecePlans plan_pieces(const Schema& source, const Format& from, const Format& to, const Choices& choices,
                       Losses& losses);

/// Reads `reader` to its end. Splits PieceSearch::range, or the whole trace, into ranges of that length and skips those
/// without records after the plans; the last one may be shorter. PiecePlans::part has no range. Throws Failure::usage
/// if the length cannot be compared with a track's time, or if it and the range have different units.
std::vector<Range> find_ranges(Reader& reader, PiecePlans& plans, const PieceLength& length, const PieceSearch& search);

/// Reads `reader` to its end. Groups the tracks with records by the scope at PieceSearch::depth (a root "/" does not
/// count; tracks above that depth go by their own scope), by the scope of a hart or of protocol `cpu`, or individually.
/// Tracks with equal paths are in one group. Relations that follow intervals (see relations_follow_intervals) are in
/// none. Throws Failure::usage if there are no harts to group by.
std::vector<PieceTracks> find_tracks(Reader& reader, PiecePlans& plans, PieceOf what, const PieceSearch& search);

}  // namespace hwtrace

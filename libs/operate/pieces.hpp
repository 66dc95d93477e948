// operate/pieces.hpp - finds the pieces into which a trace is split (hwtrace-split).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// The length of a piece. Piece n begins n lengths after the start.
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
    std::optional<std::uint64_t> period_ps{};  ///< length of a cycle, for tracks that do not state it
    Shapes shapes{};                           ///< the shapes that the source's format can contain
    std::uint64_t most = 10'000;               ///< maximum number of pieces; more pieces throw Failure::limit
    /// Depth of the scopes that become pieces; 1 is the outermost. 0: the first depth with several scopes.
    std::uint64_t depth = 0;
    std::optional<Range> range{};  ///< the range to be split; none: the whole trace
};

/// The plans from a source to the records that are split. Each plan applies to the output of the previous one.
struct PiecePlans {
    Plan raising;           ///< undoes an earlier lowering
    Plan part;              ///< keeps the range, if there is one, and the selected instructions
    Plan records;           ///< keeps the selected records
    RecordCriteria wanted;  ///< the criteria of `records`
};
/// Plans the search for pieces in the records that `choices` select from `source`. `from` is the format of `source`,
/// and `to` is the target format. `source`, `to` and `losses` must outlive the plans. Throws the same errors as
/// make_plan().
PiecePlans plan_pieces(const Schema& source, const SourceFormat& from, const Format& to, const Choices& choices,
                       Losses& losses);

/// Reads `reader` to its end. Splits PieceSearch::range, or the whole trace, into ranges of `length`. The last range
/// may be shorter. Skips ranges from which the plans deliver no records. PiecePlans::part must have no range. Throws
/// Failure::usage if the length cannot be compared with a track's time, or if the length and the range have different
/// units.
std::vector<Range> find_ranges(Reader& reader, PiecePlans& plans, const PieceLength& length, const PieceSearch& search);

/// Reads `reader` to its end and groups the tracks that have records. PieceOf::scope groups them by the scope at
/// PieceSearch::depth. A root "/" does not count, and tracks above that depth are grouped by their own scope.
/// PieceOf::hart groups them by the scope of a hart or of protocol `cpu`. With PieceOf::track, each track is a group.
/// Tracks with equal paths share a group. Relations that follow intervals (see relations_follow_intervals) belong to no
/// group. Throws Failure::usage for PieceOf::hart if there are no harts.
std::vector<PieceTracks> find_tracks(Reader& reader, PiecePlans& plans, PieceOf what, const PieceSearch& search);

}  // namespace hwtrace

// pipeline/interval_mark.hpp - what the lowering of intervals notes in the target, so that raising gives the identical
// schema back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// The type of an event's field that holds the cells of an attribute of that type.
Type event_type(Type attribute) noexcept;

/// Facts of the source's schema that its lowered form does not show.
struct IntervalMark {
    /// What is lost of an attribute as a field of an event.
    struct Attribute {
        std::optional<Type> type;  ///< none: the field's own
        Phase phase = Phase::unknown;
        bool renamed = false;  ///< the field's name goes on behind the attribute's: ".end", where that alone is taken

        friend bool operator==(const Attribute&, const Attribute&) = default;
    };
    struct SourceTrack {
        Track::Kind kind = Track::Kind::stream;
        bool kept = true;         ///< false: the lowering had no place for it
        std::uint64_t lists = 0;  ///< of a stream: its attributes that may occur several times; of an event: fields of
                                  ///< a row
        TimeBase time;
        std::optional<std::uint64_t> native_id = {};
        bool positioned = false;  ///< of a relation: its event says how many intervals came before it
        /// Of a stream: all that were kept; of what is events or a table there, the fields. None where they say it all.
        std::vector<Attribute> attributes = {};

        /// Whether attributes were stated one by one, so that their order means something.
        bool has_phases() const noexcept;
    };
    bool root_added = false;                     ///< scope 0 of the target is not the source's
    std::uint64_t clocks = 0;                    ///< of the source; those behind them are the lowering's
    std::vector<std::uint64_t> timeless_clocks;  ///< of those: which do not state a period
    std::uint64_t enums = 0;                     ///< likewise
    std::uint64_t period_ps = 1000;              ///< taken for a tick where the source does not say how long it is
    std::vector<std::optional<std::uint64_t>> scope_ids;  ///< by source scope, where any has a native id
    std::vector<SourceTrack> tracks;

    /// One line: "root=0 clocks=0 enums=0 period=1000 tracks=s:c1/1000000000,s,e:t1/1000000000000", with "
    /// timeless=0,1" behind the clocks where some state no period, and " scopes=7,,9" before the tracks where scopes
    /// have native ids. A letter for the kind (s stream, e event, n notes, x native, t storage, r relation, R one that
    /// is positioned, - not kept), behind s and e the number of its lists where it has any; "#9" for a native id;
    /// "{b1=0}" for attributes, two characters each: the type (= the field's own) and the phase's number, 4 more where
    /// it is renamed; then the time base (c cycles, t seconds, o ordinal) where it is another than that of the track
    /// before.
    std::string text() const;
    /// None when `text` is no such line or names more than `most_tracks` tracks.
    static std::optional<IntervalMark> parse(std::string_view text, std::size_t most_tracks);
};

}  // namespace hwtrace

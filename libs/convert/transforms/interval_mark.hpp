// convert/transforms/interval_mark.hpp - the mark that the lowering of intervals leaves in the target, so that raising
// restores the identical schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// Returns the type of the event field that holds an attribute of that type.
Type event_type(Type attribute) noexcept;

/// Properties of the source's schema that the lowered schema does not show.
struct IntervalMark {
    /// Properties of an attribute that its event field does not show.
    struct Attribute {
        std::optional<Type> type;  ///< nullopt: the type of the event field
        Phase phase = Phase::unknown;
        /// The event field's name has a suffix such as ".end", because another field already has the attribute's name.
        bool renamed = false;

        friend bool operator==(const Attribute&, const Attribute&) = default;
    };
    struct SourceTrack {
        Track::Kind kind = Track::Kind::stream;
        bool kept = true;  ///< false: the lowering dropped it
        /// For a stream, the number of attributes that may occur repeatedly. For an event, the number of fields of a
        /// row.
        std::uint64_t lists = 0;
        TimeBase time;
        std::optional<std::uint64_t> native_id = {};
        bool positioned = false;  ///< for a relation: the event states how many intervals preceded the relation
        /// The kept attributes of a stream, or the fields of an event or table. Empty if the lowered schema shows all
        /// their properties.
        std::vector<Attribute> attributes = {};

        /// Returns true if attributes were stated one by one, so that their order is information.
        bool has_phases() const noexcept;
    };
    bool root_added = false;   ///< scope 0 of the target was added by the lowering
    std::uint64_t clocks = 0;  ///< number of the source's clocks; later ones were added by the lowering
    std::vector<std::uint64_t> timeless_clocks;           ///< the source's clocks without a period
    std::uint64_t enums = 0;                              ///< number of the source's enums
    std::uint64_t period_ps = 1000;                       ///< tick length where the source states none
    std::vector<std::optional<std::uint64_t>> scope_ids;  ///< by source scope; empty if none has a native id
    std::vector<SourceTrack> tracks;

    /// Returns one line: "root=0 clocks=0 enums=0 period=1000 tracks=s:c1/1000000000,s,e:t1/1000000000000". If some
    /// clocks have no period, "timeless=0,1" follows the clocks. If scopes have native ids, "scopes=7,,9" precedes the
    /// tracks.
    ///
    /// A track begins with a letter for its kind: s stream, e event, n notes, x native, t storage, r relation, R
    /// positioned relation, - dropped. The letters s and e are followed by the number of lists, if there are any. The
    /// native id follows as "#9", and the attributes as "{b1=0}". An attribute has two characters. The first is the
    /// letter of the type, or = for the type of the field. The second is the number of the phase, to which 4 is added
    /// if the attribute is renamed. The time base (c cycles, t seconds, o ordinal) is last. It is left out if it equals
    /// the time base of the preceding track.
    std::string text() const;
    /// Parses such a line. Returns nullopt if `text` is invalid or describes more than `most_tracks` tracks.
    static std::optional<IntervalMark> parse(std::string_view text, std::size_t most_tracks);
};

}  // namespace hwtrace

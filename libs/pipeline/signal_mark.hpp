// pipeline/signal_mark.hpp - the mark that lowerings of signals leave in the target, so that raising restores the
// identical signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// The signals of a source, and other tracks that were lowered with them.
struct SignalMark {
    /// The form that they took.
    enum class Form : std::uint8_t {
        tables,  ///< SignalTables
        held,    ///< HeldValues, which also takes events, notes and native records
    };
    struct SourceTrack {
        /// Signal, event_type, notes or native; none: the track was passed on unchanged.
        std::optional<Track::Kind> kind = {};
        TimeBase time = {};  ///< of the source track, like all members below
        std::optional<std::uint64_t> native_id = {};
        std::vector<Field> fields = {};
    };
    /// An enum that the target cannot hold. The target has an enum of that name without values.
    struct Labels {
        EnumId enumeration = none;
        std::vector<EnumValue> values = {};
    };
    Form form = Form::tables;
    std::vector<Labels> labels = {};
    std::vector<std::optional<std::uint64_t>> scope_ids = {};  ///< by scope, if held values leave any out
    std::vector<SourceTrack> tracks = {};

    /// Returns one line: "tables e1{1000=4:high} ids=7,,9 2,s:t1/1000#7{p=5:value},1", with labels, numbers of scopes,
    /// and the numbers of consecutive tracks that were passed on. A lowered track is a letter (s signal, e event, n
    /// notes, b native bytes) with its time base (t seconds, c cycles, o ordinal), its number and its fields. A field
    /// is as append_field() writes it.
    std::string text() const;
    /// Returns none if `text` is no such line or describes more than `most_tracks` tracks.
    static std::optional<SignalMark> parse(std::string_view text, std::size_t most_tracks);
};

/// Returns the mark of a schema (conventions::signal_source), if it has one.
std::optional<SignalMark> signal_mark_of(const Schema& schema);

/// Returns the mark for lowering a source's signals, and the other tracks that the form lowers.
SignalMark signals_in(const Schema& source, SignalMark::Form form);

/// Declares the clocks, scopes and enums of `from` in `to`, which has none. `enumeration` and `scope` may replace them.
void declare_objects(const Schema& from, Schema& to, const std::function<Enum(EnumId)>& enumeration = nullptr,
                     const std::function<Scope(ScopeId)>& scope = nullptr);
/// Copies the metadata of `from`, which may be lowered already, replacing its mark of signals by `mark`.
void describe_signals(const Schema& from, const SignalMark& mark, Schema& to);
/// Copies the metadata of `from` without its mark of signals.
void describe_raised(const Schema& from, Schema& to);

}  // namespace hwtrace

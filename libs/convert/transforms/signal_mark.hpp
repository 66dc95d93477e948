// convert/transforms/signal_mark.hpp - the mark that lowerings of signals leave in the target, so that raising restores
// the identical signals.
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
    /// The form of the lowered signals.
    enum class Form : std::uint8_t {
        tables,  ///< SignalTables
        held,    ///< HeldValues, which also lowers events, notes and native records
    };
    struct SourceTrack {
        /// Signal, event_type, notes or native; none: the track was passed on unchanged.
        std::optional<Track::Kind> kind = {};
        TimeBase time = {};  ///< time base of the source track; all members below also describe the source track
        std::optional<std::uint64_t> native_id = {};
        std::vector<Field> fields = {};
    };
    /// An enum that the target cannot hold. The target has an enum with the same name but without values.
    struct Labels {
        EnumId enumeration = none;
        std::vector<EnumValue> values = {};
    };
    Form form = Form::tables;
    std::vector<Labels> labels = {};
    std::vector<std::optional<std::uint64_t>> scope_ids = {};  ///< native ids by scope, for Form::held
    std::vector<SourceTrack> tracks = {};

    /// Returns one line: "tables e1{1000=4:high} ids=7,,9 2,s:t1/1000#7{p=5:value},1". It states the labels, the native
    /// ids of scopes, and how many consecutive tracks were passed on. A lowered track begins with a letter (s signal, e
    /// event, n notes, b native bytes). Its time base (t seconds, c cycles, o ordinal), its native id and its fields
    /// follow. append_field() writes the fields.
    std::string text() const;
    /// Parses such a line. Returns nullopt if the line is invalid or describes more than `most_tracks` tracks.
    static std::optional<SignalMark> parse(std::string_view text, std::size_t most_tracks);
};

/// Returns, in ascending order, the values of an enum that have exactly one label and share it with no other value.
std::vector<std::uint64_t> labelled_values(const Enum& enumeration);

/// Returns the mark of a schema (conventions::signal_source), or nullopt if the schema has no valid mark.
std::optional<SignalMark> signal_mark_of(const Schema& schema);

/// Returns the mark for lowering a source's signals, and the other tracks that the form lowers.
SignalMark signals_in(const Schema& source, SignalMark::Form form);

/// Declares the clocks, scopes and enums of `from` in `to`, which must have none yet. `enumeration` and `scope`, if
/// given, supply the enums and scopes to declare instead.
void declare_objects(const Schema& from, Schema& to, const std::function<Enum(EnumId)>& enumeration = nullptr,
                     const std::function<Scope(ScopeId)>& scope = nullptr);
/// Declares the clocks, scopes and enums of `from` in `to`, which must have none yet, and copies the metadata.
void declare_all_but_tracks(const Schema& from, Schema& to);
/// Copies the metadata of `from` to `to`. `mark` replaces any earlier mark of signals.
void describe_signals(const Schema& from, const SignalMark& mark, Schema& to);
/// Copies the metadata of `from` to `to`, except the mark of signals.
void describe_raised(const Schema& from, Schema& to);

}  // namespace hwtrace

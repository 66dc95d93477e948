// pipeline/signal_mark.hpp - what lowerings of signals note in the target, so that raising gives the identical signals
// back.
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

/// The signals of a source, and what else was made something else with them, among its other tracks.
struct SignalMark {
    /// What they became.
    enum class Form : std::uint8_t {
        tables,  ///< SignalTables
        held,    ///< HeldValues, which takes events, notes and native records too
    };
    struct SourceTrack {
        std::optional<Track::Kind> kind = {};  ///< signal, event_type, notes or native; none: it goes on as it is
        TimeBase time = {};                    ///< of these, as all that follows
        std::optional<std::uint64_t> native_id = {};
        std::vector<Field> fields = {};
    };
    /// An enumeration that the target has no room for, which has one of that name there without values.
    struct Labels {
        EnumId enumeration = none;
        std::vector<EnumValue> values = {};
    };
    Form form = Form::tables;
    std::vector<Labels> labels = {};
    std::vector<std::optional<std::uint64_t>> scope_ids = {};  ///< by scope, where held values leave any out
    std::vector<SourceTrack> tracks = {};

    /// One line: "tables e1{1000=4:high} ids=7,,9 2,s:t1/1000#7{p=5:value},1", with labels, numbers of scopes, and the
    /// numbers of tracks that go on as they are. Another one is a letter (s signal, e event, n notes, b native bytes)
    /// with its base of time (t seconds, c cycles, o ordinal), its number and its fields: a letter for the type, * for
    /// a repeated one, w and a width, e and an enumeration, p and a phase where it has them, and the name with its
    /// length.
    std::string text() const;
    /// None when `text` is no such line or speaks of more than `most_tracks` tracks.
    static std::optional<SignalMark> parse(std::string_view text, std::size_t most_tracks);
};

/// The mark of a schema (conventions::signal_source), where it has one.
std::optional<SignalMark> signal_mark_of(const Schema& schema);

/// The mark of a source whose signals, and what else the form takes, become that.
SignalMark signals_in(const Schema& source, SignalMark::Form form);

/// Declares clocks, scopes and enumerations of `from` in `to`, which has none; as `enumeration` and `scope` give them.
void declare_objects(const Schema& from, Schema& to, const std::function<Enum(EnumId)>& enumeration = nullptr,
                     const std::function<Scope(ScopeId)>& scope = nullptr);
/// Metadata of `from`, which may be a lowered trace, with that mark of signals and no other.
void describe_signals(const Schema& from, const SignalMark& mark, Schema& to);
/// Metadata of `from`, but its mark of signals.
void describe_raised(const Schema& from, Schema& to);

}  // namespace hwtrace

// formats/waveform/signal_tracks.hpp - declares the variables of a file as tracks, and appends their changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "variables.hpp"

namespace hwtrace::waveform {

/// The tracks of a file. Bits are signals of bit vectors of up to 64 bits. A value of which all states are x is no
/// value. The first value with other states than 0 and 1 adds a second field of the same name, a text of states. Wider
/// bits have only texts of states. Events are events without fields.
class SignalTracks {
public:
    /// `schema` and `limits` must outlive this object.
    SignalTracks(Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    /// Sets the time base of the tracks that follow: 10^exponent seconds.
    void set_timescale(int exponent);
    ScopeId declare_scope(ScopeId parent, std::string_view name);
    /// Declares a track and returns its number, counted from 0. `enumeration` names the values of bits; none: no names.
    std::uint32_t declare(ScopeId scope, Variable variable, EnumId enumeration = none);

    Variable::Kind kind(std::uint32_t signal) const noexcept { return signals_[signal].kind; }
    std::uint32_t width(std::uint32_t signal) const noexcept { return signals_[signal].width; }
    std::size_t size() const noexcept { return signals_.size(); }

    /// The result of a value that a signal cannot take exactly.
    enum class Fit : std::uint8_t { good, wrong, too_long };
    /// Appends a change of bits or of an integer to states, most significant first. Missing states are added in front,
    /// as VCD demands. States that do not fit are cut off in front. Appends nothing for characters that are no states.
    Fit put_states(Batch& batch, std::uint32_t signal, Tick time, std::string_view states);
    void put_number(Batch& batch, std::uint32_t signal, Tick time, std::uint64_t number);
    void put_real(Batch& batch, std::uint32_t signal, Tick time, double value);
    void put_text(Batch& batch, std::uint32_t signal, Tick time, std::string_view text);
    void put_event(Batch& batch, std::uint32_t signal, Tick time);

private:
    struct Signal {
        TrackId track;
        Variable::Kind kind;
        std::uint32_t width;
        std::uint32_t states;  ///< the field of texts of states; none: no value has needed it
    };

    void count_object(std::size_t text);
    /// Interns the states in text_. A few characters of a file may stand for millions of states, so that the sum of all
    /// distinct ones has a limit.
    StringId intern_states();
    Fit put_rare_states(Batch& batch, Signal& signal, Tick time, std::string_view states);

    Schema& schema_;
    const Limits& limits_;
    TimeBase base_{TimeBase::Kind::seconds, 1, 1'000'000'000};
    std::vector<Signal> signals_;
    std::uint64_t objects_ = 0;
    std::uint64_t states_ = 0;  ///< bytes of all interned states
    std::string text_;
};

}  // namespace hwtrace::waveform

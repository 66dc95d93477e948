// formats/waveform/timescale.hpp - the timescale of a waveform, and the conversion of ticks to it.
#pragma once

#include <string>

#include "codec/losses.hpp"
#include "codec/shown_times.hpp"
#include "model/schema.hpp"

namespace hwtrace::waveform {

/// The timescale of a waveform: a tick lasts 10^exponent seconds.
struct Timescale {
    int exponent = -9;
    bool invents_ticks = false;  ///< ticks of unknown length are shown as nanoseconds

    /// Returns an assumption such as "1 ns for a tick of unknown length", or an empty string.
    std::string note() const;
};

/// Returns the coarsest timescale, from 100 s to 1 fs, in which every tick of a track is a whole number. Returns 1 fs
/// if there is none.
Timescale choose_timescale(const Schema& schema);
/// Returns a timescale as VCD writes it: "100 ps".
std::string timescale_text(int exponent);

/// Returns the conversion of ticks to a timescale. Times are at least 0. `schema` and `losses` must outlive the result.
ShownTimes shown_times(const Schema& schema, const Timescale& timescale, Losses& losses);

}  // namespace hwtrace::waveform

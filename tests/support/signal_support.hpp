// tests/support/signal_support.hpp - hand-made and random traces of signals.
#pragma once

#include <cstdint>

#include "support/interval_support.hpp"

namespace hwtrace::test {

/// A format of signals, events and notes. It consists of capabilities only.
extern const Format signals_only;
/// Like signals_only, but records need not be in time order.
extern const Format unordered_signals;

/// Declares a signal with these fields in a scope.
TrackId declare_signal(Schema& schema, ScopeId scope, std::string_view name, std::vector<Field> fields,
                       TimeBase time = picoseconds);

/// Parameters of random_signals().
struct WantedSignals {
    std::uint64_t seed = 1;
    std::size_t count = 1500;
    bool ordered = true;
    bool several_bases = false;  ///< cycles of known and unknown length, and positions, in addition to picoseconds
    bool structures = true;      ///< members out of order, and arrays
    bool notes = true;           ///< notes and events
};
IntervalTrace random_signals(const WantedSignals& wanted);

}  // namespace hwtrace::test

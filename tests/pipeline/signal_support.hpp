// tests/pipeline/signal_support.hpp - traces of signals made by hand or at random.
#pragma once

#include <cstdint>

#include "pipeline/interval_support.hpp"

namespace hwtrace::test {

/// A format of signals, events and notes that exists only as capabilities.
extern const Format signals_only;
/// The same, whose records come in any order of time.
extern const Format unordered_signals;

/// A signal of these fields in a scope.
TrackId declare_signal(Schema& schema, ScopeId scope, std::string_view name, std::vector<Field> fields,
                       TimeBase time = picoseconds);

/// What random_signals() makes.
struct WantedSignals {
    std::uint64_t seed = 1;
    std::size_t count = 1500;
    bool ordered = true;
    bool several_bases = false;  ///< cycles of a known and an unknown length, and positions, beside picoseconds
    bool structures = true;      ///< members out of order, arrays
    bool notes = true;           ///< and events
};
IntervalTrace random_signals(const WantedSignals& wanted);

}  // namespace hwtrace::test

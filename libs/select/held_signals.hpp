// select/held_signals.hpp - the values of signals before the start of a slice.
#pragma once

#include <cstdint>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/stage.hpp"

namespace hwtrace {

class Appender;
class Cursor;

/// Remembers the last change of each signal before a range, and restates the signals that have a value. Restated
/// records have the flag record_restated. Each time base is handled separately, because ticks of one base do not show
/// where the range begins in another base.
class HeldSignals {
public:
    /// Limits::block bounds the memory, in bytes.
    explicit HeldSignals(const Limits& limits) : limits_(limits) {}

    /// Adds a signal with time base `time`. Track ids must ascend.
    void meet(TrackId track, const TimeBase& time);
    bool any() const noexcept { return !signals_.empty(); }

    /// Remembers a change record before the range. Throws Failure::limit if the values need too much memory.
    void follow(const Batch& batch, const Record& change);

    /// Restates the signals of time base `base`, each at `begin(track)`. Call it before the first record of that base
    /// in the range.
    template <typename Begin>
    void restate(const TimeBase& base, Begin&& begin, Batch& out) {
        for (std::size_t i = 0; i < bases_.size(); ++i)
            if (bases_[i].time == base && !bases_[i].restated) restate_base(i, begin, out);
    }
    /// Restates the signals of all time bases without records in the range. Call it at the end.
    template <typename Begin>
    void restate_rest(Begin&& begin, Batch& out) {
        for (std::size_t i = 0; i < bases_.size(); ++i)
            if (!bases_[i].restated) restate_base(i, begin, out);
    }
    /// Restates all signals at once. Call it before the first record of a range that counts positions. Signals of
    /// `base` get time `time`. Other signals keep the time of their last change.
    void restate_all(const TimeBase& base, Tick time, Batch& out);

    /// Appends the remembered changes, texts as such. Requires that no signal was restated.
    void save(const Schema& schema, Appender& out) const;
    /// Remembers the changes that another object with the same signals saved. `schema` has their tracks; `add_text`
    /// adds texts to it. Throws Truncated or Failure::input if the bytes cannot be such changes.
    void restore(Cursor& in, const Schema& schema, const Stage::AddText& add_text);

private:
    struct Base {
        TimeBase time;
        bool restated = false;
    };
    struct Signal {
        TrackId track = none;
        std::size_t base = 0;
        bool has_value = false;
        Tick time = 0;
        std::uint64_t mark = 0;
        std::vector<Attribute> values = {};
    };

    template <typename Begin>
    void restate_base(std::size_t base, Begin&& begin, Batch& out) {
        bases_[base].restated = true;
        for (Signal& signal : signals_)
            if (signal.base == base && signal.has_value) put(signal, begin(signal.track), out);
    }
    static void put(Signal& signal, Tick time, Batch& out);
    static bool is_text(const Schema& schema, const Signal& signal, std::uint32_t field);

    const Limits& limits_;
    std::vector<Base> bases_;
    std::vector<Signal> signals_;
    std::vector<std::uint32_t> signal_of_;  // by track up to the last signal; none: another kind of track
    std::uint64_t bytes_ = 0;
};

}  // namespace hwtrace

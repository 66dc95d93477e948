// pipeline/held_signals.hpp - what each signal holds before a part of a trace begins.
#pragma once

#include <cstdint>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// Remembers the last change of each signal in front of a range, and states those that have a value again, marked
/// record_restated, once for each base of time: ticks of one tell nothing of where another one's range begins.
class HeldSignals {
public:
    /// Limits::block bounds what is remembered.
    explicit HeldSignals(const Limits& limits) : limits_(limits) {}

    /// A signal, which counts `time`; the ids ascend.
    void meet(TrackId track, const TimeBase& time);
    bool any() const noexcept { return !signals_.empty(); }

    /// A change in front of the range. Throws Failure::limit.
    void follow(const Batch& batch, const Record& change);

    /// Before the first record in the range that counts `base`: states signals that count it again, each at
    /// `begin(track)`.
    template <typename Begin>
    void restate(const TimeBase& base, Begin&& begin, Batch& out) {
        for (std::size_t i = 0; i < bases_.size(); ++i)
            if (bases_[i].time == base && !bases_[i].restated) restate_base(i, begin, out);
    }
    /// At the end: those of all bases that had no record in the range.
    template <typename Begin>
    void restate_rest(Begin&& begin, Batch& out) {
        for (std::size_t i = 0; i < bases_.size(); ++i)
            if (!bases_[i].restated) restate_base(i, begin, out);
    }
    /// Before the first record of a range that counts positions: all at once, those that count `base` at `time`, others
    /// where they changed last.
    void restate_all(const TimeBase& base, Tick time, Batch& out);

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

    const Limits& limits_;
    std::vector<Base> bases_;
    std::vector<Signal> signals_;
    std::vector<std::uint32_t> signal_of_;  // by track, up to the last signal; none: another track
    std::uint64_t bytes_ = 0;
};

}  // namespace hwtrace

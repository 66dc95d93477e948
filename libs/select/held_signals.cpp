#include "select/held_signals.hpp"

#include <algorithm>

#include "io/appender.hpp"
#include "io/cursor.hpp"

namespace hwtrace {

void HeldSignals::meet(TrackId track, const TimeBase& time) {
    const auto base = std::ranges::find(bases_, time, &Base::time);
    const auto number = static_cast<std::size_t>(base - bases_.begin());
    if (base == bases_.end()) bases_.push_back({time});
    signal_of_.resize(track, none);
    signal_of_.push_back(static_cast<std::uint32_t>(signals_.size()));
    signals_.push_back({track, number});
}

void HeldSignals::follow(const Batch& batch, const Record& change) {
    if (change.track >= signal_of_.size() || signal_of_[change.track] == none) return;
    Signal& signal = signals_[signal_of_[change.track]];
    if (bases_[signal.base].restated) return;
    const std::span<const Attribute> values = batch.attributes(change);
    bytes_ += values.size_bytes();
    bytes_ -= signal.values.size() * sizeof(Attribute);
    check_limit(bytes_, limits_.block, "the state of signals before the range", "--max-block");
    signal.has_value = (change.flags & record_no_value) == 0;
    signal.time = change.time;
    signal.mark = change.value;
    signal.values.assign(values.begin(), values.end());
}

void HeldSignals::restate_all(const TimeBase& base, Tick time, Batch& out) {
    for (Base& one : bases_) {
        if (one.restated) return;
        one.restated = true;
    }
    for (Signal& signal : signals_)
        if (signal.has_value) put(signal, bases_[signal.base].time == base ? time : signal.time, out);
}

void HeldSignals::save(Appender& out) const {
    out.leb128(signals_.size());
    for (const Signal& signal : signals_) {
        out.le(static_cast<std::uint8_t>(signal.has_value ? 1 : 0));
        if (!signal.has_value) continue;
        out.le(signal.time);
        out.leb128(signal.mark);
        out.leb128(signal.values.size());
        for (const Attribute& attribute : signal.values) {
            out.leb128(attribute.field);
            out.le(attribute.value);
        }
    }
}

void HeldSignals::restore(Cursor& in, const Schema& schema) {
    const std::uint64_t count = in.leb128();
    if (count > signals_.size()) fail(Failure::input, "the state states signals that the trace lacks");
    for (std::uint64_t i = 0; i < count; ++i) {
        Signal& signal = signals_[static_cast<std::size_t>(i)];
        if (in.le<std::uint8_t>() == 0) continue;
        signal.has_value = true;
        signal.time = in.le<Tick>();
        signal.mark = in.leb128();
        const std::uint64_t values = in.leb128();
        signal.values.clear();
        for (std::uint64_t k = 0; k < values; ++k) {
            const std::uint64_t field = in.leb128(), value = in.le<std::uint64_t>();
            const auto& fields = schema.tracks()[signal.track].fields;
            const bool is_known = field < fields.size();
            const bool is_text = is_known && holds_text(fields[static_cast<std::size_t>(field)].type);
            if ((!is_known && field != none) || (is_text && value != 0 && value >= schema.string_count()))
                fail(Failure::input, "the state states values that a signal cannot have");
            signal.values.push_back({static_cast<std::uint32_t>(field), value});
        }
        bytes_ += signal.values.size() * sizeof(Attribute);
        check_limit(bytes_, limits_.block, "the state of signals before the range", "--max-block");
    }
}

void HeldSignals::put(Signal& signal, Tick time, Batch& out) {
    out.change(signal.track, time, signal.values, signal.mark).flags |= record_restated;
    signal.has_value = false;
    signal.values.clear();
}

}  // namespace hwtrace

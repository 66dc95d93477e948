#include "select/held_signals.hpp"

#include <algorithm>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/sized_text.hpp"

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

void HeldSignals::save(const Schema& schema, Appender& out) const {
    const auto count = std::ranges::count(signals_, true, &Signal::has_value);
    out.leb128(static_cast<std::uint64_t>(count));
    for (const Signal& signal : signals_) {
        if (!signal.has_value) continue;
        out.leb128(signal.track);
        out.le(signal.time);
        out.leb128(signal.mark);
        out.leb128(signal.values.size());
        for (const Attribute& attribute : signal.values) {
            out.leb128(attribute.field);
            if (!is_text(schema, signal, attribute.field)) {
                out.le(attribute.value);
                continue;
            }
            append_sized(schema.text(static_cast<StringId>(attribute.value)), out);
        }
    }
}

bool HeldSignals::is_text(const Schema& schema, const Signal& signal, std::uint32_t field) {
    const auto& fields = schema.tracks()[signal.track].fields;
    return field < fields.size() && holds_text(fields[field].type);
}

void HeldSignals::restore(Cursor& in, const Schema& schema, const Stage::AddText& add_text) {
    const auto refuse = [] { fail(Failure::input, "the state states values that a signal cannot have"); };
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t track = in.leb128();
        if (track >= signal_of_.size() || signal_of_[static_cast<std::size_t>(track)] == none) refuse();
        Signal& signal = signals_[signal_of_[static_cast<std::size_t>(track)]];
        signal.has_value = true;
        signal.time = in.le<Tick>();
        signal.mark = in.leb128();
        const std::uint64_t values = in.leb128();
        signal.values.clear();
        for (std::uint64_t k = 0; k < values; ++k) {
            const std::uint64_t number = in.leb128();
            const auto field = static_cast<std::uint32_t>(number);
            if (number >= schema.tracks()[signal.track].fields.size() && number != none) refuse();
            if (!is_text(schema, signal, field)) {
                signal.values.push_back({field, in.le<std::uint64_t>()});
                continue;
            }
            signal.values.push_back({field, add_text(sized_text(in))});
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

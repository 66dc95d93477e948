#include "views/value_rows.hpp"

#include <algorithm>
#include <limits>

#include "codec/json_object.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_kept = 1u << 20;  // maximum number of kept rows; bounds memory if there are many values
constexpr std::uint64_t most_steps = 128, fewest_steps = 2;
constexpr Tick longest_interval = Tick{1} << 60;

__extension__ using Wide = __int128;

Tick difference(const ValueLog::Change& change) noexcept {
    return static_cast<Tick>(change.value - change.before);
}

/// Returns the change per cycle in thousandths, rounded to nearest.
Wide milli_rate(const ValueLog::Change& change, Tick cycles) noexcept {
    const Wide thousandths = static_cast<Wide>(difference(change)) * 1000;
    return (thousandths + (thousandths < 0 ? -cycles : cycles) / 2) / cycles;
}

/// Writes the measure of a buffer: " ring" or " ring 1". Writes nothing for slots.
void append_ring(const ValueName& name, TextOutput& out) {
    if (!name.measure.starts_with("ring")) return;
    out.put(' ');
    out.put(name.measure);
}

/// Returns the cycle at `offset` in a step, clamped to the range of Tick.
Tick edge_cycle(Tick step, Tick interval, Tick offset) noexcept {
    constexpr Wide lowest = std::numeric_limits<Tick>::min();
    constexpr Wide highest = std::numeric_limits<Tick>::max();
    return static_cast<Tick>(std::clamp(static_cast<Wide>(step) * interval + offset, lowest, highest));
}

/// Writes thousandths as in "0.146" or "-2.000".
void append_thousandths(Wide value, TextOutput& out) {
    if (value < 0) out.put('-');
    const Wide size = value < 0 ? -value : value;
    out.decimal(static_cast<std::uint64_t>(size / 1000));
    const auto rest = static_cast<unsigned>(size % 1000);
    out.put('.');
    out.put(static_cast<char>('0' + rest / 100));
    out.put(static_cast<char>('0' + rest / 10 % 10));
    out.put(static_cast<char>('0' + rest % 10));
}

std::string_view schema_of(ValueRows::Quantity quantity) noexcept {
    return quantity == ValueRows::Quantity::counters ? "hwtrace-counters/1" : "hwtrace-buffers/1";
}

}  // namespace

ValueRows::ValueRows(Quantity quantity, TextForm form, const ViewOptions& options, const std::vector<ValueName>& names,
                     const Settings& settings, TextOutput& out)
    : quantity_(quantity),
      form_(form),
      adapts_(form == TextForm::text && !options.interval && !options.following),
      is_sampled_(adapts_ || options.interval),
      names_(names),
      settings_(settings),
      out_(out),
      log_(options.interval.value_or(1)),
      listener_([this](const ValueLog::Change& change) { take(change); }) {}

void ValueRows::take(const ValueLog::Change& change) {
    // A value that has returned to its old value needs no row, unless a buffer was fuller in between.
    if (change.value == change.before && !change.starts && (quantity_ == Quantity::counters || !is_sampled_)) return;
    if (adapts_)
        keep(change);
    else
        put(change);
}

/// Keeps a change. Doubles the interval whenever there are too many steps or rows.
void ValueRows::keep(const ValueLog::Change& change) {
    if (kept_.empty()) first_step_ = change.step;
    kept_.push_back(change);
    for (std::uint64_t most = most_steps;; most /= 2) {
        while (steps_kept() >= most && log_.interval() < longest_interval) {
            log_.double_interval();
            merge();
        }
        if (kept_.size() <= most_kept || most == fewest_steps) return;
    }
}

/// Returns the number of cycles in a step; the last step ends with the latest record.
Tick ValueRows::cycles_covered(const ValueLog::Change& change) const noexcept {
    const Tick interval = log_.interval();
    const Tick first = edge_cycle(change.step, interval, 0);
    const Tick last = std::min(edge_cycle(change.step, interval, interval - 1),
                               log_.cycles(change.value_id).cycle(last_.value_or(change.time)));
    return static_cast<Tick>(std::clamp<Wide>(static_cast<Wide>(last) - first + 1, 1, interval));
}

std::uint64_t ValueRows::steps_kept() const noexcept {
    return static_cast<std::uint64_t>(kept_.back().step) - static_cast<std::uint64_t>(first_step_);
}

/// Merges each pair of steps into one.
void ValueRows::merge() {
    std::vector<std::size_t> place(names_.size(), kept_.size());  // index of the row of each value in the current step
    std::size_t merged = 0, step_begin = 0;
    for (ValueLog::Change change : kept_) {
        change.step = change.step >> 1;
        if (merged != step_begin && kept_[merged - 1].step != change.step) step_begin = merged;
        std::size_t& known = place[change.value_id];
        if (known >= step_begin && known < merged && kept_[known].value_id == change.value_id &&
            kept_[known].step == change.step) {
            kept_[known].value = change.value;
            kept_[known].time = change.time;
            kept_[known].highest = std::max(kept_[known].highest, change.highest);
        } else {
            known = merged;
            kept_[merged++] = change;
        }
    }
    kept_.resize(merged);
    first_step_ >>= 1;
}

void ValueRows::begin() {
    switch (form_) {
        case TextForm::text:
            return;
        case TextForm::csv:
            out_.put(quantity_ == Quantity::counters ? "cycle,time,scope,counter,value,delta"
                                                     : "cycle,time,scope,buffer,measure,occupied,capacity");
            if (is_sampled_) out_.put(quantity_ == Quantity::counters ? ",cycles,rate" : ",cycles,highest");
            out_.put('\n');
            return;
        case TextForm::json:
        case TextForm::jsonl:
            out_.put('{');
            append_json_head(schema_of(quantity_), settings_, out_);
            if (is_sampled_) {
                out_.put(",\"interval\":");
                out_.decimal_signed(log_.interval());
            }
            out_.put(form_ == TextForm::jsonl ? "}\n" : ",\n\"changes\":[");
            return;
    }
}

void ValueRows::end() {
    if (adapts_) {
        for (ValueLog::Change& change : kept_)
            change.step *= 2;  // merge() halves it again and joins changes that fell into one step after doubling
        first_step_ *= 2;
        merge();
        if (!kept_.empty() && log_.interval() > 1) {
            out_.put("# a row for each ");
            out_.decimal_signed(log_.interval());
            out_.put(" cycles in which something changed (--interval)\n");
        }
        for (const ValueLog::Change& change : kept_)
            put(change);
    }
    if (form_ == TextForm::json) {
        out_.put(quantity_ == Quantity::counters ? "],\n\"counters\":[" : "],\n\"buffers\":[");
        first_ = true;
    }
    if (form_ != TextForm::csv)
        for (std::uint32_t id = 0; id < names_.size(); ++id)
            append_total(id);
    if (form_ == TextForm::json) out_.put("]}\n");
}

void ValueRows::put(const ValueLog::Change& change) {
    switch (form_) {
        case TextForm::text:
            return append_line(change);
        case TextForm::csv:
            return append_row(change);
        case TextForm::json:
        case TextForm::jsonl:
            return append_object(change);
    }
}

void ValueRows::append_line(const ValueLog::Change& change) {
    const ValueName& name = names_[change.value_id];
    const Tick interval = log_.interval(), covered = cycles_covered(change);
    out_.put(interval == 1 ? "cycle " : "cycles ");
    out_.decimal_signed(edge_cycle(change.step, interval, 0));
    if (interval != 1) {
        out_.put('-');
        out_.decimal_signed(edge_cycle(change.step, interval, covered - 1));
    }
    out_.put("  ");
    append_name(name.full(), out_);
    append_ring(name, out_);
    out_.put("  ");
    out_.decimal(change.value);
    if (quantity_ == Quantity::buffers) {
        out_.put(" of ");
        out_.decimal(name.capacity);
        if (interval != 1) {
            out_.put(", highest ");
            out_.decimal(change.highest);
        }
    } else {
        out_.put(difference(change) < 0 ? "  " : "  +");
        out_.decimal_signed(difference(change));
        if (interval != 1) {
            out_.put("  ");
            append_thousandths(milli_rate(change, covered), out_);
            out_.put("/cycle");
        }
    }
    out_.put('\n');
}

void ValueRows::append_object(const ValueLog::Change& change) {
    const ValueName& name = names_[change.value_id];
    if (form_ == TextForm::json) out_.put(first_ ? "\n" : ",\n");
    first_ = false;
    JsonObject object(settings_.json_integers, out_);
    if (form_ == TextForm::jsonl) object.text("type", "change");
    object.number("cycle", edge_cycle(change.step, log_.interval(), 0));
    if (is_sampled_) object.number("cycles", cycles_covered(change));
    object.number("time", change.time);
    object.text("scope", name.scope);
    if (quantity_ == Quantity::counters) {
        object.text("counter", name.name);
        object.number("value", change.value);
        object.number("delta", difference(change));
        if (is_sampled_) append_thousandths(milli_rate(change, cycles_covered(change)), object.known_member("rate"));
    } else {
        object.text("buffer", name.name);
        object.text("measure", name.measure);
        object.number("occupied", change.value);
        if (is_sampled_) object.number("highest", change.highest);
    }
    object.close();
    if (form_ == TextForm::jsonl) out_.put('\n');
}

void ValueRows::append_row(const ValueLog::Change& change) {
    const ValueName& name = names_[change.value_id];
    out_.decimal_signed(edge_cycle(change.step, log_.interval(), 0));
    out_.put(',');
    out_.decimal_signed(change.time);
    out_.put(',');
    append_csv(name.scope, out_);
    out_.put(',');
    append_csv(name.name, out_);
    out_.put(',');
    if (quantity_ == Quantity::counters) {
        out_.decimal(change.value);
        out_.put(',');
        out_.decimal_signed(difference(change));
    } else {
        out_.put(name.measure);
        out_.put(',');
        out_.decimal(change.value);
        out_.put(',');
        out_.decimal(name.capacity);
    }
    if (is_sampled_) {
        out_.put(',');
        const Tick covered = cycles_covered(change);
        out_.decimal_signed(covered);
        out_.put(',');
        if (quantity_ == Quantity::counters)
            append_thousandths(milli_rate(change, covered), out_);
        else
            out_.decimal(change.highest);
    }
    out_.put('\n');
}

void ValueRows::append_total(std::uint32_t id) {
    const ValueName& name = names_[id];
    const std::uint64_t value = log_.value(id);
    if (form_ == TextForm::text) {
        out_.put("# ");
        append_name(name.full(), out_);
        append_ring(name, out_);
        out_.put(": ");
        out_.decimal(value);
        if (quantity_ == Quantity::buffers) {
            out_.put(" of ");
            out_.decimal(name.capacity);
        }
        out_.put(" at the end");
        if (last_) {
            out_.put(", cycle ");
            out_.decimal_signed(log_.cycles(id).cycle(*last_));
        }
        out_.put('\n');
        return;
    }
    if (form_ == TextForm::json) out_.put(first_ ? "\n" : ",\n");
    first_ = false;
    JsonObject object(settings_.json_integers, out_);
    if (form_ == TextForm::jsonl) object.text("type", quantity_ == Quantity::counters ? "counter" : "buffer");
    object.text("scope", name.scope);
    object.text("name", name.name);
    if (quantity_ == Quantity::buffers) {
        object.text("measure", name.measure);
        object.number("capacity", std::uint64_t{name.capacity});
        object.number("occupied", value);
    } else {
        object.number("value", value);
    }
    if (last_) object.number("last_cycle", log_.cycles(id).cycle(*last_));
    if (log_.cycles(id).assumed()) object.number("assumed_period_ps", CycleScale::assumed_period_ps);
    object.close();
    if (form_ == TextForm::jsonl) out_.put('\n');
}

}  // namespace hwtrace

#include "views/samples.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "codec/json_object.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "views/signal_statistics.hpp"
#include "views/time_axis.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view samples_schema = "hwtrace-samples/1";

/// The shape of the values of a signal.
enum class Shape : std::uint8_t { scalar, array, structure };

struct Signal {
    bool known = false;
    std::string scope, path, unit;
    ShownTicks shown;        ///< times as text
    std::size_t fields = 0;  ///< number of fields already learned
    Shape shape = Shape::scalar;
    std::vector<std::uint32_t> member_of;  ///< indexed by field: the first field with the same name
};

/// Groups fields with the same name into one member, because a member may have values of several types.
void learn_fields(const std::vector<Field>& fields, Signal& signal) {
    while (signal.member_of.size() < fields.size()) {
        const auto first = std::ranges::find(fields, fields[signal.member_of.size()].name, &Field::name);
        signal.member_of.push_back(static_cast<std::uint32_t>(first - fields.begin()));
    }
    signal.fields = fields.size();
    const bool several = std::ranges::any_of(signal.member_of, [](std::uint32_t member) { return member != 0; });
    const bool repeated = std::ranges::any_of(fields, &Field::repeated);
    signal.shape = several ? Shape::structure : repeated ? Shape::array : Shape::scalar;
}

class Samples {
public:
    Samples(const Schema& schema, TextForm form, const Settings& settings, TextOutput& out)
        : schema_(schema), form_(form), settings_(settings), out_(out) {}

    void begin() {
        if (form_ == TextForm::csv) out_.put("time,unit,scope,signal,member,value,state\n");
        if (form_ != TextForm::json && form_ != TextForm::jsonl) return;
        out_.put('{');
        append_json_head(samples_schema, settings_, out_);
        out_.put(form_ == TextForm::json ? ",\n\"samples\":[" : "}\n");
    }
    void end() {
        if (form_ == TextForm::json) out_.put("]}\n");
    }

    void put(const Batch& batch, const Record& record) {
        const Track& track = schema_.tracks()[record.track];
        const Signal& signal = signal_of(record.track);
        sort_values(batch.attributes(record), signal);
        switch (form_) {
            case TextForm::text:
                return append_line(track, signal, record);
            case TextForm::csv:
                return append_rows(track, signal, record);
            case TextForm::json:
                out_.put(first_ ? "\n" : ",\n");
                first_ = false;
                return append_object(track, signal, record);
            case TextForm::jsonl:
                append_object(track, signal, record);
                out_.put('\n');
        }
    }

private:
    /// Returns true for an address, which is shown in hexadecimal. A conversion of records to signals makes addresses
    /// signed.
    bool is_address(const Field& field, std::uint64_t value) {
        if (field.type != Type::i64 || static_cast<std::int64_t>(value) < 0) return false;
        if (!was_records_) was_records_ = schema_.metadata(conventions::record_source) != nullptr;
        return *was_records_ && conventions::is_hexadecimal(field.name);
    }
    static bool has_value(const Record& record) noexcept { return (record.flags & record_no_value) == 0; }

    const Signal& signal_of(TrackId id) {
        if (id >= signals_.size()) signals_.resize(schema_.tracks().size());
        Signal& signal = signals_[id];
        const Track& track = schema_.tracks()[id];
        if (!signal.known) {
            signal.known = true;
            signal.scope = path_of(schema_, track.scope);
            signal.path = name_in(signal.scope, track.name);
            signal.unit = unit_of(track.time);
            signal.shown = shown_ticks(track.time);
        }
        if (signal.fields != track.fields.size()) learn_fields(track.fields, signal);
        return signal;
    }

    /// Copies the values to values_ and groups them by member, keeping their order.
    void sort_values(std::span<const Attribute> values, const Signal& signal) {
        values_.assign(values.begin(), values.end());
        std::ranges::stable_sort(values_, {}, [&](const Attribute& value) { return signal.member_of[value.field]; });
    }
    /// Returns the number of consecutive values, starting at `at`, that belong to the same member.
    std::size_t run_at(std::size_t at, const Signal& signal) const noexcept {
        std::size_t end = at + 1;
        while (end < values_.size() && signal.member_of[values_[end].field] == signal.member_of[values_[at].field])
            ++end;
        return end - at;
    }

    /// Writes the values [first, first + count), in brackets if they are an array.
    template <typename Put>
    void append_run(std::size_t first, std::size_t count, bool array, std::string_view separator, Put&& append_one) {
        if (array) out_.put('[');
        for (std::size_t i = first; i < first + count; ++i) {
            if (i != first) out_.put(separator);
            append_one(values_[i]);
        }
        if (array) out_.put(']');
    }
    bool is_array(const Track& track, std::size_t first, std::size_t count) const {
        return count > 1 || track.fields[values_[first].field].repeated;
    }

    /// Returns the states of a change: `no value` (if `with_no_value`), the mark, and `since before`.
    std::string_view states(const Record& record, bool with_no_value, std::string_view separator) {
        states_.clear();
        const auto add = [&](std::string_view state) {
            if (!states_.empty()) states_.append(separator);
            states_.append(state);
        };
        if (with_no_value && !has_value(record)) add("no value");
        if (record.value == change_conflict) add("conflict");
        if (record.value != change_unmarked && record.value != change_conflict)
            add("tag " + std::to_string(record.value));
        if ((record.flags & record_restated) != 0) add("since before");
        return states_;
    }

    void append_line(const Track& track, const Signal& signal, const Record& record) {
        if (signal.shown.per_tick == 1)
            out_.decimal_signed(record.time);
        else
            out_.put(text_of(WideTick{record.time} * WideTick{signal.shown.per_tick}));
        out_.put(' ');
        out_.put(signal.shown.unit);
        out_.put("  ");
        append_name(signal.path, out_);
        out_.put(has_value(record) ? " = " : " = no value");
        const auto append_one = [&](const Attribute& value) {
            const Field& field = track.fields[value.field];
            if (signal.shape == Shape::structure && is_address(field, value.value))
                append_hex(value.value, out_);
            else
                append_value(schema_, field, value.value, out_);
        };
        if (has_value(record) && signal.shape != Shape::structure)
            append_run(0, values_.size(), signal.shape == Shape::array || values_.size() != 1, ", ", append_one);
        if (has_value(record) && signal.shape == Shape::structure) {
            out_.put('{');
            for (std::size_t at = 0, count = 0; at < values_.size(); at += count) {
                count = run_at(at, signal);
                if (at != 0) out_.put(", ");
                append_name(track.fields[values_[at].field].name, out_);
                out_.put('=');
                append_run(at, count, is_array(track, at, count), ", ", append_one);
            }
            out_.put('}');
        }
        if (const std::string_view more = states(record, false, ", "); !more.empty()) {
            out_.put(", ");
            out_.put(more);
        }
        out_.put('\n');
    }

    void append_object(const Track& track, const Signal& signal, const Record& record) {
        JsonObject object(settings_.json_integers, out_);
        object.number("time", record.time);
        object.text("unit", signal.unit);
        object.text("scope", signal.scope);
        object.text("signal", track.name);
        const auto append_one = [&](const Attribute& value) {
            append_json_value(schema_, track.fields[value.field], value.value, settings_.json_integers, out_);
        };
        if (!has_value(record)) {
            object.flag("no_value");
        } else if (signal.shape != Shape::structure) {
            object.known_member("value");
            append_run(0, values_.size(), signal.shape == Shape::array || values_.size() != 1, ",", append_one);
        } else {
            JsonObject members(settings_.json_integers, object.known_member("value"));
            for (std::size_t at = 0, count = 0; at < values_.size(); at += count) {
                count = run_at(at, signal);
                members.member(track.fields[values_[at].field].name);
                append_run(at, count, is_array(track, at, count), ",", append_one);
            }
            members.close();
        }
        if (record.value == change_conflict)
            object.flag("conflict");
        else if (record.value != change_unmarked)
            object.number("tag", record.value);
        if ((record.flags & record_restated) != 0) object.flag("restated");
        object.close();
    }

    void append_rows(const Track& track, const Signal& signal, const Record& record) {
        const auto append_row = [&](const Attribute* value) {
            out_.decimal_signed(record.time);
            out_.put(',');
            out_.put(signal.unit);
            out_.put(',');
            append_csv(signal.scope, out_);
            out_.put(',');
            append_csv(track.name, out_);
            out_.put(',');
            if (value != nullptr) append_csv(track.fields[value->field].name, out_);
            out_.put(',');
            if (value != nullptr) append_bare_value(track.fields[value->field], value->value);
            out_.put(',');
            out_.put(states(record, true, " | "));
            out_.put('\n');
        };
        if (!has_value(record) || values_.empty()) return append_row(nullptr);
        for (const Attribute& value : values_)
            append_row(&value);
    }

    /// Writes a value, quoted only if CSV requires it.
    void append_bare_value(const Field& field, std::uint64_t cell) {
        if (holds_text(field.type) && field.type != Type::blob)
            return append_csv(schema_.text(static_cast<StringId>(cell)), out_);
        if (field.type == Type::enumeration)
            if (const std::string* label = schema_.label(field.enumeration, cell)) return append_csv(*label, out_);
        scratch_.clear();
        append_json_value(schema_, field, cell, JsonIntegers::numbers, scratch_);
        std::string_view text = scratch_.text();
        if (!text.starts_with('"')) return out_.put(text);
        text = text.substr(1, text.size() - 2);
        append_csv(text, out_);
    }

    const Schema& schema_;
    TextForm form_;
    const Settings& settings_;
    TextOutput& out_;
    TextOutput scratch_{-1, 256};
    std::vector<Signal> signals_;    // indexed by track
    std::vector<Attribute> values_;  // the values of one change; reused
    std::string states_;
    std::optional<bool> was_records_;
    bool first_ = true;
};

}  // namespace

std::vector<std::string> show_samples(Reader& reader, TextForm form, const ViewOptions&, const Settings& settings,
                                      TextOutput& out, const ProgressListener& progress) {
    Samples samples(reader.schema(), form, settings, out);
    samples.begin();
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        for (const Record& record : batch.records())
            if (record.kind == Kind::change) samples.put(batch, record);
        if (progress) progress(reader.position());
    }
    samples.end();
    const bool any = std::ranges::any_of(reader.schema().tracks(),
                                         [](const Track& track) { return track.kind == Track::Kind::signal; });
    if (any) return {};
    return {"the trace has no signals"};
}

}  // namespace hwtrace
